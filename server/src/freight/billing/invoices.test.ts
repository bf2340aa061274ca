import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Caller, callerIn, newCaller, sharedService } from '../../../test/service.ts'
import { scopeNames } from '../../platform/access/scopes.ts'
import { signToken } from '../../platform/access/tokens/access-token.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { sql } from '../../platform/db/sql/sql.ts'

const service = await sharedService()
const orders = '/api/v1/orders'
const v2 = '/api/v2/platformModel/objects'

type Json = Record<string, unknown>
type Made = { id: string; revision: number; [field: string]: unknown }

async function made(caller: Caller, resource: string, body: Json): Promise<Made> {
  const answer = await caller.call('POST', `/api/v1/${resource}`, body)
  assert.equal(answer.statusCode, 201, answer.body)
  return Object.values(answer.json())[0] as Made
}

/** An order of a customer with a rate and a charge, whose type there is. */
async function delivered(caller: Caller, more: Json = {}) {
  const detention = await made(caller, 'bill_item_types', { name: 'Detention' })
  const term = await made(caller, 'pay_terms', { name: 'Net 30', number_of_days: 30 })
  const customer = await made(caller, 'customers', {
    ...{
      name: 'Acme Foods',
      address: '1200 Harbor Way',
      city: 'Oakland',
      email: 'ap@acme.example',
      currency_id: 'cad',
      pay_term: 'net 30',
    },
    billing_address: { company_name: 'Acme Holding', address_1: 'PO Box 7', city: 'Reno' },
  })
  const order = await made(caller, 'orders', {
    ...{
      customer_id: customer.id,
      reference_number: 'PO-1',
      rate: 285000,
      pickup: { city: 'Oakland', state: 'CA' },
      delivery: { city: 'Seattle' },
    },
    charges: [{ type: 'detention', unit_price: 7500, quantity: 3, description: 'Waited at the dock' }],
    ...more,
  })
  return { order, customer, term, detention, at: `${orders}/${order.id}` }
}

