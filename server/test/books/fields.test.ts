import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { exampleOfCreation } from '../../src/books/documents/model/fields/creation.ts'
import type { Field, Fields } from '../../src/books/documents/model/fields/fields.ts'
import type { Kind } from '../../src/books/documents/model/kind/kind.ts'
import { documentKinds } from '../../src/books/kinds/kinds.ts'
import { newId } from '../../src/platform/core/values/ids.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { sharedService } from '../service.ts'
import { type Books, type Json, openBooks, terms } from './books.ts'

const service = await sharedService()

/** No list of columns is kept by hand: these hold the list of fields against the tables and against what the API does. */
for (const kind of documentKinds) {
  const { noun, plural, fields, lines } = kind
  const path = `/api/v1/${plural}`
  const needed = exampleOfCreation(kind)
  /** What clients set, but for what the kind refuses of a document that is made so. */
  const set = clientNames(fields).filter((name) => !isRefused(kind, name))

  describe(`the fields of ${plural}`, () => {
    let books: Books
    let other: Books
    before(async () => {
      books = await openBooks(service)
      other = await openBooks(service)
    })

    test('are the columns of the table, with their types, and the other way round', async () => {
      // Where a document returns to when its payment is voided, and the number that no other bill may have; nobody reads them.
      const { unpaid_status_id, held_number: _, ...columns } = await columnsIn(plural)
      assert.equal(unpaid_status_id, 'text')
      assert.deepEqual(columns, typesOf(fields))
    })

    test('and those of a line are the columns of its table', async () => {
      const own = [
        'org_id',
        'id',
        lines.parentKey,
        'position',
        'total_amount',
        'tax_amount',
        'created_at',
        'updated_at',
      ]
      const columns = Object.entries(await columnsIn(lines.plural)).filter(([name]) => !own.includes(name))
      assert.deepEqual(Object.fromEntries(columns), typesOf(lines.fields))
    })

    test('are what answers carry, and what a body may carry', async () => {
      const { id } = await books.make(path, { ...needed, items: [{ unit_price: 1 }] })
      const answer = (await books.get(`${path}/${id}`)).json()
      const names = Object.keys(fields).sort()
      assert.deepEqual(Object.keys(answer[noun]).sort(), names)
      assert.deepEqual(Object.keys(kind.schemas.Document.properties).sort(), names)
      const around = [lines.plural, lines.noun, 'items', 'pay_term', 'currency_info']
      assert.deepEqual(
        Object.keys(kind.schemas.Edit.properties).sort(),
        [...names, 'reason', ...(kind.duplicates ? ['allow_duplicate'] : []), ...around].sort(),
      )
      const ofLine = [
        ...Object.keys(lines.fields),
        'id',
        'created_at',
        'updated_at',
        lines.parentKey,
        'total_amount',
        'tax_amount',
        'position',
        ...(lines.type ? [lines.type.name] : []),
      ]
      assert.deepEqual(Object.keys(answer[lines.noun]).sort(), ofLine.sort())
      for (const schema of [kind.schemas.Line, kind.schemas.NewLine, kind.schemas.LineEdit])
        assert.deepEqual(Object.keys(schema.properties).sort(), ofLine)
    })

    test('that clients set are kept by a creation and by an update', async () => {
      const [first, second] = [await sample(books, 1), await sample(books, 2)]
      const { id } = await books.make(path, { ...needed, ...first })
      assertHas(await books.read(`${path}/${id}`), first)
      assert.equal((await books.call('PUT', `${path}/${id}`, second)).statusCode, 200)
      assertHas(await books.read(`${path}/${id}`), second)
      const cleared = Object.fromEntries(set.map((name) => [name, null]))
      assert.equal((await books.call('PUT', `${path}/${id}`, cleared)).statusCode, 200)
      assertHas(await books.read(`${path}/${id}`), { ...cleared, is_tax_on: false })
    })

    test('that clients set are kept by a bulk creation and a bulk update', async () => {
      const [first, second] = [await sample(books, 3), await sample(books, 4)]
      for (const row of [first, second]) {
        const { results } = (
          await books.call('POST', `${path}/bulk`, { [plural]: [{ ...needed, ...row, external_id: 'bulk' }] })
        ).json()
        assert.equal(results[0].error, undefined)
        assertHas(await books.read(`${path}/ext:bulk`), row)
      }
    })

    test('that clients set come back from an export through an import, those of lines too', async () => {
      const line = lineSample(5)
      const row = await sample(books, 5)
      await books.make(path, { ...needed, ...row, external_id: 'exported', items: [line] })
      const csv = (await books.get(`${path}/export`)).body
      const [header = ''] = csv.split('\r\n')
      for (const [name, { csv: column }] of Object.entries(fields))
        assert.equal(
          header.split(',').some((cell) => cell === name || cell.startsWith(`${name}_`)),
          column !== 'none',
          name,
        )
      // Ids of terms and currencies are the same everywhere; a pay term is of one organization.
      const theirs = csv.replaceAll(String(row.pay_term_id), String((await sample(other, 5)).pay_term_id))
      const report = (await other.call('POST', `${path}/import`, theirs, { 'content-type': 'text/csv' })).json()
      const mine = report.results.filter((result: { external_id: string }) => result.external_id === 'exported')
      assert.equal(mine[0].status, 'created', JSON.stringify(mine))
      const { sub_total_amount: _, ...content } = row
      const imported = (await other.get(`${path}/ext:exported`)).json()
      assertHas(imported[noun], { ...content, pay_term_id: imported[noun].pay_term_id })
      assertHas(imported[lines.noun], line)
    })

    /** A value for everything that clients can set, another for each `n`. */
    async function sample(of: Books, n: number): Promise<Json> {
      const term = await of.make(terms, { name: `Net ${n}`, number_of_days: n })
      const known: Json = { pay_term_id: term.id, currency_id: ['usd', 'eur', 'cad'][n % 3] }
      return Object.fromEntries(set.map((name) => [name, known[name] ?? valueFor(fields[name] as Field, name, n)]))
    }

    function lineSample(n: number): Json {
      // Those of records of one organization.
      const names = clientNames(lines.fields).filter(
        (name) => name !== `${lines.type?.name}_id` && name !== 'tax_rate_id',
      )
      return Object.fromEntries(names.map((name) => [name, valueFor(lines.fields[name] as Field, name, n)]))
    }
  })
}

