// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are pieces of programs
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../src/', import.meta.url))

test('a statement stands whole in one template: what it opens it closes', () => {
  const files = globSync('**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts'))
  const found = files.flatMap((path) =>
    templatesIn(readFileSync(`${root}${path}`, 'utf8'))
      .filter((text) => !isClosed(text))
      .map((text) => `${path}: ${text.trim().slice(0, 80)}`),
  )
  assert.deepEqual(found, [])
})

test('a bracket that another template closes is found', () => {
  const source = (text: string) => templatesIn(`sql\`${text}\``).map(isClosed)
  assert.deepEqual(source('select a from b where c = any(${x}::uuid[])'), [true])
  assert.deepEqual(source("select '(' || a from b"), [true])
  assert.deepEqual(source('select (select a'), [false])
  assert.deepEqual(source(') as a'), [false])
  assert.deepEqual(source('select ${one(sql`(a`)} from (b)'), [true, false])
})

/** The texts of all templates of SQL, without what is put into them; those inside of others are apart. */
function templatesIn(source: string): string[] {
  return [...source.matchAll(/(?<!\w)sql`/g)].map(({ index, 0: tag }) => textOf(source, index + tag.length).text)
}

function textOf(source: string, start: number): { text: string; end: number } {
  let text = ''
  for (let at = start; at < source.length; at++) {
    if (source[at] === '`') return { text, end: at }
    if (source[at] === '\\') at++
    else if (source.startsWith('${', at)) at = endOfValue(source, at + 2)
    else text += source[at]
  }
  throw new Error('a template has no end')
}

function endOfValue(source: string, start: number): number {
  let depth = 0
  for (let at = start; at < source.length; at++) {
    const sign = source[at] as string
    if (sign === '`') at = textOf(source, at + 1).end
    else if (sign === "'" || sign === '"') at = source.indexOf(sign, at + 1)
    else if (sign === '{') depth++
    else if (sign === '}' && depth-- === 0) return at
  }
  throw new Error('a value in a template has no end')
}

function isClosed(text: string): boolean {
  let open = 0
  for (const sign of text.replace(/'[^']*'/g, '')) {
    if (sign === '(') open++
    if (sign === ')' && --open < 0) return false
  }
  return open === 0
}
