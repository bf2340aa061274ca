import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { type Authority, openAuthority } from './auth/authority.ts'
import { lastBackup } from './backup/schedule.ts'
import { StartError } from './core/start-error.ts'
import { connect } from './db/connect.ts'
import { openDatabase } from './db/database.ts'
import type { Address } from './db/embedded.ts'
import { drain } from './http/drain.ts'
import type { Log } from './log.ts'
import { type Metrics, makeMetrics, observeBackups, observeShares } from './metrics.ts'
import type { Settings } from './settings.ts'
import { jobsOf } from './work/jobs.ts'
import { startWork } from './work/scheduler.ts'

export type Serving = { app: FastifyInstance; metrics: Metrics; stop(): Promise<void> }

/** Serves HTTP from this process until stopped. */
export async function serve(settings: Settings, target: Address | string, log: Log, gatherMetrics?: () => Promise<string>): Promise<Serving> {
  const database = openDatabase(connect(target, { max: settings.databasePool }), { searchMs: settings.searchTimeoutMs })
  const draining = { now: false }
  const metrics = makeMetrics(gatherMetrics)
  let app: FastifyInstance
  let authority: Authority | undefined
  try {
    authority = await openAuthority({ database, settings, log })
    app = await buildApp({ settings, database, authority, log, metrics, draining })
    await app.listen({ host: settings.host, port: settings.port })
  } catch (error) {
    await authority?.close()
    await database.close()
    throw cannotListen(error, settings)
  }
  // What loading left behind goes back to the system. There is no such function where the program was started without its flags (bin/lading.js).
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  observeShares(metrics, database.shares)
  observeBackups(metrics, async () => (await lastBackup(database.pool))?.made_at)
  const work = startWork({ pool: database.pool, jobs: jobsOf(database, settings), log, observe: metrics.observeJob })
  return {
    app,
    metrics,
    async stop() {
      await drain(app, draining, { delayMs: settings.drainDelayMs, timeoutMs: settings.drainTimeoutMs })
      await work.stop()
      await authority?.close()
      await database.close()
    },
  }
}

function cannotListen(error: unknown, { host, port }: Settings): unknown {
  const { code } = error as { code?: string }
  if (code === 'EADDRINUSE') return new StartError(`Port ${port} on ${host} is taken by another program. Choose another with PORT.`)
  if (code === 'EACCES') return new StartError(`This user may not listen on port ${port}. Choose one above 1023 with PORT.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return new StartError(`${host} is no address of this machine. Choose another with HOST.`)
  return error
}
