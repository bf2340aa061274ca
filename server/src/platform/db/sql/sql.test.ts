import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { each, join, list, named, nothing, type Statement, sql, when } from './sql.ts'

type Tree = number | readonly Tree[]

const { tree } = fc.letrec<{ tree: Tree; branch: readonly Tree[] }>((tie) => ({
  tree: fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.integer(), tie('branch')),
  branch: fc.array(tie('tree'), { maxLength: 12 }),
}))

function build(node: Tree): Statement {
  return typeof node === 'number' ? sql`(${node})` : sql`[${join(node.map(build), sql`, `)}]`
}

function leaves(node: Tree): number[] {
  return typeof node === 'number' ? [node] : node.flatMap(leaves)
}

test('however statements are put together, parameter n is the nth value', () => {
  fc.assert(
    fc.property(tree, (node) => {
      const { text, values } = build(node)
      assert.deepEqual(values, leaves(node))
      const numbers = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))
      assert.deepEqual(
        numbers,
        values.map((_, index) => index + 1),
      )
    }),
  )
})

test('a value is never text of the statement, whatever it looks like', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      assert.deepEqual(sql`select ${value}`.text, 'select $1')
      assert.equal(sql`select ${value}`.values.length, 1)
    }),
  )
  const forged = { text: '1; drop table bills', values: [] }
  const { text, values } = sql`select ${forged}`
  assert.deepEqual({ text, values }, { text: 'select $1', values: [forged] })
})

test('one statement may stand in several places of another', () => {
  const filter = sql`org_id = ${'a'} and id = ${'b'}`
  const { text, values } = sql`select ${0} where ${filter} or ${filter} limit ${9}`
  assert.equal(text, 'select $1 where org_id = $2 and id = $3 or org_id = $4 and id = $5 limit $6')
  assert.deepEqual(values, [0, 'a', 'b', 'a', 'b', 9])
})

test('when keeps a statement unless there is nothing to filter by', () => {
  const statement = sql`and name = ${'x'}`
  for (const present of ['x', '', 0, [], true]) assert.equal(when(present, statement), statement)
  for (const absent of [undefined, null, false]) assert.equal(when(absent, statement), nothing)
  assert.deepEqual(join([], sql`, `), nothing)
})

test('statements that differ in an each value alone are asked as one, wherever it stands in them', () => {
  const which = sql`b.id = ${each('uuid', 'x')}`
  const { name, text, values, together } = sql`select ${1} from bills b where b.org_id = ${'o'} and ${which} limit ${2}`
  assert.equal(text, 'select $1 from bills b where b.org_id = $2 and b.id = $3 limit $4')
  assert.deepEqual(values, [1, 'o', 'x', 2])
  assert.notEqual(together?.name, name)
  assert.deepEqual(together, {
    name: together?.name,
    text: 'select asked.place::int, answer.* from unnest($1::uuid[]) with ordinality as asked(value, place) cross join lateral (select $2 from bills b where b.org_id = $3 and b.id = asked.value limit $4) as answer',
    places: [2],
    shared: [0, 1, 3],
  })
  assert.equal(sql`select ${1}`.together, null)
})

test('only names become text of a statement, and equal texts are one statement', () => {
  const { text, values } =
    sql`select ${named(['id', 'due_date'])} from ${named('bills')} b where '${named('bill')}.sent' = ${'x'}`
  assert.equal(text, "select id, due_date from bills b where 'bill.sent' = $1")
  assert.deepEqual(values, ['x'])
  const from = (table: string) => sql`from ${named(table)}`
  assert.equal(from('bills').name, from('bills').name)
  assert.notEqual(from('bills').name, from('orders').name)
  for (const name of ['', 'Bills', "b'", 'a b', 'a;b', 'a"b', '1a', 'a-b', 'a.b', '_a', `a${'b'.repeat(63)}`])
    assert.throws(() => from(name), /is no name/)
  fc.assert(fc.property(fc.string(), (name) => /^[a-z][a-z0-9_]*$/.test(name) || throws(() => from(name))))
})

function throws(work: () => unknown): boolean {
  try {
    work()
    return false
  } catch {
    return true
  }
}

test('a list of values has its parameters in order, wherever it stands', () => {
  const { text, values } = sql`insert into t (a, b, c) values (${1}, ${list(['two', null])}) returning ${4}`
  assert.equal(text, 'insert into t (a, b, c) values ($1, $2, $3) returning $4')
  assert.deepEqual(values, [1, 'two', null, 4])
  assert.equal(sql`select ${list([1, 2])}`.text, sql`select ${list([3, 4])}`.text)
  assert.throws(() => list([]))
})
