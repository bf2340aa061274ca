/** A PostgreSQL server elsewhere, for tests that stop and start it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { connect } from '../../src/platform/db/pool/connect.ts'
import { findBinaries, launcherFor, runToEnd } from '../../src/platform/db/postgres/binaries.ts'
import { allLetters } from '../../src/platform/db/postgres/data-dir.ts'
import { stopServer } from '../../src/platform/db/postgres/postmaster.ts'
import { migrate } from '../../src/platform/db/schema/migrate.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { newDataDir, until } from './lading.ts'

export type DatabaseServer = {
  port: number
  url(database?: string): string
  start(): Promise<void>
  stop(): Promise<void>
}

/** On a loopback port, from the binaries that Lading brings; running. Its database is empty. */
export async function startDatabaseServer(t: TestContext): Promise<DatabaseServer> {
  return startOn(t, newDataDir(t, await made('blank-cluster', layOut)))
}

/** The same with the schema in its database. */
export async function startMigratedServer(t: TestContext): Promise<DatabaseServer> {
  const migrated = await made('migrated-cluster', async (cluster) => {
    await layOut(cluster)
    const server = await startOn(t, cluster)
    const pool = connect(server.url(), { max: 1 })
    await migrate(pool)
    await pool.end()
    await server.stop()
  })
  return startOn(t, newDataDir(t, migrated))
}

async function startOn(t: TestContext, cluster: string): Promise<DatabaseServer> {
  const binaries = findBinaries()
  const launcher = launcherFor(binaries, { dataDir: dirname(cluster), cluster })
  launcher.own(cluster)
  const port = await freePort()
  const settings = [
    '-D',
    cluster,
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    `port=${port}`,
    '-c',
    'unix_socket_directories=',
    '-c',
    'max_connections=60',
  ]
  let child: ChildProcess | null = null
  const server: DatabaseServer = {
    port,
    url: (database = 'postgres') => `postgres://tester@127.0.0.1:${port}/${database}`,
    async start() {
      const { command, args, options } = launcher.wrap(binaries.postgres, settings)
      child = spawn(command, args, { ...options, detached: true, stdio: 'ignore' })
      await until(() => answers(server.url()), 'the database server answers')
    },
    async stop() {
      if (child) await stopServer(child)
      child = null
    },
  }
  t.after(() => child?.kill('SIGQUIT'))
  await server.start()
  return server
}

/** What servers begin with a copy of; the first test file that needs it makes it for all of them. */
async function made(name: string, make: (cluster: string) => Promise<void>): Promise<string> {
  const place = join(process.env.LADING_TEST_SHARED as string, name)
  const [cluster, done] = [join(place, 'cluster'), join(place, 'done')]
  if (mkdirSync(place, { recursive: true, mode: 0o711 }) !== undefined) {
    await make(cluster)
    writeFileSync(done, '')
  }
  await until(() => existsSync(done), `another test file has made the ${name}`)
  return cluster
}

async function layOut(cluster: string): Promise<void> {
  mkdirSync(cluster, { mode: 0o700 })
  const binaries = findBinaries()
  const launcher = launcherFor(binaries, { dataDir: dirname(cluster), cluster })
  launcher.own(cluster)
  const { code, output } = await runToEnd(launcher, binaries.initdb, [
    ...[
      '--pgdata',
      cluster,
      '--username',
      'tester',
      '--auth',
      'trust',
      '--no-sync',
      '--no-instructions',
      ...allLetters,
    ],
  ])
  if (code !== 0) throw new Error(output)
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
}

export async function createDatabase(url: string, name: string): Promise<void> {
  const pool = connect(url, { max: 1 })
  await pool.run({ text: `create database ${name}`, values: [] })
  await pool.end()
}

/** Whether a server takes connections there. */
export async function answers(url: string): Promise<boolean> {
  const pool = connect(url, { max: 1 })
  try {
    await pool.run(sql`select 1`)
    return true
  } catch {
    return false
  } finally {
    await pool.end(0)
  }
}
