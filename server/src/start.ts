import cluster from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { requireKeys } from './payables/upkeep/keys.ts'
import { openKeyring } from './platform/access/tokens/keyring.ts'
import { outboundOff } from './platform/core/outbound.ts'
import { StartError } from './platform/core/start-error.ts'
import { type Database, openDatabase } from './platform/db/database.ts'
import { isAway, isNodeAway, whyUnusable } from './platform/db/pool/away.ts'
import { connect, giveBack, type Pool } from './platform/db/pool/connect.ts'
import { mostExports } from './platform/db/pool/shares.ts'
import { type Address, startEmbedded } from './platform/db/postgres/embedded.ts'
import { migrate } from './platform/db/schema/migrate.ts'
import { unseenDocuments } from './platform/files/contents/place.ts'
import { openStorage } from './platform/files/storage/open.ts'
import { requirePort } from './platform/http/edge/port.ts'
import { type Log, makeLog } from './platform/observe/log.ts'
import { forkWorkers } from './platform/workers/primary.ts'
import { reindexObjects } from './records/upkeep/reindexing.ts'
import type { Settings } from './settings.ts'
import { missingConsole } from './tools/console/files.ts'
import { ensureDemo } from './tools/demo/demo.ts'
import { startWorker } from './worker.ts'

type Stop = () => Promise<void>

/** `lading start`: the database if it is ours, the schema, the demo, then HTTP from one process or several; and the way back on a signal. */
export async function start(settings: Settings): Promise<void> {
  const log = makeLog(settings)
  if (cluster.isWorker) return startWorker(settings, log)
  const undo: Stop[] = []
  const stop = stopOnSignal(log)
  try {
    await requirePort(settings)
    const target = settings.databaseUrl ?? (await ownPostgres(settings, log, undo))
    stop.throwIfAborted()
    await prepare(settings, target, log, stop)
    stop.throwIfAborted()
    undo.push(settings.workers > 1 ? await forkWorkers(settings, log) : await serveHere(settings, target, log))
    if (settings.outbound === 'off') log.warn(outboundOff)
    const withoutConsole = missingConsole()
    if (withoutConsole) log.warn(withoutConsole)
    log.info(`Lading ${settings.version} is ready at ${settings.publicUrl} (API reference: ${settings.publicUrl}/docs)`)
    if (!stop.aborted) await once(stop, 'abort')
  } catch (error) {
    // Asked to stop while still starting: what follows from that is no failure.
    if (!stop.aborted) throw error
  } finally {
    // HTTP first, so that every request in flight still finds its database; then the database.
    for (const step of undo.reverse()) await step()
    log.flush()
  }
  log.info('Stopped.')
  log.flush()
  // Everything is ended and said; a connection that was still being opened would keep the process alive.
  process.exit()
}

/** Loaded here and not above: a primary that only watches its workers, and a start that is refused, need none of it. */
async function serveHere(settings: Settings, target: Address | string, log: Log): Promise<Stop> {
  const { serve } = await import('./serve.ts')
  return serve(settings, target, log)
}

function stopOnSignal(log: Log): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      log.info(
        stop.signal.aborted
          ? 'Already stopping: finishing what is under way.'
          : `${signal}: stopping. Requests under way are finished first.`,
      )
      stop.abort()
    })
  }
  return stop.signal
}

async function ownPostgres(settings: Settings, log: Log, undo: Stop[]): Promise<Address> {
  // Besides those of the pool, a process has one that listens and those of its streams.
  const connections = settings.workers * (settings.databasePool + 1 + mostExports(settings.databasePool)) + 20
  const embedded = await startEmbedded(settings.dataDir, log, Math.max(100, connections))
  undo.push(embedded.stop)
  return embedded.address
}

async function prepare(settings: Settings, target: Address | string, log: Log, stop: AbortSignal): Promise<void> {
  const pool = connect(target, { max: 2, name: 'lading start' })
  const database = openDatabase(pool)
  try {
    await whenReachable(pool, log, stop)
    const applied = await migrate(pool)
    if (applied.length > 0) log.info(`Brought the schema up to date: ${applied.join(', ')}.`)
    await renewIndex(database, log, stop)
    await openKeyring(pool)
    await lookAround(database, settings, log)
    if (!settings.databaseUrl) await ensureDemo(database, settings, log)
  } finally {
    await database.close()
  }
}

/** Whether this machine has what the rows of the database need besides. With a node of it away that is not known, and no reason not to serve the others. */
async function lookAround(database: Database, settings: Settings, log: Log): Promise<void> {
  try {
    const keys = await requireKeys(database, settings)
    const documents = await unseenDocuments(database.pool, openStorage(settings))
    for (const fault of [keys, documents]) if (fault !== '') log.warn(fault)
  } catch (error) {
    if (!isNodeAway(error)) throw error
  }
}

/** Among very many objects this takes minutes, in which nothing is served: whoever watches should know why. */
async function renewIndex(database: Database, log: Log, stop: AbortSignal): Promise<void> {
  let reported = 0
  const reindexed = await reindexObjects(database, ({ read }) => {
    stop.throwIfAborted()
    if (read - reported < 50_000) return
    reported = read
    log.info(`Reindexing objects: read ${read}.`)
  }).catch((error) => {
    if (!isNodeAway(error)) throw error
    log.warn(
      'A node of the database is away: its organizations are answered 503 until it is back. Objects that were to be reindexed are at the next start.',
    )
    return null
  })
  if (!reindexed) return
  const { read, repaired } = reindexed
  if (read > 0) log.info(`Read ${read} objects and reindexed ${repaired} of them.`)
}

/** Servers and databases often start together; half a minute of patience saves a restart. */
async function whenReachable(pool: Pool, log: Log, stop: AbortSignal): Promise<void> {
  for (const since = Date.now(); ; await sleep(500, undefined, { signal: stop })) {
    try {
      giveBack(await pool.reserve())
      return
    } catch (error) {
      const why = whyUnusable(error)
      if (!why) throw error
      if (!isAway(error) || Date.now() - since > 30_000) throw new StartError(why)
      log.warn(`${why} Trying again.`)
    }
  }
}
