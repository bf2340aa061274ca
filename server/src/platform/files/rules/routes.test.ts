import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { personIn } from '../../../../test/people.ts'
import { applicationIn, type Caller, databaseOf, newCaller, sharedService } from '../../../../test/service.ts'
import { transferables } from '../../../transferables.ts'
import { newId } from '../../core/values/ids.ts'
import { workAll } from '../../transfers/rounds.ts'
import { requireDocuments } from './required.ts'

const service = await sharedService()
const path = '/api/v1/document_rules'

/** An application with every scope, in a new organization. */
async function newApplication(): Promise<Caller> {
  return applicationIn(service, (await newCaller(service)).org)
}

async function make({ call }: Caller, url: string, body: object): Promise<string> {
  const answer = await call('POST', url, body)
  assert.equal(answer.statusCode, 201, answer.body)
  return (Object.values(answer.json())[0] as { id: string }).id
}

async function attach({ token }: Caller, type: string, record: string): Promise<string> {
  const answer = await service.app.inject({
    method: 'POST',
    url: `/api/v1/documents?document_type=${type}&attached_to=${record}`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="a.pdf"',
    },
    payload: `%PDF-1.4 ${newId()}`,
  })
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().document.id
}

async function savedBill(caller: Caller, body: object = {}): Promise<string> {
  const id = await make(caller, '/api/v1/bills', { currency_id: 'usd', items: [{ unit_price: 100 }], ...body })
  assert.equal((await caller.call('POST', `/api/v1/bills/${id}/save`)).statusCode, 200)
  return id
}

