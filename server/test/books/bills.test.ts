import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId } from '../../src/platform/core/values/ids.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { newCaller, sharedService } from '../service.ts'
import { bills, faultsOf, openBooks, type Row, terms } from './books.ts'

const service = await sharedService()
const everyStatus = ['draft', 'saved', 'sent', 'edited', 'paid']

/** A body as the contract's samples have it: every field there, and much of it not the client's to say. */
const sample = () => ({
  ...{
    id: newId(),
    org_id: newId(),
    full_id: newId(),
    created_by: 'someone',
    created_at: '2019-08-24T14:15:22Z',
    updated_at: '2019-08-24T14:15:22Z',
    revision: 0,
  },
  ...{
    sub_total_amount: 0,
    tax_amount: 0,
    total_amount: 0,
    is_tax_on: true,
    sent_at: '2019-08-24T14:15:22Z',
    paid_at: '2019-08-24T14:15:22Z',
  },
  ...{
    master_trip_id: newId(),
    partner_carrier_id: newId(),
    qb_external_id: 'string',
    qb_error_msg: 'string',
    qb_exported_at: '2019-08-24T14:15:22Z',
  },
  ...{
    bill_date: '2019-08-24T14:15:22Z',
    due_date: '2019-08-24T14:15:22Z',
    send_to_email: 'string',
    cc_to_email: 'string',
    notes: 'string',
    reference_number: 'string',
  },
  bill_to: {
    company_name: 'string',
    contact_name: 'string',
    address_1: 'string',
    address_2: 'string',
    city: 'string',
    state: 'string',
    postal: 'string',
    country: 'string',
  },
  remit_to: {
    company_name: 'string',
    contact_name: 'string',
    address_1: 'string',
    address_2: 'string',
    city: 'string',
    state: 'string',
    postal: 'string',
    country: 'string',
  },
})

const ignoredIn = (answer: { headers: object }) =>
  String((answer.headers as { [name: string]: unknown })['x-ignored-fields'] ?? '').split(', ')

