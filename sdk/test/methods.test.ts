/** The methods beside the contract that they are made from. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Table } from '../src/methods/calling.ts'
import { table } from '../src/methods/table.ts'

const { paths }: { paths: Record<string, Record<string, unknown>> } = JSON.parse(
  readFileSync(new URL('../../server/openapi.json', import.meta.url), 'utf8'),
)
const resources = readFileSync(new URL('../src/methods/resources.ts', import.meta.url), 'utf8')

function entriesOf(group: Table, names: string[] = []): { name: string; operation: string }[] {
  return Object.entries(group).flatMap(([name, entry]) =>
    typeof entry === 'string'
      ? { name: [...names, name].join('.'), operation: entry.split(' ').slice(0, 2).join(' ') }
      : entriesOf(entry, [...names, name]),
  )
}

const entries = entriesOf(table)

test('every operation has one method, and every method an operation', () => {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  assert.ok(operations.length > 400)
  assert.deepEqual(entries.map(({ operation }) => operation).toSorted(), operations.toSorted())
})

test('every method has its types, and nothing else has', () => {
  const typed = [...resources.matchAll(/^ {2}(?!readonly )(\w+)\(/gm)].map(([, name]) => name)
  const overloads = resources.match(/options: .* & AsCsv\)/g)?.length ?? 0
  assert.equal(typed.length - overloads, entries.length)
})

test('names are those of JavaScript, without a verb in front of a noun that says the same', () => {
  for (const { name } of entries) {
    assert.match(name, /^[a-z]\w*(\.[a-z]\w*){1,3}$/, name)
    assert.doesNotMatch(name, /_|\.(get|search[A-Z])/, name)
  }
  for (const name of ['bills.list', 'bills.items.add', 'payments.allocations.remove', 'organization.logo.set'])
    assert.ok(
      entries.some((entry) => entry.name === name),
      name,
    )
})