describe('a rule that asks for a proof of delivery before bills are paid', { concurrency: 8 }, () => {
  test('holds for every way to pay one, and each goes through once the document is there', async () => {
    const caller = await newApplication()
    const partner_carrier_id = newId()
    await make(caller, path, { before: 'pay', document_types: ['pod'] })
    const ways: Record<string, (bill: string) => ReturnType<Caller['call']>> = {
      pay: (bill) => caller.call('POST', `/api/v1/bills/${bill}/pay`),
      'pay a part': (bill) => caller.call('POST', `/api/v1/bills/${bill}/pay`, { amount: 1 }),
      PUT: (bill) => caller.call('PUT', `/api/v1/bills/${bill}`, { status_id: 'paid' }),
      bulk: (bill) => caller.call('POST', '/api/v1/bills/bulk', { bills: [{ id: bill, status_id: 'paid' }] }),
      'a payment': (bill) =>
        caller.call('POST', '/api/v1/payments', {
          partner_carrier_id,
          currency_id: 'usd',
          amount: 100,
          method: 'wire',
          allocations: [{ bill_id: bill, amount: 100 }],
        }),
      'a payment of the oldest': () =>
        caller.call('POST', '/api/v1/payments', {
          partner_carrier_id,
          currency_id: 'usd',
          amount: 1,
          method: 'wire',
          oldest_first: true,
        }),
      'a draft that is issued': async (bill) => {
        const allocations = [{ bill_id: bill, amount: 100 }]
        const body = {
          partner_carrier_id,
          currency_id: 'usd',
          amount: 100,
          method: 'wire',
          status: 'draft',
          allocations,
        }
        return caller.call('POST', `/api/v1/payments/${await make(caller, '/api/v1/payments', body)}/issue`)
      },
      'what is left of a payment': async (bill) => {
        const id = await make(caller, '/api/v1/payments', {
          partner_carrier_id,
          currency_id: 'usd',
          amount: 100,
          method: 'wire',
        })
        return caller.call('POST', `/api/v1/payments/${id}/allocations`, {
          allocations: [{ bill_id: bill, amount: 100 }],
        })
      },
      'a credit': async (bill) => {
        const id = await make(caller, '/api/v1/credits', {
          direction: 'out',
          partner_carrier_id,
          currency_id: 'usd',
          items: [{ unit_price: 100 }],
        })
        await caller.call('POST', `/api/v1/credits/${id}/save`)
        return caller.call('POST', `/api/v1/credits/${id}/apply`, { allocations: [{ bill_id: bill, amount: 100 }] })
      },
      'an import': (bill) =>
        caller.call('POST', '/api/v1/bills/import', `id,status_id\n${bill},paid\n`, { 'content-type': 'text/csv' }),
      'a statement': async (bill) => {
        const statement = await make(caller, '/api/v1/consolidated_bills', { bill_ids: [bill] })
        await caller.call('POST', `/api/v1/consolidated_bills/${statement}/save`)
        return caller.call('POST', `/api/v1/consolidated_bills/${statement}/pay`)
      },
    }
    for (const [name, pay] of Object.entries(ways)) {
      const bill = await savedBill(caller, { partner_carrier_id })
      const refused = await pay(bill)
      const { error_code = null, details = null, results } = refused.json()
      const found = results ? results[0].error : { error_code, details }
      assert.equal(found?.error_code, 'documents_missing', `${name}: ${refused.statusCode} ${refused.body}`)
      assert.deepEqual(found.details[0].allowed, ['pod'])
      assert.equal((await caller.get(`/api/v1/bills/${bill}`)).json().bill.amount_paid, 0, name)
      await attach(caller, 'pod', `bill:${bill}`)
      if (name === 'a statement') continue
      const done = await pay(bill)
      assert.ok(done.statusCode < 300 && !done.json().results?.[0].error, `${name}: ${done.body}`)
      assert.ok((await caller.get(`/api/v1/bills/${bill}`)).json().bill.amount_paid > 0, name)
      await caller.call('PUT', `/api/v1/bills/${bill}`, { status_id: 'paid' })
    }
  })

  test('holds for bills that are paid when they are made, by bulk, import or transfer, row by row: the others go through', async () => {
    const caller = await newApplication()
    await make(caller, path, { before: 'pay', document_types: ['pod'] })
    const [lacking, complete] = [await savedBill(caller), await savedBill(caller)]
    await attach(caller, 'pod', `bill:${complete}`)
    const rows = [
      { external_id: 'plain', currency_id: 'usd', sub_total_amount: 5 },
      { external_id: 'new', currency_id: 'usd', sub_total_amount: 5, status_id: 'paid' },
      { id: lacking, status_id: 'paid' },
      { id: complete, status_id: 'paid' },
    ]
    type Result = { status: string; error?: { error_code: string } }
    const outcomes = (results: Result[]) => results.map(({ status, error }) => error?.error_code ?? status)
    const bulk = await caller.call('POST', '/api/v1/bills/bulk', { bills: rows, mode: 'best_effort' })
    assert.deepEqual(
      outcomes(bulk.json().results),
      ['created', 'documents_missing', 'documents_missing', 'updated'],
      bulk.body,
    )
    const file = (names: string[]) =>
      `external_id,currency_id,sub_total_amount,status_id\n${names.map((name) => `${name},usd,5,paid\n`).join('')}plain-${names[0]},usd,5,saved\n`
    const imported = await caller.call('POST', '/api/v1/bills/import', file(['a', 'b']), { 'content-type': 'text/csv' })
    assert.deepEqual(
      outcomes(imported.json().results),
      ['documents_missing', 'documents_missing', 'created'],
      imported.body,
    )
    const started = await caller.call('POST', '/api/v1/bills/imports', file(['c', 'd']), { 'content-type': 'text/csv' })
    await workAll(databaseOf(service, new Set([caller.org])), transferables)
    const failures = await caller.get(`/api/v1/transfers/${started.json().transfer.id}/failures`)
    assert.equal(failures.body.match(/documents_missing/g)?.length, 2, failures.body)
    const paid = (await caller.get('/api/v1/bills?status_ids=paid')).json().bills.map(({ id }: { id: string }) => id)
    assert.deepEqual(paid, [complete])
  })

  test('holds for payment runs, also for what they set off', async () => {
    const { org } = await newCaller(service)
    const caller = applicationIn(service, org)
    const [approver, partner_carrier_id] = [await personIn(service, org, 'admin'), newId()]
    await make(caller, path, { before: 'pay', document_types: ['pod'] })
    const { id, waiting_change } = (
      await caller.call('POST', '/api/v1/payees', { partner_carrier_id, name: 'A', method: 'other' })
    ).json().payee
    assert.equal(
      (await approver.call('POST', `/api/v1/payees/${id}/changes/${waiting_change.id}/approve`)).statusCode,
      200,
    )
    const bills = [
      await savedBill(caller, { partner_carrier_id, due_date: '2026-11-01' }),
      await savedBill(caller, { partner_carrier_id, due_date: '2026-11-02' }),
    ]
    const credit = await make(caller, '/api/v1/credits', {
      direction: 'out',
      partner_carrier_id,
      currency_id: 'usd',
      items: [{ unit_price: 100 }],
    })
    await caller.call('POST', `/api/v1/credits/${credit}/save`)
    const run = `/api/v1/payment_runs/${await make(caller, '/api/v1/payment_runs', { due_until: '2026-11-20', currency_id: 'usd' })}`
    assert.equal(
      (await caller.get(run)).json().payment_run.set_off_amount,
      100,
      'one bill is covered by the credit, one is paid',
    )
    assert.equal((await approver.call('POST', `${run}/approve`)).statusCode, 200)
    for (const bill of bills) {
      const refused = await caller.call('POST', `${run}/issue`)
      assert.deepEqual([refused.statusCode, refused.json().error_code], [409, 'documents_missing'])
      for (const one of bills) assert.equal((await caller.get(`/api/v1/bills/${one}`)).json().bill.amount_paid, 0)
      await attach(caller, 'pod', `bill:${bill}`)
    }
    assert.equal((await caller.call('POST', `${run}/issue`)).statusCode, 200)
  })

  test('is content with documents of the manifest, names what is missing, and holds for the bills of its carrier alone', async () => {
    const caller = await newApplication()
    await make(caller, '/api/v1/bill_item_types', { name: 'Line haul' })
    const [carrier, manifest] = [
      newId(),
      await make(caller, '/api/v1/manifests', { payment_items: [{ type: 'Line haul', unit_price: 100 }] }),
    ]
    const rule = await make(caller, path, {
      before: 'pay',
      document_types: ['pod', 'invoice', 'pod'],
      partner_carrier_id: carrier,
    })
    assert.deepEqual((await caller.get(`${path}/${rule}`)).json().document_rule.document_types, ['pod', 'invoice'])
    assert.equal((await caller.call('POST', `/api/v1/bills/${await savedBill(caller)}/pay`)).statusCode, 200)
    const bill = await savedBill(caller, {
      partner_carrier_id: carrier,
      items: [{ unit_price: 100, manifest_id: manifest }],
    })
    await attach(caller, 'pod', `manifest:${manifest}`)
    const refused = await caller.call('POST', `/api/v1/bills/${bill}/pay`)
    assert.deepEqual([refused.statusCode, refused.json().details[0].allowed], [409, ['invoice']])
    assert.match(refused.json().error_message, /^BILL-\d{6} lacks invoice\. /)
    await attach(caller, 'invoice', `bill:${bill}`)
    assert.equal((await caller.call('POST', `/api/v1/bills/${bill}/pay`)).statusCode, 200)
  })

  test('says nothing about approving, and one about approving nothing about paying', async () => {
    const caller = await newApplication()
    const rule = await make(caller, path, { before: 'approve', document_types: ['bol'] })
    const bill = await savedBill(caller)
    await assert.rejects(
      caller.ctx.transaction((ctx) => requireDocuments(ctx, 'approve', [bill])),
      { code: 'documents_missing' },
    )
    assert.equal((await caller.call('POST', `/api/v1/bills/${bill}/pay`)).statusCode, 200)
    await attach(caller, 'bol', `bill:${bill}`)
    await caller.ctx.transaction((ctx) => requireDocuments(ctx, 'approve', [bill]))
    assert.equal((await caller.call('DELETE', `${path}/${rule}`)).statusCode, 204)
  })
})

