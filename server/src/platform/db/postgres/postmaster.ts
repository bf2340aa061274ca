import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg, { type Client } from 'pg'
import { StartError } from '../../core/start-error.ts'
import { type Binaries, isAlive, type Launcher, lastLine } from './binaries.ts'
import { type Places, port, superuser } from './data-dir.ts'

/** Recovery after a crash of a busy database takes its time. */
const patienceMs = 120_000

/**
 * Starts PostgreSQL and returns once it takes connections; null when another one is in the way that may be gone in a moment: one that another
 * process has just started, or the last processes of one that was killed.
 */
export async function launch(
  places: Places,
  binaries: Binaries,
  launcher: Launcher,
  maxConnections: number,
): Promise<ChildProcess | null> {
  forgetReusedPid(places)
  const output = openSync(places.startLog, 'w', 0o600)
  for (const path of [places.socketDir, places.logDir, places.cluster]) launcher.own(path)
  const { command, args, options } = launcher.wrap(binaries.postgres, [
    '-D',
    places.cluster,
    ...serverSettings(places, maxConnections),
  ])
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
      if (said.includes('pre-existing shared memory block')) endOrphans(places.cluster)
      if (/\.(pid|lock)" already exists|pre-existing shared memory block/.test(said)) return null
      throw new StartError(`PostgreSQL did not start: ${lastLine(said)} Its log is in ${places.logDir}.`)
    }
    if (await answersAsOurs(places.socketDir)) {
      child.unref()
      return child
    }
    await sleep(10)
  }
}

/** A connection to the PostgreSQL that listens there, once it takes connections; null when none does. */
export async function connectIfRunning(socketDir: string): Promise<Client | null> {
  for (const since = Date.now(); ; await sleep(20)) {
    try {
      return await connectTo(socketDir)
    } catch (error) {
      const startingOrStopping = (error as { code?: string }).code === '57P03'
      if (!startingOrStopping) return null
      if (Date.now() - since > patienceMs)
        throw new StartError(
          `The PostgreSQL in ${socketDir} has been starting or stopping for minutes. Look at its log.`,
        )
    }
  }
}

/** To the `postgres` database, where the owner's lock is held. */
export async function connectTo(socketDir: string): Promise<Client> {
  const client = new pg.Client({
    host: socketDir,
    port,
    user: superuser,
    database: 'postgres',
    connectionTimeoutMillis: 5_000,
    application_name: `lading, pid ${process.pid}`,
  })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** SIGINT is PostgreSQL's "fast" stop: open transactions roll back, everything committed is on disk. */
export async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  child.ref()
  child.kill('SIGINT')
  await ended
}

/** The same for one that is not our child. */
export async function stopOrphan(cluster: string): Promise<void> {
  const pid = postmasterPid(cluster)
  if (!pid || !isAlive(pid)) return
  process.kill(pid, 'SIGINT')
  for (let waited = 0; isAlive(pid) && waited < patienceMs; waited += 20) await sleep(20)
}

export function postmasterPid(cluster: string): number | null {
  try {
    return Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10) || null
  } catch {
    return null
  }
}

/** Whoever loses a race to start PostgreSQL finds the winner's under the same address. */
async function answersAsOurs(socketDir: string): Promise<boolean> {
  const client = await connectIfRunning(socketDir)
  if (!client) return false
  try {
    const { rows } = await client.query(`select current_setting('lading.starter', true) as starter`)
    return rows[0]?.starter === String(process.pid)
  } finally {
    await client.end()
  }
}

function serverSettings({ socketDir, logDir }: Places, maxConnections: number): string[] {
  const settings: Record<string, string | number> = {
    'lading.starter': process.pid,
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

/** After a reboot the pid that PostgreSQL noted may be another program's by now, and PostgreSQL would refuse to start. */
function forgetReusedPid({ cluster, socketDir }: Places): void {
  const pid = postmasterPid(cluster)
  if (!pid || !isAlive(pid) || process.platform !== 'linux' || servesCluster(pid, cluster)) return
  rmSync(join(cluster, 'postmaster.pid'), { force: true })
  rmSync(join(socketDir, `.s.PGSQL.${port}.lock`), { force: true })
}

/**
 * The processes of a postmaster that was killed may wait for each other for ever, and none can start while they do. Nothing of theirs is
 * needed: what was acknowledged is on disk.
 */
function endOrphans(cluster: string): void {
  const postmaster = postmasterPid(cluster)
  if (process.platform !== 'linux' || (postmaster && isAlive(postmaster))) return
  const home = realpathSync(cluster)
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readlinkSync(`/proc/${pid}/cwd`) === home && readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres'))
        process.kill(Number(pid), 'SIGKILL')
    } catch {
      // Gone meanwhile, or not ours to look at.
    }
  }
}

/** A postmaster works inside its data directory. Where one may not look, any PostgreSQL is taken for ours: too careful rather than too bold. */
function servesCluster(pid: number, cluster: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster)
  } catch {
    try {
      return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')
    } catch {
      return true
    }
  }
}
