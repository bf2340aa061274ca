import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { baseline, migrations } from '../src/platform/db/schema/migrations.ts'
import { faultsOf } from './migration-rules.ts'

/** The baseline is applied to an empty database only. */
const added = migrations.filter(({ name }) => name !== baseline)
const names = ['0041_new_numbers.sql', ...added.map(({ name }) => name)]
const contracts = '-- contracts for code before 0041_new_numbers.sql: nothing reads it since.\n'
const locks = '-- locks: an installation has a hundred of them.\n'
const ofNone = '-- of no organization: they are those of people.\n'
const outside = '-- outside of a transaction\n'
const lots = '-- in lots for each organization\n'

const takesAway = [
  'drop table bills;',
  'alter table bills drop column notes;',
  'alter table bills drop notes;',
  'alter table bills add column a int, drop constraint bill_number;',
  'alter table bills rename to invoices;',
  'alter table bills rename column notes to remarks;',
  'alter view bills_wire rename to wire_of_bills;',
  'alter table bills add column colour text not null;',
  'drop view bills_wire;',
  'drop index bills_number;',
  'drop function wire_time(timestamptz);',
  'drop policy own_organization on bills;',
  'revoke select on bills from lading_app;',
  'truncate events;',
  "do $$ begin execute format('alter table %s drop column x', 'bills'); end $$;",
]

const makesWait = [
  'create index bills_colour on bills (org_id, colour);',
  'create unique index bills_colour on bills (org_id, colour);',
  'alter table bills add constraint bill_colour check (colour <> 2);',
  'alter table bills add column colour text constraint bill_colour check (length(colour) < 10);',
  'alter table bills add column colour_id uuid references colours;',
  "alter table bills add column colour text not null generated always as ('red') stored;",
  'alter table bills add column key uuid not null default gen_random_uuid();',
  "update bills set notes = '';",
  'insert into document_texts select org_id from bills;',
  'lock table bills in share mode;',
  'do $$ begin for o in select org_id from organizations loop update bills set notes = null; end loop; end $$;',
]

const readsRows = [
  'create table numbers (org_id uuid);\ninsert into numbers select org_id from bills;',
  'with bill as (select org_id from bills) insert into document_texts select org_id from bill;',
  "update bills set notes = '';",
  'do $$ begin insert into document_texts select org_id from bills; end $$;',
]

const both = [
  'alter table bills alter column notes set not null;',
  'alter table bills alter notes type varchar(9);',
  'delete from events;',
]

const allowed = [
  'alter table bills add column colour text;',
  "alter table bills add column colour text not null default 'red', add column made_at timestamptz not null default now();",
  'alter table bills add constraint bill_colour check (colour <> 2) not valid;',
  'create table colours (org_id uuid not null references organizations);\ncreate index colours_org on colours (org_id);\nalter table colours add check (true);',
  "create or replace view bills_wire as select 'drop table' as text; -- drop table bills",
  'create function f() returns void language sql begin atomic delete from bills; drop_it(); end;\ngrant execute on function f() to lading_app;',
  'create function f() returns void language sql as $$ delete from bills $$;',
  `${outside}drop index concurrently if exists x;\ncreate index concurrently x on bills (org_id);\nalter table bills validate constraint bill_colour;\n`,
  `${lots}update bills set a = 1 where org_id = current_setting('app.org_id')::uuid and id in (select id from bills where a is null limit 1000) returning 1;`,
]

const malformed: [string, RegExp][] = [
  [`${outside}create index concurrently x on bills (org_id);`, /could not be run again/],
  [`${outside}update bills set notes = null;`, /nothing else is done/],
  [`${lots}update bills set a = 1 returning 1;`, /needs current_setting/],
  ['-- contracts: it is time.\ndrop table bills;', /not in the form/],
  ['-- contracts for code before 9998_y.sql: it is time.\ndrop table bills;', /is not this migration or one before it/],
]

const faults = (text: string) => faultsOf('9999_x.sql', text, names)

describe('a new migration', () => {
  test('keeps to the rules, or says why it may break one', () => {
    const found = added.flatMap(({ name, text }) => faultsOf(name, text, names))
    assert.deepEqual(found, [])
  })

  test('takes away nothing that the code before it may need, unless it says since when nobody does', () => {
    for (const text of takesAway) assert.deepEqual([faults(text).length, faults(contracts + text).length], [1, 0], text)
  })

  test('locks no table for long, unless it says why that is short', () => {
    for (const text of makesWait)
      assert.deepEqual([faults(ofNone + text).length, faults(ofNone + locks + text).length], [1, 0], text)
    for (const text of both)
      assert.deepEqual([faults(ofNone + text).length, faults(ofNone + contracts + locks + text).length], [2, 0], text)
  })

  test('reads no rows of organizations, which an owner that is no superuser does not see, unless in lots', () => {
    for (const text of readsRows)
      assert.deepEqual([faults(locks + text).length, faults(locks + ofNone + text).length], [1, 0], text)
  })

  test('may add, fill in lots, and make indexes concurrently', () => {
    for (const text of allowed) assert.deepEqual(faults(text), [], text)
  })

  test('declares what it does in the forms that there are', () => {
    for (const [text, fault] of malformed) assert.match(faults(text).join(' '), fault, text)
  })
})
