import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Caller, newCaller, sharedService } from '../../../test/service.ts'
import { createApplication } from '../../identity/applications/actions.ts'
import { createUser } from '../../identity/users/actions.ts'
import { scopeNames } from '../../platform/access/scopes.ts'
import { signToken } from '../../platform/access/tokens/access-token.ts'
import { actingAs } from '../../platform/context.ts'
import { isId, newId } from '../../platform/core/values/ids.ts'
import { writeObjects } from '../../records/bulk/actions.ts'
import { createBill, updateBill } from '../kinds/bills.ts'

const path = '/api/v1/bills'
const service = await sharedService()

type Json = { id: string; revision: number; [field: string]: unknown }

async function make(caller: Caller, body: object = {}): Promise<Json> {
  const answer = await caller.call('POST', path, body)
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().bill
}

async function put(caller: Caller, id: string, body: object, headers: Record<string, string> = {}) {
  return caller.call('PUT', `${path}/${id}`, body, headers)
}

/** A bill brought to a state by the moves that lead there. */
async function billIn(caller: Caller, status: string, body: object = {}): Promise<Json> {
  const { id } = await make(caller, { currency_id: 'usd', sub_total_amount: 1000, ...body })
  const ways: Record<string, string[]> = {
    draft: [],
    saved: ['save'],
    sent: ['save', 'send'],
    edited: ['save', 'send'],
    paid: ['save', 'send', 'pay'],
  }
  for (const action of ways[status] ?? [])
    assert.equal((await caller.call('POST', `${path}/${id}/${action}`)).statusCode, 200)
  if (status === 'edited') await put(caller, id, { notes: 'changed after sending' })
  const { bill } = (await caller.get(`${path}/${id}`)).json()
  assert.equal(bill.status_id, status)
  return bill
}

const fields = [
  'created_at',
  'updated_at',
  'id',
  'created_by',
  'org_id',
  'status_id',
  'currency_id',
  'pay_term_id',
  'master_trip_id',
  'partner_carrier_id',
  'full_id',
  'external_id',
  'qb_external_id',
  'qb_error_msg',
  'revision',
  'bill_date',
  'due_date',
  'sent_at',
  'paid_at',
  'qb_exported_at',
  'send_to_email',
  'cc_to_email',
  'bill_to',
  'is_tax_on',
  'notes',
  'remit_to',
  'reference_number',
  'sub_total_amount',
  'tax_amount',
  'total_amount',
]

