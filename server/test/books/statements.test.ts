import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId } from '../../src/platform/core/values/ids.ts'
import { callerIn, newCaller, sharedService } from '../service.ts'
import { bills, openBooks, type Row, statements, terms } from './books.ts'

const service = await sharedService()

const fields = [
  ...[
    'id',
    'full_id',
    'number',
    'org_id',
    'external_id',
    'consolidated_bill_type_id',
    'partner_carrier_id',
    'driver_id',
    'bill_to',
    'bill_to_company_name',
    'remit_to',
  ],
  ...[
    'pay_period_start',
    'pay_period_end',
    'bill_date',
    'due_date',
    'status_id',
    'currency_id',
    'pay_term_id',
    'reference_number',
    'notes',
    'bill_ids',
    'bill_count',
  ],
  ...[
    'sub_total_amount',
    'tax_amount',
    'total_amount',
    'sent_at',
    'paid_at',
    'send_to_email',
    'cc_to_email',
    'qb_external_id',
    'qb_error_msg',
    'qb_exported_at',
  ],
  ...['revision', 'created_at', 'updated_at', 'created_by'],
]

describe('consolidated bills', { concurrency: true }, () => {
  test('GET answers the statement, its creator, its bills with their lines, the pay term and the currency, by three forms of id', async () => {
    const books = await openBooks(service)
    const term = await books.make(terms, { name: 'Net 7', number_of_days: 7 })
    const shared = {
      partner_carrier_id: newId(),
      pay_term_id: term.id,
      bill_to: { company_name: 'Blue Ridge' },
      remit_to: { city: 'Reno' },
      send_to_email: 'ap@x.example',
    }
    const a = await books.bill('saved', { ...shared, items: [{ unit_price: 100, quantity: 3 }, { unit_price: -50 }] })
    const b = await books.bill('sent', { ...shared, is_tax_on: true, sub_total_amount: 1000, tax_amount: 80 })
    const external_id = 'set/44:1 é'
    const made = await books.statement([b, a], { external_id, notes: 'Weekly' })
    for (const form of [
      made.id,
      `ext:${encodeURIComponent(external_id)}`,
      `external_id:${encodeURIComponent(external_id)}`,
    ]) {
      const answer = await books.get(`${statements}/${form}`)
      assert.equal(answer.headers.etag, '"1"')
      const got = answer.json()
      assert.deepEqual(Object.keys(got), ['consolidated_bill', 'created_by', 'bills', 'pay_term', 'currency_info'])
      const { consolidated_bill: statement } = got
      assert.deepEqual(
        fields.filter((field) => !(field in statement)),
        [],
      )
      assert.deepEqual(
        [statement.sub_total_amount, statement.tax_amount, statement.total_amount, statement.bill_count],
        [1250, 80, 1330, 2],
      )
      assert.deepEqual(statement.bill_ids, [a.id, b.id])
      assert.deepEqual(
        [statement.bill_to_company_name, statement.partner_carrier_id, statement.send_to_email],
        ['Blue Ridge', shared.partner_carrier_id, 'ap@x.example'],
      )
      assert.deepEqual(got.pay_term, term)
      assert.equal(got.currency_info.iso_4217, 'USD')
      assert.equal(got.created_by, statement.created_by)
      for (const bill of got.bills) {
        const { bill_items, ...rest } = bill
        const alone = (await books.get(`${bills}/${bill.id}`)).json()
        assert.deepEqual([rest, bill_items], [alone.bill, alone.bill_items])
      }
    }
    const [stranger, poor] = await Promise.all([newCaller(service), newCaller(service, ['bills'])])
    for (const form of [made.id, `ext:${encodeURIComponent(external_id)}`])
      assert.equal((await stranger.get(`${statements}/${form}`)).statusCode, 404)
    assert.equal((await books.get(`${statements}/nonsense`)).statusCode, 400)
    assert.equal((await books.get(`${statements}/${newId()}`)).statusCode, 404)
    assert.equal((await poor.get(`${statements}/${made.id}`)).statusCode, 403)
    assert.equal(
      (await books.call('POST', statements, { bill_ids: [(await books.bill('saved')).id], external_id })).json()
        .error_code,
      'external_id_taken',
    )
  })

  test('is made from a payee and a period: what is owed in it, and on no statement yet', async () => {
    const books = await openBooks(service)
    const partner_carrier_id = newId()
    const dated = (bill_date: string, status = 'saved', more = {}) =>
      books.bill(status, { partner_carrier_id, bill_date, ...more })
    const inside = [
      await dated('2026-01-01T00:00:00Z'),
      await dated('2026-01-15', 'sent'),
      await dated('2026-01-31T23:59:59.999Z', 'edited'),
    ]
    await Promise.all([
      dated('2025-12-31T23:59:59.999Z'),
      dated('2026-02-01'),
      dated('2026-01-10', 'draft'),
      dated('2026-01-10', 'paid'),
    ])
    await books.statement([await dated('2026-01-11')])
    await books.bill('saved', { bill_date: '2026-01-12', partner_carrier_id: newId() })
    const period = {
      partner_carrier_id: partner_carrier_id.toUpperCase(),
      pay_period_start: '2026-01-01',
      pay_period_end: '2026-01-31',
    }
    const made = await books.make(statements, period)
    assert.deepEqual(
      made.bill_ids,
      inside.map(({ id }) => id),
    )
    assert.deepEqual(
      [made.pay_period_start, made.pay_period_end],
      ['2026-01-01T00:00:00.000Z', '2026-01-31T23:59:59.999Z'],
    )
    assert.equal((await books.call('POST', statements, period)).json().error_code, 'nothing_to_gather')
    for (const offset of ['+18:00', '-23:59'])
      assert.equal(
        (await books.call('POST', statements, { ...period, pay_period_end: `2026-01-31T00:00:00${offset}` }))
          .statusCode,
        409,
        offset,
      )
  })

  test('a payee who is owed in several currencies: the caller is told to name one', async () => {
    const books = await openBooks(service)
    const partner_carrier_id = newId()
    await Promise.all(
      ['usd', 'cad', 'cad'].map((currency_id) => books.bill('saved', { partner_carrier_id, currency_id })),
    )
    const refused = await books.call('POST', statements, { partner_carrier_id })
    assert.equal(refused.statusCode, 400)
    assert.deepEqual(
      [refused.json().error_code, refused.json().details[0].field, refused.json().details[0].allowed],
      ['several_currencies', 'currency_id', ['cad', 'usd']],
    )
    const made = await books.make(statements, { partner_carrier_id, currency_id: 'CAD' })
    assert.deepEqual([made.currency_id, made.bill_count], ['cad', 2])
    assert.equal(
      (await books.call('POST', statements, { partner_carrier_id, currency_id: 'zzz' })).json().error_code,
      'unknown_currency',
    )
    assert.equal((await books.call('POST', statements, {})).statusCode, 400)
    assert.equal((await books.call('POST', statements, { bill_ids: [] })).statusCode, 400)
    assert.equal((await books.call('POST', statements, { bill_ids: [newId()] })).json().error_code, 'unknown_bill')
  })

  test('takes only bills of one payee and one currency that are owed and free, and says which are not', async () => {
    const books = await openBooks(service)
    const partner_carrier_id = newId()
    const good = await books.bill('saved', { partner_carrier_id })
    const bad = [
      await books.bill('draft', { partner_carrier_id }),
      await books.bill('paid', { partner_carrier_id }),
      await books.bill('saved', { partner_carrier_id, currency_id: 'cad' }),
      await books.bill('saved', { partner_carrier_id: newId() }),
    ]
    const refused = await books.call('POST', statements, { bill_ids: [good.id, ...bad.map(({ id }) => id)] })
    assert.deepEqual(
      [refused.statusCode, refused.json().error_code, refused.json().details.length],
      [409, 'not_gatherable', 4],
    )
    assert.equal(
      (await books.call('POST', statements, { bill_ids: [good.id], partner_carrier_id: newId() })).json().error_code,
      'not_gatherable',
    )
    const { id } = await books.statement([good])
    for (const bill of bad)
      assert.equal((await books.call('POST', `${statements}/${id}/bills`, { bill_ids: [bill.id] })).statusCode, 409)
    const same = await books.call('POST', `${statements}/${id}/bills`, { bill_ids: [good.id.toUpperCase()] })
    assert.deepEqual([same.statusCode, same.headers.etag], [200, '"1"'])
    for (const body of [{ currency_id: 'cad' }, { partner_carrier_id: newId() }, { partner_carrier_id: null }])
      assert.equal((await books.call('PUT', `${bills}/${good.id}`, body)).json().error_code, 'on_a_statement')
    assert.equal(
      (await books.call('PUT', `${bills}/${good.id}`, { status_id: 'draft' })).json().error_code,
      'on_a_statement',
    )
    const stranger = await openBooks(service)
    assert.equal((await stranger.call('POST', statements, { bill_ids: [good.id] })).json().error_code, 'unknown_bill')
    for (const [method, path, body] of [
      ['PUT', '', { notes: 'x' }],
      ['DELETE', '', undefined],
      ['POST', '/pay', {}],
      ['POST', '/bills', { bill_ids: [good.id] }],
      ['DELETE', `/bills/${good.id}`, undefined],
    ] as const)
      assert.equal((await stranger.call(method, `${statements}/${id}${path}`, body)).statusCode, 404)
  })

  test('is sent, paid and reopened together with its bills, each with its events, and moves nothing twice', async () => {
    const books = await openBooks(service)
    const made = [
      await books.bill('saved'),
      await books.bill('edited'),
      await books.bill('sent'),
      await books.bill('paid').then(() => books.bill('saved')),
    ]
    const { id } = await books.statement(made)
    const at = `${statements}/${id}`
    const states = async () => ((await books.get(at)).json().bills as Row[]).map(({ status_id }) => status_id)
    const saved = (await books.call('POST', `${at}/save`)).json().consolidated_bill
    assert.deepEqual([saved.status_id, saved.number], ['saved', 'STMT-000001'])
    const sent = (await books.call('POST', `${at}/send`, { sent_at: '2026-02-01T08:00:00Z' })).json()
    assert.deepEqual(await states(), ['sent', 'sent', 'sent', 'sent'])
    assert.deepEqual(
      [sent.consolidated_bill.sent_at, sent.bills[0].sent_at],
      ['2026-02-01T08:00:00.000Z', '2026-02-01T08:00:00.000Z'],
    )
    assert.equal(
      (await books.call('POST', `${bills}/${made[0]?.id}/items`, { unit_price: 5 })).json().bill.status_id,
      'edited',
    )
    assert.equal((await books.read(at)).status_id, 'edited')
    assert.deepEqual(
      (await books.events())
        .filter(({ subject_id }) => subject_id === id)
        .slice(-3)
        .map(({ type }) => type),
      ['consolidated_bill.updated', 'consolidated_bill.status_updated', 'consolidated_bill.edited'],
    )
    const paid = (await books.call('POST', `${at}/pay`, { paid_at: '2026-02-03T08:00:00+02:00' })).json()
    assert.deepEqual(await states(), ['paid', 'paid', 'paid', 'paid'])
    assert.deepEqual([...new Set(paid.bills.map((bill: Row) => bill.paid_at))], ['2026-02-03T06:00:00.000Z'])
    assert.equal(paid.bills[1].sent_at, '2026-02-01T08:00:00.000Z')
    assert.deepEqual(paid.bills[0].available_actions, [])
    assert.equal(
      (await books.call('POST', `${bills}/${made[0]?.id}/reopen`, { reason: 'alone' })).json().error_code,
      'statement_is_paid',
    )
    assert.equal((await books.call('PUT', at, { notes: 'late' })).json().error_code, 'is_paid')
    const exported = await books.call('PUT', `${bills}/${made[0]?.id}`, { qb_exported_at: '2026-02-04T00:00:00Z' })
    assert.equal(exported.statusCode, 200, exported.body)
    assert.equal((await books.call('POST', `${at}/reopen`, {})).statusCode, 400)
    const reopened = await books.call('POST', `${at}/reopen`, { reason: 'One was disputed' })
    assert.deepEqual(
      [reopened.json().consolidated_bill.status_id, reopened.json().consolidated_bill.paid_at],
      ['edited', null],
    )
    assert.deepEqual(await states(), ['edited', 'edited', 'edited', 'edited'])
    const events = await books.events()
    for (const subject of [id, made[0]?.id]) {
      const last = events.filter(({ subject_id }) => subject_id === subject).at(-1) as
        | { type: string; data: { reason?: string }; previous: { status_id?: string } }
        | undefined
      assert.ok(last?.type.endsWith('.reopened'))
      assert.deepEqual([last?.data.reason, last?.previous.status_id], ['One was disputed', 'paid'])
    }
    assert.equal(events.filter(({ type }) => type === 'bill.paid').length, 1 + 4)
  })

  test('one bill that cannot follow takes the whole move back', async () => {
    const books = await openBooks(service)
    const made = [await books.bill('saved'), await books.bill('saved')]
    const { id } = await books.statement(made)
    await books.call('POST', `${statements}/${id}/save`)
    // No way through the API leads there: the second bill is spoiled behind its back.
    await service.pool.transaction(async (run) => {
      await run({ text: `set local app.org_id = '${books.org}'`, values: [] })
      await run({ text: `update bills set status_id = 'draft' where id = $1`, values: [made[1]?.id as string] })
    })
    const before = await books.events()
    const refused = await books.call('POST', `${statements}/${id}/pay`)
    assert.deepEqual([refused.statusCode, refused.json().error_code], [400, 'invalid_status_transition'])
    assert.deepEqual(
      [(await books.read(`${statements}/${id}`)).status_id, (await books.read(`${bills}/${made[0]?.id}`)).status_id],
      ['saved', 'saved'],
    )
    assert.equal((await books.events()).length, before.length)
  })

  test('bills are added and taken off with their sums; the last one stays; a draft is deleted and its bills are free', async () => {
    const books = await openBooks(service)
    const [a, b, c] = [
      await books.bill('saved'),
      await books.bill('saved', { sub_total_amount: 50 }),
      await books.bill('saved', { sub_total_amount: 7 }),
    ]
    const { id } = await books.statement([a])
    const at = `${statements}/${id}`
    const added = (await books.call('POST', `${at}/bills`, { bill_ids: [b.id, c.id] })).json().consolidated_bill
    assert.deepEqual([added.total_amount, added.bill_count, added.revision], [1057, 3, 2])
    const event = (await books.events()).at(-1) as unknown as {
      type: string
      previous: object
      data: { total_amount: number }
    }
    assert.deepEqual(
      [event.type, event.previous, event.data.total_amount],
      [
        'consolidated_bill.updated',
        { bill_ids: [a.id], bill_count: 1, sub_total_amount: 1000, total_amount: 1000 },
        1057,
      ],
    )
    const taken = (await books.call('DELETE', `${at}/bills/${b.id}`)).json().consolidated_bill
    assert.deepEqual([taken.total_amount, taken.bill_ids], [1007, [a.id, c.id]])
    assert.equal((await books.call('DELETE', `${at}/bills/${b.id}`)).statusCode, 404)
    assert.equal((await books.read(`${bills}/${b.id}`)).consolidated_bill_id, null)
    await books.call('DELETE', `${at}/bills/${c.id}`)
    await books.call('POST', `${at}/save`)
    assert.equal((await books.call('DELETE', `${at}/bills/${a.id}`)).json().error_code, 'last_bill')
    assert.equal((await books.call('DELETE', at)).json().error_code, 'not_a_draft')
    await books.call('PUT', at, { status_id: 'draft' })
    assert.equal((await books.call('DELETE', at, undefined, { 'if-match': '"1"' })).statusCode, 412)
    const [numbered, refused] = [await books.read(at), await books.call('DELETE', at)]
    assert.deepEqual(
      [refused.statusCode, refused.json().error_code, numbered.available_actions],
      [409, 'has_number', ['save', 'void']],
    )
    assert.equal((await books.call('POST', `${at}/void`, { reason: 'Not needed' })).statusCode, 200)
    const unsaved = `${statements}/${(await books.statement([a])).id}`
    assert.equal((await books.call('DELETE', unsaved)).statusCode, 204)
    assert.equal((await books.get(unsaved)).statusCode, 404)
    const empty = await books.statement([a])
    await books.call('DELETE', `${statements}/${empty.id}/bills/${a.id}`)
    assert.deepEqual((await books.read(`${statements}/${empty.id}`)).available_actions, ['delete'])
    assert.equal((await books.call('POST', `${statements}/${empty.id}/save`)).json().error_code, 'no_bills')
  })

  test('read and put back whole it changes nothing and names what it ignored, in every state', async () => {
    const books = await openBooks(service)
    const { id } = await books.statement([await books.bill('saved')], { bill_to: { company_name: 'A' } })
    const at = `${statements}/${id}`
    for (const action of [null, 'save', 'send', 'pay', 'reopen']) {
      if (action) assert.equal((await books.call('POST', `${at}/${action}`, { reason: 'again' })).statusCode, 200)
      const whole = (await books.get(at)).json()
      for (const body of [whole, whole.consolidated_bill]) {
        const same = await books.call('PUT', at, body)
        assert.deepEqual([same.statusCode, same.json()], [200, whole], same.body)
        assert.match(String(same.headers['x-ignored-fields']), /\bid\b.*\bbill_ids\b.*\brevision\b/)
      }
      if (action === 'pay') continue
      whole.consolidated_bill.reference_number = `after ${action}`
      const changed = (await books.call('PUT', at, whole)).json().consolidated_bill
      assert.deepEqual(
        { ...changed, updated_at: null },
        {
          ...whole.consolidated_bill,
          ...{ updated_at: null, revision: whole.consolidated_bill.revision + 1 },
          ...(action === 'send' && { status_id: 'edited', available_actions: ['send', 'pay', 'void'] }),
        },
      )
      if (action === 'send') await books.call('POST', `${at}/send`)
    }
    for (const [body, field] of [
      [{ pay_period_start: '2026-02-01', pay_period_end: '2026-01-01' }, 'pay_period_end'],
      [{ pay_term_id: newId() }, 'pay_term_id'],
      [{ consolidated_bill_type_id: 'other' }, 'consolidated_bill_type_id'],
      [{ driver_id: 'me' }, 'driver_id'],
      [{ status_id: 'draft' }, 'status_id'],
    ] as const) {
      const refused = await books.call('PUT', at, body)
      assert.deepEqual([refused.statusCode, refused.json().details[0].field], [400, field])
    }
    assert.equal((await books.call('PUT', at, { notes: 'x' }, { 'if-match': '"1"' })).statusCode, 412)
  })

  test('sums beyond exactness are refused, whichever sum it is and whoever causes it', async () => {
    const books = await openBooks(service)
    const big = Number.MAX_SAFE_INTEGER
    const [a, b] = [
      await books.bill('saved', { sub_total_amount: big }),
      await books.bill('saved', { sub_total_amount: 1 }),
    ]
    assert.equal(
      (await books.call('POST', statements, { bill_ids: [a.id, b.id] })).json().error_code,
      'amount_too_large',
    )
    const hidden = await books.bill('saved', { is_tax_on: true, sub_total_amount: big, tax_amount: -big })
    assert.equal(
      (await books.call('POST', statements, { bill_ids: [hidden.id, b.id] })).json().error_code,
      'amount_too_large',
    )
    const { id } = await books.statement([b])
    assert.equal(
      (await books.call('POST', `${statements}/${id}/bills`, { bill_ids: [a.id] })).json().error_code,
      'amount_too_large',
    )
    await books.call('POST', `${statements}/${id}/bills`, { bill_ids: [(await books.bill('saved')).id] })
    assert.equal(
      (await books.call('PUT', `${bills}/${b.id}`, { sub_total_amount: big })).json().error_code,
      'amount_too_large',
    )
    assert.equal((await books.read(`${bills}/${b.id}`)).sub_total_amount, 1)
    const offset = await books.bill('saved', { sub_total_amount: -1 })
    const balanced = await books.statement([offset, a, await books.bill('saved', { sub_total_amount: 1 })])
    assert.equal(
      (await books.call('DELETE', `${statements}/${balanced.id}/bills/${offset.id}`)).json().error_code,
      'amount_too_large',
    )
    assert.equal((await books.read(`${statements}/${balanced.id}`)).bill_count, 3)
  })

  test('search finds by text, type, state, payee, driver, period and time, newest first, with the exact total', async () => {
    const books = await openBooks(service)
    const driver_id = newId()
    const partner_carrier_id = (
      await books.call('POST', '/api/v1/partner_carriers', { name: 'Cascade Carriers' })
    ).json().partner_carrier.id
    const period = { pay_period_start: '2026-01-01', pay_period_end: '2026-01-31' }
    const one = await books.statement([await books.bill('saved', { partner_carrier_id })], {
      reference_number: 'S-7_1',
      ...period,
    })
    const two = await books.statement([await books.bill('saved')], {
      consolidated_bill_type_id: 'driver_settlement',
      driver_id,
      pay_period_start: '2026-02-01',
      pay_period_end: '2026-02-07',
    })
    await books.call('POST', `${statements}/${two.id}/save`)
    for (const [query, found] of [
      ['', [two.id, one.id]],
      ['consolidated_bill_type_ids=driver_settlement', [two.id]],
      ['status_ids=draft', [one.id]],
      ['status_ids[]=draft&status_ids[]=saved', [two.id, one.id]],
      [`partner_carrier_ids=${partner_carrier_id}`, [one.id]],
      [`driver_ids=${driver_id}`, [two.id]],
      ['period_start_at=2026-02-01', [two.id]],
      ['period_end_at=2026-01-31', [one.id]],
      ['period_start_at=2026-01-31&period_end_at=2026-02-01', [two.id, one.id]],
      [`created_start_at=${two.created_at}`, [two.id]],
      [`created_end_at=${one.created_at}`, [one.id]],
      ['search_term=CASCADE', [one.id]],
      ['search_term=7_1%20carriers', [one.id]],
      ['search_term=stmt-000001', [two.id]],
      ['search_term=7x1', []],
      ['search_term=%20', [two.id, one.id]],
      ['limit=1&offset=1', [one.id]],
    ] as const) {
      const answer = (await books.get(`${statements}?${query}`)).json()
      assert.deepEqual(
        answer.consolidated_bills.map(({ id }: Row) => id),
        found,
        query,
      )
      assert.equal(answer.total, query.startsWith('limit') ? 2 : found.length)
    }
    assert.deepEqual((await books.get(`${statements}?status_ids=lost`)).json().details[0].allowed, [
      'draft',
      'saved',
      'sent',
      'edited',
      'paid',
    ])
    assert.equal((await (await newCaller(service)).get(statements)).json().total, 0)
  })

  test('its ETag changes with whatever its answer shows of its bills', async () => {
    const books = await openBooks(service)
    const bill = await books.bill('saved')
    const { id } = await books.statement([bill])
    const etag = async () => String((await books.get(`${statements}/${id}`)).headers.etag)
    const seen = [await etag()]
    for (const [path, body] of [
      ['/send', {}],
      ['/pay', {}],
    ] as const) {
      await books.call('POST', `${bills}/${bill.id}${path}`, body)
      seen.push(await etag())
    }
    await books.call('PUT', `${bills}/${bill.id}`, { qb_external_id: 'q' })
    seen.push(await etag())
    assert.equal(new Set(seen).size, 4)
  })

  test('one is paid whole: an amount that is not what is due of it pays nothing', async () => {
    const books = await openBooks(service)
    const gathered = [
      await books.bill('saved', { sub_total_amount: 1000 }),
      await books.bill('saved', { sub_total_amount: 500 }),
    ] as const
    const { id } = await books.statement([...gathered])
    await books.call('POST', `${statements}/${id}/save`)
    await books.call('POST', `${bills}/${gathered[0].id}/pay`, { amount: 100 })
    for (const amount of [140, 1500, 0, -1400]) {
      const answer = await books.call('POST', `${statements}/${id}/pay`, { amount })
      assert.deepEqual(
        [answer.statusCode, answer.json().error_code, answer.json().details[0].field],
        [400, 'not_the_whole', 'amount'],
      )
    }
    assert.equal((await books.read(`${statements}/${id}`)).status_id, 'saved')
    for (const _ of ['first', 'again']) {
      const paid = await books.call('POST', `${statements}/${id}/pay`, { amount: 1400 })
      assert.deepEqual([paid.statusCode, paid.headers['x-ignored-fields']], [200, undefined])
    }
    const again = await books.call('POST', `${statements}/${id}/pay`, { amount: 140 })
    assert.deepEqual([again.statusCode, again.json().error_code], [409, 'already_paid'])
  })

  test('sending, paying and reopening one changes its bills, so a token without the scope bills cannot, by any way; gathering it can', async () => {
    const books = await openBooks(service)
    const only = callerIn(service, books.org, ['consolidated_bills'])
    const bill = await books.bill('saved')
    const { id } = await books.statement([bill])
    const put = (body: object) => only.call('PUT', `${statements}/${id}`, body)
    const refused = async (answer: Awaited<ReturnType<typeof put>>) => {
      assert.equal(answer.statusCode, 403, answer.body)
      const { error_code, details } = answer.json()
      assert.deepEqual([error_code, details[0].allowed], ['insufficient_scope', ['bills']])
      assert.match(String(answer.headers['www-authenticate']), /scope="bills"/)
    }
    assert.equal((await only.call('POST', `${statements}/${id}/save`)).statusCode, 200)
    for (const move of ['send', 'pay']) await refused(await only.call('POST', `${statements}/${id}/${move}`))
    for (const status_id of ['sent', 'paid']) await refused(await put({ status_id }))
    assert.equal((await books.read(`${bills}/${bill.id}`)).status_id, 'saved')
    assert.equal((await books.call('POST', `${statements}/${id}/pay`)).statusCode, 200)
    await refused(await only.call('POST', `${statements}/${id}/reopen`, { reason: 'a mistake' }))
    await refused(await put({ status_id: 'edited', reason: 'a mistake' }))
    assert.equal((await books.read(`${bills}/${bill.id}`)).status_id, 'paid')

    const other = await books.bill('saved')
    const gathered = await only.call('POST', statements, { bill_ids: [other.id] })
    assert.equal(gathered.statusCode, 201, gathered.body)
    assert.equal((await only.call('DELETE', `${statements}/${gathered.json().consolidated_bill.id}`)).statusCode, 204)
  })
})
