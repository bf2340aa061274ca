import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { newId } from '../../src/platform/core/values/ids.ts'
import { anyText } from '../any-text.ts'
import { runs, some } from '../depth.ts'
import { sharedService } from '../service.ts'
import { bills, openBooks, type Row, statements, terms } from './books.ts'

const service = await sharedService()

const names = [
  ...[
    'status_id',
    'currency_id',
    'pay_term_id',
    'master_trip_id',
    'partner_carrier_id',
    'bill_date',
    'due_date',
    'sent_at',
    'paid_at',
    'qb_exported_at',
    'bill_to',
    'remit_to',
  ],
  ...[
    'is_tax_on',
    'notes',
    'reference_number',
    'sub_total_amount',
    'tax_amount',
    'external_id',
    'items',
    'reason',
    'unit_price',
    'quantity',
    'description',
    'manifest_id',
  ],
  ...[
    'bill_item_type_id',
    'item_ids',
    'bill_ids',
    'pay_period_start',
    'pay_period_end',
    'driver_id',
    'consolidated_bill_type_id',
    'name',
    'number_of_days',
    'connector_mappings',
  ],
  ...['bill', 'consolidated_bill', 'pay_term', 'bill_item', 'id', 'revision', 'class'],
]
const parameters = [
  ...[
    'in_manifest_ids',
    'status_ids',
    'created_start_at',
    'created_end_at',
    'update_start_at',
    'updated_start_at',
    'updated_end_at',
    'offset',
    'limit',
    'due_start_at',
    'sort',
  ],
  ...[
    'partner_carrier_ids',
    'currency_ids',
    'reference_number',
    'min_total_amount',
    'max_total_amount',
    'unpaid',
    'overdue',
    'search_term',
    'names',
    'period_start_at',
    'driver_ids',
  ],
]

/** Values that sit on the edges of what is right, more than values that are plainly wrong. */
const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    'saved',
    'draft',
    'paid',
    'usd',
    'xxx',
    '',
    ' ',
    'USD',
    'carrier_statement',
    true,
    false,
    null,
    0,
    -0,
    1,
    -1,
    0.5,
    1e308,
    2 ** 31,
    2 ** 53 - 1,
    2 ** 53,
    -(2 ** 53),
  ),
  fc.constantFrom<unknown>(
    '0001-01-01',
    '9999-12-31',
    '9999-12-31T23:59:59.999-14:00',
    '2026-02-29',
    '2026-01-01T00:00:00+23:59',
    '2026-01-01T24:00:00Z',
    '0000-01-01T00:00:00Z',
  ),
  fc.constantFrom<unknown>(
    '2016-12-31T23:59:60Z',
    '2026-01-01T00:00:00.123456789Z',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '\u0000',
    '\ud800',
    '’',
  ),
  anyText({ maxLength: 12 }),
  fc.integer(),
  fc.double(),
)
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
)
const body: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.dictionary(
      fc.constantFrom(...names),
      fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: fc.array(value, { maxLength: 3 }) }),
      { maxKeys: 5 },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.dictionary(
      fc.constantFrom(...names),
      fc.dictionary(fc.constantFrom(...names, 'city', 'state'), value, { maxKeys: 3 }),
      { maxKeys: 2 },
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue() },
)
const text = fc.oneof(
  anyText().map((odd) => encodeURIComponent(odd.toWellFormed())),
  fc.constantFrom('%00', '%', '%ff', '[]', '-1', '1e9', '%F0%9F%9A%9B', '..', '+'),
  scalar.map((odd) => encodeURIComponent(String(odd).toWellFormed())),
)
const query = fc.array(fc.tuple(fc.constantFrom(...parameters, 'x'), fc.constantFrom('', '[]', '[0]'), text), {
  maxLength: 4,
})