describe('GET /bills/:id', { concurrency: true }, () => {
  test('carries every field of the contract, the first line, the pay term and the currency', async () => {
    const caller = await newCaller(service)
    const term = (
      await caller.call('POST', '/api/v1/pay_terms', {
        name: 'Net 30',
        number_of_days: 30,
        connector_mappings: { qb: { connector_id: 'qb', vendor_pay_term_id: 'N30' } },
      })
    ).json().pay_term
    const type = (await caller.call('POST', '/api/v1/bill_item_types', { name: 'Line haul' })).json().bill_item_type
    const { id } = await make(caller, {
      currency_id: 'USD',
      pay_term_id: term.id,
      bill_to: { city: 'Portland' },
      items: [{ unit_price: 500, quantity: 3, bill_item_type_id: type.id }, { unit_price: -100 }],
    })
    const answer = (await caller.get(`${path}/${id}`)).json()
    assert.deepEqual(Object.keys(answer), [
      'bill',
      'created_by',
      'bill_item',
      'bill_items',
      'pay_term',
      'currency_info',
    ])
    assert.deepEqual(
      fields.filter((field) => !(field in answer.bill)),
      [],
    )
    assert.equal(answer.bill.currency_id, 'usd')
    assert.deepEqual(answer.bill.bill_to, {
      company_name: null,
      contact_name: null,
      address_1: null,
      address_2: null,
      city: 'Portland',
      state: null,
      postal: null,
      country: null,
    })
    assert.deepEqual([answer.bill.sub_total_amount, answer.bill.tax_amount, answer.bill.total_amount], [1400, 0, 1400])
    assert.equal(answer.bill_items.length, 2)
    assert.deepEqual(answer.bill_item, answer.bill_items[0])
    assert.deepEqual(answer.bill_item.bill_item_type, type)
    assert.equal(answer.bill_item.total_amount, 1500)
    assert.deepEqual(answer.pay_term, term)
    assert.deepEqual(answer.pay_term.connector_mappings, {
      qb: { connector_id: 'qb', vendor_pay_term_id: 'N30', pay_term_id: term.id, org_id: caller.org },
    })
    assert.deepEqual(answer.currency_info, {
      id: 'usd',
      name: 'US Dollar',
      description: 'US Dollar (USD)',
      iso_4217: 'USD',
      symbol: '$',
      minor_units: 2,
    })
    assert.equal(answer.created_by, answer.bill.created_by)
  })

  test('takes the three forms of an id, and tells 400 from 404 and strangers nothing', async () => {
    const [caller, stranger] = await Promise.all([newCaller(service), newCaller(service)])
    const external_id = 'A/7:b c é漢'
    const { id } = await make(caller, { external_id })
    for (const form of [id, `ext:${encodeURIComponent(external_id)}`, `external_id:${encodeURIComponent(external_id)}`])
      assert.equal((await caller.get(`${path}/${form}`)).json().bill.id, id)
    assert.equal((await caller.get(`${path}/nonsense`)).statusCode, 400)
    assert.equal((await caller.get(`${path}/${newId()}`)).statusCode, 404)
    assert.equal((await stranger.get(`${path}/${id}`)).statusCode, 404)
    assert.equal((await stranger.get(`${path}/ext:${encodeURIComponent(external_id)}`)).statusCode, 404)
  })
})

