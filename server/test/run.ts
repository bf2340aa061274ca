/**
 * Runs the server's tests: node's runner on one real PostgreSQL, every test file in a process of its own.
 * Without DATABASE_URL the embedded one, in a directory that is thrown away; with it, a scratch database on that server.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '../src/db/connect.ts'
import { type Address, startEmbedded } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'

type Place = { target: Address | string; leave(): Promise<void> }

const root = fileURLToPath(new URL('..', import.meta.url))
const files = process.argv.slice(2)
/** What the test files share on disk. */
const shared = mkdtempSync(join(tmpdir(), 'lading-test-'))
// PostgreSQL may have to enter as another user.
chmodSync(shared, 0o711)

const place = process.env.DATABASE_URL ? await scratchDatabase(process.env.DATABASE_URL) : await throwawayServer()
let code = 1
try {
  const pool = connect(place.target, { max: 1 })
  await migrate(pool)
  await pool.end()
  code = await runTests(place.target)
} finally {
  await place.leave()
  rmSync(shared, { recursive: true, force: true, maxRetries: 5 })
}
process.exit(code)

async function throwawayServer(): Promise<Place> {
  const log = { info() {}, warn: (text: string) => process.stderr.write(`${text}\n`), error: (text: string) => process.stderr.write(`${text}\n`) }
  const embedded = await startEmbedded(join(shared, 'data'), log, 300)
  return { target: embedded.address, leave: embedded.stop }
}

/** A role that may not make databases gets its own database used as it is: tests make organizations of their own and need no empty one. */
async function scratchDatabase(url: string): Promise<Place> {
  const name = `lading_test_${randomBytes(6).toString('hex')}`
  const admin = connect(url, { max: 1 })
  try {
    await admin.unsafe(`create database ${name}`)
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
    return { target: url, leave: () => admin.end() }
  }
  const scratch = new URL(url)
  scratch.pathname = `/${name}`
  return {
    target: scratch.href,
    async leave() {
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}

function runTests(target: Address | string): Promise<number> {
  const { DATABASE_URL: _, ...env } = process.env
  // Those that start and stop the real program take longest; begun last, they would end alone.
  const tests =
    files.length > 0
      ? files
      : ['test/process/*.test.ts', 'test/{auth,books,.}/*.test.ts', 'src/**/*.test.ts'].flatMap((pattern) => globSync(pattern, { cwd: root }))
  const child = spawn(process.execPath, ['--test', '--test-concurrency=4', '--test-timeout=600000', ...tests], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...env,
      LADING_TEST_DATABASE: JSON.stringify(target),
      LADING_TEST_SHARED: shared,
      // Loading is most of what a small test file does: what one has compiled, the others need not.
      NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)),
    },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((done) => child.once('exit', (status) => done(status ?? 1)))
}