describe('POST /orders/:orderID/invoice', { concurrency: true }, () => {
  test('makes the customer’s invoice: a draft with a line for the rate and one for each charge, which the order shows', async () => {
    const caller = await newCaller(service)
    const { order, customer, term, detention, at } = await delivered(caller)
    assert.deepEqual([order.invoice_id, order.invoice_status_id, order.invoice_number], [null, null, null])
    const answer = await caller.call('POST', `${at}/invoice`)
    assert.equal(answer.statusCode, 201, answer.body)
    const { invoice, invoice_items } = answer.json()
    assert.equal(answer.headers.location, `/api/v1/invoices/${invoice.id}`)
    assert.deepEqual(
      [
        invoice.status_id,
        invoice.customer_id,
        invoice.currency_id,
        invoice.pay_term_id,
        invoice.reference_number,
        invoice.send_to_email,
        invoice.total_amount,
      ],
      ['draft', customer.id, 'cad', term.id, 'PO-1', 'ap@acme.example', 307500],
    )
    assert.deepEqual(
      [invoice.bill_to.company_name, invoice.bill_to.address_1, invoice.bill_to.city],
      ['Acme Holding', 'PO Box 7', 'Reno'],
    )
    const [charge] = order.charges as { id: string }[]
    assert.deepEqual(
      invoice_items.map((line: Json) => [
        line.bill_item_type_id,
        line.order_id,
        line.order_charge_id,
        line.unit_price,
        line.quantity,
        line.description,
      ]),
      [
        [null, order.id, null, 285000, 1, 'Freight Oakland, CA to Seattle'],
        [detention.id, order.id, charge?.id, 7500, 3, 'Waited at the dock'],
      ],
    )
    assert.deepEqual(
      (await caller.get(`/api/v1/invoices?in_order_ids=${order.id}`)).json().invoices.map(({ id }: Made) => id),
      [invoice.id],
    )
    await caller.call('POST', `/api/v1/invoices/${invoice.id}/save`)
    const shown = (await caller.get(orders)).json().orders[0]
    assert.deepEqual(shown, {
      ...order,
      invoice_id: invoice.id,
      invoice_status_id: 'saved',
      invoice_number: 'INV-000001',
    })
    const found = async (query: string) => (await caller.get(`${orders}?${query}`)).json().total
    assert.deepEqual([await found('invoice_status_id=saved'), await found('invoice_status_id=draft')], [1, 0])
    const numbered = { objectKey: 'order', filter: { field: 'invoiceNumber', op: 'eq', value: 'inv-1' } }
    assert.equal((await caller.call('POST', `${v2}/search`, numbered)).json().total, 1)
    assert.equal((await caller.events()).find(({ type }) => type === 'order.invoiced')?.subject_id, order.id)
  })

  test('happens once: of 20 requests at once one creates it, and the others are told which it is', async () => {
    const caller = await newCaller(service)
    const { at } = await delivered(caller)
    const answers = await Promise.all(Array.from({ length: 20 }, () => caller.call('POST', `${at}/invoice`, {})))
    const [winner] = answers.filter(({ statusCode }) => statusCode === 201)
    const id = winner?.json().invoice.id
    const refused = answers.filter((answer) => answer !== winner)
    for (const answer of refused)
      assert.deepEqual(
        [answer.statusCode, answer.json().error_code, answer.json().details[0].allowed],
        [409, 'invoiced', [id]],
      )
    assert.equal((await caller.get('/api/v1/invoices')).json().total, 1)
  })

  test('while there is an invoice, what it was made from is fixed and the order stays; with the draft gone it is invoiced anew', async () => {
    const caller = await newCaller(service)
    const { order, at } = await delivered(caller)
    const { invoice } = (await caller.call('POST', `${at}/invoice`)).json()
    const refusals = [
      await caller.call('PUT', at, { rate: 1 }),
      await caller.call('PUT', at, { charges: [] }),
      await caller.call('PUT', at, { currency_id: 'usd' }),
      await caller.call('DELETE', at),
      await caller.call('PUT', `${v2}/${order.id}`, { json: { charges: null } }),
    ]
    for (const refused of refusals)
      assert.deepEqual(
        [refused.statusCode, refused.json().error_code ?? refused.json().code],
        [409, 'invoiced'],
        refused.body,
      )
    assert.match(refusals[0]?.json().error_message, new RegExp(invoice.id))
    assert.equal(
      (await caller.call('PUT', at, { notes: 'Late', invoice_id: newId() })).json().order.invoice_id,
      invoice.id,
    )
    assert.equal((await caller.call('DELETE', `/api/v1/invoices/${invoice.id}`)).statusCode, 204)
    const cheaper = await caller.call('PUT', at, { rate: 1 })
    assert.deepEqual([cheaper.statusCode, cheaper.json().order.invoice_id], [200, null])
    assert.equal((await caller.call('POST', `${at}/invoice`)).json().invoice.total_amount, 22501)
  })

  test('a voided invoice is none: the order shows nothing, and another can be made', async () => {
    const caller = await newCaller(service)
    const { at } = await delivered(caller)
    const { invoice } = (await caller.call('POST', `${at}/invoice`)).json()
    for (const [action, body] of [['save'], ['void', { reason: 'Entered twice' }]] as const)
      assert.equal((await caller.call('POST', `/api/v1/invoices/${invoice.id}/${action}`, body)).statusCode, 200)
    assert.equal((await caller.get(at)).json().order.invoice_id, null)
    assert.equal((await caller.call('PUT', at, { rate: 5 })).statusCode, 200)
    const again = await caller.call('POST', `${at}/invoice`)
    assert.equal(again.statusCode, 201, again.body)
    assert.equal((await caller.get(at)).json().order.invoice_id, again.json().invoice.id)
  })

  test('a corrected invoice is the draft that took its place: the order shows it, and no second one can be made', async () => {
    const caller = await newCaller(service)
    const { at } = await delivered(caller)
    const { invoice } = (await caller.call('POST', `${at}/invoice`)).json()
    await caller.call('POST', `/api/v1/invoices/${invoice.id}/save`)
    const corrected = await caller.call('POST', `/api/v1/invoices/${invoice.id}/correct`, { reason: 'Wrong rate' })
    const copy = corrected.json().invoice
    assert.notEqual(copy.id, invoice.id, corrected.body)
    const { order } = (await caller.get(at)).json()
    assert.deepEqual([order.invoice_id, order.invoice_status_id], [copy.id, 'draft'])
    assert.deepEqual((await caller.call('POST', `${at}/invoice`)).json().details[0].allowed, [copy.id])
  })

  test('says why it cannot be: nothing to invoice, no currency, an unknown type; and leaves nothing behind', async () => {
    const caller = await newCaller(service)
    const customer_id = (await made(caller, 'customers', { name: 'No currency' })).id
    const gone = await made(caller, 'bill_item_types', { name: 'Teleport' })
    for (const [body, status, code] of [
      [{ customer_id, currency_id: 'usd' }, 409, 'nothing_to_invoice'],
      [{ customer_id, rate: 100 }, 409, 'no_currency'],
      [
        { customer_id, currency_id: 'usd', charges: [{ type: 'Teleport', unit_price: 1 }] },
        409,
        'unknown_bill_item_type',
      ],
    ] as const) {
      const { id } = await made(caller, 'orders', body as unknown as Json)
      if (code === 'unknown_bill_item_type')
        assert.equal((await caller.call('DELETE', `/api/v1/bill_item_types/${gone.id}`)).statusCode, 204)
      const refused = await caller.call('POST', `${orders}/${id}/invoice`)
      assert.deepEqual([refused.statusCode, refused.json().error_code], [status, code], refused.body)
      assert.equal((await caller.get(`${orders}/${id}`)).json().order.invoice_id, null)
    }
    assert.equal((await caller.get('/api/v1/invoices')).json().total, 0)
  })

  test('needs the scope of invoices too, the order of the organization, and the revision that If-Match names', async () => {
    const caller = await newCaller(service)
    const { at } = await delivered(caller)
    const without = callerIn(
      service,
      caller.org,
      scopeNames.filter((scope) => scope !== 'invoices'),
    )
    const refused = await without.call('POST', `${at}/invoice`)
    assert.equal(refused.statusCode, 403)
    assert.match(String(refused.headers['www-authenticate']), /scope="invoices"/)
    assert.equal((await (await newCaller(service)).call('POST', `${at}/invoice`)).statusCode, 404)
    assert.equal((await caller.call('POST', `${at}/invoice`, {}, { 'if-match': '"7"' })).statusCode, 412)
  })
})

