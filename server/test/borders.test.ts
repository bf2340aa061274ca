import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, posix } from 'node:path'
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
  return { path, text, imports: importsIn(text).map(({ to, type }) => ({ to: resolve(path, to), type })) }
}

/** Of every form that an import has: of names, for its effect, while running, and of a type where it is used. */
function importsIn(text: string): Import[] {
  const named = text.matchAll(/^(?:import|export)\s+(type\s)?([^'"]*?)\s*from\s+'([^']+)'/gm)
  const other = text.matchAll(/^import\s+'([^']+)'|(typeof\s+)?\bimport\('([^']+)'\)/gm)
  return [
    ...[...named].map(([, type, names, to]) => ({
      to: to as string,
      type: Boolean(type) || isOnlyTypes(names as string),
    })),
    ...[...other].map(([, bare, type, dynamic]) => ({ to: (bare ?? dynamic) as string, type: Boolean(type) })),
  ]
}

function isOnlyTypes(names: string): boolean {
  return (
    /^\{[^}]*\}$/.test(names) &&
    names
      .slice(1, -1)
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean)
      .every((name) => name.startsWith('type '))
  )
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
  return files.flatMap(({ path, imports }) =>
    imports.filter(({ to, type }) => breaks(path, to, type)).map(({ to }) => `${path} → ${to}`),
  )
}

const isIn = (folder: string) => (path: string) => path.startsWith(`${folder}/`)
const isNamed = (name: string) => (path: string) => path === name || path.endsWith(`/${name}`)
/** The first part of a path: `books` of `books/bills/store.ts`. */
const floorOf = (path: string) => path.split('/')[0] as string
/** The folder of the platform, which holds rooms that have nothing to do with each other; the floor elsewhere. */
const roomOf = (path: string) => (isIn('platform')(path) ? path.split('/').slice(0, 2).join('/') : floorOf(path))
/** Rooms whose parts have folders of their own and share their stores. */
const divided = ['platform/events', 'books/documents', 'books/payments']
/** The folder that a store is private to. */
const homeOf = (path: string) => divided.find((room) => isIn(room)(path)) ?? dirname(path)
/** Runs statements, or makes pieces of them. */
const isStore = (path: string) => /^(?:.+-)?store\.ts$/.test(basename(path))
const isPieces = (path: string) => path.endsWith('-sql.ts')
const isRoutes = (path: string) => /^(?:.+-)?routes\.ts$/.test(basename(path))
const mayHoldSql = (path: string) => isIn('platform/db')(path) || isStore(path) || isPieces(path)
/** Whether one folder is another, or holds it. */
const holds = (folder: string, other: string) => folder === '.' || other === folder || other.startsWith(`${folder}/`)

test('the check sees the files and their imports', () => {
  assert.ok(files.length > 40)
  const routes = files.find(({ path }) => path === 'books/periods/routes.ts')
  assert.ok(routes?.imports.some(({ to }) => to === 'books/periods/store.ts'))
  assert.ok(routes?.imports.some(({ to, type }) => to === 'platform/http/edge/app.ts' && type))
  assert.deepEqual(
    importsIn(
      "import a, { b } from './a.ts'\nexport type { c } from './c.ts'\nimport { type d } from './d.ts'\nlet e: typeof import('./e.ts')",
    ),
    [
      { to: './a.ts', type: false },
      { to: './c.ts', type: true },
      { to: './d.ts', type: true },
      { to: './e.ts', type: true },
    ],
  )
})

/**
 * From the ground up. Records know nothing of money; books bill for what records hold; freight moves records and makes books of them; payables are
 * checked against both; integrations show all of these to others, and tools run the whole.
 */
const floors = ['platform', 'identity', 'records', 'books', 'freight', 'payables', 'integrations', 'tools']
/** The settings are read by all; the other files next to the floors put them together. */
const heightOf = (path: string) => {
  if (path === 'settings.ts') return 0
  return path.includes('/') ? floors.indexOf(floorOf(path)) : floors.length
}

test('every folder next to app.ts is a floor', () => {
  const folders = new Set(files.filter(({ path }) => path.includes('/')).map(({ path }) => floorOf(path)))
  assert.deepEqual([...folders].sort(), [...floors].sort())
})

test('a floor imports itself and the floors below it, types included', () => {
  assert.deepEqual(
    offences((from, to) => isOurs(to) && heightOf(to) > heightOf(from)),
    [],
  )
})

test('no folders import each other, nor in a circle, types included', () => {
  const known = new Map<string, string[]>()
  for (const { path, imports } of files)
    for (const { to } of imports)
      if (isOurs(to) && path.includes('/') && to.includes('/') && dirname(path) !== dirname(to))
        known.set(dirname(path), [...(known.get(dirname(path)) ?? []), dirname(to)])
  assert.deepEqual(circlesIn(known), [])
})

test('a folder holds at most 15 source files', () => {
  const sizes = Map.groupBy(files, ({ path }) => dirname(path))
  assert.deepEqual(
    [...sizes].filter(([, held]) => held.length > 15).map(([folder, held]) => `${folder}: ${held.length}`),
    [],
  )
})

test('core knows nothing of ours', () => {
  assert.deepEqual(
    offences((from, to) => isIn('platform/core')(from) && isOurs(to) && !isIn('platform/core')(to)),
    [],
  )
})

test('db knows nothing of HTTP, of resources, or of the app', () => {
  assert.deepEqual(
    offences(
      (from, to) =>
        isIn('platform/db')(from) &&
        (to === 'fastify' || (isOurs(to) && !isIn('platform/db')(to) && !isIn('platform/core')(to))),
    ),
    [],
  )
})

test('a store is used by its own folder and the folders above it, pieces of SQL by their own room', () => {
  assert.deepEqual(
    offences((from, to) => isOurs(to) && isStore(to) && !holds(homeOf(from), homeOf(to))),
    [],
  )
  assert.deepEqual(
    offences((from, to) => isOurs(to) && isPieces(to) && roomOf(from) !== roomOf(to)),
    [],
  )
})

test('routes are private to their folder; app.ts alone puts them together', () => {
  assert.deepEqual(
    offences(
      (from, to, type) =>
        isOurs(to) &&
        isRoutes(to) &&
        dirname(from) !== dirname(to) &&
        from !== 'app.ts' &&
        !type &&
        !isIn('platform/health')(to),
    ),
    [],
  )
})

test('no room asks the room that it is in to act: actions, stores and routes are not imported from below', () => {
  const isBelow = (from: string, to: string) =>
    dirname(to) !== '.' && dirname(from) !== dirname(to) && holds(dirname(to), dirname(from))
  assert.deepEqual(
    offences(
      (from, to) => isOurs(to) && (isNamed('actions.ts')(to) || isStore(to) || isRoutes(to)) && isBelow(from, to),
    ),
    [],
  )
})

test('the sql tag is used in db/ and in files whose name says so: store.ts, *-store.ts, *-sql.ts', () => {
  assert.deepEqual(
    offences((from, to, type) => to === 'platform/db/sql/sql.ts' && !type && !mayHoldSql(from)),
    [],
  )
})

test('what a carrier reaches is asked in one file: the portal has no other store but the one that says who asks', () => {
  assert.deepEqual(
    files.map(({ path }) => path).filter((path) => isIn('integrations/partner-portal/portal')(path) && isStore(path)),
    ['integrations/partner-portal/portal/own/own-store.ts', 'integrations/partner-portal/portal/own/who-store.ts'],
  )
})

test('no other file holds a statement as plain text', () => {
  assert.deepEqual(
    files
      .filter(({ path }) => !mayHoldSql(path))
      .flatMap(({ path, text }) => statementsIn(text).map((found) => `${path}: ${found}`)),
    [],
  )
})

test('what looks like SQL is found in every form of a text', () => {
  for (const text of [
    '`select 1`',
    "'select a from b'",
    '`\n  insert into t values (1)`',
    '"update t set a = 1"',
    '`with a as (select 1) select`',
    "'set local x = 1'",
  ]) {
    assert.equal(statementsIn(`const a = ${text}`).length, 1, text)
  }
  for (const text of ["'Select a bill'", "'update'", '// `select 1`', "'with a'", "'delete from the list'"])
    assert.deepEqual(statementsIn(text), [], text)
})

/** Texts that begin as a statement does. Comments are not looked at. */
function statementsIn(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  const beginnings = [
    /select\s+(?:[\w*.(]+)/,
    /insert\s+into\s+\w/,
    /update\s+\S+\s+(?:as\s+)?(?:\w+\s+)?set\s/,
    /delete\s+from\s+(?!the\b)\S/,
    /with\s+(?:recursive\s+)?\w+(?:\([^)]*\))?\s+as\s+(?:materialized\s+)?\(/,
    /(?:create|alter|drop|truncate|lock)\s+(?:or\s+replace\s+)?(?:unique\s+)?(?:table|index|view|role|database|policy|function|schema)\b/,
    /(?:set\s+(?:local|session)|begin\s+(?:isolation|read)|vacuum|analyze|notify|listen|call|grant\s+\w+\s+(?:on|to))\s+\w/,
  ].map(({ source }) => source)
  return [...code.matchAll(new RegExp(`['"\`]\\s*(?:${beginnings.join('|')})`, 'g'))].map(([found]) =>
    found.slice(1).trim().replace(/\s+/g, ' '),
  )
}

test('model.ts is pure: it knows core, other models, and what is as pure as they are', () => {
  // A type that is imported does nothing when the program runs.
  const isPure = (to: string): boolean =>
    ['node:util', 'typebox'].includes(to) ||
    isIn('platform/core')(to) ||
    files.some(({ path, imports }) => path === to && imports.every((next) => next.type || isPure(next.to)))
  assert.deepEqual(
    offences((from, to, type) => (isNamed('model.ts')(from) || /(^|\/)model\//.test(from)) && !type && !isPure(to)),
    [],
  )
})

test('actions and stores know nothing of HTTP', () => {
  const isInner = (path: string) => isNamed('actions.ts')(path) || isStore(path) || isPieces(path)
  assert.deepEqual(
    offences(
      (from, to) =>
        isInner(from) &&
        (isIn('platform/http')(to) ||
          (isOurs(to) && isRoutes(to)) ||
          to === 'app.ts' ||
          to.startsWith('fastify') ||
          to.startsWith('@fastify/')) &&
        !isIn('platform/http')(from),
    ),
    [],
  )
})

test('the edge knows no resource', () => {
  assert.deepEqual(
    offences(
      (from, to) =>
        isIn('platform/http')(from) &&
        ['platform/webhooks', 'platform/work', 'platform/files', 'platform/mail', 'platform/transfers'].some((folder) =>
          isIn(folder)(to),
        ),
    ),
    [],
  )
})

test('only settings.ts reads the environment', () => {
  const readers = files
    .filter(({ path, text }) => path !== 'settings.ts' && !isIn('tools/cli')(path) && /process\.env\b/.test(text))
    .map(({ path }) => path)
  assert.deepEqual(readers, [])
})

test('only tests hash passwords cheaply', () => {
  assert.deepEqual(
    files.filter(({ text }) => text.includes('hashCheaply')).map(({ path }) => path),
    ['identity/passwords/passwords.ts'],
  )
})

test('nothing imports itself in a circle, types included', () => {
  const known = new Map(
    files.map(({ path, imports }) => [path, imports.filter(({ to }) => isOurs(to)).map(({ to }) => to)]),
  )
  assert.deepEqual(circlesIn(known), [])
})

/** Every circle that a walk along these imports closes, as `a → b → a`. */
function circlesIn(known: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const circles: string[] = []
  function follow(path: string, way: readonly string[]): void {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' → '))
    if (way.includes(path) || done.has(path)) return
    for (const next of known.get(path) ?? []) follow(next, [...way, path])
    done.add(path)
  }
  for (const path of known.keys()) follow(path, [])
  return circles
}

test('there is no drawer for odds and ends', () => {
  assert.deepEqual(
    files.map(({ path }) => path).filter((path) => /(^|\/)(helpers?|utils?|misc|common|shared|index)\.ts$/.test(path)),
    [],
  )
})
