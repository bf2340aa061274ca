import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, closeSync, existsSync, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { StartError } from '../core/start-error.ts'
import { type Binaries, findBinaries, type Launcher, launcherFor, nobody, runToEnd } from './binaries.ts'

export type Address = { host: string; port: number; user: string; database: string }

export type Embedded = {
  address: Address
  /** Stops PostgreSQL and gives the data directory back. */
  stop(): Promise<void>
}

type Log = { info(message: string): void; warn(message: string): void; error(message: string): void }

const superuser = 'lading'
const database = 'lading'
const port = 5432
const unixPathLimit = 103
/** Whoever holds this advisory lock in the `postgres` database owns the data directory; the lock dies with its process. */
const ownerLock = 4_051_723

/** Starts PostgreSQL inside `dataDir` for this process alone, after whatever an earlier one left behind. */
export async function startEmbedded(dataDir: string, log: Log, maxConnections = 100): Promise<Embedded> {
  const places = preparePlaces(dataDir)
  const binaries = findBinaries()
  const launcher = launcherFor(binaries, dataDir)
  await createCluster(places, binaries, launcher)
  const left = await connectIfRunning(places.socketDir)
  if (left) await stopLeftover(left, places, dataDir, log)
  return supervise({ places, binaries, launcher, dataDir, log, maxConnections })
}

/** The address of an embedded PostgreSQL that a running Lading owns, or null: for commands that work beside the server. */
export async function findRunning(dataDir: string): Promise<Address | null> {
  const socketDir = socketDirOf(dataDir)
  const running = existsSync(socketDir) ? await connectIfRunning(socketDir) : null
  await running?.end()
  return running ? addressOf(socketDir) : null
}

type Places = { cluster: string; socketDir: string; logDir: string; startLog: string }

function preparePlaces(dataDir: string): Places {
  const places = {
    cluster: join(dataDir, 'postgres'),
    socketDir: socketDirOf(dataDir),
    logDir: join(dataDir, 'log'),
    startLog: join(dataDir, 'log', 'start.log'),
  }
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    mkdirSync(places.logDir, { recursive: true, mode: 0o700 })
    mkdirSync(places.socketDir, { recursive: true, mode: 0o700 })
    closeSync(openSync(places.startLog, 'a', 0o600))
  } catch (error) {
    throw new StartError(
      `Cannot write to the data directory ${dataDir} (${codeOf(error)}). Give this user the right to write there, or name another with DATA_DIR.`,
    )
  }
  const socketDir = lstatSync(places.socketDir)
  if (!socketDir.isDirectory() || !trusted(socketDir.uid)) {
    throw new StartError(`${places.socketDir} belongs to someone else, so the database socket cannot go there. Remove it, or name a shorter DATA_DIR.`)
  }
  chmodSync(places.socketDir, 0o700)
  return places
}

/** Socket names are limited to about 100 bytes by the operating system: a long data directory gets a short place of its own. */
function socketDirOf(dataDir: string): string {
  const inside = join(dataDir, 'run')
  if (Buffer.byteLength(join(inside, `.s.PGSQL.${port}`)) <= unixPathLimit) return inside
  const mark = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  const short = join(tmpdir(), `lading-${userInfo().uid}-${mark}`)
  return Buffer.byteLength(join(short, `.s.PGSQL.${port}`)) <= unixPathLimit ? short : join('/tmp', `lading-${userInfo().uid}-${mark}`)
}

