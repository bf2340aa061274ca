import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'rolldown/utils'
import { deepOnly } from './depth.ts'

export type Expression = { place: string; source: string; flags: string }
type Made = { place: string; code: string }
type Node = {
  type?: string
  start?: number
  end?: number
  regex?: { pattern: string; flags: string }
  callee?: { name?: string }
  [name: string]: unknown
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const files = globSync(['server/src/**/*.ts', 'sdk/src/**/*.ts', 'console/src/**/*.{ts,tsx}'], { cwd: root }).filter(
  (path) => !/\.test\.tsx?$/.test(path),
)

/** Files whose expressions see only what is ours, with the reason. */
const own: Record<string, string> = {
  'server/src/platform/db/cluster/cluster-rules.ts': 'reads our own SQL, in tests',
  'server/src/platform/db/schema/schema-check.ts': 'reads our own schema',
  'server/src/platform/db/sql/statements.ts': 'reads our own migrations',
  'server/src/tools/docs/draw-reference.ts': 'reads the page of the reference, which we make',
  'server/src/tools/docs/markdown.ts': 'reads our own guides',
  'server/src/tools/docs/reference.ts': 'reads the page of the reference, which we make',
  'server/src/identity/passwords/common-passwords.ts':
    'sees passwords of at most 1,024 characters, which is checked before',
  'server/src/books/bills/duplicates/numbers.ts': 'sees numbers of invoices, which have at most 255 characters',
}

/** Those that are put together of pieces: whoever adds one says here what it sees, or why it is linear. */
const putTogether: Record<string, string> = {
  'server/src/payables/arrivals/reading/mail-content.ts': 'at most 21 digits',
  'server/src/freight/billing/document-fields-sql.ts': 'from its beginning, and at most 9 digits are given back',
  'server/src/platform/http/edge/edge.ts': 'a path, in parts between slashes; the address has at most 16 KiB',
  'server/src/platform/files/storage/s3.ts': 'each tag once, up to the next one',
  'server/src/platform/db/cluster/cluster-rules.ts': 'our own SQL',
  'server/src/platform/core/values/ids.ts': 'of a fixed length',
  'server/src/books/documents/exchange/columns.ts': 'our own names of columns',
  'server/src/books/documents/store/line-store.ts': 'a message of PostgreSQL',
  'server/src/generate.ts': 'our own document, when it is generated',
  'server/src/identity/browsers/cookies.ts': 'of a fixed length, at the end of a name of ours',
  'console/src/app/values/numbers.ts': 'what a person types into one input',
  'console/src/books/documents/import/dates.ts':
    'one cell of a person’s own file, from its beginning; what repeats without end has no character in common with what follows',
}

function expressionsIn(path: string): { literals: Expression[]; made: Made[] } {
  const code = readFileSync(`${root}${path}`, 'utf8')
  const { program, errors } = parseSync(path, code)
  assert.equal(errors.length, 0, `${path} cannot be read`)
  const literals: Expression[] = []
  const made: Made[] = []
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, start = 0, end = 0, regex, callee, ...others } = node as Node
    if (type === 'Literal' && regex)
      literals.push({
        place: `${path}:${code.slice(0, start).split('\n').length}`,
        source: regex.pattern,
        flags: regex.flags,
      })
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp')
      made.push({ place: path, code: code.slice(start, end) })
    // A pattern in a schema is an expression too.
    const { key, value } = others as { key?: { name?: string }; value?: { value?: unknown } }
    if (type === 'Property' && key?.name === 'pattern' && typeof value?.value === 'string')
      literals.push({ place: path, source: value.value, flags: 'u' })
    look(callee)
    for (const inner of Object.values(others)) look(inner)
  }
  look(program)
  return { literals, made }
}

const found = files.map(expressionsIn)

/** Without a repetition that has no end there is nothing to try again and again. */
function hasEndless({ source }: Expression): boolean {
  return /[*+]|\{\d+,\}/.test(source)
}

test('no expression over what others send takes more than its length explains', deepOnly, async () => {
  const looked = found
    .flatMap(({ literals }) => literals)
    .filter((expression) => hasEndless(expression) && !Object.hasOwn(own, expression.place.replace(/:\d+$/, '')))
  assert.ok(looked.length > 100, `${looked.length} were found`)
  const asked = execFile(process.execPath, [fileURLToPath(new URL('./expressions-program.ts', import.meta.url))], {
    maxBuffer: 2 ** 24,
  })
  asked.stdin?.end(JSON.stringify(looked))
  assert.deepEqual(JSON.parse(await text(asked.stdout as Readable)), [])
})

test('expressions that are put together are few, and each is known', () => {
  const places = new Set(found.flatMap(({ made }) => made.map(({ place }) => place)))
  assert.deepEqual([...places].sort(), Object.keys(putTogether).sort())
})
