/**
 * Runs a command on a throwaway PostgreSQL of this machine's own packages: `node scripts/with-postgres.ts npm run test:server`.
 * The command finds it in DATABASE_URL; when it ends, or is ended, the server and its files are gone.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../server/src/platform/db/pool/connect.ts'
import { type Binaries, type Launcher, launcherFor, runToEnd } from '../server/src/platform/db/postgres/binaries.ts'
import { sql } from '../server/src/platform/db/sql/sql.ts'
import { findPostgres, installPostgres } from './postgres-packages.ts'

type Running = { url: string; stop(): Promise<void> }

const [program, ...programArgs] = process.argv.slice(2)
if (!program) fail('usage: node scripts/with-postgres.ts <command> [arguments]')

const binaries = findPostgres() ?? (process.env.CI ? installPostgres() : null)
if (!binaries) {
  fail(
    process.env.CI
      ? 'There is no PostgreSQL 15 or newer on this machine, and it could not be installed (that takes root and apt-get).'
      : 'This needs the server programs of PostgreSQL 15 or newer; on Debian: apt-get install postgresql-15',
  )
}

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const asked = new AbortController()
for (const signal of stopSignals) process.on(signal, () => asked.abort())

const dir = mkdtempSync(join(tmpdir(), 'lading-postgres-'))
try {
  process.exitCode = await runOn(binaries, dir)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  rmSync(dir, { recursive: true, force: true })
}

async function runOn(binaries: Binaries, dir: string): Promise<number> {
  say(`Starting PostgreSQL ${binaries.major} (${binaries.postgres}) in ${dir}`)
  const running = await startPostgres(binaries, dir)
  try {
    if (asked.signal.aborted) return 1
    say(`Running: ${[program, ...programArgs].join(' ')}`)
    return await runCommand(running.url)
  } finally {
    await running.stop()
    say('PostgreSQL is stopped, and its files are removed.')
  }
}

async function startPostgres(binaries: Binaries, dir: string): Promise<Running> {
  const cluster = join(dir, 'cluster')
  const launcher = launcherFor(binaries, { dataDir: dir, cluster })
  const password = randomBytes(18).toString('hex')
  await layOut(binaries, launcher, cluster, password)
  // Someone else may take the port between our finding it free and PostgreSQL's taking it.
  for (let left = 5; ; left--) {
    try {
      return await launch(binaries, launcher, cluster, password)
    } catch (error) {
      if (left === 0) throw error
    }
  }
}

async function layOut({ initdb }: Binaries, launcher: Launcher, cluster: string, password: string): Promise<void> {
  const passwordFile = `${cluster}.password`
  mkdirSync(cluster, { mode: 0o700 })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  launcher.own(cluster)
  launcher.own(passwordFile)
  const { code, output } = await runToEnd(launcher, initdb, [
    ...['--pgdata', cluster, '--username', 'lading', '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
    ...['--encoding', 'UTF8', '--locale', 'C.UTF-8', '--no-instructions'],
  ])
  if (code !== 0) throw new Error(`initdb failed:\n${output}`)
}

async function launch({ postgres }: Binaries, launcher: Launcher, cluster: string, password: string): Promise<Running> {
  const port = await freePort()
  const url = `postgres://lading:${password}@127.0.0.1:${port}/postgres`
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=800',
    'fsync=off',
  ]
  const { command, args, options } = launcher.wrap(postgres, [
    '-D',
    cluster,
    ...settings.flatMap((setting) => ['-c', setting]),
  ])
  const log = `${cluster}.log`
  const output = openSync(log, 'w')
  // Detached: a Ctrl-C at the terminal is for the command, and PostgreSQL outlives it.
  const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', output, output] })
  const ended = once(child, 'exit')
  while (!(await answers(url))) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`PostgreSQL did not start:\n${readFileSync(log, 'utf8')}`)
    await sleep(50)
  }
  return {
    url,
    async stop() {
      child.kill('SIGINT')
      await ended
    },
  }
}

async function answers(url: string): Promise<boolean> {
  const pool = connect(url, { max: 1 })
  try {
    await pool.run(sql`select 1`)
    return true
  } catch {
    return false
  } finally {
    await pool.end(1_000)
  }
}

/** Waits for the command's end even when asked to stop: it has things of its own to clear away, on a server that must still be there. */
async function runCommand(url: string): Promise<number> {
  const child = spawn(program as string, programArgs, { stdio: 'inherit', env: { ...process.env, DATABASE_URL: url } })
  for (const signal of stopSignals) process.on(signal, () => child.kill(signal))
  const [status] = await once(child, 'exit')
  return status ?? 1
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function fail(text: string): never {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
