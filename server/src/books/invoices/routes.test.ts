import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Caller, callerIn, databaseOf, newCaller, sharedService } from '../../../test/service.ts'
import { scopeNames } from '../../platform/access/scopes.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { foldTallies } from '../../platform/db/counts/tally-folding.ts'
import { workAll } from '../../platform/transfers/rounds.ts'
import { transferables } from '../../transferables.ts'
import { findDocumentTally } from '../kinds/kinds.ts'
import { verifyBooks } from '../verify.ts'

const path = '/api/v1/invoices'
const service = await sharedService()

type Json = { id: string; [field: string]: unknown }

async function make(caller: Caller, body: object = {}, ...moves: string[]): Promise<Json> {
  const answer = await caller.call('POST', path, { currency_id: 'usd', items: [{ unit_price: 1000 }], ...body })
  assert.equal(answer.statusCode, 201, answer.body)
  const { id } = answer.json().invoice
  for (const move of moves)
    assert.equal(
      (await caller.call('POST', `${path}/${id}/${move}`, move === 'reopen' ? { reason: 'x' } : {})).statusCode,
      200,
    )
  return (await caller.get(`${path}/${id}`)).json().invoice
}

async function found(caller: Caller, query: string): Promise<string[]> {
  const answer = await caller.get(`${path}?${query}`)
  assert.equal(answer.statusCode, 200, answer.body)
  const { invoices, total } = answer.json()
  assert.equal(invoices.length, total)
  return invoices.map(({ id }: Json) => id)
}

