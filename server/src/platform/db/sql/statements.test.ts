import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrations } from '../schema/migrations.ts'
import { statementsOf } from './statements.ts'

test('a semicolon in a text, a name, a comment, between dollars or in an atomic body ends no statement', () => {
  const text = `
    -- one; two
    select ';', ";" /* ; */ from a;
    create function f() returns text language sql begin atomic select case when true then 'x' else 'y' end; select 1; end;
    do $x$ begin perform 1; end $x$;
    select 'it''s; here'`
  assert.deepEqual(
    statementsOf(text).map((statement) => statement.split('\n').at(-1)?.trim().slice(0, 12)),
    ["select ';', ", 'create funct', 'do $x$ begin', "select 'it''"],
  )
})

test('every statement of the baseline and the migrations begins with the word of a command', () => {
  for (const { name, text } of migrations) {
    for (const statement of statementsOf(text))
      assert.match(
        statement.replace(/^(?:\s*--[^\n]*\n)*\s*/, ''),
        /^(?:create|alter|drop|insert|update|delete|grant|revoke|call|do|lock|truncate|set|reset|comment|analyze|select|with)\b/i,
        name,
      )
  }
})
