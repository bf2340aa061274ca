/**
 * Packs what the server gives away at /docs/lading-sdk.tgz into dist-packed/, unless what is there was made from the very same sources. As the console, it is
 * made after every install and before every start, so an installation that leaves out what builds it afterwards keeps it.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const sdk = fileURLToPath(new URL('.', import.meta.url))
const packed = join(sdk, 'dist-packed')
const mark = join(packed, 'made-from')
const sources = ['src/**/*.ts', 'package.json', 'README.md', 'LICENSE', 'tsconfig.json', '../tsconfig.json', 'pack.ts']

const now = fingerprint()
if (!isPacked()) await pack().catch(explain)

function fingerprint(): string {
  const hash = createHash('sha256')
  for (const path of globSync(sources, { cwd: sdk }).sort())
    hash.update(`${path}\0`).update(readFileSync(join(sdk, path)))
  return hash.digest('hex')
}

function isPacked(): boolean {
  return existsSync(mark) && readFileSync(mark, 'utf8') === now
}

/** In a folder of its own: `npm pack` in this one, and another start, would find half of it. */
async function pack(): Promise<void> {
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  process.stdout.write('Packing the SDK …\n')
  const made = mkdtempSync(`${packed}-`)
  const [content, old] = [join(made, 'content'), `${made}-old`]
  try {
    mkdirSync(join(content, 'dist'), { recursive: true })
    await promisify(execFile)(process.execPath, [compiler, '-p', sdk, '--outDir', join(content, 'dist')])
    copyFileSync(join(sdk, 'src/schema.d.ts'), join(content, 'dist/schema.d.ts'))
    for (const file of ['package.json', 'README.md', 'LICENSE']) copyFileSync(join(sdk, file), join(content, file))
    // npm tells its scripts its own settings, such as which workspace it is at, and those are not of this folder.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')))
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', made]
    const { stdout } = await promisify(execFile)('npm', args, { cwd: content, env })
    renameSync(join(made, JSON.parse(stdout)[0].filename), join(made, 'lading-sdk.tgz'))
    rmSync(content, { recursive: true })
    writeFileSync(join(made, 'made-from'), now)
    chmodSync(made, 0o755)
    if (existsSync(packed)) renameSync(packed, old)
    renameSync(made, packed)
  } finally {
    for (const path of [made, old]) rmSync(path, { recursive: true, force: true })
  }
}

/** A server is worth starting without it. */
function explain(error: unknown): void {
  // Another was faster, or what packs it is not installed: then the one that was packed before that is served.
  if (isPacked()) return
  const { code, message } = error as NodeJS.ErrnoException
  const reason =
    code === 'MODULE_NOT_FOUND' ? 'what compiles it is not installed. Run "npm ci && npm run build".' : message
  process.stderr.write(`The SDK for /docs/lading-sdk.tgz is not that of these sources, or is missing: ${reason}\n`)
  process.exitCode = process.argv.includes('--strict') ? 1 : 0
}
