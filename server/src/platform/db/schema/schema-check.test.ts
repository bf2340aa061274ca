import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { testTarget } from '../../../../test/service.ts'
import { connect } from '../pool/connect.ts'
import { differences, partsOf, schemaFaults } from './schema-check.ts'

const pool = connect(testTarget(), { max: 1, name: 'lading test of the schema' })
after(() => pool.end())

const text = readFileSync(new URL('../../../../schema.sql', import.meta.url), 'utf8')

test('the schema that the migrations make is found to be what it must be', async () => {
  assert.deepEqual(await schemaFaults(pool), [])
})

test('what is missing of a schema, or differs, is named; what is there besides is not', () => {
  const wanted = partsOf(text)
  const found = new Map([...wanted, ['table extra', '']])
  assert.deepEqual(differences(wanted, found, true), [])
  for (const name of [
    'table invoices',
    'column notes of bills',
    'view bills_wire',
    'policy own_organization of bills',
    'index bills_dated',
  ])
    if (!found.delete(name))
      assert.fail(
        `there is no ${name}: ${[...wanted.keys()].filter((one) => one.includes(name.split(' ')[1] as string)).slice(0, 5)}`,
      )
  found.set('column status_id of bills', 'status_id text')
  assert.deepEqual(differences(wanted, found, true).sort(), [
    'The column notes of bills is missing.',
    'The column status_id of bills is not as the migrations make it.',
    'The index bills_dated is missing.',
    'The policy own_organization of bills is missing.',
    'The table invoices is missing.',
    'The view bills_wire is missing.',
  ])
  assert.equal(differences(wanted, found, false).length, 5)
})

/** As pg_restore does it: tables are made and filled with an empty search_path. */
test('no function of the schema needs a search_path', async () => {
  const client = await pool.open()
  try {
    const { rows } = await client.query<{ name: string; definition: string; language: string; source: string }>(`
      select p.proname as name, pg_get_functiondef(p.oid) as definition, l.lanname as language, p.prosrc as source
      from pg_proc p join pg_language l on l.oid = p.prolang
      where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.prosqlbody is null
        and not exists (select from unnest(p.proconfig) as setting where setting like 'search_path=%')
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`)
    const faults: string[] = []
    const names = [...partsOf(text).keys()].flatMap((part) => /^(?:function|table) (\w+)/.exec(part)?.[1] ?? [])
    for (const { name, definition, language, source } of rows) {
      if (language === 'sql') {
        await client.query("begin; set local search_path = ''; set local check_function_bodies = on")
        await client.query(definition).catch((error) => faults.push(`${name}: ${error.message}`))
        await client.query('rollback')
      } else if (names.some((called) => new RegExp(`(?<![.\\w'])${called}\\b`).test(source)))
        faults.push(`${name} names others without their schema`)
    }
    assert.deepEqual(
      faults,
      [],
      'give it a body of the SQL standard (begin atomic … end), so that what it calls is looked up once',
    )
  } finally {
    await client.end()
  }
})
