/**
 * Builds the console and the partner portal into dist/, unless what is there was made from the very same sources. Runs after every install and before every start, so
 * nothing to do takes a moment; and whoever reads dist/ finds the old build or the new one, never half of one.
 */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'console/dist')
const configFile = join(root, 'console/vite.config.ts')
const mark = 'made-from'
const sources = [
  'console/src/**/*.{ts,tsx,css}',
  'console/{index,portal}.html',
  'console/vite.config.ts',
  'console/build.ts',
  'sdk/src/**/*.ts',
  'package-lock.json',
]

/** The pages that people open first: what they need is one file. */
const firstPages = ['src/console.tsx', 'src/books/bills/pages/list-page.tsx']

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
    const groups = groupsFor((await vite.build({ configFile, build: { write: false } })) as Built)
    await vite.build({
      configFile,
      build: { outDir: made, emptyOutDir: true, rolldownOptions: { output: { codeSplitting: { groups } } } },
    })
    // The portal of carriers is for phones: built apart from the console, neither has anything to load for the other.
    await vite.build({
      configFile,
      build: { outDir: made, emptyOutDir: false, rolldownOptions: { input: join(root, 'console/portal.html') } },
    })
    await compress(join(made, 'assets'))
    chmodSync(made, 0o755)
    writeFileSync(join(made, mark), now)
    if (existsSync(dist)) renameSync(dist, old)
    renameSync(made, dist)
  } finally {
    for (const path of [made, old]) rmSync(path, { recursive: true, force: true })
  }
}

/** The bundler's answer, as far as it is used here. */
type Chunk = { type: 'chunk'; fileName: string; facadeModuleId: string | null; imports: string[]; moduleIds: string[] }
type Built = { output: (Chunk | { type: 'asset' })[] }

/**
 * By itself the bundler makes a file of every set of modules that some pages share, forty for the list of bills. The first build shows what of all
 * libraries the first pages really use; in the second one that is one file, and what other pages share is another.
 */
function groupsFor({ output }: Built) {
  const chunks = output.filter((file) => file.type === 'chunk')
  const needed = new Set<string>()
  const take = (chunk: Chunk | undefined) => {
    if (!chunk || chunk.moduleIds.every((id) => needed.has(id))) return
    for (const id of chunk.moduleIds) needed.add(id)
    for (const name of chunk.imports) take(chunks.find(({ fileName }) => fileName === name))
  }
  for (const page of firstPages) take(chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(page)))
  return [
    // What the way to the sign-in page needs, and nothing else.
    { name: 'start', tags: ['$initial' as const], priority: 3 },
    { name: 'first', test: (id: string) => needed.has(id), priority: 2 },
    { name: 'pages', minShareCount: 2, priority: 1 },
  ]
}

/** As small as it gets, which takes seconds: once here, and never while somebody waits for an answer. */
async function compress(folder: string): Promise<void> {
  const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  await Promise.all(
    readdirSync(folder).map(async (name) => {
      const path = join(folder, name)
      const bytes = readFileSync(path)
      writeFileSync(`${path}.br`, await promisify(brotliCompress)(bytes, best))
      writeFileSync(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
    }),
  )
}

/** The API is worth starting without its console, or with an older one. */
function explain(error: unknown): void {
  // Another was faster.
  if (builtFrom() === now) return
  process.stderr.write(
    `${existsSync(dist) ? 'The console in console/dist is not that of these sources' : 'There is no console'}: ${because(error)}\n`,
  )
  process.exitCode = process.argv.includes('--strict') ? 1 : 0
}

function because(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  // An installation without development dependencies serves a console that was built before they were left out.
  if (code === 'ERR_MODULE_NOT_FOUND')
    return 'what builds it is not installed. Run "npm ci && npm run build"; after that, "npm ci --omit=dev" keeps it.'
  return `it could not be built. ${message}`
}
