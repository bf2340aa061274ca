/**
 * Runs the tests of the console: one real Lading in a process of its own with a temporary data directory, and node's runner on the files in this
 * folder, most of which need a browser, and on those in src, which do not.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { depthSaid } from '../../server/test/depth.ts'
import { quickFolder } from '../../server/test/quick-folder.ts'
import { runTool } from './product.ts'
import { requireBrowser } from './require-browser.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const program = fileURLToPath(new URL('../../server/bin/lading.js', import.meta.url))
const deadlineMs = 480_000

process.stdout.write(depthSaid)
requireBrowser()
buildConsole()
const dir = mkdtempSync(join(quickFolder(), 'lading-browser-'))
// PostgreSQL may have to enter as another user.
chmodSync(dir, 0o711)
/** Where a test puts a mail that a carrier sent. */
const inbox = join(dir, 'inbox')
mkdirSync(inbox)
const product = await startProduct(join(dir, 'data'))
try {
  process.exitCode = await runTests(product.url, product.dataDir)
} finally {
  await product.stop()
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
}

function buildConsole(): void {
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL('../build.ts', import.meta.url)), '--strict'], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(1)
}

async function startProduct(dataDir: string) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { DATABASE_URL: _, ...inherited } = process.env
  const env = {
    ...inherited,
    DATA_DIR: dataDir,
    PORT: String(port),
    LOG_FORMAT: 'json',
    LOG_LEVEL: 'warn',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    INBOX_DIR: inbox,
  }
  const child = spawn(process.execPath, [program, 'start'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = once(child, 'exit')
  let stopping = false
  child.once('exit', (code, signal) => {
    if (!stopping) process.stderr.write(`Lading ended by itself (${signal ?? code}):\n${output}\n`)
  })
  for (const since = Date.now(); ; await sleep(50)) {
    if ((await fetch(`${url}/health/ready`).catch(() => null))?.ok) break
    if (child.exitCode === null && Date.now() - since < deadlineMs) continue
    child.kill('SIGKILL')
    throw new Error(`Lading did not start:\n${output}`)
  }
  return {
    url,
    dataDir,
    async stop() {
      stopping = true
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function runTests(url: string, dataDir: string): Promise<number> {
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))
  await letNewPeopleDecide(url, demo)
  const other = await runTool({ url, dataDir }, 'org', 'create', 'Lakeside & Sons <Carriers>')
  const chosen = process.argv.slice(2)
  const tests = chosen.length > 0 ? chosen : globSync(['*.test.ts', '../src/**/*.test.ts'], { cwd: here })
  const env = {
    ...process.env,
    LADING_BROWSER_TESTS: JSON.stringify({ url, dataDir, inbox, demo, otherOrg: other.id }),
    NODE_COMPILE_CACHE: fileURLToPath(new URL('../../server/node_modules/.cache/compiled', import.meta.url)),
  }
  const codes = await Promise.all(divided(tests).map((files) => runSome(files, env)))
  return Math.max(...codes)
}

/** The people of the tests join minutes before they approve payees. It counts at once while the admin is the only user. */
async function letNewPeopleDecide(
  url: string,
  { token_url, username, password, client_id, client_secret }: Record<string, string>,
): Promise<void> {
  const form = new URLSearchParams({
    grant_type: 'password',
    ...({ username, password, client_id, client_secret } as Record<string, string>),
  })
  const { access_token } = (await (await fetch(token_url as string, { method: 'POST', body: form })).json()) as {
    access_token: string
  }
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/v1/organization`, { method: 'PUT', headers, body: '{"new_approver_days":0}' })
  if (!answer.ok) throw new Error(`could not set who decides: ${answer.status}`)
}

/**
 * Divides the files among two processes, by their size. Each has one browser, whose profiles all its files share: a third process would keep two
 * cores no busier, and start one more browser.
 */
function divided(tests: readonly string[]): string[][] {
  const shares = Array.from({ length: 2 }, () => ({ files: [] as string[], size: 0 }))
  const bySize = tests
    .map((file) => ({ file, size: statSync(resolve(here, file)).size }))
    .sort((a, b) => b.size - a.size)
  for (const { file, size } of bySize) {
    const smallest = shares.reduce((a, b) => (b.size < a.size ? b : a))
    smallest.files.push(file)
    smallest.size += size
  }
  return shares.map(({ files }) => files).filter((files) => files.length > 0)
}

/** The SDK is its sources, whether or not somebody has packed it. The output of a process is printed when it ends, so that the two do not mix. */
async function runSome(files: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const options = [
    '--conditions=@lading/source',
    '--import',
    new URL('../../server/test/random.ts', import.meta.url).href,
    '--test',
    '--test-reporter=spec',
    '--test-isolation=none',
    '--test-timeout=1800000',
  ]
  const child = spawn(process.execPath, [...options, ...files], { cwd: here, stdio: ['ignore', 'pipe', 'pipe'], env })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const [status] = await once(child, 'close')
  process.stdout.write(output)
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
