import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { documentKinds } from './books/kinds/kinds.ts'
import { errorCodes } from './error-codes.ts'
import { billOfManifest, invoiceOfOrder } from './freight/billing/links.ts'
import type { ErrorCodes } from './platform/core/error-code.ts'
import { statusOf } from './platform/http/edge/errors.ts'

const root = fileURLToPath(new URL('./', import.meta.url))
/** What makes errors with the codes of PostgreSQL and of the system. */
const apart = new Set([
  'platform/db/pool/hosts.ts',
  'platform/db/pool/away.ts',
  'platform/db/pool/known-away.ts',
  'platform/db/pool/silence.ts',
])
/** The tables of the rooms, and the one that gathers them. */
const isTable = (path: string) => basename(path) === 'error-codes.ts'
const sources = globSync('**/*.ts', { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.endsWith('.test.ts'))
const files = sources.filter((path) => !isTable(path) && !apart.has(path))
const tables = sources.filter((path) => isTable(path) && path !== 'error-codes.ts')
const known = new Set(Object.keys(errorCodes))

/** What stands between the brackets that open here, at its top level: texts and brackets inside are skipped. */
function argumentsAt(text: string, start: number): string[] {
  const found: string[] = []
  let [depth, from] = [0, start]
  for (let at = start; at < text.length; at++) {
    const character = text[at] as string
    if (`'"\``.includes(character)) {
      for (at++; text[at] !== character; at++) if (text[at] === '\\') at++
    } else if ('([{'.includes(character)) depth += 1
    else if (')]}'.includes(character)) {
      if (depth-- === 0) return [...found, text.slice(from, at).trim()]
    } else if (character === ',' && depth === 0) {
      found.push(text.slice(from, at).trim())
      from = at + 1
    }
  }
  return found
}

/** Which argument of each is the code. */
const makers = { invalid: 1, conflict: 0, forbidden: 0, 'new Refusal': 1, detail: 1, fault: 1 }

/** The expressions in which a file gives a code. */
function codesIn(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  const called = Object.entries(makers).flatMap(([maker, place]) =>
    [...code.matchAll(new RegExp(`(?<!function )\\b${maker}\\(`, 'g'))].map(
      ({ index, 0: found }) => argumentsAt(code, index + found.length)[place] ?? '',
    ),
  )
  const inDetails = [...code.matchAll(/\bcode: (['`][^'`]*['`])/g)].map(([, given]) => given as string)
  return [...called, ...inDetails]
}

/** Codes that are put together, or handed on from another refusal. Those that the schemas and the kinds of documents give are tested below. */
const handedOn = [
  'code',
  'detail.code',
  'refusal.code',
  'missing[0].code',
  'link.verb',
  'verb',
  "error ?? 'token_required'",
  '',
]
const isPutTogether = (code: string) => /^`(?:unknown|bad)_/.test(code)

test('every code that a refusal in the sources gives is in the table', () => {
  const given = files.flatMap((path) => codesIn(read(path)).map((code) => [path, code] as const))
  assert.ok(given.length > 150, `${given.length} were found`)
  const wrong = given.filter(
    ([, code]) =>
      !handedOn.includes(code) && !isPutTogether(code) && !(/^'\w+'$/.test(code) && known.has(code.slice(1, -1))),
  )
  assert.deepEqual(
    wrong.map(([path, code]) => `${path}: ${code}`),
    [],
  )
})

test('the table has the codes that are put together: of kinds of documents, of types of lines, of formats', () => {
  const ofKinds = documentKinds.flatMap(({ noun, lines }) => [
    `unknown_${noun}`,
    ...(lines.type ? [`unknown_${lines.type.name}`] : []),
  ])
  const ofLinks = [billOfManifest, invoiceOfOrder].map(({ verb }) => verb)
  for (const code of [
    ...ofKinds,
    ...ofLinks,
    'bad_uuid',
    'bad_date_time',
    'bad_email',
    'bad_date',
    'token_required',
    'invalid_token',
  ])
    assert.ok(known.has(code), code)
})

/** Those that no source has as a whole. */
const putTogether = [
  'unknown_bill',
  'unknown_invoice',
  'unknown_credit',
  'unknown_bill_item_type',
  'bad_uuid',
  'bad_date_time',
  'bad_email',
  'bad_date',
]

test('the table has no code that nothing gives any more', () => {
  const texts = files.map(read).join('\n')
  assert.deepEqual(
    [...known].filter((code) => !putTogether.includes(code) && !texts.includes(`'${code}'`)),
    [],
  )
})

test('the table gathers those of all rooms, and no code stands in two of them', async () => {
  const codes = (await tablesOfRooms()).flatMap(({ codes }) => codes)
  assert.deepEqual(
    codes.filter((code, at) => codes.indexOf(code) !== at),
    [],
  )
  assert.deepEqual(new Set(codes), known)
})

test('a code stands in a room that gives it, and on the lowest floor that does', async () => {
  const texts = files.map((path) => ({ path, text: read(path) }))
  const given = texts.flatMap(({ path, text }) => codesIn(text).map((code) => ({ path, code })))
  for (const { room, codes } of await tablesOfRooms())
    for (const code of codes) {
      // What stands directly on a floor, or above all of them, has no room of its own.
      const isAtHome = (path: string) => path.startsWith(`${room}/`) || path.split('/').length < 3
      assert.ok(
        putTogether.includes(code) || texts.some(({ path, text }) => isAtHome(path) && text.includes(`'${code}'`)),
        `${code} stands in ${room}, which does not give it`,
      )
      const lower = given.find((one) => one.code === `'${code}'` && heightOf(one.path) < heightOf(room))
      assert.equal(lower, undefined, `${code} stands in ${room}, which is above a room that gives it`)
    }
})

const floors = ['platform', 'identity', 'records', 'books', 'freight', 'payables', 'integrations', 'tools']

function heightOf(path: string): number {
  const floor = floors.indexOf(path.split('/')[0] as string)
  return floor < 0 ? floors.length : floor
}

/** The codes of each room, by its folder. */
function tablesOfRooms(): Promise<{ room: string; codes: string[] }[]> {
  return Promise.all(
    tables.map(async (path) => {
      const found: Record<string, ErrorCodes> = await import(`./${path}`)
      return { room: dirname(path), codes: Object.values(found).flatMap((codes) => Object.keys(codes)) }
    }),
  )
}

function read(path: string): string {
  return readFileSync(`${root}${path}`, 'utf8')
}

test('every code has a status that a refusal can have, a meaning and what to do, each in whole sentences', () => {
  const statuses = new Set([200, 408, 431, 500, ...Object.values(statusOf)])
  for (const [code, { statuses: ofCode, meaning, remedy }] of Object.entries(errorCodes)) {
    for (const status of ofCode) assert.ok(statuses.has(status), code)
    for (const text of [meaning, remedy]) assert.match(text, /^[A-Z`].*\.$/, code)
  }
})
