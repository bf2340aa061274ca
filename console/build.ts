/**
 * Builds the console into dist/, unless what is there was made from the very same sources. Runs after every install and before every start, so
 * nothing to do takes a moment; and whoever reads dist/ finds the old build or the new one, never half of one.
 */
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'console/dist')
const mark = 'made-from'
const sources = ['console/src/**/*.{ts,tsx,css}', 'console/index.html', 'console/vite.config.ts', 'console/build.ts', 'sdk/src/*.ts', 'package-lock.json']

const now = fingerprint()
if (now !== builtFrom()) await build().catch(explain)

function fingerprint(): string {
  const hash = createHash('sha256')
  for (const path of globSync(sources, { cwd: root }).sort())
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  return hash.digest('hex')
}

function builtFrom(): string | null {
  const path = join(dist, mark)
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

async function build(): Promise<void> {
  const vite = await import('vite')
  process.stdout.write('Building the console …\n')
  const made = mkdtempSync(`${dist}-`)
  const old = `${made}-old`
  try {
    await vite.build({ configFile: join(root, 'console/vite.config.ts'), build: { outDir: made, emptyOutDir: true } })
    chmodSync(made, 0o755)
    writeFileSync(join(made, mark), now)
    if (existsSync(dist)) renameSync(dist, old)
    renameSync(made, dist)
  } finally {
    for (const path of [made, old]) rmSync(path, { recursive: true, force: true })
  }
}

/** The API is worth starting without its console, or with an older one. */
function explain(error: unknown): void {
  // Another was faster.
  if (builtFrom() === now) return
  process.stderr.write(`${existsSync(dist) ? 'The console in console/dist is not that of these sources' : 'There is no console'}: ${because(error)}\n`)
  process.exitCode = process.argv.includes('--strict') ? 1 : 0
}

function because(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  // An installation without development dependencies serves a console that was built before they were left out.
  if (code === 'ERR_MODULE_NOT_FOUND') return 'what builds it is not installed. Run "npm ci && npm run build"; after that, "npm ci --omit=dev" keeps it.'
  return `it could not be built. ${message}`
}
