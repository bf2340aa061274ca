/** The methods of the SDK against the service itself. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Bill, clientCredentials, createLading, isRefusal, type Lading } from '../../../sdk/src/index.ts'
import { newParty, sharedHouse } from './house.ts'

const house = await sharedHouse()

async function newLading(): Promise<Lading> {
  const { client_id, client_secret } = (await newParty(house)).application
  const token = clientCredentials({ authUrl: house.url, clientId: client_id, clientSecret: client_secret })
  return createLading({ baseUrl: house.url, token })
}

const refusalOf = (call: Promise<unknown>) => call.then(() => assert.fail('it was not refused')).catch((error) => error)

describe('methods of the SDK', { concurrency: true }, () => {
  test('make, read, change, pay and delete a record, under the revision and the key that they are given', async () => {
    const { bills } = await newLading()
    const body = { currency_id: 'usd', bill_items: [{ unit_price: 250, quantity: 2 }], external_id: 'M-1' }
    const { bill } = await bills.create(body, { idempotencyKey: 'once' })
    assert.equal((await bills.create(body, { idempotencyKey: 'once' })).bill.id, bill.id)
    assert.equal((await bills.retrieve('ext:M-1')).bill.total_amount, 500)

    const tried = await bills.update(bill.id, { notes: 'Tried' }, { dryRun: true })
    assert.deepEqual([tried.bill.notes, (await bills.retrieve(bill.id)).bill.notes], ['Tried', null])
    const changed = await bills.update(bill.id, { notes: 'Kept' }, { ifMatch: bill.revision })
    const stale = await refusalOf(bills.update(bill.id, { notes: 'Lost' }, { ifMatch: bill.revision }))
    assert.ok(isRefusal(stale, 'stale'))
    const { bill: longer } = await bills.items.add(bill.id, { unit_price: 100, quantity: 1 })
    assert.deepEqual([changed.bill.notes, longer.total_amount], ['Kept', 600])
    assert.equal((await bills.items.list(bill.id)).total, 2)

    await bills.save(bill.id)
    assert.equal((await bills.pay(bill.id, { amount: 200 })).bill.amount_due, 400)
    assert.equal((await bills.pay(bill.id)).bill.status_id, 'paid')
    const happened = []
    for await (const { type } of bills.history(bill.id)) happened.push(type)
    assert.ok(happened.includes('bill.paid') && happened.includes('bill.created'))

    const draft = await bills.create({})
    assert.equal(await bills.delete(draft.bill.id), undefined)
    assert.ok(isRefusal(await refusalOf(bills.retrieve(draft.bill.id)), 'not_found'))
  })

  test('a list is awaited as a page, and goes through every record of every page once', async () => {
    const lading = await newLading()
    const rows = Array.from({ length: 7 }, (_, n) => ({ external_id: `L-${n}`, sub_total_amount: n }))
    await lading.bills.bulk({ bills: rows })
    const page = await lading.bills.list({ limit: 3 })
    assert.deepEqual([page.bills.length, page.total], [3, 7])
    const found: (string | null)[] = []
    for await (const { external_id } of lading.bills.list({ limit: 3 })) found.push(external_id)
    assert.deepEqual(
      found.toSorted(),
      rows.map(({ external_id }) => external_id),
    )
    const sizes = []
    for await (const { bills } of lading.bills.list({ limit: 3, sort: 'created_at' }).pages()) sizes.push(bills.length)
    assert.deepEqual(sizes, [3, 3, 1])

    for (const name of ['Oak', 'Elm', 'Ash']) await lading.customers.create({ name })
    const names: unknown[] = []
    for await (const { name } of lading.objects.search({ objectKey: 'customer', limit: 2 })) names.push(name)
    assert.deepEqual(names.toSorted(), ['Ash', 'Elm', 'Oak'])
  })

  test('files go and come: a CSV in and out, a PDF, a report, a document with its bill', async () => {
    const lading = await newLading()
    const csv = 'external_id,currency,total_amount_decimal\nF-1,usd,12.50\n'
    assert.equal((await lading.bills.import(csv, { dryRun: true })).dry_run, true)
    assert.equal((await lading.bills.list()).total, 0)
    await lading.bills.create({ external_id: 'F-1', currency_id: 'usd', sub_total_amount: 1250 })
    const { bill } = await lading.bills.retrieve('ext:F-1')
    const exported = await lading.bills.export({ ids: [bill.id], format: 'csv' })
    assert.match(await exported.text(), /^id,external_id,.*\r\n.*,F-1,/)
    assert.match(await (await lading.bills.pdf(bill.id)).text(), /^%PDF/)
    const report = await lading.reports.payablesAging({}, { accept: 'text/csv' })
    assert.match(String(report.headers.get('content-type')), /^text\/csv/)
    assert.ok(Array.isArray((await lading.reports.payablesAging()).rows))

    const file = new Blob(['%PDF-1.4 signed'], { type: 'application/pdf' })
    const attached_to = [{ type: 'bill', id: bill.id }]
    const { document } = await lading.documents.create({
      file,
      file_name: 'pod.pdf',
      document_type: 'pod',
      attached_to,
    })
    assert.deepEqual(
      [document.file_name, document.document_type, document.attached_to],
      ['pod.pdf', 'pod', attached_to],
    )
    assert.equal(await (await lading.documents.content(document.id)).text(), '%PDF-1.4 signed')
  })

  test('what was is read by asOf, and the feed is followed until the signal', async () => {
    const lading = await newLading()
    const { bill } = await lading.bills.create({ currency_id: 'usd', sub_total_amount: 5 })
    // Reading the feed publishes what was written: there is no background here.
    const { next_after: after } = await lading.events.list()
    await lading.bills.update(bill.id, { notes: 'Later' })
    const found = []
    for await (const { type } of lading.events.list({ after })) found.push(type)
    assert.deepEqual(found, ['bill.updated'])
    const asOf = bill.updated_at
    assert.equal((await lading.bills.retrieve(bill.id, { asOf })).bill.notes, null)

    const stop = new AbortController()
    const seen = []
    for await (const { event } of lading.events.follow({ after, signal: stop.signal })) {
      seen.push(event.type)
      stop.abort()
    }
    assert.deepEqual(seen, ['bill.updated'])
    await assert.rejects(lading.bills.retrieve(bill.id, { signal: stop.signal }), { name: 'AbortError' })
  })

  test('the types of an answer are those of the service', async () => {
    const lading = await newLading()
    const made: Bill = (await lading.bills.create({ currency_id: 'usd' })).bill
    assert.equal(made.status_id, 'draft')
    assert.equal((await lading.versions.v1()).version, '1.0.0')
    assert.ok((await lading.scopes.list()).scopes.length > 5)
  })
})
