import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorRegistry, type RegistryContentType } from 'prom-client'
import { openKeyring } from './auth/keyring.ts'
import { StartError } from './core/start-error.ts'
import { connect, isAway } from './db/connect.ts'
import { openDatabase } from './db/database.ts'
import { type Address, embeddedAddress, startEmbedded } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'
import { ensureDemo } from './demo/demo.ts'
import { type Log, makeLog } from './log.ts'
import { serve } from './serve.ts'
import type { Settings } from './settings.ts'

type Stop = () => Promise<void>

/** `lading start`: the database if it is ours, the schema, the demo, then HTTP from one process or several; and the way back on a signal. */
export async function start(settings: Settings): Promise<void> {
  const log = makeLog(settings)
  if (cluster.isWorker) return startWorker(settings, log)
  const undo: Stop[] = []
  const stopped = stopOnSignal(undo, log)
  try {
    const target = settings.databaseUrl ?? (await ownPostgres(settings, log, undo))
    await prepare(settings, target, log)
    undo.push(settings.workers > 1 ? await forkWorkers(settings, log) : (await serve(settings, target, log)).stop)
    log.info(`Lading ${settings.version} is ready at ${settings.publicUrl} (API reference: ${settings.publicUrl}/docs)`)
  } catch (error) {
    await unwind(undo)
    throw error
  }
  await stopped
}

async function ownPostgres(settings: Settings, log: Log, undo: Stop[]): Promise<Address> {
  const connections = settings.workers * (settings.databasePool + 1) + 20
  const embedded = await startEmbedded(settings.dataDir, log, Math.max(100, connections))
  undo.push(embedded.stop)
  return embedded.address
}

async function prepare(settings: Settings, target: Address | string, log: Log): Promise<void> {
  const pool = connect(target, { max: 2, name: 'lading start' })
  const database = openDatabase(pool)
  try {
    const applied = await whenReachable(() => migrate(pool), log)
    if (applied.length > 0) log.info(`Brought the schema up to date: ${applied.length} migrations.`)
    await openKeyring(pool)
    if (!settings.databaseUrl) await ensureDemo(database, settings)
  } finally {
    await database.close()
  }
}

/** Servers and databases often start together; half a minute of patience saves a restart. */
async function whenReachable<T>(work: () => Promise<T>, log: Log): Promise<T> {
  for (let left = 30; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (!isAway(error)) throw error
      if (left === 0) throw new StartError(`The database of DATABASE_URL cannot be reached (${(error as { code?: string }).code}).`)
      log.warn(`The database is not there yet (${(error as { code?: string }).code}); trying again.`)
      await sleep(1000)
    }
  }
}

/** One process for each worker, all on one port; one that dies is replaced. */
async function forkWorkers(settings: Settings, log: Log): Promise<Stop> {
  let stopping = false
  const aggregator = new AggregatorRegistry()
  const launch = () =>
    new Promise<void>((ready, failed) => {
      const worker = cluster.fork()
      worker.on('message', (message: { lading?: string; error?: string }) => {
        if (message.lading === 'ready') ready()
        if (message.lading === 'failed') failed(new StartError(message.error))
        if (message.lading === 'metrics?') answerMetrics(worker, aggregator)
      })
      worker.once('exit', (code, signal) => {
        failed(new StartError(`A worker ended while starting (${signal ?? code}).`))
        if (stopping || code === startFailed) return
        log.error(`A worker (pid ${worker.process.pid}) ended by itself (${signal ?? `exit code ${code}`}); starting another.`)
        setTimeout(() => stopping || launch().catch((error) => log.error(error)), 200)
      })
    })
  const stop = async () => {
    stopping = true
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    await Promise.all(
      workers.map((worker) => {
        const ended = new Promise((done) => worker.once('exit', done))
        worker.send({ lading: 'stop' })
        return ended
      }),
    )
  }
  try {
    await Promise.all(Array.from({ length: settings.workers }, launch))
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}

async function answerMetrics(worker: Worker, aggregator: AggregatorRegistry<RegistryContentType>): Promise<void> {
  const text = await aggregator.clusterMetrics().catch(() => '')
  if (worker.isConnected()) worker.send({ lading: 'metrics', text })
}

const startFailed = 78

/** A worker takes its orders from the primary: a Ctrl-C reaches every process of the terminal, and the primary decides when to stop. */
async function startWorker(settings: Settings, log: Log): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  try {
    const serving = await serve(settings, settings.databaseUrl ?? embeddedAddress(settings.dataDir), log, askForMetrics)
    const stop = async () => {
      await serving.stop()
      process.exit(0)
    }
    process.on('message', (message: { lading?: string }) => message.lading === 'stop' && stop())
    // The primary was killed: nobody else would ever end this process.
    process.on('disconnect', stop)
    process.send?.({ lading: 'ready' })
  } catch (error) {
    process.send?.({ lading: 'failed', error: (error as Error).message }, () => process.exit(startFailed))
  }
}

function askForMetrics(): Promise<string> {
  return new Promise((done) => {
    const listen = (message: { lading?: string; text?: string }) => {
      if (message.lading !== 'metrics') return
      process.off('message', listen)
      done(message.text ?? '')
    }
    process.on('message', listen)
    process.send?.({ lading: 'metrics?' })
  })
}

/** HTTP first, so that every request in flight still finds its database; then the database. */
function stopOnSignal(undo: Stop[], log: Log): Promise<void> {
  return new Promise((stopped) => {
    let asked = 0
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, async () => {
        if (++asked > 1) return log.warn('Already stopping: finishing what is under way.')
        log.info(`${signal}: stopping. Requests under way are finished first.`)
        await unwind(undo)
        log.info('Stopped.')
        log.flush()
        stopped()
      })
    }
  })
}

async function unwind(undo: Stop[]): Promise<void> {
  for (let step = undo.pop(); step; step = undo.pop()) await step()
}
