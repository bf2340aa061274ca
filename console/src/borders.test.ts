import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, posix } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** From the lowest to the highest; the files beside this one stand above all of them. */
const floors = [
  'app',
  'records',
  'settings',
  'developers',
  'books',
  'freight',
  'payables',
  'integrations',
  'home',
  'portal',
]
const mostFiles = 15

const root = fileURLToPath(new URL('./', import.meta.url))
const sources = globSync('**/*.{ts,tsx,css}', { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !/\.test\.tsx?$/.test(path))
const imports = sources.flatMap((from) =>
  pathsIn(readFileSync(`${root}${from}`, 'utf8')).map((path) => ({ from, to: posix.join(dirname(from), path) })),
)

/** Whatever the form of an import is, for types too, it has the path of a file as a text. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/(['"])(\.{1,2}\/[^'"\n]+\.(?:tsx?|css))\1/g)].map(([, , path]) => path as string)
}

const floorOf = (path: string) => (path.includes('/') ? (path.split('/')[0] as string) : 'top')
const heightOf = (path: string) => (path.includes('/') ? floors.indexOf(floorOf(path)) : floors.length)

function offences(breaks: (from: string, to: string) => boolean): string[] {
  return imports.filter(({ from, to }) => breaks(from, to)).map(({ from, to }) => `${from} → ${to}`)
}

test('the check sees the files and their imports', () => {
  assert.ok(sources.length > 400 && imports.length > 2000)
  assert.deepEqual(
    offences((_, to) => !sources.includes(to)),
    [],
  )
  assert.deepEqual(
    pathsIn(
      "import { a } from './a.ts'\nimport '../b.css'\nconst c = import('./c.tsx')\nlet d: typeof import('./d.ts')\nexport type { e } from './e.ts'",
    ),
    ['./a.ts', '../b.css', './c.tsx', './d.ts', './e.ts'],
  )
})

test('every file is on a floor, or beside the table of contents above them', () => {
  assert.deepEqual(
    sources.filter((path) => heightOf(path) < 0),
    [],
  )
})

test('a floor imports only floors below it, types included', () => {
  assert.deepEqual(
    offences((from, to) => heightOf(to) > heightOf(from)),
    [],
  )
})

test('the portal is built for phones, apart from the console: it uses app alone, and nothing uses it', () => {
  assert.deepEqual(
    offences((from, to) =>
      floorOf(from) === 'portal' ? !['portal', 'app'].includes(floorOf(to)) : floorOf(to) === 'portal',
    ),
    [],
  )
})

test('no folders import each other, neither two nor in a circle', () => {
  const known = Map.groupBy(imports, ({ from }) => dirname(from))
  const done = new Set<string>()
  const circles: string[] = []
  function follow(folder: string, way: readonly string[]): void {
    if (way.includes(folder)) circles.push([...way.slice(way.indexOf(folder)), folder].join(' → '))
    if (way.includes(folder) || done.has(folder)) return
    const others = new Set(known.get(folder)?.map(({ to }) => dirname(to)))
    others.delete(folder)
    for (const other of others) follow(other, [...way, folder])
    done.add(folder)
  }
  for (const folder of known.keys()) follow(folder, [])
  assert.deepEqual(circles, [])
})

test(`a folder has at most ${mostFiles} files, tests not counted`, () => {
  assert.deepEqual(
    [...Map.groupBy(sources, (path) => dirname(path))]
      .filter(([, files]) => files.length > mostFiles)
      .map(([folder, files]) => `${folder}: ${files.length}`),
    [],
  )
})

test('there is no drawer for odds and ends', () => {
  assert.deepEqual(
    sources.filter((path) => /^(?:helpers?|utils?|misc|common|shared|index)\.tsx?$/.test(basename(path))),
    [],
  )
})
