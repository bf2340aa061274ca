/** Every Node and TypeScript that the package promises: of each series the last. What the workspace lacks is brought into `.cache/versions`, once. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './command.ts'

/** `series` is what its `--version` begins with. */
export type Version = { series: string; program: string; from?: Package }
type Package = { name: string; version: string; content: string }

const cache = fileURLToPath(new URL('../../.cache/versions', import.meta.url))

export const nodes: Version[] = [
  ...['20.20.2', '22.23.3', '24.21.0'].map(nodeFromNpm),
  { series: process.versions.node, program: process.execPath },
]

export const typescripts: Version[] = [
  ...['5.4.5', '5.5.4', '5.6.3', '5.7.3', '5.8.3'].map(typescriptFromNpm),
  { series: '5.9', program: createRequire(new URL('../package.json', import.meta.url)).resolve('typescript/bin/tsc') },
  typescriptFromNpm('6.0.3'),
  { series: '7.0', program: fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url)) },
]

/** Unpacked rather than installed: that takes a fraction of the time and of the space. */
export async function bring(versions: readonly Version[]): Promise<void> {
  const missing = versions.flatMap(({ from }) => (from && !existsSync(placeOf(from)) ? [from] : []))
  if (missing.length === 0) return
  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(join(cache, 'scratch-'))
  try {
    const specs = missing.map(({ name, version }) => `${name}@${version}`)
    const packed: { name: string; version: string; filename: string }[] = JSON.parse(
      await run('npm', ['pack', '--json', ...specs], scratch),
    )
    await Promise.all(
      missing.map((from) =>
        unpack(
          from,
          packed.find(({ name, version }) => name === from.name && version === from.version)?.filename as string,
          scratch,
        ),
      ),
    )
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function unpack(from: Package, file: string, scratch: string): Promise<void> {
  const folder = mkdtempSync(join(scratch, 'unpacked-'))
  await run('tar', ['-xzf', join(scratch, file), '-C', folder, from.content], scratch)
  try {
    renameSync(join(folder, 'package'), placeOf(from))
  } catch (error) {
    // Another run may have brought it meanwhile.
    if (!existsSync(placeOf(from))) throw error
  }
}

function nodeFromNpm(version: string): Version {
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
  const from = { name: `${prefix}-${process.platform}-${process.arch}`, version, content: 'package/bin/node' }
  return { series: version, program: join(placeOf(from), 'bin/node'), from }
}

function typescriptFromNpm(version: string): Version {
  const from = { name: 'typescript', version, content: 'package' }
  return { series: version.slice(0, 3), program: join(placeOf(from), 'bin/tsc'), from }
}

function placeOf({ name, version }: Package): string {
  return join(cache, `${name}-${version}`)
}
