/**
 * Takes away what packages bring and nothing here reads: the headers of Node, with which add-ons are compiled, and source maps. A seventh of what an
 * installation takes: 118 MB. Delete when the packages come without them.
 */
import { globSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

for (const path of globSync(['node_modules/node/node_modules/*/include', '{,sdk/,server/}node_modules/**/*.map'], {
  cwd: root,
}))
  rmSync(`${root}${path}`, { recursive: true, force: true })