describe('a whole body put to a bill', { concurrency: true }, () => {
  for (const status of everyStatus.filter((one) => one !== 'paid')) {
    test(`changes one field and that alone, whichever it is, on a ${status} bill`, async () => {
      const books = await openBooks(service)
      const term = await books.make(terms, { name: 'Net 3', number_of_days: 3 })
      for (const [field, value] of Object.entries({
        ...{
          notes: 'n',
          reference_number: 'r',
          qb_external_id: 'q',
          qb_error_msg: 'e',
          send_to_email: 'a@b.example',
          cc_to_email: 'c@d.example',
          is_tax_on: false,
        },
        ...{
          pay_term_id: term.id,
          master_trip_id: newId(),
          partner_carrier_id: newId(),
          due_date: '2026-07-01T00:00:00.000Z',
          bill_date: '2026-06-01T00:00:00.000Z',
        },
        qb_exported_at: '2026-07-01T00:00:00.000Z',
      })) {
        const { id } = await books.bill(status, { is_tax_on: true, tax_amount: 80 })
        const whole = (await books.get(`${bills}/${id}`)).json()
        const answer = await books.call('PUT', `${bills}/${id}`, { ...whole, bill: { ...whole.bill, [field]: value } })
        assert.equal(answer.statusCode, 200, `${field}: ${answer.body}`)
        const leavesItSent = /^qb_|_email$/.test(field)
        const expected = {
          ...whole.bill,
          [field]: value,
          revision: whole.bill.revision + 1,
          ...(field === 'is_tax_on' && { tax_amount: 0, kept_tax_amount: 80, total_amount: 1000, amount_due: 1000 }),
        }
        if (status === 'sent' && !leavesItSent)
          Object.assign(expected, { status_id: 'edited', available_actions: ['send', 'pay', 'void', 'correct'] })
        assert.deepEqual({ ...answer.json().bill, updated_at: null }, { ...expected, updated_at: null }, field)
      }
    })
  }

  for (const status of everyStatus) {
    test(`with every field at sample values succeeds on a ${status} bill with lines, and names what it ignored`, async () => {
      const books = await openBooks(service)
      const { id, ...before } = await books.bill(status, { items: [{ unit_price: 500 }] })
      const body = sample()
      if (status === 'paid') {
        const refused = await books.call('PUT', `${bills}/${id}`, body)
        assert.deepEqual([refused.statusCode, refused.json().error_code], [409, 'is_paid'])
        Object.assign(body, { status_id: 'edited', reason: 'corrected' })
      }
      const answer = await books.call('PUT', `${bills}/${id}`, body)
      assert.equal(answer.statusCode, 200, answer.body)
      const { bill } = answer.json()
      assert.deepEqual(
        [bill.id, bill.total_amount, bill.revision, bill.org_id, bill.full_id],
        [id, 500, before.revision + 1, books.org, before.full_id],
      )
      assert.deepEqual([bill.notes, bill.bill_to.city, bill.due_date], ['string', 'string', '2019-08-24T14:15:22.000Z'])
      const named = [
        'id',
        'org_id',
        'created_at',
        'updated_at',
        'created_by',
        'full_id',
        'revision',
        'total_amount',
        'sub_total_amount',
        'sent_at',
        'paid_at',
      ]
      assert.deepEqual(ignoredIn(answer).sort(), named.sort())
      assert.deepEqual([bill.sent_at, bill.paid_at], [before.sent_at, null])
    })
  }

  test('ids in capitals, dates with an offset and an empty address are no change', async () => {
    const books = await openBooks(service)
    const { id: pay_term_id } = await books.make(terms, { name: 'Net 3', number_of_days: 3 })
    const [master_trip_id, partner_carrier_id] = [newId(), newId()]
    const bill = await books.bill('sent', {
      master_trip_id,
      partner_carrier_id,
      pay_term_id,
      bill_date: '2026-05-01T10:00:00Z',
      items: [{ unit_price: 1, manifest_id: master_trip_id }],
    })
    const capitals = {
      master_trip_id: master_trip_id.toUpperCase(),
      partner_carrier_id: partner_carrier_id.toUpperCase(),
      pay_term_id: pay_term_id.toUpperCase(),
    }
    const same = await books.call('PUT', `${bills}/${bill.id}`, {
      ...capitals,
      bill_date: '2026-05-01T12:00:00.000+02:00',
      currency_id: 'USD',
      bill_to: {},
    })
    assert.deepEqual(same.json().bill, bill)
    const { bill_item } = (await books.get(`${bills}/${bill.id}`)).json()
    const line = await books.call('PUT', `${bills}/${bill.id}/items/${bill_item.id.toUpperCase()}`, {
      bill_item: { ...bill_item, manifest_id: master_trip_id.toUpperCase() },
    })
    assert.deepEqual([line.statusCode, line.headers.etag], [200, `"${bill.revision}"`])
  })

  test('a line put back as it is is welcome on a paid bill too; a change of it is not', async () => {
    const books = await openBooks(service)
    const { id } = await books.bill('paid', { items: [{ unit_price: 1 }, { unit_price: 2 }] })
    const { bill_items: lines } = (await books.get(`${bills}/${id}`)).json()
    assert.equal((await books.call('PUT', `${bills}/${id}/items/${lines[0].id}`, lines[0])).statusCode, 200)
    assert.equal(
      (await books.call('PUT', `${bills}/${id}/items/order`, { item_ids: lines.map((line: Row) => line.id) }))
        .statusCode,
      200,
    )
    assert.equal(
      (await books.call('PUT', `${bills}/${id}/items/${lines[0].id}`, { ...lines[0], quantity: 2 })).json().error_code,
      'is_paid',
    )
    assert.equal((await books.call('DELETE', `${bills}/${id}/items/${newId()}`)).statusCode, 404)
  })
})

