import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { newCaller, sharedService } from '../service.ts'
import { type Books, bills, faultsOf, type Json, openBooks, terms } from './books.ts'

type Result = {
  index: number
  status: string
  id: string
  external_id: string | null
  revision: number
  ignored_fields: string[]
  error?: Failure
}
type Failure = { error_code: string; error_message: string; details: { field: string; code: string }[] }
type Bulk = { applied: boolean; counts: Record<string, number>; results: Result[] }

const service = await sharedService()
const path = `${bills}/bulk`

async function bulk(
  books: Pick<Books, 'call'>,
  rows: readonly unknown[],
  { mode, ...headers }: Record<string, string> = {},
): Promise<Bulk> {
  return answered(await books.call('POST', path, { ...(mode && { mode }), bills: rows }, headers))
}

function answered(answer: LightMyRequestResponse): Bulk {
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

const statuses = ({ results }: Bulk) => results.map(({ status }) => status)
const codes = ({ results }: Bulk) => results.map(({ error }) => error?.error_code ?? null)

/** What history says, without what differs from one run to the next. */
async function storyOf(books: Books): Promise<unknown> {
  const volatile = new Set([
    'id',
    'full_id',
    'org_id',
    'bill_id',
    'created_at',
    'updated_at',
    'bill_date',
    'sent_at',
    'paid_at',
    'due_date',
    'created_by',
    'voided_at',
  ])
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, volatile.has(name) ? typeof inner : plain(inner)]),
    )
  }
  const stories = (await books.events()).map(
    ({ type, revision, data, previous }) => plain({ type, revision, data, previous }) as { type: string },
  )
  // Each record has its own order: a bill that is made paid has its payment before all of its events.
  return ['bill', 'payment'].map((noun) => stories.filter(({ type }) => type.startsWith(`${noun}.`)))
}

