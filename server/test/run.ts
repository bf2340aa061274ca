/**
 * Runs the server's tests: node's runner on one real PostgreSQL.
 * Without DATABASE_URL the embedded one, in a directory that is thrown away; with it, a scratch database on that server.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '../src/platform/db/pool/connect.ts'
import { type Address, startEmbedded } from '../src/platform/db/postgres/embedded.ts'
import { migrate } from '../src/platform/db/schema/migrate.ts'
import { addressWith, makeDatabase } from './cluster.ts'
import { depthSaid } from './depth.ts'
import { quickFolder } from './quick-folder.ts'

type Place = { target: Address | string; leave(): Promise<void> }

/** Those that start the real program, or claim something for the whole process, have one each. */
const oneEach = ['--test-concurrency=2']
/** Loading the server is most of what a small test file does, so the others share a process; what they do in the database does not meet. */
const shareOne = ['--test-isolation=none']
/**
 * Tests make much that is soon forgotten: with the usual 16 MB for what is young, a sixth of their time was spent collecting it. Threads that help to collect
 * it take from the other runners what they save here: without them the same tests need a twelfth less CPU.
 */
const collecting = ['--min-semi-space-size=32', '--max-semi-space-size=64', '--single-threaded-gc']

/** The seed of what is tried at random. */
const random = ['--import', new URL('random.ts', import.meta.url).href]

/** So many runners, each of which waits for the database about half of the time, keep all processors busy. */
const atOnce = availableParallelism() * 2

const root = fileURLToPath(new URL('..', import.meta.url))
const files = process.argv.slice(2)
/** What one process has compiled, the others need not. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
/** What the test files share on disk. */
const shared = mkdtempSync(join(quickFolder(), 'lading-test-'))
// PostgreSQL may have to enter as another user.
chmodSync(shared, 0o711)

const [place] = await Promise.all([
  process.env.DATABASE_URL ? scratchDatabase(process.env.DATABASE_URL) : throwawayServer(),
  compileServer(),
])
process.stdout.write(depthSaid)
let code = 1
try {
  code = await runTests(place.target)
} finally {
  await place.leave()
  rmSync(shared, { recursive: true, force: true, maxRetries: 5 })
}
process.exit(code)

/** While the database starts: what is compiled is kept when a process ends, so all that begin together would compile the whole server, each for itself. */
async function compileServer(): Promise<void> {
  const script = `await Promise.all(['start', 'serve'].map((name) => import('./src/' + name + '.ts')))`
  await once(
    spawn(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: root,
      env: { ...process.env, NODE_COMPILE_CACHE },
      stdio: 'ignore',
    }),
    'exit',
  )
}

async function throwawayServer(): Promise<Place> {
  const log = {
    info() {},
    warn: (text: string) => process.stderr.write(`${text}\n`),
    error: (text: string) => process.stderr.write(`${text}\n`),
  }
  // Files that share a process have their connections all at the same time.
  const embedded = await startEmbedded(join(shared, 'data'), log, 800)
  await withSchema(embedded.address)
  return { target: embedded.address, leave: embedded.stop }
}

/** A role that may not make databases gets its own database used as it is: tests make organizations of their own and need no empty one. */
async function scratchDatabase(url: string): Promise<Place> {
  const name = `lading_test_${randomBytes(6).toString('hex')}`
  try {
    const leave = await makeDatabase(url, name)
    return { target: addressWith(url, name), leave }
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
    await withSchema(url)
    return { target: url, leave: async () => {} }
  }
}

async function withSchema(target: Address | string): Promise<void> {
  const pool = connect(target, { max: 1 })
  await migrate(pool)
  await pool.end()
}

type Runner = { name: string; files: string[]; options: string[] }
type Ended = { name: string; code: number; said: string }

function runners(): Runner[] {
  if (files.length > 0) return [{ name: 'what was asked for', files, options: ['--test-concurrency=4'] }]
  const apart = 'test/auth/alone.test.ts'
  const group = (name: string, options: string[], ...patterns: string[]): Runner => ({
    name,
    files: globSync(patterns, { cwd: root, exclude: [apart] }).sort(),
    options,
  })
  const processes = group('processes', oneEach, 'test/process/*.test.ts')
  // Those that take longest first, so that the last ones end at about the same time.
  return [
    group('edge', shareOne, 'test/*.test.ts'),
    group('authorization', shareOne, 'test/auth/*.test.ts'),
    group('units of platform and identity', shareOne, 'src/{platform,identity}/**/*.test.ts'),
    group('units of payables and above', shareOne, 'src/{payables,integrations,tools}/**/*.test.ts', 'src/*.test.ts'),
    group('books', shareOne, 'test/books/*.test.ts'),
    group('units of records, books and freight', shareOne, 'src/{records,books,freight}/**/*.test.ts'),
    { ...processes, files: [...processes.files, apart] },
  ]
}

/** A few runners at once; what each says is held back until it is done, so that they do not mix. */
async function runTests(target: Address | string): Promise<number> {
  const left = runners().values()
  const ended: Ended[] = []
  const work = async () => {
    for (const runner of left) ended.push(await runSome(target, runner))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const sum = (of: 'pass' | 'fail') =>
    ended.reduce((all, { said }) => all + Number(said.match(new RegExp(`^ℹ ${of} (\\d+)$`, 'm'))?.[1] ?? 0), 0)
  const failed = ended.filter(({ code }) => code !== 0).map(({ name }) => name)
  process.stdout.write(
    `\n${sum('pass')} tests of the server pass, ${sum('fail')} fail${failed.length > 0 ? `: see ${failed.join(', ')}` : ''}.\n`,
  )
  return failed.length > 0 ? 1 : 0
}

function runSome(target: Address | string, { name, files, options }: Runner): Promise<Ended> {
  const { DATABASE_URL: _, ...env } = process.env
  const child = spawn(
    process.execPath,
    [...collecting, ...random, '--test', '--test-reporter=spec', '--test-timeout=1800000', ...options, ...files],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...env,
        LADING_TEST_DATABASE: JSON.stringify(target),
        LADING_TEST_SHARED: shared,
        TMPDIR: shared,
        NODE_COMPILE_CACHE,
      },
    },
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  return new Promise((done) =>
    child.once('close', (status) => {
      process.stdout.write(`\n# ${name}\n${said}`)
      done({ name, code: status ?? 1, said })
    }),
  )
}