describe('PUT /bills/:id', { concurrency: true }, () => {
  test('answers without currency_info; a bill read and put back whole changes nothing and names what it ignored', async () => {
    const caller = await newCaller(service)
    for (const status of ['draft', 'saved', 'sent', 'edited', 'paid']) {
      const bill = await billIn(caller, status, { bill_to: { city: 'Reno' }, items: [{ unit_price: 5 }] })
      const before = await caller.events()
      const answer = await put(caller, bill.id, bill, { prefer: 'handling=strict' })
      assert.equal(answer.statusCode, 200, answer.body)
      assert.deepEqual(Object.keys(answer.json()), ['bill', 'created_by', 'bill_item', 'bill_items', 'pay_term'])
      assert.deepEqual(answer.json().bill, bill)
      assert.match(String(answer.headers['x-ignored-fields']), /\bid\b.*\brevision\b.*\bsub_total_amount\b/)
      assert.equal((await caller.events()).length, before.length)
    }
  })

  test('a whole body with one field changed changes that field alone', async () => {
    const caller = await newCaller(service)
    const bill = await billIn(caller, 'saved', { items: [{ unit_price: 5, quantity: 3 }] })
    const answer = await put(caller, bill.id, { ...bill, notes: 'Called the carrier' })
    const { bill: now } = answer.json()
    assert.deepEqual(
      { ...now, updated_at: null },
      { ...bill, notes: 'Called the carrier', revision: bill.revision + 1, updated_at: null },
    )
    assert.deepEqual((await caller.events()).at(-1)?.previous, { notes: null })
  })

  test('also takes the whole answer of a GET', async () => {
    const caller = await newCaller(service)
    const { id } = await make(caller)
    const got = (await caller.get(`${path}/${id}`)).json()
    got.bill.reference_number = 'R-1'
    assert.equal((await put(caller, id, got)).json().bill.reference_number, 'R-1')
  })

  test('fields that are not the client’s are ignored whatever they say', async () => {
    const caller = await newCaller(service)
    const bill = await make(caller, { items: [{ unit_price: 5 }] })
    const answer = await put(caller, bill.id, {
      id: newId(),
      org_id: 7,
      revision: 0,
      created_at: 'yesterday',
      created_by: [],
      full_id: null,
      external_id: 'x',
      total_amount: 'lots',
      sub_total_amount: 0,
      tax_amount: 0,
      updated_at: {},
    })
    assert.equal(answer.statusCode, 200, answer.body)
    assert.deepEqual(answer.json().bill, bill)
  })

  test('null clears, an address merges, and the sums apply on a bill without lines', async () => {
    const caller = await newCaller(service)
    const { id } = await make(caller, { notes: 'x', bill_to: { city: 'Reno', state: 'NV' } })
    const { bill } = (
      await put(caller, id, {
        notes: null,
        bill_to: { city: 'Elko' },
        is_tax_on: true,
        sub_total_amount: 1000,
        tax_amount: 80,
      })
    ).json()
    assert.equal(bill.notes, null)
    assert.deepEqual([bill.bill_to.city, bill.bill_to.state], ['Elko', 'NV'])
    assert.deepEqual([bill.sub_total_amount, bill.tax_amount, bill.total_amount], [1000, 80, 1080])
    const off = (await put(caller, id, { is_tax_on: false })).json().bill
    assert.deepEqual([off.tax_amount, off.total_amount], [0, 1000])
    assert.equal((await put(caller, id, { tax_amount: 5 })).json().error_code, 'tax_is_off')
  })

  for (const [what, body, field] of [
    ['an unknown pay term', { pay_term_id: newId() }, 'pay_term_id'],
    ['an unknown currency', { currency_id: 'xxz' }, 'currency_id'],
    ['a malformed partner', { partner_carrier_id: 'me' }, 'partner_carrier_id'],
    ['an unknown status', { status_id: 'lost' }, 'status_id'],
    ['a date that is none', { due_date: '2026-02-30T00:00:00Z' }, 'due_date'],
    ['an amount beyond exactness', { sub_total_amount: 2 ** 53 }, 'sub_total_amount'],
    ['an amount that is no integer', { sub_total_amount: 1.5 }, 'sub_total_amount'],
    ['notes that are a number', { notes: 7 }, 'notes'],
  ] as const) {
    test(`answers 400 to ${what}, names the field, and changes nothing`, async () => {
      const caller = await newCaller(service)
      const bill = await make(caller)
      const answer = await put(caller, bill.id, body)
      assert.equal(answer.statusCode, 400, answer.body)
      assert.equal(answer.json().details[0].field, field)
      assert.deepEqual((await caller.get(`${path}/${bill.id}`)).json().bill, bill)
      assert.equal((await caller.events()).length, 1)
    })
  }

  test('the currency of a draft may change, with lines too; it stays once it is saved with lines, and once it is sent', async () => {
    const caller = await newCaller(service)
    const { id } = await make(caller, { currency_id: 'usd', items: [{ unit_price: 1 }] })
    assert.equal((await put(caller, id, { currency_id: 'cad' })).json().bill.currency_id, 'cad')
    await caller.call('POST', `${path}/${id}/save`)
    assert.equal((await put(caller, id, { currency_id: 'usd' })).json().error_code, 'currency_has_lines')
    const sent = await billIn(caller, 'sent')
    assert.equal((await put(caller, sent.id, { currency_id: 'cad' })).json().error_code, 'currency_is_fixed')
    const free = await make(caller, { currency_id: 'usd' })
    assert.equal((await put(caller, free.id, { currency_id: 'CAD' })).json().bill.currency_id, 'cad')
  })

  test('an unknown currency is a 400 wherever it is sent, before anything else is said of it', async () => {
    const caller = await newCaller(service)
    const sent = await billIn(caller, 'sent')
    const bulk = await caller.call('POST', `${path}/bulk`, { bills: [{ currency_id: 'xxz' }] })
    const csv = await caller.call('POST', `${path}/import`, 'external_id,currency_id\nA,xxz\n', {
      'content-type': 'text/csv',
    })
    for (const answer of [bulk, csv]) assert.equal(answer.json().results[0].error.error_code, 'unknown_currency')
    const customer = { objectKey: 'customer', json: { name: 'A', currency: 'xxz' } }
    const objects = '/api/v2/platformModel/objects'
    const filter = (op: string, value: unknown) => ({
      objectKey: 'customer',
      filter: { and: [{ field: 'currency', op, value }] },
    })
    for (const [field, answer] of [
      ['currency_id', put(caller, sent.id, { currency_id: 'xxz' })],
      ['currency_id', caller.call('POST', path, { currency_id: 'xxz' })],
      ['currency_id', caller.call('POST', '/api/v1/consolidated_bills', { bill_ids: [sent.id], currency_id: 'xxz' })],
      ['currency_ids', caller.get(`${path}?currency_ids=usd,xxz`)],
      ['currency_ids', caller.get(`${path}/export?currency_ids=xxz`)],
      ['json.currency', caller.call('PATCH', objects, customer)],
      ['currency_id', caller.call('POST', '/api/v1/customers', { name: 'A', currency_id: 'xxz' })],
      ['currency_ids.0', caller.get('/api/v1/customers?currency=xxz')],
      ['filter.and[0].value', caller.call('POST', `${objects}/search`, filter('ne', 'xxz'))],
      ['filter.and[0].value[1]', caller.call('POST', `${objects}/search`, filter('in', ['usd', 'xxz']))],
      [
        'filter.value',
        caller.get(
          `${objects}/export?objectKey=customer&filter=${encodeURIComponent('{"field":"currency","op":"eq","value":"xxz"}')}`,
        ),
      ],
    ] as const) {
      const { statusCode, body } = await answer
      assert.equal(statusCode, 400, `${field}: ${body}`)
      const { details } = JSON.parse(body)
      assert.deepEqual([details[0].field, details[0].code], [field, 'unknown_currency'])
    }
    // In capitals it is the same currency.
    await caller.call('POST', '/api/v1/customers', { name: 'A', currency_id: 'USD' })
    assert.equal((await caller.get(`${path}?currency_ids=USD`)).json().total, 1)
    assert.equal((await caller.call('POST', `${objects}/search`, filter('eq', 'USD'))).json().total, 1)
    assert.equal((await caller.get('/api/v1/customers?currency=USD')).json().total, 1)
  })

  test('fifty at once with one ETag give one success per revision; fifty without all apply', async () => {
    const caller = await newCaller(service)
    const { id } = await make(caller)
    const guarded = await Promise.all(
      Array.from({ length: 50 }, (_, index) => put(caller, id, { notes: `guarded ${index}` }, { 'if-match': '"1"' })),
    )
    assert.deepEqual(guarded.map(({ statusCode }) => statusCode).sort(), [200, ...Array(49).fill(412)])
    const free = await Promise.all(
      Array.from({ length: 50 }, (_, index) => put(caller, id, { notes: `free ${index}` })),
    )
    assert.ok(free.every(({ statusCode }) => statusCode === 200))
    assert.equal((await caller.get(`${path}/${id}`)).json().bill.revision, 52)
  })
})