/** Made beside its place and renamed into it, so that a half-made cluster never passes for a whole one. */
async function createCluster({ cluster }: Places, binaries: Binaries, launcher: Launcher): Promise<void> {
  if (existsSync(join(cluster, 'PG_VERSION'))) {
    const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
    if (version === binaries.major) return
    throw new StartError(
      `The data in ${cluster} was made by PostgreSQL ${version}, and this Lading brings PostgreSQL ${binaries.major}. Move it over with pg_dump and pg_restore, or run the Lading that made it.`,
    )
  }
  const parent = join(cluster, '..')
  for (const name of readdirSync(parent)) {
    const maker = /^postgres\.new-(\d+)$/.exec(name)?.[1]
    if (maker && !isAlive(Number(maker))) rmSync(join(parent, name), { recursive: true, force: true })
  }
  const fresh = `${cluster}.new-${process.pid}`
  mkdirSync(fresh, { mode: 0o700 })
  launcher.own(fresh)
  const { code, output } = await runToEnd(launcher, binaries.initdb, [
    ...['--pgdata', fresh, '--username', superuser, '--auth', 'trust', '--encoding', 'UTF8'],
    ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--locale', 'C', '--no-instructions'],
  ])
  if (code !== 0) {
    rmSync(fresh, { recursive: true, force: true })
    throw new StartError(`PostgreSQL could not lay out its data directory in ${parent}: ${lastLine(output)}`)
  }
  try {
    renameSync(fresh, cluster)
  } catch {
    rmSync(fresh, { recursive: true, force: true })
  }
}

async function connectIfRunning(socketDir: string): Promise<postgres.Sql | null> {
  for (let attempt = 0; ; attempt++) {
    const connection = connectTo(socketDir, 'postgres')
    try {
      await connection`select 1`
      return connection
    } catch (error) {
      await connection.end({ timeout: 0 })
      const starting = codeOf(error) === '57P03'
      if (!starting) return null
      if (attempt > 300) throw new StartError(`The PostgreSQL in ${socketDir} has been starting or stopping for 30 seconds. Look at its log.`)
      await sleep(100)
    }
  }
}

async function stopLeftover(left: postgres.Sql, places: Places, dataDir: string, log: Log): Promise<void> {
  try {
    await claim(left, dataDir)
  } finally {
    await left.end({ timeout: 1 })
  }
  const pid = postmasterPid(places.cluster)
  log.warn(`Found PostgreSQL (pid ${pid}) left running by an earlier Lading; stopping it cleanly first.`)
  if (pid && isAlive(pid)) {
    process.kill(pid, 'SIGINT')
    for (let waited = 0; isAlive(pid) && waited < 60_000; waited += 20) await sleep(20)
  }
}

/** Takes the owner's lock, or refuses and says who holds it. */
async function claim(connection: postgres.Sql, dataDir: string): Promise<void> {
  const [row] = await connection`
    select pg_try_advisory_lock(${ownerLock}) as claimed,
      (select string_agg(substring(a.application_name from 'pid (\d+)'), ', ') from pg_locks l join pg_stat_activity a using (pid)
        where l.locktype = 'advisory' and l.objid = ${ownerLock} and l.granted and a.pid <> pg_backend_pid()) as owner`
  if (!row?.claimed) {
    throw new StartError(
      `Another Lading (pid ${row?.owner ?? 'unknown'}) is already running on ${dataDir}. Stop it first, or give this one a DATA_DIR of its own.`,
    )
  }
}

type Supervised = { places: Places; binaries: Binaries; launcher: Launcher; dataDir: string; log: Log; maxConnections: number }

/** Runs PostgreSQL as our child, starts it again should it die, and stops it when asked. */
async function supervise(with_: Supervised): Promise<Embedded> {
  const { places, log, dataDir } = with_
  let stopping = false
  let server = await launch(with_)
  const owner = connectTo(places.socketDir, 'postgres', `lading owner, pid ${process.pid}`)
  try {
    await claim(owner, dataDir)
    if ((await owner`select 1 from pg_database where datname = ${database}`).length === 0) {
      await owner`create database lading`
    }
  } catch (error) {
    await owner.end({ timeout: 1 })
    if (server.child) await stopServer(server.child)
    throw error
  }
  watch(server)

  function watch(running: Server): void {
    running.child?.once('exit', async (code, signal) => {
      if (stopping) return
      log.error(`PostgreSQL ended by itself (${signal ?? `exit code ${code}`}); starting it again.`)
      for (let pause = 100; !stopping; pause = Math.min(pause * 2, 5_000)) {
        try {
          server = await launch(with_)
          await claim(owner, dataDir)
          log.info('PostgreSQL is back.')
          return watch(server)
        } catch (error) {
          log.error(`PostgreSQL did not start: ${error instanceof Error ? error.message : error}`)
          await sleep(pause)
        }
      }
    })
  }

  return {
    address: addressOf(places.socketDir),
    async stop() {
      stopping = true
      await owner.end({ timeout: 1 })
      if (server.child) await stopServer(server.child)
    },
  }
}