describe('the stamps of a bill', { concurrency: true }, () => {
  test('paying leaves the time of sending alone, which can be corrected while it is sent; the time of payment stays', async () => {
    const books = await openBooks(service)
    const { id } = await books.bill('saved')
    await books.call('POST', `${bills}/${id}/send`, { sent_at: '2026-01-02T00:00:00Z' })
    assert.equal(
      (await books.call('PUT', `${bills}/${id}`, { sent_at: '2026-01-03T00:00:00Z' })).json().bill.sent_at,
      '2026-01-03T00:00:00.000Z',
    )
    const paid = (await books.call('POST', `${bills}/${id}/pay`, { paid_at: '2026-01-09T00:00:00Z' })).json().bill
    assert.deepEqual([paid.sent_at, paid.paid_at], ['2026-01-03T00:00:00.000Z', '2026-01-09T00:00:00.000Z'])
    const moved = await books.call('PUT', `${bills}/${id}`, { paid_at: '2026-01-10T00:00:00Z' })
    assert.deepEqual([moved.statusCode, moved.json().error_code], [409, 'already_paid'])
    const same = await books.call('PUT', `${bills}/${id}`, {
      sent_at: '2026-01-01T00:00:00Z',
      paid_at: '2026-01-09T01:00:00+01:00',
    })
    assert.deepEqual(
      [same.statusCode, same.json().bill.sent_at, same.json().bill.revision],
      [200, paid.sent_at, paid.revision],
    )
    assert.deepEqual(ignoredIn(same), ['sent_at'])
  })

  test('are ignored and named on a bill that is not there yet, and on creation', async () => {
    const books = await openBooks(service)
    const { id } = await books.bill('saved')
    const put = await books.call('PUT', `${bills}/${id}`, {
      sent_at: '2026-01-02T00:00:00Z',
      paid_at: '2026-01-02T00:00:00Z',
    })
    assert.deepEqual([ignoredIn(put), put.headers.etag, put.json().bill.sent_at], [['sent_at', 'paid_at'], '"2"', null])
    const made = await books.call('POST', bills, {
      ...sample(),
      currency_id: 'usd',
      status_id: 'paid',
      items: [{ unit_price: 3 }],
    })
    assert.equal(made.statusCode, 201, made.body)
    const { bill } = made.json()
    assert.deepEqual(
      [bill.status_id, bill.sent_at, bill.paid_at, bill.number, bill.total_amount],
      ['draft', null, null, null, 3],
    )
    for (const field of ['id', 'status_id', 'sent_at', 'paid_at', 'sub_total_amount'])
      assert.ok(ignoredIn(made).includes(field), field)
  })
})