describe('the states of a bill', { concurrency: true }, () => {
  const moves: Record<string, string[]> = {
    draft: ['saved'],
    saved: ['sent', 'paid', 'draft'],
    sent: ['paid'],
    edited: ['sent', 'paid'],
    paid: [],
  }
  for (const [from, allowed] of Object.entries(moves)) {
    test(`from ${from} a bill can become ${allowed.join(', ') || 'nothing without a reason'}, and all else is a 400 that says so`, async () => {
      const caller = await newCaller(service)
      for (const to of ['draft', 'saved', 'sent', 'edited', 'paid'].filter((status) => status !== from)) {
        const bill = await billIn(caller, from)
        const answer = await put(caller, bill.id, { status_id: to })
        if (allowed.includes(to)) assert.equal(answer.json().bill?.status_id, to, answer.body)
        else {
          assert.equal(answer.statusCode, 400)
          if (from !== 'paid' || to !== 'edited')
            assert.deepEqual(answer.json().details[0].allowed, from === 'paid' ? ['edited'] : allowed)
          assert.equal(
            answer.json().error_code,
            from === 'paid' && to === 'edited' ? 'reason_required' : 'invalid_status_transition',
          )
        }
      }
    })
  }

  test('saving needs a currency and gives a number and a due date; sending and paying stamp; reopening clears', async () => {
    const caller = await newCaller(service)
    const term = (await caller.call('POST', '/api/v1/pay_terms', { name: 'Net 10', number_of_days: 10 })).json()
      .pay_term
    const { id } = await make(caller, { bill_date: '2026-01-05', pay_term_id: term.id })
    assert.equal((await caller.call('POST', `${path}/${id}/save`)).json().error_code, 'currency_required')
    await put(caller, id, { currency_id: 'usd' })
    const saved = (await caller.call('POST', `${path}/${id}/save`)).json().bill
    assert.deepEqual([saved.number, saved.due_date], ['BILL-000001', '2026-01-15T00:00:00.000Z'])
    const sent = (await caller.call('POST', `${path}/${id}/send`, { sent_at: '2026-01-06T10:00:00Z' })).json().bill
    assert.equal(sent.sent_at, '2026-01-06T10:00:00.000Z')
    const paid = (await caller.call('POST', `${path}/${id}/pay`)).json().bill
    assert.ok(paid.paid_at)
    assert.equal((await put(caller, id, { notes: 'too late' })).json().error_code, 'is_paid')
    assert.equal((await caller.call('POST', `${path}/${id}/reopen`, {})).statusCode, 400)
    const reopened = (await caller.call('POST', `${path}/${id}/reopen`, { reason: 'corrected invoice' })).json().bill
    assert.deepEqual([reopened.status_id, reopened.paid_at, reopened.number], ['edited', null, 'BILL-000001'])
    assert.deepEqual(
      (await caller.events()).filter(({ type }) => type.startsWith('bill.')).map(({ type }) => type),
      [
        'bill.created',
        'bill.updated',
        'bill.status_updated',
        'bill.saved',
        'bill.status_updated',
        'bill.sent',
        'bill.status_updated',
        'bill.paid',
        'bill.status_updated',
        'bill.reopened',
      ],
    )
    const history = (await caller.get(`${path}/${id}/history`)).json()
    assert.equal(history.total, 10)
    assert.equal(history.events[0].type, 'bill.reopened')
  })

  test('created_by names a user, an application and Lading itself as createdBy of an object does', async () => {
    const caller = await newCaller(service)
    const application = await createApplication(caller.ctx, {
      name: 'Sync',
      scopes: scopeNames,
      grant_types: ['client_credentials'],
    })
    const { keyring, settings } = service
    const place = { issuer: settings.authUrl, audience: settings.audience }
    const tokenOf = (sub: string, client_id: string) =>
      signToken(keyring, place, { sub, client_id, org_id: caller.org, scopes: scopeNames, role: 'member' })
    const user = newId()
    for (const [token, id] of [
      [tokenOf(user, application.client_id), user],
      [tokenOf(application.client_id, application.client_id), application.id],
    ] as const) {
      const as = { authorization: `Bearer ${token}` }
      const made = (await caller.call('POST', path, { currency_id: 'usd' }, as)).json()
      assert.deepEqual([made.created_by, made.bill.created_by], [id, id])
      await caller.call('POST', `${path}/${made.bill.id}/save`, undefined, as)
      const statement = await caller.call('POST', '/api/v1/consolidated_bills', { bill_ids: [made.bill.id] }, as)
      assert.deepEqual([statement.json().created_by, statement.json().consolidated_bill.created_by], [id, id])
      const bulk = (await caller.call('POST', `${path}/bulk`, { bills: [{ external_id: id }] }, as)).json()
      assert.equal((await caller.get(`${path}/${bulk.results[0].id}`)).json().created_by, id)
      const object = await caller.call(
        'PATCH',
        '/api/v2/platformModel/objects',
        { objectKey: 'customer', json: { name: 'A' } },
        as,
      )
      assert.deepEqual([object.json().createdBy, object.json().updatedBy], [id, id])
    }
    const { id } = await createBill(caller.ctx, {})
    const { outcomes } = await writeObjects(caller.ctx, [{ objectKey: 'customer', json: { name: 'A' } }], {
      extensions: [],
      mode: 'all_or_nothing',
    })
    const { createdBy } = (await caller.get(`/api/v2/platformModel/objects/${outcomes[0]?.id}`)).json()
    assert.ok(isId(createdBy))
    assert.equal((await caller.get(`${path}/${id}`)).json().created_by, createdBy)
  })

  test('the history says who did it by name, to those who may not read the users; of one whom nobody knows it says null', async () => {
    const caller = await newCaller(service)
    const { id } = await make(caller)
    const clerk = await createUser(caller.ctx, {
      email: `${id}@people.example`,
      name: 'Dana "D" Whitfield',
      role: 'member',
    })
    await updateBill(actingAs(caller.ctx, { type: 'user', id: clerk.id }), { by: 'id', id }, { notes: 'hers' }, null)
    const { events } = (await caller.get(`${path}/${id}/history`)).json()
    assert.deepEqual(
      events.map(({ type, actor_name }: { type: string; actor_name: string | null }) => [type, actor_name]),
      [
        ['bill.updated', 'Dana "D" Whitfield'],
        ['bill.created', null],
      ],
    )
  })

  test('content changed after sending makes it edited; bookkeeping does not', async () => {
    const caller = await newCaller(service)
    const bill = await billIn(caller, 'sent')
    assert.equal(
      (await put(caller, bill.id, { qb_external_id: 'q', send_to_email: 'a@b.example' })).json().bill.status_id,
      'sent',
    )
    assert.equal((await put(caller, bill.id, { reference_number: 'new' })).json().bill.status_id, 'edited')
  })

  test('a draft can be deleted, anything else is a 409', async () => {
    const caller = await newCaller(service)
    const draft = await make(caller)
    assert.equal((await caller.call('DELETE', `${path}/${draft.id}`)).statusCode, 204)
    assert.equal((await caller.get(`${path}/${draft.id}`)).statusCode, 404)
    const saved = await billIn(caller, 'saved')
    assert.equal((await caller.call('DELETE', `${path}/${saved.id}`)).json().error_code, 'not_a_draft')
    const { available_actions } = (await put(caller, saved.id, { status_id: 'draft' })).json().bill
    assert.deepEqual(available_actions, ['save', 'void', 'correct'])
    assert.equal((await caller.call('DELETE', `${path}/${saved.id}`)).json().error_code, 'has_number')
    assert.equal((await caller.call('POST', `${path}/${saved.id}/void`, { reason: 'entered twice' })).statusCode, 200)
    assert.equal((await caller.get(`${path}/${saved.id}`)).json().bill.number, saved.number)
  })

  test('a bill that is paid in part cannot become a draft again, and does not offer it', async () => {
    const caller = await newCaller(service)
    const saved = await billIn(caller, 'saved')
    assert.deepEqual(saved.available_actions, ['send', 'pay', 'draft', 'void', 'correct'])
    const { available_actions } = (await caller.call('POST', `${path}/${saved.id}/pay`, { amount: 1 })).json().bill
    assert.deepEqual(available_actions, ['send', 'pay'])
    assert.equal((await put(caller, saved.id, { status_id: 'draft' })).statusCode, 409)
  })

  test('numbers count up without gaps or twins, also when many save at once and some fail', async () => {
    const caller = await newCaller(service)
    const bills = await Promise.all(
      Array.from({ length: 12 }, (_, index) => make(caller, index % 3 === 0 ? {} : { currency_id: 'usd' })),
    )
    const answers = await Promise.all(bills.map(({ id }) => caller.call('POST', `${path}/${id}/save`)))
    const numbers = answers
      .filter(({ statusCode }) => statusCode === 200)
      .map((answer) => answer.json().bill.number)
      .sort()
    assert.deepEqual(
      numbers,
      Array.from({ length: 8 }, (_, index) => `BILL-00000${index + 1}`),
    )
  })
})

