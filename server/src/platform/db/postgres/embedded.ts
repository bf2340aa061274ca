import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { StartError } from '../../core/start-error.ts'
import { type Binaries, findBinaries, isAlive, type Launcher, launcherFor } from './binaries.ts'
import { createCluster, type Places, port, preparePlaces, socketDirOf, superuser } from './data-dir.ts'
import { connectIfRunning, connectTo, launch, postmasterPid, stopOrphan, stopServer } from './postmaster.ts'

export type Address = { host: string; port: number; user: string; database: string }

export type EmbeddedPostgres = {
  address: Address
  /** Stops PostgreSQL and gives the data directory back. */
  stop(): Promise<void>
}

type Log = { info(message: string): void; warn(message: string): void; error(message: string): void }
type Supervised = { places: Places; binaries: Binaries; launcher: Launcher; log: Log; maxConnections: number }

/** Whoever holds this advisory lock in the `postgres` database owns the data directory; the lock ends with its process. */
const ownerLock = 4_051_723
const patienceMs = 30_000
/** How long a Lading that has started PostgreSQL may take to lock it, before its pid is taken for another program's. */
const lockMs = 10_000

/** Starts PostgreSQL inside `dataDir` for this process alone, after whatever an earlier one left behind. */
export async function startEmbedded(dataDir: string, log: Log, maxConnections = 100): Promise<EmbeddedPostgres> {
  const places = preparePlaces(dataDir)
  const binaries = findBinaries()
  const launcher = launcherFor(binaries, places)
  await createCluster(places, binaries, launcher)
  for (const since = Date.now(); ; await sleep(50)) {
    const left = await connectIfRunning(places.socketDir)
    if (left) await stopLeftover(left, places, log)
    const child = await launch(places, binaries, launcher, maxConnections)
    if (child) return supervise(child, { places, binaries, launcher, log, maxConnections })
    if (Date.now() - since > patienceMs) {
      throw new StartError(
        `Another PostgreSQL (pid ${postmasterPid(places.cluster)}) holds ${places.cluster} and does not answer. Stop it first.`,
      )
    }
  }
}

/** The address of an embedded PostgreSQL that runs already, or null: for commands that run while the server does. */
export async function findRunning(dataDir: string): Promise<Address | null> {
  const socketDir = socketDirOf(dataDir)
  const running = existsSync(socketDir) ? await connectIfRunning(socketDir) : null
  await running?.end()
  return running ? embeddedAddress(dataDir) : null
}

/** Where the embedded server of a data directory listens. */
export function embeddedAddress(dataDir: string): Address {
  return { host: socketDirOf(dataDir), port, user: superuser, database: 'lading' }
}

/**
 * The lock is held until PostgreSQL is gone, so that of several Ladings that find it one stops it and the others refuse.
 * One that loses its connection meanwhile has met the stopping itself, and looks again.
 */
async function stopLeftover(left: Client, { cluster, dataDir }: Places, log: Log): Promise<void> {
  try {
    await lockAsOwner(left, dataDir)
    log.warn(
      `Found PostgreSQL (pid ${postmasterPid(cluster)}) left running by an earlier Lading; stopping it cleanly first.`,
    )
    await stopOrphan(cluster)
  } catch (error) {
    if (error instanceof StartError) throw error
  } finally {
    await left.end()
  }
}

/** Takes the owner's lock, or refuses and says who holds it. */
async function lockAsOwner(client: Client, dataDir: string): Promise<void> {
  for (const since = Date.now(); ; await sleep(50)) {
    const { rows } = await client.query(`
      select current_setting('lading.starter', true) as starter, (
        select string_agg(coalesce(substring(a.application_name from 'pid ([0-9]+)'), 'unknown'), ', ') from pg_locks l join pg_stat_activity a using (pid)
        where l.locktype = 'advisory' and l.objid = ${ownerLock} and l.granted and a.pid <> pg_backend_pid()) as owner`)
    const [row] = rows as [{ starter: string | null; owner: string | null }]
    if (row.owner) throw alreadyRunning(row.owner, dataDir)
    const starter = Number(row.starter)
    const aboutToLock = starter && starter !== process.pid && isAlive(starter) && Date.now() - since < lockMs
    if (aboutToLock) continue
    const lock = await client.query(`select pg_try_advisory_lock(${ownerLock}) as locked`)
    if (lock.rows[0]?.locked) return
  }
}

function alreadyRunning(owner: string, dataDir: string): StartError {
  return new StartError(
    `Another Lading (pid ${owner}) is already running on ${dataDir}. Stop it first, or give this one a DATA_DIR of its own.`,
  )
}

/** Starts PostgreSQL again where it ends by itself, and stops it when asked. */
async function supervise(
  child: ChildProcess,
  { places, binaries, launcher, log, maxConnections }: Supervised,
): Promise<EmbeddedPostgres> {
  let server = child
  let stopping = false
  let relaunched = Promise.resolve()
  let owner: Client | undefined
  try {
    owner = await connectAsOwner()
    const { rowCount } = await owner.query(`select from pg_database where datname = 'lading'`)
    if (rowCount === 0) await owner.query('create database lading')
  } catch (error) {
    stopping = true
    await owner?.end()
    await stopServer(server)
    throw error
  }
  watch()

  function watch(): void {
    if (server.exitCode === null && server.signalCode === null) server.once('exit', replace)
    else replace()
  }

  function replace(): void {
    if (stopping) return
    log.error(`PostgreSQL ended by itself (${server.signalCode ?? `exit code ${server.exitCode}`}); starting it again.`)
    relaunched = relaunch()
  }

  async function relaunch(): Promise<void> {
    for (let pause = 50; !stopping; pause = Math.min(pause * 2, 1_000)) {
      try {
        const again = await launch(places, binaries, launcher, maxConnections)
        if (again) {
          server = again
          log.info('PostgreSQL is back.')
          return watch()
        }
      } catch (error) {
        log.error(`PostgreSQL did not start: ${(error as Error).message}`)
      }
      await sleep(pause)
    }
  }

  async function connectAsOwner(): Promise<Client> {
    const client = await connectTo(places.socketDir)
    try {
      await lockAsOwner(client, places.dataDir)
    } catch (error) {
      await client.end()
      throw error
    }
    return client.once('end', () => void becomeOwnerAgain())
  }

  /** The lock went with its connection: PostgreSQL died, or ended all connections after one of its processes had crashed. */
  async function becomeOwnerAgain(): Promise<void> {
    owner = undefined
    while (!stopping && !owner) {
      await sleep(50)
      owner = await connectAsOwner().catch(() => undefined)
    }
  }

  return {
    address: embeddedAddress(places.dataDir),
    async stop() {
      stopping = true
      await relaunched
      await owner?.end()
      await stopServer(server)
    },
  }
}