function isRefused({ fields, check }: Kind, name: string): boolean {
  const blank = Object.fromEntries(Object.entries(fields).map(([name, { blank }]) => [name, blank]))
  try {
    check?.({ ...blank, ...exampleOfCreation({ fields }), [name]: 'x' })
    return false
  } catch {
    return true
  }
}

function clientNames(fields: Fields): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.setBy === 'client')
}

function valueFor({ column, csv }: Field, name: string, n: number): unknown {
  if (csv === 'address')
    return {
      company_name: `${name} ${n}`,
      contact_name: null,
      address_1: null,
      address_2: null,
      city: `City ${n}`,
      state: null,
      postal: null,
      country: 'US',
    }
  switch (column) {
    case 'uuid':
      return newId()
    case 'timestamptz':
      return `2026-0${n}-03T04:05:06.789Z`
    case 'boolean':
      return n % 2 === 1
    case 'bigint':
    case 'int':
      return n
    default:
      return `${name} ${n}`
  }
}

function assertHas(record: Json, wanted: Json): void {
  assert.deepEqual(Object.fromEntries(Object.keys(wanted).map((name) => [name, record[name]])), wanted)
}

function typesOf(fields: Fields): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, { column }]) => (column ? [[name, column]] : [])))
}

/** The columns that are written, by the types that the fields have for them. */
async function columnsIn(table: string): Promise<Record<string, string>> {
  const rows = await service.pool.run<{ name: string; type: string }>(
    sql`select a.attname as name, format_type(coalesce(nullif(t.typbasetype, 0), a.atttypid), null) as type
      from pg_attribute a join pg_type t on t.oid = a.atttypid
      where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''`,
  )
  const short: Record<string, string> = { integer: 'int', 'timestamp with time zone': 'timestamptz' }
  return Object.fromEntries(rows.map(({ name, type }) => [name, short[type] ?? type]))
}