/** `child` is null when another process won the race to start PostgreSQL; its owner's lock then decides. */
type Server = { child: ChildProcess | null }

async function launch({ places, binaries, launcher, maxConnections }: Supervised): Promise<Server> {
  forgetReusedPid(places.cluster)
  const output = openSync(places.startLog, 'w', 0o600)
  launcher.own(places.socketDir)
  launcher.own(places.logDir)
  launcher.own(places.startLog)
  const { command, args, options } = launcher.wrap(binaries.postgres, ['-D', places.cluster, ...serverSettings(places, maxConnections)])
  // Detached: Ctrl-C reaches a whole process group, and PostgreSQL must outlive the requests that are still being answered.
  const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', output, output] })
  closeSync(output)
  let failure: Error | undefined
  child.once('error', (error) => {
    failure = error
  })
  for (;;) {
    if (failure) throw new StartError(`PostgreSQL could not be run (${failure.message}).`)
    if (child.exitCode !== null || child.signalCode !== null) {
      const said = readFileSync(places.startLog, 'utf8')
      if (said.includes('postmaster.pid" already exists')) return { child: null }
      throw new StartError(`PostgreSQL did not start: ${lastLine(said)} Its log is in ${places.logDir}.`)
    }
    const connection = await connectIfRunning(places.socketDir)
    if (connection) {
      await connection.end()
      child.unref()
      return { child }
    }
    await sleep(10)
  }
}

function serverSettings({ socketDir, logDir }: Places, maxConnections: number): string[] {
  const settings: Record<string, string | number> = {
    listen_addresses: '',
    port,
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    max_connections: maxConnections,
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    shared_buffers: '256MB',
    random_page_cost: 1.1,
    jit: 'off',
    // Nobody replicates an embedded server; less is written for each change.
    wal_level: 'minimal',
    max_wal_senders: 0,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Seven files, one a weekday, each begun anew: the log cannot fill the disk.
    logging_collector: 'on',
    log_directory: logDir,
    log_filename: 'postgresql-%a.log',
    log_truncate_on_rotation: 'on',
    log_rotation_age: '1d',
    log_rotation_size: 0,
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** SIGINT is PostgreSQL's "fast" stop: open transactions roll back, everything committed is on disk. */
async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  child.ref()
  child.kill('SIGINT')
  await ended
}

/** After a reboot the pid that PostgreSQL noted may be another program's by now, and PostgreSQL would refuse to start. */
function forgetReusedPid(cluster: string): void {
  const pid = postmasterPid(cluster)
  if (!pid || !existsSync('/proc/self/cmdline')) return
  try {
    if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(cluster)) return
  } catch {
    return
  }
  rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

function postmasterPid(cluster: string): number | null {
  try {
    return Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10) || null
  } catch {
    return null
  }
}

/** Where the embedded server of a data directory listens. */
export function embeddedAddress(dataDir: string): Address {
  return addressOf(socketDirOf(dataDir))
}

function addressOf(socketDir: string): Address {
  return { host: socketDir, port, user: superuser, database }
}

function connectTo(socketDir: string, name: string, application_name = 'lading'): postgres.Sql {
  return postgres({
    ...addressOf(socketDir),
    database: name,
    max: 1,
    connect_timeout: 5,
    idle_timeout: 0,
    max_lifetime: null,
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name },
  })
}

/** As root, PostgreSQL may run as nobody and then owns its socket's directory. */
function trusted(uid: number): boolean {
  return uid === userInfo().uid || (process.getuid?.() === 0 && uid === nobody)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? String(error)
}

function lastLine(output: string): string {
  return (
    output
      .trim()
      .split('\n')
      .findLast((line) => /FATAL|ERROR|error/.test(line)) ??
    output.trim().split('\n').at(-1) ??
    ''
  )
}