describe('bad input', () => {
  test('is never a fault of ours: odd bodies, ids and queries to every route of the books', async () => {
    const books = await openBooks(service)
    const types = '/api/v1/bill_item_types'
    const [bill, settled, term, type] = [
      await books.bill('draft', { items: [{ unit_price: 1 }] }),
      await books.bill('saved'),
      await books.make(terms, { name: 'n', number_of_days: 1 }),
      await books.make(types, { name: 't' }),
    ]
    const statement = await books.statement([settled])
    const line = (await books.get(`${bills}/${bill.id}`)).json().bill_item as Row
    const paths = [
      '',
      `/${bill.id}`,
      `/${bill.id}/items`,
      `/${bill.id}/items/${line.id}`,
      `/${bill.id}/items/order`,
      `/${bill.id}/save`,
      `/${bill.id}/send`,
      `/${bill.id}/pay`,
      `/${bill.id}/reopen`,
      `/${bill.id}/history`,
    ]
    const onStatements = [
      '',
      `/${statement.id}`,
      `/${statement.id}/bills`,
      `/${statement.id}/bills/${settled.id}`,
      `/${statement.id}/pay`,
      `/${statement.id}/reopen`,
    ]
    const path = fc.constantFrom(
      ...paths.map((rest) => bills + rest),
      ...onStatements.map((rest) => statements + rest),
      ...['', `/${term.id}`].map((rest) => terms + rest),
      ...['', `/${type.id}`].map((rest) => types + rest),
      '/api/v1/currencies',
    )
    const method = fc.constantFrom('GET', 'POST', 'POST', 'PUT', 'PUT', 'PUT', 'DELETE')
    const headers = fc.record(
      {
        'if-match': fc.constantFrom('*', '"1"', 'W/"1"', 'x', '"'),
        prefer: fc.constant('handling=strict'),
        'idempotency-key': fc.constantFrom(newId(), 'é', ''),
      },
      { requiredKeys: [] },
    )
    const oddId = fc.option(text, { freq: 6, nil: null })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(method, path, query, body, headers, oddId), { minLength: 6, maxLength: 6 }),
        async (requests) => {
          await Promise.all(
            requests.map(async ([verb, at, parameters, sent, head, odd]) => {
              const address = odd === null ? at : at.replace(/[0-9a-f-]{36}/, `ext:${odd}`)
              const url = `${address}${parameters.length > 0 ? `?${parameters.map(([name, suffix, given]) => `${name}${suffix}=${given}`).join('&')}` : ''}`
              const payload = verb === 'GET' || verb === 'DELETE' ? undefined : JSON.stringify(sent)
              const answer = await books.call(verb, url, payload, head as { [name: string]: string })
              assert.ok(
                answer.statusCode < 500,
                `${verb} ${url} ${JSON.stringify(head)} ${payload}: ${answer.statusCode} ${answer.body}`,
              )
            }),
          )
        },
      ),
      { numRuns: runs(400), endOnFailure: true },
    )
  })

  test('each scalar in each field of a bill, a line, a statement and a pay term is a 2xx or a 4xx', async () => {
    const books = await openBooks(service)
    const edges = fc
      .sample(scalar, { numRuns: 500, seed: 1 })
      .filter((one, index, all) => all.findIndex((other) => Object.is(other, one)) === index)
      .slice(0, 45)
    const bill = await books.bill('draft', { items: [{ unit_price: 1 }] })
    const statement = await books.statement([await books.bill('saved')])
    const term = await books.make(terms, { name: 'n', number_of_days: 1 })
    const line = (await books.get(`${bills}/${bill.id}`)).json().bill_item as Row
    const kinds: [string, string[]][] = [
      [`${bills}/${bill.id}`, names.slice(0, 17)],
      [
        `${bills}/${bill.id}/items/${line.id}`,
        ['unit_price', 'quantity', 'description', 'manifest_id', 'bill_item_type_id'],
      ],
      [
        `${statements}/${statement.id}`,
        ['pay_period_start', 'pay_period_end', 'driver_id', 'consolidated_bill_type_id', 'pay_term_id', 'bill_to'],
      ],
      [`${terms}/${term.id}`, ['name', 'number_of_days', 'connector_mappings']],
    ]
    for (const [path, fields] of kinds)
      for (const field of fields) {
        const tried = some(edges)
        const answers = await Promise.all(tried.map((edge) => books.call('PUT', path, { [field]: edge })))
        for (const [index, { statusCode, body }] of answers.entries())
          assert.ok(statusCode < 500, `${path} ${field}: ${JSON.stringify(tried[index])} ${body}`)
      }
  })
})
