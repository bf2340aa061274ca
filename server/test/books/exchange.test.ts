import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { csvLine, readCsv } from '../../src/platform/core/tables/csv.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { deepOnly } from '../depth.ts'
import { connectionName, openService } from '../service.ts'
import { type Books, bills, type Json, openBooks, terms } from './books.ts'

type Result = {
  line: number
  status: string
  id: string | null
  external_id: string | null
  revision: number | null
  ignored_fields: string[]
  error?: Failure
}
type Failure = {
  error_code: string
  error_message: string
  details: { field: string; code: string; message: string }[]
}
type Report = {
  dry_run: boolean
  unknown_columns: string[]
  ignored_columns: string[]
  counts: Record<string, number>
  results: Result[]
}

const service = await openService({ IMPORT_LIMIT_MB: '2' })

async function importCsv(books: Pick<Books, 'call'>, csv: string, query = '', headers = {}): Promise<Report> {
  const answer = await books.call('POST', `${bills}/import${query}`, csv, { 'content-type': 'text/csv', ...headers })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

async function exported(books: Pick<Books, 'get'>, query = ''): Promise<Json[]> {
  const answer = await books.get(`${bills}/export${query}`)
  assert.equal(answer.statusCode, 200, answer.body)
  const [header, ...records] = await Array.fromAsync(readCsv([answer.rawPayload]))
  return records.map(({ cells }) => Object.fromEntries(cells.map((cell, index) => [header?.cells[index], cell])))
}

/** Bills in every state, with everything that a file could bend. */
async function fill(books: Books): Promise<void> {
  const address = {
    company_name: 'Müller & Söhne, "Spedition"',
    contact_name: '@dana',
    address_1: '=HYPERLINK("http://x")',
    city: '+1',
    country: "'-",
  }
  const tricky = ['=1+1', "'=1", ' spaced ', 'two\r\nlines', '"quoted"', '-', '\t', '', ',', '😀', "it's", '\u2028']
  const rows = [
    ...['draft', 'saved', 'sent', 'edited', 'paid'].map((status_id, index) => ({
      external_id: `in ${status_id}`,
      status_id,
      currency_id: 'usd',
      bill_date: '2024-01-01',
      ...(index > 1 && { sent_at: '2024-01-02T03:04:05.678Z' }),
      ...(status_id === 'paid' && { paid_at: '2024-02-02' }),
      bill_to: address,
      items: [{ unit_price: 100, quantity: 3, description: 'Line "haul", =A1' }, { unit_price: -50 }],
      is_tax_on: true,
      tax_amount: 7,
    })),
    ...tricky.map((notes, index) => ({
      external_id: `=${index}`,
      notes,
      reference_number: notes,
      remit_to: { city: notes },
      sub_total_amount: -index,
    })),
    { external_id: null, notes: 'known here by its id alone' },
  ]
  const answer = await books.call('POST', `${bills}/bulk`, { bills: rows, mode: 'all_or_nothing' })
  assert.equal(answer.json().applied, true, answer.body)
}

describe('export and import', { concurrency: true }, () => {
  test('what was exported comes back in unchanged, and makes the same bills in another organization', async () => {
    const [books, others] = await Promise.all([openBooks(service), openBooks(service)])
    await fill(books)
    const csv = await books.get(`${bills}/export?format=csv`)
    assert.match(String(csv.headers['content-type']), /^text\/csv; charset=utf-8/)
    assert.match(String(csv.headers['content-disposition']), /^attachment; filename="bills-\d{4}-\d\d-\d\d\.csv"$/)
    const before = await books.events()
    const back = await importCsv(books, csv.body)
    assert.deepEqual(
      back.counts,
      { created: 0, updated: 0, unchanged: 18, failed: 0 },
      JSON.stringify(back.results.filter(({ status }) => status !== 'unchanged')),
    )
    assert.deepEqual([back.unknown_columns, await books.events()], [[], before])
    assert.deepEqual((await importCsv(others, csv.body)).counts, { created: 18, updated: 0, unchanged: 0, failed: 0 })
    const own = new Set([
      'id',
      'number',
      'full_id',
      'org_id',
      'created_by',
      'created_at',
      'updated_at',
      'revision',
      'bill_items',
    ])
    const comparable = (rows: Json[]) =>
      rows
        .map((row) =>
          JSON.stringify([
            ...Object.entries(row).filter(([name]) => !own.has(name)),
            JSON.parse(String(row.bill_items)).map(({ id: _, ...line }: Json) => line),
          ]),
        )
        .sort()
    const [mine, theirs] = await Promise.all([exported(books), exported(others)])
    assert.deepEqual(comparable(theirs), comparable(mine))
    for (const line of csv.body.split('\r\n')) assert.doesNotMatch(line, /(^|,)"?[=@\t+]|(^|,)"?-\D/)
  })

  test('money is a decimal number with the code of its currency in capitals; an import reads this form, the old one, and both where they agree', async () => {
    const books = await openBooks(service)
    const rows = [
      { external_id: 'a', currency_id: 'usd', sub_total_amount: 170558, is_tax_on: true, tax_amount: 5 },
      { external_id: 'b', currency_id: 'jpy', sub_total_amount: -1200 },
      { external_id: 'c', currency_id: 'kwd', sub_total_amount: -10 },
    ]
    await books.call('POST', `${bills}/bulk`, { bills: rows })
    const written = await exported(books, '?sort=created_at')
    assert.deepEqual(
      written.map((row) => [
        row.currency_id,
        row.currency,
        row.sub_total_amount,
        row.sub_total_amount_decimal,
        row.total_amount_decimal,
      ]),
      [
        ['usd', 'USD', '170558', '1705.58', '1705.63'],
        ['jpy', 'JPY', '-1200', '-1200', '-1200'],
        ['kwd', 'KWD', '-10', '-0.010', '-0.010'],
      ],
    )
    const csv = (columns: readonly string[], ...rows: (readonly string[])[]) =>
      [columns, ...rows].map((cells) => csvLine(cells)).join('')
    const decimal = csv(
      ['external_id', 'currency', 'sub_total_amount_decimal'],
      ['a', 'USD', '1705.58'],
      ['d', 'EUR', '12.5'],
      ['e', 'jpy', '7'],
    )
    const read = await importCsv(books, decimal)
    assert.deepEqual([read.counts, read.unknown_columns], [{ created: 2, updated: 0, unchanged: 1, failed: 0 }, []])
    assert.deepEqual(
      (await exported(books, '?sort=created_at')).slice(3).map((row) => [row.currency_id, row.sub_total_amount]),
      [
        ['eur', '1250'],
        ['jpy', '7'],
      ],
    )
    const both = ['external_id', 'currency_id', 'currency', 'sub_total_amount', 'sub_total_amount_decimal']
    for (const [cells, code, field] of [
      [['f', 'usd', 'USD', '100', '1.01'], 'columns_disagree', 'sub_total_amount_decimal'],
      [['f', 'usd', 'EUR', '100', '1.00'], 'columns_disagree', 'currency'],
      [['f', 'jpy', 'JPY', '100', '1.5'], 'bad_amount', 'sub_total_amount_decimal'],
      [['f', 'usd', 'USD', '100', '1,000.00'], 'bad_amount', 'sub_total_amount_decimal'],
    ] as const) {
      const { results } = await importCsv(books, csv(both, cells))
      assert.deepEqual(
        [results[0]?.error?.details[0]?.code, results[0]?.error?.details[0]?.field],
        [code, field],
        String(cells),
      )
    }
    const noCurrency = await importCsv(books, csv(['external_id', 'sub_total_amount_decimal'], ['a', '3.00']))
    assert.deepEqual(
      [noCurrency.results[0]?.error?.error_code, noCurrency.results[0]?.error?.details[0]?.field],
      ['required', 'currency'],
    )
    assert.equal((await importCsv(books, csv(both, ['f', 'usd', 'USD', '100', '1.00']))).counts.created, 1)
  })

  test('NDJSON has every bill with its lines in full, and each line is a row that a bulk request takes', async () => {
    const books = await openBooks(service)
    await fill(books)
    const answer = await books.get(`${bills}/export`, { accept: 'application/x-ndjson' })
    assert.equal(answer.headers['content-type'], 'application/x-ndjson')
    const lines: Json[] = answer.body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const listed: Json[] = (await books.get(`${bills}?limit=200`)).json().bills
    assert.deepEqual(
      lines.map(({ bill_items: _, ...bill }) => bill),
      listed,
    )
    const paid = (await books.get(`${bills}/ext:in%20paid`)).json()
    assert.deepEqual(lines.find(({ id }) => id === paid.bill.id)?.bill_items, paid.bill_items)
    const { counts } = (await books.call('POST', `${bills}/bulk`, { bills: lines })).json()
    assert.deepEqual(counts, { created: 0, updated: 0, unchanged: 18, failed: 0 })
  })

  test('an export takes the filters and the order of the search, and the form that the caller can read', async () => {
    const books = await openBooks(service)
    const empty = await books.get(`${bills}/export`)
    assert.equal(empty.body.split('\r\n').length, 2)
    assert.match(empty.body, /^id,external_id,number,status_id,.*bill_to_company_name,.*bill_items,/)
    assert.equal((await books.get(`${bills}/export?format=ndjson`)).body, '')
    await fill(books)
    assert.deepEqual(
      (await exported(books, '?status_ids=sent,paid&sort=total_amount')).map(({ status_id }) => status_id),
      ['sent', 'paid'],
    )
    assert.deepEqual(
      (await exported(books, '?min_total_amount=-3&max_total_amount=-1&sort=-total_amount')).map(
        ({ sub_total_amount }) => sub_total_amount,
      ),
      ['-1', '-2', '-3'],
    )
    const by = async (accept: string, query = '') =>
      String((await books.get(`${bills}/export${query}`, { accept })).headers['content-type']).split(';')[0]
    assert.deepEqual(
      await Promise.all(['*/*', 'text/*', 'text/csv;q=0.1, application/*', 'text/csv'].map((accept) => by(accept))),
      ['text/csv', 'text/csv', 'application/x-ndjson', 'text/csv'],
    )
    assert.equal(await by('application/json', '?format=ndjson'), 'application/x-ndjson')
    assert.equal((await books.get(`${bills}/export`, { accept: 'application/json' })).statusCode, 406)
    assert.equal((await books.get(`${bills}/export?format=xml`)).statusCode, 400)
    assert.equal((await books.get(`${bills}/export?status_ids=lost`)).statusCode, 400)
    const head = await books.call('HEAD', `${bills}/export`)
    assert.deepEqual([head.statusCode, head.body], [200, ''])
  })

  test('a dry run keeps nothing and reports, row by row and column by column, what the import then does', async () => {
    const books = await openBooks(service)
    const { id: term } = await books.make(terms, { name: 'Net 30', number_of_days: 30 })
    await books.make(bills, { external_id: 'there', currency_id: 'usd', notes: 'old', reference_number: 'R-1' })
    await books.make(bills, { external_id: 'same', currency_id: 'usd', notes: 'same' })
    const rows = [
      ['new', 'usd', 'saved', term, '1200', 'x', 'Boise', '[{"unit_price":600,"quantity":2}]'],
      ['there', 'usd', null, null, '5', 'new', null, null],
      ['same', 'USD', 'draft', null, '0', 'same', null, '[]'],
      ['bad', 'usd', 'lost', 'no uuid', '12.50', 'x', 'y'.repeat(501), null],
      ['huge', 'usd', null, null, '99999999999999999999', 'x', null, null],
      ['nul', 'usd', null, null, '1', 'a\0b', null, null],
      ['json', 'usd', null, null, '1', 'x', null, '[{]'],
      ['new', 'usd', null, null, '1', 'twice', null, null],
      ['short'],
      ['money', 'usd', null, null, '1,200', 'x', null, null],
      ['line', 'usd', null, null, null, 'x', null, '[{"quantity":1}]'],
    ]
    const header = [
      'external_id',
      'currency_id',
      'status_id',
      'pay_term_id',
      'sub_total_amount',
      'notes',
      'bill_to_city',
      'bill_items',
    ]
    const csv = [
      `\ufeff${[...header, 'revision', 'colour'].join(',')}\n`,
      ...rows.map((row) => csvLine(row.length > 1 ? [...row, '7', 'red'] : row)),
    ].join('')
    const before = await books.events()
    const tried = await importCsv(books, csv, '?dry_run=true')
    assert.deepEqual(await books.events(), before)
    assert.equal((await books.get(bills)).json().total, 2)
    const done = await importCsv(books, csv)
    const named: Record<string, string> = { would_create: 'created', would_update: 'updated' }
    assert.deepEqual(
      tried.results.map((result) => ({
        ...result,
        status: named[result.status] ?? result.status,
        id: null,
        revision: null,
      })),
      done.results.map((result) => ({ ...result, id: null, revision: null })),
    )
    assert.deepEqual(
      [tried.counts, tried.dry_run, tried.unknown_columns, tried.ignored_columns],
      [done.counts, true, ['colour'], ['revision']],
    )
    assert.deepEqual(
      done.results.map(({ line, status, error }) => [
        line,
        status,
        error?.error_code ?? null,
        error?.details.map(({ field }) => field).join() ?? null,
      ]),
      [
        [2, 'created', null, null],
        [3, 'updated', null, null],
        [4, 'unchanged', null, null],
        [5, 'failed', 'invalid_request', 'pay_term_id,bill_to_city,status_id'],
        [6, 'failed', 'wrong_type', 'sub_total_amount'],
        [7, 'failed', 'bad_text', 'notes'],
        [8, 'failed', 'malformed_json', 'bill_items'],
        [9, 'failed', 'duplicate_row', 'external_id'],
        [10, 'failed', 'wrong_number_of_cells', ''],
        [11, 'failed', 'wrong_type', 'sub_total_amount'],
        [12, 'failed', 'required', 'bill_items.0.unit_price'],
      ],
    )
    const there = await books.read(`${bills}/ext:there`)
    assert.deepEqual([there.notes, there.reference_number, there.sub_total_amount], ['new', 'R-1', 5])
    assert.deepEqual((await books.read(`${bills}/ext:new`)).due_date !== null, true)
  })

  test('a file that cannot be read is refused whole, with the line, and leaves nothing', async () => {
    const books = await openBooks(service)
    const refused = async (body: string | Buffer, status: number, code: string, headers = {}) => {
      const answer = await books.call('POST', `${bills}/import`, body.toString('latin1' as never), {
        'content-type': 'text/csv',
        ...headers,
      })
      assert.deepEqual([answer.statusCode, answer.json().error_code], [status, code], answer.body)
      return answer.json().error_message as string
    }
    assert.match(await refused('external_id\na\n"b\n', 400, 'malformed_csv'), /Line 3/)
    await refused('external_id\na\n"b"c\n', 400, 'malformed_csv')
    await refused('external_id,external_id\na,b\n', 400, 'bad_header')
    await refused('external_id;notes\na;b\n', 400, 'bad_header')
    await refused('1,2\n', 400, 'bad_header')
    await refused('', 400, 'body_required')
    await refused('{}', 415, 'unsupported_media_type', { 'content-type': 'application/json' })
    assert.match(await refused(`external_id,notes\n"a","${'x'.repeat(2 ** 21)}"`, 413, 'body_too_large'), /2 MiB/)
    await refused('external_id,colour\na,red\n', 400, 'unknown_column', { prefer: 'handling=strict' })
    const notUtf8 = await service.app.inject({
      method: 'POST',
      url: `${bills}/import`,
      headers: { authorization: `Bearer ${books.token}`, 'content-type': 'text/csv' },
      payload: Buffer.from([0x61, 0xff]),
    })
    assert.deepEqual([notUtf8.statusCode, notUtf8.json().error_code], [400, 'not_utf8'])
    const long = await importCsv(books, `external_id,notes\na,"${'x'.repeat(2 ** 20)}"\n\r\nb,fine\r\n`)
    assert.deepEqual(
      long.results.map(({ line, status, error }) => [line, status, error?.error_code]),
      [
        [2, 'failed', 'too_long'],
        [4, 'created', undefined],
      ],
    )
    assert.equal((await books.get(bills)).json().total, 1)
  })

  test('an import takes an Idempotency-Key, and more rows than one lot', async () => {
    const books = await openBooks(service)
    const csv = `external_id,currency_id\n${Array.from({ length: 501 }, (_, index) => `id-${index},usd\n`).join('')}`
    const first = await importCsv(books, csv, '', { 'idempotency-key': 'k' })
    assert.deepEqual(first.counts, { created: 501, updated: 0, unchanged: 0, failed: 0 })
    assert.deepEqual(await importCsv(books, csv, '', { 'idempotency-key': 'k' }), first)
    assert.deepEqual((await importCsv(books, csv)).counts, { created: 0, updated: 0, unchanged: 501, failed: 0 })
  })
})

describe('a long export', () => {
  /** Far more than the buffers of a connection hold. */
  async function fillLong(books: Books): Promise<void> {
    await service.pool.transaction(async (run) => {
      await run({ text: `set local app.org_id = '${books.org}'`, values: [] })
      await run({
        text: `insert into bills (org_id, id, full_id, notes, created_by)
        select '${books.org}', gen_random_uuid(), gen_random_uuid(), repeat('x', 10000), 'test' from generate_series(1, 6000)`,
        values: [],
      })
    })
  }

  async function begin(books: Books): Promise<IncomingMessage> {
    if (!service.app.server.listening) await service.app.listen({ port: 0 })
    const { port } = service.app.server.address() as AddressInfo
    const sent = get({
      port,
      path: `${bills}/export?format=ndjson`,
      headers: { authorization: `Bearer ${books.token}` },
      agent: false,
    })
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    assert.equal(response.statusCode, 200)
    await once(response, 'readable')
    return response
  }

  /** The connections in which the export is: one that waits for its reader is in the middle of a statement, and waits for its client. */
  const cursors = () =>
    service.pool.run<{ pid: number }>(sql`
      select pid from pg_stat_activity where application_name = ${connectionName} and state = 'active' and wait_event = 'ClientRead' and query like '%bills%'`)

  async function until(condition: () => Promise<boolean>): Promise<void> {
    for (const since = Date.now(); !(await condition()); await sleep(20))
      if (Date.now() - since > 240_000) assert.fail('waited in vain')
  }

  test(
    'waits for its reader, ends its cursor when the reader leaves, and breaks off when the database does',
    deepOnly,
    async () => {
      const books = await openBooks(service)
      await fillLong(books)
      const left = await begin(books)
      // The reader takes nothing more: the cursor stands still instead of filling memory.
      await until(async () => (await cursors()).length === 1)
      left.destroy()
      await until(async () => (await cursors()).length === 0)

      const broken = await begin(books)
      let found: { pid: number }[] = []
      await until(async () => {
        found = await cursors()
        return found.length === 1
      })
      assert.deepEqual(await service.pool.run(sql`select pg_terminate_backend(${found[0]?.pid}::int) as ended`), [
        { ended: true },
      ])
      let text = ''
      await assert.rejects(async () => {
        for await (const chunk of broken) text += chunk
      }, /aborted/)
      assert.ok(text.length > 0 && !broken.complete)

      const whole = await begin(books)
      let lines = 0
      for await (const chunk of whole) lines += String(chunk).split('\n').length - 1
      assert.deepEqual([lines, whole.complete], [6000, true])
    },
  )
})