test('a field of an organization by a name that a kind has since built in stays as it is', async () => {
  const caller = await newCaller(service)
  const { keyring, settings } = service
  const application = { sub: 'application', client_id: 'application', org_id: caller.org, scopes: scopeNames }
  const authorization = `Bearer ${signToken(keyring, { issuer: settings.authUrl, audience: settings.audience }, application)}`
  const definition = '/api/v2/platformModel/definitions/order'
  assert.equal(
    (await caller.call('PUT', definition, { fields: [{ key: 'mood', name: 'Mood', type: 'text' }] }, { authorization }))
      .statusCode,
    200,
  )
  const old = { fields: [{ key: 'charges', name: 'Charges', type: 'text' }] }
  await service.database.transaction(caller.org, (run) =>
    run(
      sql`update definitions set definition = definition || ${JSON.stringify(old)}::text::jsonb where org_id = ${caller.org} and object_key = 'order'`,
    ),
  )
  const customer_id = (await made(caller, 'customers', { name: 'A', currency_id: 'usd' })).id
  const order = (
    await caller.call('PATCH', v2, { objectKey: 'order', json: { customerId: customer_id, rate: 5, charges: 'none' } })
  ).json()
  assert.equal(order.charges, 'none')
  const refused = await caller.call('POST', `${orders}/${order.id}/invoice`)
  assert.deepEqual([refused.statusCode, refused.json().error_code], [409, 'unusable_items'])
  const read = (await caller.get(definition)).json()
  assert.equal((await caller.call('PUT', definition, { fields: read.fields }, { authorization })).statusCode, 200)
})