describe('POST /bills/bulk', { concurrency: true }, () => {
  test('creates, updates, leaves alone and fails row by row, in order, and says which fields were not the row’s to set', async () => {
    const books = await openBooks(service)
    await books.make(bills, { external_id: 'there', currency_id: 'usd', sub_total_amount: 500, notes: 'old' })
    await books.make(bills, { external_id: 'same', currency_id: 'usd' })
    const done = await bulk(books, [
      {
        external_id: 'new',
        currency_id: 'usd',
        bill_to: { city: 'Boise' },
        items: [{ unit_price: 200, quantity: 2 }, { unit_price: -50 }],
        total_amount: 7,
      },
      { external_id: 'there', notes: 'new', revision: 99 },
      { external_id: 'same', currency_id: 'USD' },
      { currency_id: 'eur' },
      { currency_id: 'eur' },
      { external_id: 'bad-type', notes: 5, bill_date: 'yesterday' },
      { external_id: 'bad-term', pay_term_id: '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15' },
      { external_id: 'bad-currency', currency_id: 'xyz' },
      {
        external_id: 'bad-line',
        items: [{ unit_price: 1 }, { unit_price: 1, bill_item_type_id: '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15' }],
      },
      { external_id: 'too-much', items: [{ unit_price: 9007199254740991, quantity: 2 }] },
      { external_id: 'new', notes: 'again' },
      'no object',
      { external_id: '' },
      null,
    ])
    assert.deepEqual(done.counts, { created: 3, updated: 1, unchanged: 1, failed: 9 })
    assert.equal(done.applied, true)
    assert.deepEqual(statuses(done).slice(0, 5), ['created', 'updated', 'unchanged', 'created', 'created'])
    assert.deepEqual(codes(done).slice(5), [
      'invalid_request',
      'unknown_pay_term',
      'unknown_currency',
      'unknown_bill_item_type',
      'amount_too_large',
      'duplicate_row',
      'wrong_type',
      'too_short',
      'wrong_type',
    ])
    assert.deepEqual(
      done.results[5]?.error?.details.map(({ field }) => field),
      ['bill_date', 'notes'],
    )
    assert.equal(done.results[8]?.error?.details[0]?.field, 'items.1.bill_item_type_id')
    assert.equal(done.results[5]?.external_id, 'bad-type')
    assert.deepEqual(
      [done.results[0]?.ignored_fields, done.results[1]?.ignored_fields],
      [['total_amount'], ['revision']],
    )
    assert.deepEqual(
      done.results.slice(0, 3).map(({ revision }) => revision),
      [1, 2, 1],
    )
    const made = await books.read(`${bills}/ext:new`)
    assert.deepEqual(
      [made.id, made.status_id, made.sub_total_amount, (made.bill_to as Json).city],
      [done.results[0]?.id, 'draft', 350, 'Boise'],
    )
    assert.equal((await books.read(`${bills}/ext:there`)).notes, 'new')
    assert.equal((await books.get(bills)).json().total, 5)
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('leaves the history that the single operations leave, state by state', async () => {
    const [one, many] = await Promise.all([openBooks(service), openBooks(service)])
    const body = { external_id: 'a', currency_id: 'usd', items: [{ unit_price: 100 }] }
    await one.make(bills, body)
    for (const action of ['save', 'send', 'pay'])
      assert.equal((await one.call('POST', `${bills}/ext:a/${action}`)).statusCode, 200)
    await one.call('PUT', `${bills}/ext:a`, { status_id: 'edited', reason: 'wrong rate', notes: 'n' })
    await bulk(many, [{ ...body, status_id: 'paid', sent_at: '2025-01-02T03:04:05Z' }])
    await bulk(many, [{ external_id: 'a', status_id: 'edited', reason: 'wrong rate', notes: 'n' }])
    assert.deepEqual(await storyOf(many), await storyOf(one))
  })

  test('brings bills to where they stood elsewhere by the moves that lead there, with their stamps', async () => {
    const books = await openBooks(service)
    const { id: pay_term_id } = await books.make(terms, { name: 'Net 30', number_of_days: 30 })
    const old = { currency_id: 'usd', pay_term_id, bill_date: '2024-01-01', sub_total_amount: 100 }
    const [sent_at, paid_at] = ['2024-01-05T00:00:00.000Z', '2024-02-01T00:00:00.000Z']
    const rows = [
      { ...old, external_id: 'draft', status_id: 'draft', sent_at },
      { ...old, external_id: 'saved', status_id: 'saved' },
      { ...old, external_id: 'sent', status_id: 'sent', sent_at },
      { ...old, external_id: 'edited', status_id: 'edited', sent_at },
      { ...old, external_id: 'paid', status_id: 'paid', sent_at, paid_at },
      { ...old, external_id: 'paid unsent', status_id: 'paid', paid_at },
      { ...old, external_id: 'no currency', currency_id: null, status_id: 'saved' },
    ]
    const done = await bulk(books, rows)
    assert.deepEqual(codes(done), [null, null, null, null, null, null, 'currency_required'])
    assert.deepEqual(done.results[0]?.ignored_fields, ['sent_at'])
    const read = await Promise.all(
      rows.slice(0, 6).map(({ external_id }) => books.read(`${bills}/ext:${encodeURIComponent(external_id)}`)),
    )
    assert.deepEqual(
      read.map((bill) => [bill.status_id, bill.sent_at, bill.paid_at, bill.due_date, bill.number, bill.revision]),
      [
        ['draft', null, null, null, null, 1],
        ['saved', null, null, '2024-01-31T00:00:00.000Z', 'BILL-000001', 2],
        ['sent', sent_at, null, '2024-01-31T00:00:00.000Z', 'BILL-000002', 3],
        ['edited', sent_at, null, '2024-01-31T00:00:00.000Z', 'BILL-000003', 4],
        ['paid', sent_at, paid_at, '2024-01-31T00:00:00.000Z', 'BILL-000004', 4],
        ['paid', null, paid_at, '2024-01-31T00:00:00.000Z', 'BILL-000005', 3],
      ],
    )
    assert.deepEqual(
      done.results.slice(0, 6).map(({ revision }) => revision),
      read.map(({ revision }) => revision),
    )
    const again = await bulk(books, rows)
    assert.deepEqual(again.counts, { created: 0, updated: 0, unchanged: 6, failed: 1 })
    const moved = await bulk(books, [
      { external_id: 'paid', status_id: 'draft' },
      { external_id: 'paid unsent', notes: 'x' },
      { external_id: 'draft', status_id: 'sent', sent_at },
      { external_id: 'saved', status_id: 'paid', sent_at, paid_at },
    ])
    assert.deepEqual(codes(moved), ['invalid_status_transition', 'is_paid', null, null])
    assert.equal((await books.read(`${bills}/ext:draft`)).sent_at, sent_at)
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('with all_or_nothing one row that fails keeps all out, and every row says what it would have been', async () => {
    const books = await openBooks(service)
    await books.make(bills, { external_id: 'there', notes: 'old' })
    const before = await books.events()
    const rows = [
      { external_id: 'new' },
      { external_id: 'there', notes: 'new' },
      { external_id: 'x', currency_id: 'xyz' },
      { external_id: 'y', notes: 5 },
    ]
    const tried = await bulk(books, rows, { mode: 'all_or_nothing' })
    assert.equal(tried.applied, false)
    assert.deepEqual(statuses(tried), ['created', 'updated', 'failed', 'failed'])
    assert.deepEqual(
      tried.results.map(({ id, revision }) => [id !== null, revision]),
      [
        [false, null],
        [true, 1],
        [false, null],
        [false, null],
      ],
    )
    assert.deepEqual(await books.events(), before)
    const done = await bulk(books, rows.slice(0, 2), { mode: 'all_or_nothing' })
    assert.deepEqual([done.applied, statuses(done)], [true, ['created', 'updated']])
    assert.equal((await books.read(`${bills}/ext:there`)).notes, 'new')
  })

  test('lines of a row replace those of the bill, keep those they name, and count as a change only where they differ', async () => {
    const books = await openBooks(service)
    await bulk(books, [
      {
        external_id: 'a',
        currency_id: 'usd',
        status_id: 'sent',
        items: [{ unit_price: 100 }, { unit_price: 200, description: 'two' }],
      },
    ])
    const lines: (Json & { id: string })[] = (await books.get(`${bills}/ext:a`)).json().bill_items
    assert.deepEqual(
      statuses(
        await bulk(books, [
          { external_id: 'a', items: [{ unit_price: 100 }, { unit_price: 200, description: 'two' }] },
        ]),
      ),
      ['unchanged'],
    )
    assert.deepEqual(statuses(await bulk(books, [{ external_id: 'a', bill_items: lines }])), ['unchanged'])
    assert.deepEqual(
      statuses(
        await bulk(books, [
          { external_id: 'a', items: [{ id: lines[1]?.id, unit_price: 200, description: 'two' }, { unit_price: 5 }] },
        ]),
      ),
      ['updated'],
    )
    const { bill, bill_items } = (await books.get(`${bills}/ext:a`)).json()
    assert.deepEqual([bill.status_id, bill.sub_total_amount, bill.revision], ['edited', 205, 4])
    assert.deepEqual(
      bill_items.map(({ id, position, unit_price }: Json) => [id === lines[1]?.id, position, unit_price]),
      [
        [true, 1, 200],
        [false, 2, 5],
      ],
    )
    const changed = (await books.events()).findLast(({ type }) => type === 'bill.updated') ?? assert.fail('no event')
    assert.deepEqual((changed.previous as Json).bill_items, lines)
    assert.deepEqual(statuses(await bulk(books, [{ external_id: 'a', items: [], sub_total_amount: 70 }])), ['updated'])
    assert.equal((await books.read(`${bills}/ext:a`)).total_amount, 70)
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('a row without an external_id updates the bill whose id it carries; one that would change an external_id is refused', async () => {
    const [books, others] = await Promise.all([openBooks(service), openBooks(service)])
    const [mine, named, foreign] = await Promise.all([
      books.make(bills, {}),
      books.make(bills, { external_id: 'n' }),
      others.make(bills, {}),
    ])
    const done = await bulk(books, [
      { id: mine.id, notes: 'mine' },
      { id: named.id, external_id: 'n', notes: 'both' },
      { id: foreign.id, notes: 'copied' },
      { id: 'no uuid' },
    ])
    assert.deepEqual(statuses(done), ['updated', 'updated', 'created', 'created'])
    assert.deepEqual([done.results[0]?.id, done.results[2]?.ignored_fields], [mine.id, ['id']])
    assert.equal((await others.read(`${bills}/${foreign.id}`)).notes, null)
    const refused = await bulk(books, [
      { id: named.id, external_id: 'other' },
      { id: mine.id, external_id: 'n' },
      { id: named.id, notes: 'x' },
    ])
    assert.deepEqual(codes(refused), ['external_id_is_fixed', 'external_id_is_fixed', 'duplicate_row'])
  })

  test('bills on a statement change with it, one that it holds fails alone', async () => {
    const books = await openBooks(service)
    const made = await Promise.all([
      books.bill('saved', { external_id: 'a' }),
      books.bill('saved', { external_id: 'b' }),
    ])
    const statement = await books.statement(made)
    const done = await bulk(books, [
      { external_id: 'a', sub_total_amount: 4000 },
      { external_id: 'b', status_id: 'draft' },
      { external_id: 'b-2', notes: 'beside' },
    ])
    assert.deepEqual(codes(done), [null, 'on_a_statement', null])
    assert.deepEqual(codes(await bulk(books, [{ external_id: 'b', currency_id: 'eur' }])), ['on_a_statement'])
    const after = await books.read(`/api/v1/consolidated_bills/${statement.id}`)
    assert.deepEqual([after.total_amount, after.revision], [5000, statement.revision + 1])
    const tried = await bulk(books, [{ external_id: 'a', sub_total_amount: 1 }, { notes: 5 }], {
      mode: 'all_or_nothing',
    })
    assert.deepEqual([tried.applied, statuses(tried)], [false, ['updated', 'failed']])
    assert.equal((await books.read(`/api/v1/consolidated_bills/${statement.id}`)).revision, after.revision)
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('the same external ids in parallel, in any order and with single calls between, make each bill once, and nobody is let down', async () => {
    const books = await openBooks(service)
    const ids = Array.from({ length: 60 }, (_, index) => `id-${index}`)
    const rows = (round: number) =>
      ids.map((external_id) => ({
        external_id,
        currency_id: 'usd',
        notes: `round ${round}`,
        status_id: 'saved',
        items: [{ unit_price: 1 }],
      }))
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, round) => {
        const all = round % 2 ? rows(round).reverse() : rows(round)
        const single = books.call('POST', bills, { external_id: ids[round * 7] })
        const done = await bulk(books, all, { mode: round % 3 ? 'best_effort' : 'all_or_nothing' })
        assert.ok([201, 409].includes((await single).statusCode))
        return done
      }),
    )
    const results = answers.flatMap(({ results }) => results)
    assert.deepEqual(
      results.filter(({ status }) => status === 'failed'),
      [],
    )
    assert.equal(new Set(results.map(({ id }) => id)).size, 60)
    assert.equal((await books.get(bills)).json().total, 60)
    const created = (await books.events()).filter(({ type }) => type === 'bill.created')
    assert.equal(new Set(created.map(({ subject_id }) => subject_id)).size, 60)
    assert.equal(created.length, 60)
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('takes an Idempotency-Key, keeps organizations apart, and refuses what is no list of rows', async () => {
    const [books, others] = await Promise.all([openBooks(service), openBooks(service)])
    const rows = [{ external_id: 'a', currency_id: 'usd' }, { currency_id: 'usd' }]
    const first = await bulk(books, rows, { 'idempotency-key': 'k' })
    assert.deepEqual(await bulk(books, rows, { 'idempotency-key': 'k' }), first)
    assert.equal((await books.get(bills)).json().total, 2)
    assert.deepEqual(statuses(await bulk(others, rows)), ['created', 'created'])
    const refused = async (body: unknown, code: string, headers = {}) => {
      const answer = await books.call('POST', path, body as object, headers)
      assert.deepEqual([answer.statusCode, answer.json().error_code], [400, code], answer.body)
    }
    await refused({}, 'required')
    await refused([], 'wrong_type')
    await refused({ bills: {} }, 'wrong_type')
    await refused({ bills: [], mode: 'maybe' }, 'unknown_value')
    await refused({ bills: Array.from({ length: 501 }, () => ({})) }, 'too_many')
    await refused({ bills: [{ external_id: 'z', nonsense: 1 }] }, 'unknown_field', { prefer: 'handling=strict' })
    assert.deepEqual((await bulk(books, [])).results, [])
    const { token } = await newCaller(service, ['consolidated_bills'])
    assert.equal((await books.call('POST', path, { bills: [] }, { authorization: `Bearer ${token}` })).statusCode, 403)
  })
})
