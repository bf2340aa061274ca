/** PostgreSQL servers with replicas, from the binaries that Lading brings: a copy of the files between pg_backup_start and pg_backup_stop. */
import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { connect } from '../../src/platform/db/pool/connect.ts'
import { findBinaries, launcherFor, runToEnd } from '../../src/platform/db/postgres/binaries.ts'
import { allLetters } from '../../src/platform/db/postgres/data-dir.ts'
import { answers, freePort } from '../process/database.ts'
import { newDataDir, until } from '../process/lading.ts'

export type Cluster = {
  directory: string
  port: number
  url: string
  start(): Promise<void>
  /** To the server itself, or to all of its processes. */
  signal(signal: NodeJS.Signals, all?: boolean): void
  stop(): Promise<void>
}

/** A new, empty one; not running yet. `settings` are lines of its configuration. */
export async function newCluster(t: TestContext, settings = ''): Promise<Cluster> {
  const directory = newDataDir(t)
  mkdirSync(directory, { mode: 0o700 })
  const binaries = findBinaries()
  const launcher = launcherFor(binaries, { dataDir: dirname(directory), cluster: directory })
  launcher.own(directory)
  const options = ['--username', 'tester', '--auth', 'trust', '--no-instructions', ...allLetters]
  const { code, output } = await runToEnd(launcher, binaries.initdb, ['--pgdata', directory, ...options])
  if (code !== 0) throw new Error(output)
  appendFileSync(join(directory, 'postgresql.conf'), settings)
  return clusterIn(t, directory)
}

/**
 * The files of a running one, copied while it serves. What it writes meanwhile is in its WAL, which the copy gets from an archive or from the
 * server itself.
 */
export async function baseBackupOf(t: TestContext, { url, directory: source }: Cluster): Promise<string> {
  const directory = newDataDir(t)
  const pool = connect(url, { max: 1 })
  // Both on one connection: the backup ends with the connection that began it.
  const client = await pool.open()
  try {
    await client.query(`select pg_backup_start('copy', fast => true)`)
    copyFiles(source, directory)
    const { rows } = await client.query('select labelfile from pg_backup_stop(wait_for_archive => false)')
    writeFileSync(join(directory, 'backup_label'), rows[0].labelfile)
  } finally {
    await client.end()
    await pool.end()
  }
  return directory
}

/** One that begins with such a copy; not running yet. */
export function clusterFrom(
  t: TestContext,
  copy: string,
  signalFile: 'standby.signal' | 'recovery.signal',
  settings: string,
  port?: number,
): Promise<Cluster> {
  appendFileSync(join(copy, 'postgresql.auto.conf'), settings)
  writeFileSync(join(copy, signalFile), '')
  return clusterIn(t, copy, port)
}

/** A file may go away or grow while it is copied: the WAL makes up for both. */
function copyFiles(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (/^postmaster\.(pid|opts)$/.test(entry.name)) continue
    if (entry.name === 'pg_wal') mkdirSync(join(target, 'archive_status'), { recursive: true, mode: 0o700 })
    else if (entry.isDirectory()) copyFiles(source, target)
    else copyIfThere(source, target)
  }
}

function copyIfThere(source: string, target: string): void {
  try {
    copyFileSync(source, target)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error
  }
}

async function clusterIn(t: TestContext, directory: string, givenPort?: number): Promise<Cluster> {
  const binaries = findBinaries()
  const launcher = launcherFor(binaries, { dataDir: dirname(directory), cluster: directory })
  launcher.own(directory)
  const port = givenPort ?? (await freePort())
  const log = join(dirname(directory), 'server.log')
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'max_connections=100',
    'wal_keep_size=512MB',
    'hot_standby=on',
  ]
  let child: ChildProcess | null = null
  const cluster: Cluster = {
    directory,
    port,
    url: `postgres://tester@127.0.0.1:${port}/postgres`,
    async start() {
      const arguments_ = [
        '-D',
        directory,
        ...settings.flatMap((setting) => ['-c', setting]),
        '-c',
        `log_directory=${dirname(log)}`,
      ]
      const { command, args, options } = launcher.wrap(binaries.postgres, arguments_)
      child = spawn(command, args, { ...options, detached: true, stdio: 'ignore' })
      await until(async () => child?.exitCode !== null || (await answers(cluster.url)), 'the PostgreSQL server answers')
      if (child.exitCode !== null) throw new Error('PostgreSQL did not start.')
    },
    signal(signal, all = false) {
      const pid = child?.pid
      if (!pid || child?.exitCode !== null || child?.signalCode !== null) return
      const others = all ? readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number) : []
      for (const each of [pid, ...others]) process.kill(each, signal)
    },
    async stop() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((done) => child?.once('exit', done))
      child.kill('SIGINT')
      await ended
    },
  }
  t.after(() => {
    // A process that is stopped does not see that its server is gone.
    cluster.signal('SIGCONT', process.platform === 'linux')
    cluster.signal('SIGQUIT')
    rmSync(join(directory, 'postmaster.pid'), { force: true })
  })
  return cluster
}