describe('lines', { concurrency: true }, () => {
  test('adding, changing, removing and reordering keep the sums, the positions and the revision', async () => {
    const caller = await newCaller(service)
    const { id } = await make(caller, { currency_id: 'usd' })
    const items = `${path}/${id}/items`
    const a = (await caller.call('POST', items, { unit_price: 100, quantity: 2, description: 'a' })).json()
    assert.deepEqual([a.bill_item.total_amount, a.bill.total_amount, a.bill.revision], [200, 200, 2])
    const b = (await caller.call('POST', items, { unit_price: -50 })).json()
    assert.deepEqual([b.bill_item.position, b.bill.total_amount], [2, 150])
    const changed = (await caller.call('PUT', `${items}/${a.bill_item.id}`, { ...a.bill_item, quantity: 3 })).json()
    assert.deepEqual([changed.bill_item.total_amount, changed.bill.total_amount], [300, 250])
    const same = await caller.call('PUT', `${items}/${a.bill_item.id}`, { quantity: 3 })
    assert.equal(same.headers.etag, '"4"')
    await caller.call('PUT', `${items}/order`, { item_ids: [b.bill_item.id, a.bill_item.id] })
    const listed = (await caller.get(items)).json()
    assert.deepEqual(
      listed.bill_items.map((item: Json) => [item.id, item.position]),
      [
        [b.bill_item.id, 1],
        [a.bill_item.id, 2],
      ],
    )
    const removed = (await caller.call('DELETE', `${items}/${b.bill_item.id}`)).json()
    assert.equal(removed.bill.total_amount, 300)
    assert.equal((await caller.get(items)).json().bill_items[0].position, 1)
    assert.equal((await caller.call('PUT', `${items}/order`, { item_ids: [newId()] })).statusCode, 400)
  })

  test('twenty added at once are all there, and the sum is theirs', async () => {
    const caller = await newCaller(service)
    const { id } = await make(caller)
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => caller.call('POST', `${path}/${id}/items`, { unit_price: index + 1 })),
    )
    const { bill, bill_items } = (await caller.get(`${path}/${id}`)).json()
    assert.deepEqual(
      bill_items.map(({ position }: Json) => position),
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
    assert.deepEqual([bill.sub_total_amount, bill.revision], [210, 21])
  })

  test('an unknown type, an overflow and a line of another bill are refused, and nothing changes', async () => {
    const caller = await newCaller(service)
    const { id } = await make(caller, { items: [{ unit_price: Number.MAX_SAFE_INTEGER }] })
    const other = await make(caller, { items: [{ unit_price: 1 }] })
    const items = `${path}/${id}/items`
    assert.equal(
      (await caller.call('POST', items, { unit_price: 1, bill_item_type_id: newId() })).json().error_code,
      'unknown_bill_item_type',
    )
    assert.equal(
      (await caller.call('POST', items, { unit_price: 2 ** 40, quantity: 2 ** 40 })).json().error_code,
      'amount_too_large',
    )
    assert.equal((await caller.call('POST', items, { unit_price: 1 })).json().error_code, 'amount_too_large')
    const line = (await caller.get(`${path}/${other.id}/items`)).json().bill_items[0]
    assert.equal((await caller.call('PUT', `${items}/${line.id}`, { unit_price: 2 })).statusCode, 404)
    assert.equal((await caller.get(`${path}/${id}`)).json().bill.revision, 1)
  })

  test('a paid bill’s lines are fixed, and a sent bill becomes edited', async () => {
    const caller = await newCaller(service)
    const paid = await billIn(caller, 'paid')
    assert.equal(
      (await caller.call('POST', `${path}/${paid.id}/items`, { unit_price: 1 })).json().error_code,
      'is_paid',
    )
    const sent = await billIn(caller, 'sent')
    assert.equal(
      (await caller.call('POST', `${path}/${sent.id}/items`, { unit_price: 1 })).json().bill.status_id,
      'edited',
    )
  })
})
