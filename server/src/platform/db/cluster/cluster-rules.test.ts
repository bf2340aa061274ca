import assert from 'node:assert/strict'
import { test } from 'node:test'
import { functionFault, statementFault, viewFault } from './cluster-rules.ts'

const tables = new Set(['bills', 'bill_items', 'bills_wire', 'organizations', 'events'])

test('a statement is good where every table has its organization from a parameter, or from a table next to it', () => {
  for (const text of [
    'select id from bills where org_id = $1 and id = $2 for update',
    'select (select count(*) from bill_items i where i.org_id = $1 and i.bill_id = b.id) from bills b where b.org_id = $2',
    'select 1 from bills b join bill_items i on i.org_id = b.org_id and i.bill_id = b.id where b.org_id = $1',
    'insert into events (org_id, id) values ($1, $2)',
    'insert into events (org_id, id) select own.org_id, e.id from organizations own cross join unnest($1::uuid[]) as e(id) where own.org_id = $2',
    'update bills b set notes = n.notes from jsonb_to_recordset($1) as n(id uuid, notes text) where b.org_id = $2 and b.id = n.id',
    "update bills set due_at = statement_timestamp() + $2 * interval '1 day' where org_id = $1",
    'insert into bills as b (org_id, id, at) values ($1, $2, now()) on conflict (org_id, id) do update set at = greatest(b.at, excluded.at)',
    "with due as (select id, now() - interval '1 day' as at from bills where org_id = $1 for update) update bills set at = due.at from due where org_id = $1 and id = due.id",
    'with n as (select $1::int as n), made as (insert into events as e (org_id, n) select o.org_id, n from organizations o, n where o.org_id = $2 returning e.n) select n from made',
    "select '(' || name from organizations where org_id = $1",
  ])
    assert.equal(statementFault(text, tables), null, text)
})

test('a statement is named that a cluster could not send to one node, or that would write another thing on each', () => {
  for (const [text, fault] of [
    ['select id from bills where id = $1', /names bills without/],
    [
      'select (select count(*) from bill_items i where i.org_id = b.org_id) from bills b where b.org_id = $1',
      /names bill_items without/,
    ],
    [
      'select 1 from bills b cross join lateral (select 1 from bill_items i where i.org_id = b.org_id) l where b.org_id = $1',
      /names bill_items without/,
    ],
    [
      'with asked as (select $1::uuid as org) select 1 from bills where org_id = (select org from asked)',
      /names bills without/,
    ],
    ["select set_config('app.org_id', $1, true)", /set_config/],
    ['update bills set updated_at = clock_timestamp() where org_id = $1', /volatile/],
    ["update bills set due_at = now() + least(days, 10) * interval '1 day' where org_id = $1", /interval/],
    ['update bills set due_at = coalesce(due_at, statement_timestamp()) where org_id = $1', /case or coalesce/],
    ['update bills set due_at = case when $2 then statement_timestamp() end where org_id = $1', /case or coalesce/],
    ['insert into events (org_id, id) select $1::uuid, id from unnest($2::uuid[]) as e(id)', /from organizations/],
    [
      'insert into bills (org_id, id, at) values ($1, $2, now()) on conflict (org_id, id) do update set at = now()',
      /excluded/,
    ],
    [
      "insert into bills as b (org_id, id, at) values ($1, $2, now()) on conflict (org_id, id) do update set n = case when b.at < excluded.at + interval '1 minute' then 1 end",
      /excluded/,
    ],
    [
      'insert into events (org_id, id) values ($1, $2) returning id, extract(epoch from statement_timestamp()) as now',
      /returns the time/,
    ],
    ["update bills set due_at = due_at - interval '1 day' where org_id = $1", /interval/],
    [
      'with due as (select id from bills where org_id = $1) update bills b set at = case when b.at is null then statement_timestamp() end from due where b.org_id = $1',
      /case or coalesce/,
    ],
    [
      "with moved as (update bills set due_at = due_at - interval '1 day' where org_id = $1 returning id) select id from moved",
      /interval/,
    ],
    [
      'with n as (select $1::int as n) insert into events (org_id, n) select own.org_id, n from organizations own cross join n where own.org_id = $2',
      /"with"/,
    ],
    [
      'insert into events (org_id, id) select own.org_id, $1::uuid from organizations own where own.org_id = $2 returning id',
      /another name/,
    ],
    [
      'insert into events (org_id, id) select own.org_id, gen_random_uuid() from organizations own where own.org_id = $1',
      /volatile/,
    ],
    ["insert into events (org_id, id) values ($1, $2) returning json_build_object('id', id)::text as json", /settings/],
    ["update bills set due_at = created_at + $2 * interval '1 day' where org_id = $1", /interval/],
  ] as const)
    assert.match(statementFault(text, tables) ?? 'nothing', fault, text)
})

test('a view may join, and may take a row apart, and may not read another table for each row', () => {
  assert.equal(viewFault('SELECT b.id FROM (bills b LEFT JOIN bill_items i ON ((i.org_id = b.org_id)))', tables), null)
  assert.equal(
    viewFault('SELECT b.id, row_to_json(w.*) FROM (bills b CROSS JOIN LATERAL ( SELECT b.id, b.notes) w)', tables),
    null,
  )
  assert.equal(
    viewFault(
      'SELECT b.id, s.n FROM (bills b LEFT JOIN ( SELECT i.org_id, count(*) AS n FROM bill_items i GROUP BY i.org_id) s ON (s.org_id = b.org_id))',
      tables,
    ),
    null,
  )
  assert.match(
    viewFault(
      'SELECT b.id, COALESCE(( SELECT i.id FROM bill_items i WHERE (i.org_id = b.org_id)), 1) FROM bills b',
      tables,
    ) ?? '',
    /sub-select/,
  )
  assert.match(
    viewFault(
      'SELECT b.id, COALESCE(( SELECT w.id FROM (bill_items i CROSS JOIN LATERAL ( SELECT i.id) w)), 1) FROM bills b',
      tables,
    ) ?? '',
    /sub-select/,
  )
  assert.match(
    viewFault('SELECT b.id FROM (bills b CROSS JOIN LATERAL ( SELECT i.id FROM bill_items i) l)', tables) ?? '',
    /lateral/,
  )
})

test('a function in SQL has no simple case', () => {
  assert.equal(functionFault('select case when a = 1 then 2 end'), null)
  assert.match(functionFault('select case a when 1 then 2 end') ?? '', /simple case/)
})