describe('invoices', { concurrency: true }, () => {
  test('go the way of bills: numbered and due when saved, edited after sending, paid, reopened with a reason', async () => {
    const caller = await newCaller(service)
    const term = (await caller.call('POST', '/api/v1/pay_terms', { name: 'Net 30', number_of_days: 30 })).json()
      .pay_term
    const saved = await make(
      caller,
      { pay_term_id: term.id, invoice_date: '2026-11-01', is_tax_on: true, tax_amount: 70 },
      'save',
    )
    assert.deepEqual(
      [saved.number, saved.due_date, saved.total_amount, saved.amount_due, saved.payment_status],
      ['INV-000001', '2026-12-01T00:00:00.000Z', 1070, 1070, 'unpaid'],
    )
    const at = `${path}/${saved.id}`
    await caller.call('POST', `${at}/send`)
    assert.equal((await caller.call('PUT', at, { notes: 'New' })).json().invoice.status_id, 'edited')
    const paid = (await caller.call('POST', `${at}/pay`)).json().invoice
    assert.deepEqual(
      [paid.status_id, paid.amount_paid, paid.amount_due, paid.available_actions],
      ['paid', 1070, 0, ['reopen']],
    )
    assert.equal((await caller.call('PUT', at, { notes: 'Late' })).json().error_code, 'is_paid')
    assert.equal((await caller.call('POST', `${at}/reopen`)).statusCode, 400)
    assert.equal((await caller.call('POST', `${at}/reopen`, { reason: 'Returned' })).json().invoice.status_id, 'edited')
    assert.equal((await caller.call('PUT', at, { notes: 'x' }, { 'if-match': '"1"' })).statusCode, 412)
    const { events } = (await caller.get(`${at}/history`)).json()
    assert.ok(
      ['invoice.created', 'invoice.saved', 'invoice.sent', 'invoice.edited', 'invoice.paid', 'invoice.reopened'].every(
        (type) => events.some((event: Json) => event.type === type),
      ),
    )
    for (const path of [`/api/v1/pay_terms/${term.id}`])
      assert.equal((await caller.call('DELETE', path)).json().error_code, 'in_use')
  })

  test('are found by the name of their customer, of whom they are addressed to, and by what they charge for', async () => {
    const caller = await newCaller(service)
    const customer = (await caller.call('POST', '/api/v1/customers', { name: 'Acme Foods' })).json().customer
    const [order_id, customer_id] = [newId(), customer.id as string]
    const one = await make(
      caller,
      { customer_id, reference_number: 'PO-77', items: [{ unit_price: 5, order_id }] },
      'save',
    )
    const other = await make(caller, { bill_to: { company_name: 'Northside Grocers', contact_name: 'Dana' } })
    assert.deepEqual(await found(caller, 'search_term=acme'), [one.id])
    assert.deepEqual(await found(caller, 'search_term=acme%20inv-000001%20po-77'), [one.id])
    assert.deepEqual(await found(caller, 'search_term=northside%20dana'), [other.id])
    assert.deepEqual(await found(caller, `customer_ids=${customer_id}`), [one.id])
    assert.deepEqual(await found(caller, `in_order_ids=${order_id}`), [one.id])
    assert.deepEqual(await found(caller, 'reference_number=po-77'), [one.id])
    await caller.call('PUT', `/api/v1/customers/${customer_id}`, { name: 'Summit Foods' })
    assert.deepEqual(
      [await found(caller, 'search_term=summit'), await found(caller, 'search_term=acme')],
      [[one.id], []],
    )
    // The search box of bills finds by partners only.
    await caller.call('POST', '/api/v1/bills', { partner_carrier_id: customer_id })
    assert.equal((await caller.get('/api/v1/bills?search_term=summit')).json().total, 0)
  })

  test('are counted and paged exactly, before and after the tallies are folded, apart from bills', async () => {
    const caller = await newCaller(service)
    const rows = Array.from({ length: 60 }, (_, n) => ({
      external_id: `I-${n}`,
      currency_id: 'usd',
      status_id: ['saved', 'sent', 'paid'][n % 3],
      items: [{ unit_price: n }],
    }))
    const { counts } = (await caller.call('POST', `${path}/bulk`, { invoices: rows })).json()
    assert.deepEqual([counts.created, counts.failed], [60, 0])
    await caller.call('POST', '/api/v1/bills/bulk', { bills: rows.slice(0, 7) })
    for (const folded of [false, true]) {
      if (folded) await foldTallies(service.database, findDocumentTally, caller.org)
      assert.equal((await caller.get(`${path}?limit=0`)).json().total, 60)
      assert.equal((await caller.get(`${path}?status_ids=sent,paid&limit=1`)).json().total, 40)
      assert.equal((await caller.get('/api/v1/bills?limit=0')).json().total, 7)
      const seen: string[] = []
      for (let next = `${path}?limit=25`; next; ) {
        const page = (await caller.get(next)).json()
        seen.push(...page.invoices.map(({ id }: Json) => id))
        next = page.next_after ? `${path}?limit=25&after=${encodeURIComponent(page.next_after)}` : ''
      }
      assert.equal(new Set(seen).size, 60)
      const deep = (await caller.get(`${path}?limit=10&offset=50`)).json()
      assert.deepEqual(
        deep.invoices.map(({ id }: Json) => id),
        seen.slice(50),
      )
    }
    const { totals } = (await caller.get(`${path}/totals`)).json()
    assert.deepEqual(
      totals.map(({ status_id, count }: Json) => [status_id, count]),
      [
        ['paid', 20],
        ['saved', 20],
        ['sent', 20],
      ],
    )
    assert.deepEqual(await verifyBooks(service.pool, [caller.org]), [])
  })

  test('are exported and imported in the background', async () => {
    const [from, to] = [await newCaller(service), await newCaller(service)]
    for (const n of [1, 2, 3])
      await make(from, { external_id: `X-${n}`, items: [{ unit_price: n }, { unit_price: 10 }] }, 'save', 'send')
    const file = async (caller: Caller, id: string) => (await caller.get(`/api/v1/transfers/${id}/result`)).body
    const exported = (await from.call('POST', `${path}/exports`)).json().transfer.id
    await workAll(databaseOf(service, new Set([from.org, to.org])), transferables)
    const csv = await file(from, exported)
    const imported = (await to.call('POST', `${path}/imports`, csv, { 'content-type': 'text/csv' })).json().transfer.id
    await workAll(databaseOf(service, new Set([from.org, to.org])), transferables)
    assert.equal(
      (await to.get(`/api/v1/transfers/${imported}`)).json().transfer.state,
      'done',
      await file(to, imported),
    )
    const { invoices } = (await to.get(`${path}?sort=total_amount`)).json()
    assert.deepEqual(
      invoices.map(({ external_id, status_id, total_amount }: Json) => [external_id, status_id, total_amount]),
      [1, 2, 3].map((n) => [`X-${n}`, 'sent', 10 + n]),
    )
  })

  test('need the scope of invoices, and are the organization’s alone', async () => {
    const caller = await newCaller(service)
    const { id } = await make(caller)
    const without = callerIn(
      service,
      caller.org,
      scopeNames.filter((scope) => scope !== 'invoices'),
    )
    assert.equal((await without.get(path)).statusCode, 403)
    const stranger = await newCaller(service)
    for (const answer of [
      await stranger.get(`${path}/${id}`),
      await stranger.call('PUT', `${path}/${id}`, { notes: 'x' }),
      await stranger.call('DELETE', `${path}/${id}`),
      await stranger.get(`${path}/${id}/items`),
    ])
      assert.equal(answer.statusCode, 404)
    assert.equal((await stranger.get(path)).json().total, 0)
  })
})