describe('GET /customers/:customerID/statement', { concurrency: true }, () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

  /** An invoice or a credit of a customer that is saved, dated and due so many days ago. */
  async function open(
    caller: Caller,
    path: 'invoices' | 'credits',
    customer_id: string,
    amount: number,
    due: number,
    more: Json = {},
  ): Promise<Made> {
    const dates = { [path === 'invoices' ? 'invoice_date' : 'credit_date']: daysAgo(due + 30), due_date: daysAgo(due) }
    const { id } = await made(caller, path, {
      direction: 'in',
      customer_id,
      currency_id: 'usd',
      items: [{ unit_price: amount }],
      ...dates,
      ...more,
    })
    await caller.call('POST', `/api/v1/${path}/${id}/save`)
    return Object.values((await caller.get(`/api/v1/${path}/${id}`)).json())[0] as Made
  }

  test('says what is open in each currency: every invoice with what is due and since when, and the credits that are left', async () => {
    const caller = await newCaller(service)
    const [acme, other] = [
      await made(caller, 'customers', { name: 'Acme Foods', external_id: 'ACME' }),
      await made(caller, 'customers', { name: 'Other' }),
    ]
    const late = await open(caller, 'invoices', acme.id, 10_000, 40)
    const soon = await open(caller, 'invoices', acme.id, 500, -5)
    const euros = await open(caller, 'invoices', acme.id, 70, 1, { currency_id: 'eur' })
    const credit = await open(caller, 'credits', acme.id, 2_000, 3)
    await open(caller, 'invoices', other.id, 999, 10)
    await made(caller, 'invoices', { customer_id: acme.id, currency_id: 'usd', items: [{ unit_price: 7 }] })
    const paid = await open(caller, 'invoices', acme.id, 111, 10)
    await caller.call('POST', `/api/v1/invoices/${paid.id}/pay`)
    const answer = await caller.get('/api/v1/customers/ext:ACME/statement')
    assert.equal(answer.statusCode, 200, answer.body)
    const { statement } = answer.json()
    assert.deepEqual([statement.customer_id, statement.customer_name], [acme.id, 'Acme Foods'])
    const rest = { days_61_90: 0, days_over_90: 0 }
    assert.deepEqual(statement.currencies, [
      {
        ...{
          currency_id: 'eur',
          invoice_count: 1,
          amount_due: 70,
          overdue_amount: 70,
          credit_amount: 0,
          unapplied_amount: 0,
          balance_amount: 70,
        },
        aging: { current: 0, days_1_30: 70, days_31_60: 0, ...rest },
      },
      {
        ...{
          currency_id: 'usd',
          invoice_count: 2,
          amount_due: 10_500,
          overdue_amount: 10_000,
          credit_amount: 2_000,
          unapplied_amount: 0,
          balance_amount: 8_500,
        },
        aging: { current: 500, days_1_30: 0, days_31_60: 10_000, ...rest },
      },
    ])
    assert.deepEqual(
      statement.invoices.map((one: Json) => [one.id, one.number, one.amount_due, one.days_overdue, one.age_days]),
      [
        [late.id, late.number, 10_000, 40, 70],
        [euros.id, euros.number, 70, 1, 31],
        [soon.id, soon.number, 500, 0, 25],
      ],
    )
    assert.deepEqual(
      statement.credits.map((one: Json) => [one.id, one.amount_due]),
      [[credit.id, 2_000]],
    )
    assert.deepEqual(
      (await caller.get(`/api/v1/customers/${acme.id}/statement?currency_id=EUR`))
        .json()
        .statement.invoices.map(({ id }: Made) => id),
      [euros.id],
    )
    const csv = await caller.get(`/api/v1/customers/${acme.id}/statement?currency_id=usd`, { accept: 'text/csv' })
    assert.match(String(csv.headers['content-type']), /^text\/csv/)
    assert.deepEqual(
      csv.body
        .trim()
        .split('\r\n')
        .map((line) => line.split(',').filter((_, index) => [0, 1, 8, 10, 13].includes(index))),
      [
        ['type', 'number', 'amount_due', 'currency', 'amount_due_decimal'],
        ['invoice', late.number, '10000', 'USD', '100.00'],
        ['invoice', soon.number, '500', 'USD', '5.00'],
        ['credit', credit.number, '-2000', 'USD', '-20.00'],
      ],
    )
  })

  test('of a past moment has what was open then, of whom, and how much of it', async () => {
    const caller = await newCaller(service)
    const [acme, other] = [
      await made(caller, 'customers', { name: 'Acme Foods' }),
      await made(caller, 'customers', { name: 'Other' }),
    ]
    const [first, second, third] = [
      await open(caller, 'invoices', acme.id, 100, 1),
      await open(caller, 'invoices', acme.id, 200, 2),
      await open(caller, 'invoices', acme.id, 400, 3),
    ]
    const then = (await caller.events()).at(-1)?.occurred_at as Date
    await caller.call('POST', `/api/v1/invoices/${first.id}/pay`)
    await caller.call('PUT', `/api/v1/invoices/${second.id}`, { customer_id: other.id })
    await caller.call('POST', `/api/v1/invoices/${third.id}/items`, { unit_price: 5 })
    assert.equal((await caller.call('POST', `/api/v1/invoices/${third.id}/pay`, { amount: 100 })).statusCode, 200)
    await open(caller, 'invoices', acme.id, 800, 4)
    const dueOf = async (customer: Made, query = '') =>
      (await caller.get(`/api/v1/customers/${customer.id}/statement${query}`))
        .json()
        .statement.invoices.map(({ amount_due }: Json) => amount_due)
    const past = `?as_of=${encodeURIComponent(then.toISOString())}`
    assert.deepEqual([await dueOf(acme), await dueOf(other)], [[800, 305], [200]])
    assert.deepEqual([await dueOf(acme, past), await dueOf(other, past)], [[400, 200, 100], []])
    assert.deepEqual(await dueOf(acme, '?as_of=2020-01-31'), [])
    const later = (await caller.get(`/api/v1/customers/${acme.id}/statement?as_of=2100-01-31`)).json().statement
    assert.ok(later.invoices.every(({ days_overdue }: { days_overdue: number }) => days_overdue > 20_000))
  })

  test('counts days where the organization is', async () => {
    const caller = await newCaller(service)
    await service.pool.run(sql`update organizations set time_zone = 'America/New_York' where org_id = ${caller.org}`)
    const { id } = await made(caller, 'customers', { name: 'Acme Foods' })
    const dates = { invoice_date: '2100-07-01', due_date: '2100-07-10T12:00:00.000Z' }
    await open(caller, 'invoices', id, 100, 0, dates)
    const statement = async (as_of: string) =>
      (await caller.get(`/api/v1/customers/${id}/statement?as_of=${as_of}`)).json().statement
    for (const [as_of, moment, age, overdue] of [
      // In New York the tenth of July lasts four hours longer than in UTC.
      ['2100-07-11T03:59:00.000Z', '2100-07-11T03:59:00.000Z', 9, 0],
      ['2100-07-11T04:00:00.000Z', '2100-07-11T04:00:00.000Z', 10, 1],
      ['2100-07-10', '2100-07-11T03:59:59.999Z', 9, 0],
      ['2100-07-11', '2100-07-12T03:59:59.999Z', 10, 1],
    ] as const) {
      const { invoices, currencies, ...at } = await statement(as_of)
      assert.deepEqual([at.as_of, invoices[0].age_days, invoices[0].days_overdue], [moment, age, overdue], as_of)
      assert.equal(currencies[0].overdue_amount, overdue * 100)
    }
  })

  test('needs both scopes, a customer of the organization, a known currency, and a form that there is', async () => {
    const caller = await newCaller(service)
    const { id } = await made(caller, 'customers', { name: 'Acme Foods' })
    const at = `/api/v1/customers/${id}/statement`
    for (const missing of ['customers', 'invoices'] as const) {
      const without = callerIn(
        service,
        caller.org,
        scopeNames.filter((scope) => scope !== missing),
      )
      assert.equal((await without.get(at)).statusCode, 403)
    }
    assert.equal((await (await newCaller(service)).get(at)).statusCode, 404)
    assert.equal((await caller.get(`${at}?currency_id=xyz`)).json().error_code, 'unknown_currency')
    assert.equal((await caller.get(`${at}?as_of=yesterday`)).statusCode, 400)
    assert.equal((await caller.get(at, { accept: 'image/png' })).statusCode, 406)
  })
})