test('a rule is read with the scope of bills, written by admins alone, and has a history', async () => {
  const member = await newCaller(service)
  const admin = applicationIn(service, member.org)
  const body = { before: 'approve', document_types: ['pod'] }
  assert.equal((await member.call('POST', path, body)).json().error_code, 'admin_required')
  const id = await make(admin, path, body)
  assert.equal((await member.get(`${path}/${id}`)).statusCode, 200)
  assert.equal((await member.call('PUT', `${path}/${id}`, { before: 'pay' })).statusCode, 403)
  assert.equal((await admin.call('PUT', `${path}/${id}`, { before: 'pay' }, { 'if-match': '"9"' })).statusCode, 412)
  assert.equal((await admin.call('PUT', `${path}/${id}`, { before: 'pay' })).json().document_rule.before, 'pay')
  assert.equal((await admin.call('PUT', `${path}/${id}`, { document_types: [] })).statusCode, 400)
  assert.equal((await admin.get(`${path}?before=approve`)).json().total, 0)
  assert.equal((await admin.get(`${path}/${id}/history`)).json().total, 2)
  const other = await newApplication()
  for (const [method, url] of [
    ['GET', `${path}/${id}`],
    ['PUT', `${path}/${id}`],
    ['DELETE', `${path}/${id}`],
    ['GET', `${path}/${id}/history`],
  ] as const)
    assert.equal((await other.call(method, url, method === 'PUT' ? {} : undefined)).statusCode, 404, `${method} ${url}`)
})