describe('lines in a body put to a bill', { concurrency: true }, () => {
  /** A bill with two lines, as GET answers it. */
  async function withLines(status = 'draft', body: object = {}) {
    const books = await openBooks(service)
    const type = await books.make('/api/v1/bill_item_types', { name: 'Line haul' })
    const items = [
      { unit_price: 500, quantity: 2, description: 'Haul', bill_item_type_id: type.id },
      { unit_price: -100 },
    ]
    const { id } = await books.bill(status, { items, ...body })
    const at = `${bills}/${id}`
    const events = async () => (await books.events()).filter((event) => event.subject_id === id).map(({ type }) => type)
    return {
      books,
      at,
      type,
      events,
      whole: (await books.get(at)).json(),
      put: (sent: object, headers = {}) => books.call('PUT', at, sent, headers),
    }
  }

  for (const strict of [false, true]) {
    test(`a line changed in the whole answer of a GET changes, and nothing else${strict ? ', in strict handling too' : ''}`, async () => {
      const { books, at, whole, put, events } = await withLines()
      const [first, second] = whole.bill_items
      const answer = await put(
        { ...whole, bill_items: [{ ...first, unit_price: 700 }, second] },
        strict ? { prefer: 'handling=strict' } : {},
      )
      assert.equal(answer.statusCode, 200, answer.body)
      const { bill, bill_items } = answer.json()
      assert.deepEqual([bill.sub_total_amount, bill.total_amount, bill.revision], [1300, 1300, whole.bill.revision + 1])
      assert.deepEqual(
        { ...bill_items[0], updated_at: null },
        { ...first, unit_price: 700, total_amount: 1400, updated_at: null },
      )
      assert.deepEqual(bill_items[1], second)
      assert.deepEqual((await books.get(at)).json().bill_items, bill_items)
      assert.deepEqual(await events(), ['bill.created', 'bill.updated'])
      assert.deepEqual(
        ignoredIn(answer).filter((name) => name.includes('[')),
        [],
      )
    })
  }

  test('one without an id is added behind the others, one that is missing stays, and the fields of the bill apply with them', async () => {
    const { whole, put, events } = await withLines('sent')
    const [, second] = whole.bill_items
    const answer = await put({
      notes: 'new',
      bill_items: [
        { id: second.id.toUpperCase(), description: 'Advance' },
        { unit_price: 30 },
        { id: null, unit_price: 4, quantity: 2 },
      ],
    })
    const { bill, bill_items } = answer.json()
    const shown = bill_items.map(({ unit_price, quantity, description, position }: Row) => [
      unit_price,
      quantity,
      description,
      position,
    ])
    assert.deepEqual(shown, [
      [500, 2, 'Haul', 1],
      [-100, 1, 'Advance', 2],
      [30, 1, null, 3],
      [4, 2, null, 4],
    ])
    assert.deepEqual(
      [bill.status_id, bill.notes, bill.sub_total_amount, bill.revision],
      ['edited', 'new', 938, whole.bill.revision + 1],
    )
    assert.deepEqual((await events()).slice(-3), ['bill.updated', 'bill.status_updated', 'bill.edited'])
  })

  test('a bill without lines that had its sub total set gets its lines, and the sub total is theirs', async () => {
    const books = await openBooks(service)
    const { id } = await books.bill('draft')
    const { bill } = (
      await books.call('PUT', `${bills}/${id}`, { bill_items: [{ unit_price: 7 }], sub_total_amount: 99 })
    ).json()
    assert.deepEqual([bill.sub_total_amount, bill.total_amount], [7, 7])
  })

  test('lines as they are change nothing: no revision, no event, on a paid bill neither', async () => {
    for (const status of ['draft', 'sent', 'paid']) {
      const { whole, put, events } = await withLines(status)
      const before = await events()
      const answer = await put(whole)
      assert.deepEqual([answer.statusCode, answer.headers.etag], [200, `"${whole.bill.revision}"`])
      assert.deepEqual(answer.json().bill, whole.bill)
      assert.deepEqual(await events(), before)
    }
  })

  test('the content of a paid bill stays fixed, and a statement follows its bill', async () => {
    const paid = await withLines('paid')
    const refused = await paid.put({ bill_items: [{ ...paid.whole.bill_items[0], quantity: 9 }] })
    assert.deepEqual([refused.statusCode, refused.json().error_code], [409, 'is_paid'])
    const { books, at, whole, put } = await withLines('saved')
    const statement = await books.statement([whole.bill])
    for (const step of ['save', 'send']) await books.call('POST', `/api/v1/consolidated_bills/${statement.id}/${step}`)
    assert.equal((await put({ bill_items: [{ id: whole.bill_items[0].id, quantity: 3 }] })).statusCode, 200)
    const after = await books.read(`/api/v1/consolidated_bills/${statement.id}`)
    assert.deepEqual(
      [after.status_id, after.total_amount, (await books.read(at)).status_id],
      ['edited', 1400, 'edited'],
    )
  })

  test('what cannot apply is named: sums, places and types that were changed, and what stands around the bill', async () => {
    const { whole, put } = await withLines()
    const [first, second] = whole.bill_items
    const answer = await put({
      ...whole,
      bill_items: [
        { ...second, position: 9 },
        { ...first, total_amount: 1, bill_item_type: { ...first.bill_item_type, name: 'Other' } },
        { unit_price: 5, total_amount: 7 },
      ],
      items: [{ unit_price: 1 }],
    })
    assert.equal(answer.statusCode, 200, answer.body)
    assert.deepEqual(
      ignoredIn(answer).filter((name) => /\[|^items$|^pay_term$|^bill_item$|^currency_info$/.test(name)),
      [
        'items',
        'bill_item',
        'pay_term',
        'currency_info',
        'bill_items[0].position',
        'bill_items[1].total_amount',
        'bill_items[2].total_amount',
        'bill_items[1].bill_item_type',
        'bill_items[*].position',
      ],
    )
    // What the server makes of a change is no surprise to it.
    const expected = await put({ bill_items: [{ id: first.id, unit_price: 600, total_amount: 1200 }] })
    assert.deepEqual(ignoredIn(expected), [''])
    const one = await withLines()
    const line = one.whole.bill_items[0]
    const alone = await one.books.call('PUT', `${one.at}/items/${line.id}`, { ...line, total_amount: 3 })
    assert.deepEqual(ignoredIn(alone), ['total_amount'])
  })

  test('a line of another bill, an unknown one, one sent twice, a wrong type and a missing price are 400 and name the line', async () => {
    const { whole, put, books, at } = await withLines()
    const other = (await books.get(`${bills}/${(await books.bill('draft', { items: [{ unit_price: 1 }] })).id}`)).json()
      .bill_items[0]
    const [first] = whole.bill_items
    for (const [line, field, code] of [
      [other, 'bill_items[2].id', 'unknown_line'],
      [{ id: newId(), unit_price: 1 }, 'bill_items[2].id', 'unknown_line'],
      [first, 'bill_items[2].id', 'repeated'],
      [{ description: 'no price' }, 'bill_items[2].unit_price', 'required'],
      [{ unit_price: 1, bill_item_type_id: newId() }, 'bill_items[2].bill_item_type_id', 'unknown_bill_item_type'],
      [{ id: 'x' }, 'bill_items.2.id', 'bad_uuid'],
    ] as const) {
      const answer = await put({ notes: 'x', bill_items: [first, whole.bill_items[1], line] })
      assert.deepEqual(
        [answer.statusCode, answer.json().details[0]?.field, answer.json().error_code],
        [400, field, code],
        answer.body,
      )
    }
    assert.deepEqual((await books.get(at)).json(), whole)
  })

  test('a copy of a bill, posted as it was read, has its lines, and says what is not its own', async () => {
    const { books, whole } = await withLines()
    const answer = await books.call('POST', bills, whole)
    assert.equal(answer.statusCode, 201, answer.body)
    const { bill, bill_items } = answer.json()
    assert.deepEqual([bill.total_amount, bill_items.length, bill_items[0].description], [900, 2, 'Haul'])
    assert.notEqual(bill_items[0].id, whole.bill_items[0].id)
    assert.ok(ignoredIn(answer).includes('bill_items[0].id'))
  })

  test('many lines with the same name ignored are named together, so the header stays short', async () => {
    const books = await openBooks(service)
    const { id } = await books.bill('draft', { items: Array.from({ length: 400 }, () => ({ unit_price: 1 })) })
    const whole = (await books.get(`${bills}/${id}`)).json()
    const answer = await books.call('PUT', `${bills}/${id}`, {
      bill_items: whole.bill_items.map((line: Row) => ({ ...line, total_amount: 9 })),
    })
    assert.deepEqual(ignoredIn(answer), ['bill_items[*].total_amount'])
  })
})

describe('tax', { concurrency: true }, () => {
  test('is set by hand on a bill with lines too, stays when they change, and comes back when it is switched off and on', async () => {
    const books = await openBooks(service)
    const { id } = await books.bill('draft', { items: [{ unit_price: 1000 }] })
    const put = async (body: object) => (await books.call('PUT', `${bills}/${id}`, body)).json().bill
    const facts = ({ is_tax_on, tax_amount, kept_tax_amount, total_amount }: Row) => [
      is_tax_on,
      tax_amount,
      kept_tax_amount,
      total_amount,
    ]
    assert.deepEqual(facts(await put({ is_tax_on: true, tax_amount: 80 })), [true, 80, null, 1080])
    await books.call('POST', `${bills}/${id}/items`, { unit_price: 500 })
    assert.deepEqual(facts(await put({ is_tax_on: false })), [false, 0, 80, 1500])
    const off = await books.read(`${bills}/${id}`)
    assert.deepEqual(facts(await put({ ...off, notes: 'put back whole' })), [false, 0, 80, 1500])
    assert.deepEqual(facts(await put({ ...off, is_tax_on: true })), [true, 80, null, 1580])
    assert.deepEqual(facts(await put({ tax_amount: 0 })), [true, 0, null, 1500])
    assert.deepEqual(facts(await put({ is_tax_on: null })), [false, 0, null, 1500])
    assert.deepEqual(facts(await put({ is_tax_on: true, tax_amount: 120 })), [true, 120, null, 1620])
    // In bulk and in a file it is the same.
    const bulk = async (row: object) =>
      (await books.call('POST', `${bills}/bulk`, { bills: [{ id, ...row }] })).json().results[0].status
    assert.equal(await bulk({ is_tax_on: false, tax_amount: 0 }), 'updated')
    assert.deepEqual(facts(await books.read(`${bills}/${id}`)), [false, 0, 120, 1500])
    const csv = await books.call('POST', `${bills}/import`, `id,is_tax_on,tax_amount\n${id},true,0\n`, {
      'content-type': 'text/csv',
    })
    assert.equal(csv.json().results[0].status, 'updated', csv.body)
    assert.deepEqual(facts(await books.read(`${bills}/${id}`)), [true, 120, null, 1620])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
    const keeping = sql`update bills set kept_tax_amount = 5 where org_id = ${books.org} and id = ${id}`
    await service.pool.transaction((run) => run(keeping), `begin; set local app.org_id = '${books.org}'`)
    assert.match((await faultsOf(service, [books.org])).join(), /keeps a tax of 5 though it counts/)
  })

  test('that the body itself says is off is 0, and named; a tax on a bill without tax is refused', async () => {
    const books = await openBooks(service)
    const { id } = await books.bill('draft')
    const off = await books.call('PUT', `${bills}/${id}`, { is_tax_on: false, tax_amount: 80 })
    assert.deepEqual([off.json().bill.tax_amount, ignoredIn(off)], [0, ['tax_amount']])
    assert.equal((await books.call('PUT', `${bills}/${id}`, { tax_amount: 80 })).json().error_code, 'tax_is_off')
    const on = (await books.call('PUT', `${bills}/${id}`, { is_tax_on: true, tax_amount: 80 })).json().bill
    assert.deepEqual([on.tax_amount, on.total_amount], [80, 1080])
  })
})

describe('the history of a bill', { concurrency: true }, () => {
  test('has every change with what was before, newest first, in pages, and the reason of a reopening', async () => {
    const books = await openBooks(service)
    const { id } = await books.bill('saved', { items: [{ unit_price: 10 }] })
    await books.call('PUT', `${bills}/${id}`, { notes: 'n' })
    await books.call('POST', `${bills}/${id}/items`, { unit_price: 5 })
    await books.call('POST', `${bills}/${id}/pay`)
    await books.call('POST', `${bills}/${id}/reopen`, { reason: 'corrected invoice' })
    const history = `${bills}/${id}/history`
    const all = (await books.get(`${history}?limit=200`)).json()
    const types = [
      'reopened',
      'status_updated',
      'paid',
      'status_updated',
      'updated',
      'updated',
      'saved',
      'status_updated',
      'created',
    ].map((verb) => `bill.${verb}`)
    assert.deepEqual(
      all.events.map(({ type }: Row) => type),
      types,
    )
    assert.equal(all.total, types.length)
    const [reopened, , paid, , line, note, saved] = all.events
    assert.deepEqual(
      [reopened.data.reason, reopened.previous.status_id, reopened.data.paid_at],
      ['corrected invoice', 'paid', null],
    )
    assert.deepEqual(paid.previous, { status_id: 'saved', paid_at: null })
    assert.deepEqual(note.previous, { notes: null })
    assert.equal(note.data.notes, 'n')
    assert.deepEqual(
      [line.previous.sub_total_amount, line.previous.bill_items.length, line.data.bill_items.length],
      [10, 1, 2],
    )
    assert.deepEqual([saved.previous.number, saved.data.number], [null, 'BILL-000001'])
    assert.deepEqual(
      all.events.map(({ revision }: Row) => revision),
      [6, 6, 5, 5, 4, 3, 2, 2, 1],
    )
    const paged: string[] = []
    for (let offset = 0; offset < types.length; offset += 2)
      paged.push(...(await books.get(`${history}?limit=2&offset=${offset}`)).json().events.map(({ id }: Row) => id))
    assert.deepEqual(
      paged,
      all.events.map(({ id }: Row) => id),
    )
  })
})

describe('every route of bills', { concurrency: true }, () => {
  const routes: [method: string, path: string, body?: object][] = [
    ['GET', ''],
    ['PUT', '', { notes: 'x' }],
    ['DELETE', ''],
    ['GET', '/history'],
    ['GET', '/items'],
    ['POST', '/items', { unit_price: 1 }],
    ['PUT', '/items/order', { item_ids: [] }],
    ['GET', '/items/ITEM'],
    ['PUT', '/items/ITEM', { unit_price: 2 }],
    ['DELETE', '/items/ITEM'],
    ['POST', '/save'],
    ['POST', '/send'],
    ['POST', '/pay'],
    ['POST', '/reopen', { reason: 'x' }],
  ]
  for (const [method, path, body] of routes) {
    test(`${method} /bills/:id${path} answers 400, 401, 403 and 404 where it must, and changes nothing`, async () => {
      const [books, stranger, poor] = await Promise.all([
        openBooks(service),
        openBooks(service),
        newCaller(service, ['customers']),
      ])
      const { id } = await books.bill('draft', { external_id: 'X-1', items: [{ unit_price: 1 }] })
      const whole = (await books.get(`${bills}/${id}`)).json()
      const at = (of: string) => `${bills}/${of}${path.replace('ITEM', whole.bill_item.id)}`
      assert.equal((await books.call(method, at('nonsense'), body)).statusCode, 400)
      assert.equal((await books.call(method, at(id), body, { authorization: 'Bearer nonsense' })).statusCode, 401)
      assert.equal((await poor.call(method, at(id), body)).statusCode, 403)
      for (const form of [id, 'ext:X-1', 'external_id:X-1'])
        assert.equal((await stranger.call(method, at(form), body)).statusCode, 404)
      assert.equal((await books.call(method, at(newId()), body)).statusCode, 404)
      if (method !== 'GET')
        assert.equal((await books.call(method, at(id), body, { 'if-match': '"9"' })).statusCode, 412)
      assert.deepEqual((await books.get(`${bills}/${id}`)).json(), whole)
      assert.equal((await books.events()).length, 1)
    })
  }
})
