import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

type Import = { to: string; type: boolean }
type File = { path: string; text: string; imports: Import[] }

const root = fileURLToPath(new URL('../src/', import.meta.url))
const files = globSync('**/*.ts', { cwd: root })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => readSource(path.replaceAll('\\', '/')))

function readSource(path: string): File {
  const text = readFileSync(`${root}${path}`, 'utf8')
  const lines = text.matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from\s+'([^']+)'|^import\s+()'([^']+)'|\bimport\('([^']+)'\)/gm)
  const imports = [...lines].map(([, type, from, , bare, dynamic]) => ({ to: resolve(path, (from ?? bare ?? dynamic) as string), type: Boolean(type) }))
  return { path, text, imports }
}

/** Ours as a path below src, others as they are written. */
function resolve(from: string, to: string): string {
  return to.startsWith('.') ? posix.join(dirname(from), to) : to
}

function isOurs(to: string): boolean {
  return to.endsWith('.ts')
}

/** Every import that breaks the rule, written as `from → to`. */
function offences(breaks: (from: string, to: string, type: boolean) => boolean): string[] {
  return files.flatMap(({ path, imports }) => imports.filter(({ to, type }) => breaks(path, to, type)).map(({ to }) => `${path} → ${to}`))
}

const isIn = (folder: string) => (path: string) => path.startsWith(`${folder}/`)
const isNamed = (name: string) => (path: string) => path === name || path.endsWith(`/${name}`)

test('the walk sees the files and their imports', () => {
  assert.ok(files.length > 40)
  const routes = files.find(({ path }) => path === 'billing/bill-item-types/routes.ts')
  assert.ok(routes?.imports.some(({ to }) => to === 'billing/bill-item-types/store.ts'))
  assert.ok(routes?.imports.some(({ to, type }) => to === 'http/app.ts' && type))
})

test('core knows nothing of ours', () => {
  assert.deepEqual(
    offences((from, to) => isIn('core')(from) && isOurs(to) && !isIn('core')(to)),
    [],
  )
})

test('db knows nothing of HTTP, of resources, or of the app', () => {
  assert.deepEqual(
    offences((from, to) => isIn('db')(from) && (to === 'fastify' || (isOurs(to) && !isIn('db')(to) && !isIn('core')(to)))),
    [],
  )
})

test('store.ts and routes.ts are private to their folder; app.ts alone puts routes together', () => {
  assert.deepEqual(
    offences((from, to) => isNamed('store.ts')(to) && dirname(from) !== dirname(to) && !dirname(to).startsWith(`${dirname(from)}/`)),
    [],
  )
  assert.deepEqual(
    offences((from, to, type) => isNamed('routes.ts')(to) && dirname(from) !== dirname(to) && from !== 'app.ts' && !type && !isIn('health')(to)),
    [],
  )
})

test('model.ts is pure: it knows core, the schemas, other models, and what is as pure as they are', () => {
  // A type that is imported does nothing when the program runs.
  const isPure = (to: string): boolean =>
    to === 'typebox' ||
    to === 'node:util' ||
    isIn('core')(to) ||
    files.some(({ path, imports }) => path === to && imports.every((next) => next.type || isPure(next.to)))
  assert.deepEqual(
    offences((from, to, type) => (isNamed('model.ts')(from) || /(^|\/)model\//.test(from)) && !type && !isPure(to)),
    [],
  )
})

test('actions and stores know nothing of HTTP', () => {
  const inner = (path: string) => isNamed('actions.ts')(path) || isNamed('store.ts')(path)
  assert.deepEqual(
    offences(
      (from, to) => inner(from) && (isIn('http')(to) || isNamed('routes.ts')(to) || to === 'app.ts' || to.startsWith('fastify') || to.startsWith('@fastify/')),
    ),
    [],
  )
})

test('the edge knows no resource', () => {
  assert.deepEqual(
    offences((from, to) => isIn('http')(from) && ['billing', 'objects', 'webhooks', 'demo', 'cli'].some((folder) => isIn(folder)(to))),
    [],
  )
})

test('only settings.ts reads the environment', () => {
  const readers = files.filter(({ path, text }) => path !== 'settings.ts' && !isIn('cli')(path) && /process\.env\b/.test(text)).map(({ path }) => path)
  assert.deepEqual(readers, [])
})

test('only tests hash passwords cheaply', () => {
  assert.deepEqual(
    files.filter(({ text }) => text.includes('hashCheaply')).map(({ path }) => path),
    ['auth/passwords.ts'],
  )
})

test('nothing imports itself in a circle', () => {
  const values = new Map(files.map(({ path, imports }) => [path, imports.filter(({ to, type }) => isOurs(to) && !type).map(({ to }) => to)]))
  const done = new Set<string>()
  const circles: string[] = []
  function walk(path: string, way: readonly string[]): void {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' → '))
    if (way.includes(path) || done.has(path)) return
    for (const next of values.get(path) ?? []) walk(next, [...way, path])
    done.add(path)
  }
  for (const { path } of files) walk(path, [])
  assert.deepEqual(circles, [])
})

test('there is no drawer for odds and ends', () => {
  assert.deepEqual(
    files.map(({ path }) => path).filter((path) => /(^|\/)(helpers?|utils?|misc|common|shared|index)\.ts$/.test(path)),
    [],
  )
})

test('what is read says statement_timestamp(): now() is when its transaction began, and that may have been for another', () => {
  const selects = files.flatMap(({ path, text }) => [...text.matchAll(/sql`\s*(?:select|with)\b[^`]*/g)].map(([statement]) => ({ path, statement })))
  assert.ok(selects.length > 100)
  assert.deepEqual(
    selects.filter(({ statement }) => /\b(?:now\(\)|current_(?:date|time))/.test(statement)).map(({ path }) => path),
    [],
  )
})
