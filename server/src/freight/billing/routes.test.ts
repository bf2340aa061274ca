import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Caller, callerIn, newCaller, newItemTypes, sharedService } from '../../../test/service.ts'
import { scopeNames } from '../../platform/access/scopes.ts'
import { newId } from '../../platform/core/values/ids.ts'

const service = await sharedService()
const manifests = '/api/v1/manifests'
const v2 = '/api/v2/platformModel/objects'

type Json = Record<string, unknown>
type Item = { id: string; type: string; unit_price: number; quantity: number | null; description: string | null }

async function made({ call }: Caller, path: string, body: Json) {
  const answer = await call('POST', `/api/v1/${path}`, body)
  assert.equal(answer.statusCode, 201, answer.body)
  return Object.values(answer.json())[0] as Json & { id: string; payment_items: Item[] }
}

/** A manifest of a carrier with two payment items, whose types there are. */
async function loaded(caller: Caller, more: Json = {}) {
  const [haul, fuel] = [
    await made(caller, 'bill_item_types', { name: 'Line haul' }),
    await made(caller, 'bill_item_types', { name: 'Fuel surcharge' }),
  ]
  const partner = await made(caller, 'partner_carriers', {
    name: 'Cascade Carriers',
    email: 'ar@cascade.example',
    currency_id: 'cad',
    pay_term: 'Net 15',
    city: 'Seattle',
    address: '88 Alaskan Way',
  })
  const term = await made(caller, 'pay_terms', { name: 'net 15', number_of_days: 15 })
  const payment_items = [
    { type: 'line HAUL', unit_price: 92500, quantity: 2, description: 'Oakland to Seattle' },
    { type: fuel.id, unit_price: 12345 },
  ]
  const manifest = await made(caller, 'manifests', {
    partner_carrier_id: partner.id,
    reference_number: 'TRIP-1',
    payment_items,
    ...more,
  })
  return { manifest, haul, fuel, partner, term, at: `${manifests}/${manifest.id}` }
}

describe('POST /manifests/:manifestID/bill', { concurrency: true }, () => {
  test('makes the carrier’s bill: a draft with a line for each payment item, found by its manifest, whose state the manifest shows', async () => {
    const caller = await newCaller(service)
    const { manifest, haul, fuel, partner, term, at } = await loaded(caller)
    assert.deepEqual([manifest.bill_id, manifest.bill_status_id, manifest.bill_number], [null, null, null])
    const answer = await caller.call('POST', `${at}/bill`)
    assert.equal(answer.statusCode, 201, answer.body)
    const { bill, bill_items } = answer.json()
    assert.equal(answer.headers.location, `/api/v1/bills/${bill.id}`)
    assert.deepEqual((await caller.get(`/api/v1/bills/${bill.id}`)).json(), answer.json())
    assert.deepEqual(
      [
        bill.status_id,
        bill.partner_carrier_id,
        bill.master_trip_id,
        bill.currency_id,
        bill.pay_term_id,
        bill.reference_number,
        bill.send_to_email,
      ],
      ['draft', partner.id, manifest.id, 'cad', term.id, 'TRIP-1', 'ar@cascade.example'],
    )
    assert.deepEqual([bill.sub_total_amount, bill.total_amount], [197345, 197345])
    assert.deepEqual(
      [bill.remit_to.company_name, bill.remit_to.address_1, bill.remit_to.city],
      ['Cascade Carriers', '88 Alaskan Way', 'Seattle'],
    )
    assert.deepEqual(
      bill_items.map((line: Json) => [
        line.bill_item_type_id,
        line.manifest_id,
        line.manifest_payment_item_id,
        line.unit_price,
        line.quantity,
        line.total_amount,
        line.description,
      ]),
      [
        [haul.id, manifest.id, manifest.payment_items[0]?.id, 92500, 2, 185000, 'Oakland to Seattle'],
        [fuel.id, manifest.id, manifest.payment_items[1]?.id, 12345, 1, 12345, null],
      ],
    )
    for (const id of [manifest.id, manifest.payment_items[1]?.id]) {
      assert.deepEqual(
        (await caller.get(`/api/v1/bills?in_manifest_ids=${id}`)).json().bills.map(({ id }: Json) => id),
        [bill.id],
      )
    }
    assert.deepEqual(
      (await caller.events()).slice(-2).map(({ type, subject_id }) => [type, subject_id]),
      [
        ['bill.created', bill.id],
        ['manifest.billed', manifest.id],
      ],
    )
    await caller.call('POST', `/api/v1/bills/${bill.id}/save`)
    const shown = (await caller.get(manifests)).json().manifests[0]
    assert.deepEqual(shown, { ...manifest, bill_id: bill.id, bill_status_id: 'saved', bill_number: 'BILL-000001' })
    assert.deepEqual((await caller.get(at)).json().manifest, shown)
    const same = await caller.call('PUT', at, shown)
    assert.deepEqual(same.json().manifest, shown)
  })

  test('v2 shows the bill as v1 does, in every answer and however the manifest is reached, and ignores what a client sends of it', async () => {
    const caller = await newCaller(service)
    const { manifest } = await loaded(caller)
    const at = `${v2}/${manifest.id}`
    const leg = (
      await caller.call('PATCH', v2, { objectKey: 'leg', json: { manifestId: manifest.id, billId: 'mine' } })
    ).json()
    assert.equal(leg.billId, 'mine')
    const stateOf = ({ billId, billStatusId, billNumber }: Json) => ({ billId, billStatusId, billNumber })
    assert.deepEqual(stateOf((await caller.get(at)).json()), { billId: null, billStatusId: null, billNumber: null })
    const billId = (await caller.call('POST', `${manifests}/${manifest.id}/bill`)).json().bill.id
    const draft = (await caller.get(at)).json()
    assert.deepEqual(stateOf(draft), { billId, billStatusId: 'draft', billNumber: null })
    const billed = (await caller.events()).find(({ type }) => type === 'manifest.billed')
    assert.deepEqual(billed?.data, draft)

    await caller.call('POST', `/api/v1/bills/${billId}/save`)
    const saved = { billId, billStatusId: 'saved', billNumber: 'BILL-000001' }
    const again = await caller.get(at, { 'if-none-match': '"1"' })
    assert.deepEqual([again.statusCode, again.headers.etag, stateOf(again.json())], [200, '"1"', saved])
    const [found] = (await caller.get(`${v2}?objectKey=manifest`)).json().objects
    assert.deepEqual(found, again.json())
    assert.deepEqual(
      (await caller.get(`${v2}/${leg.id}?paths=manifestId.billStatusId,manifestId.billNumber`)).json().manifest,
      {
        id: manifest.id,
        objectKey: 'manifest',
        billStatusId: 'saved',
        billNumber: 'BILL-000001',
      },
    )
    assert.deepEqual(JSON.parse((await caller.get(`${v2}/export?objectKey=manifest&format=ndjson`)).body), found)
    const csv = (await caller.get(`${v2}/export?objectKey=manifest`)).body
    assert.match(csv, new RegExp(`,billId,billStatusId,billNumber,source,.*\r\n.*,${billId},saved,BILL-000001,api,`))
    const back = await caller.call('POST', `${v2}/import?objectKey=manifest`, csv, { 'content-type': 'text/csv' })
    assert.deepEqual([back.json().counts.unchanged, back.json().ignoredColumns.includes('billStatusId')], [1, true])

    const sent = await caller.call('PUT', at, { ...found, billStatusId: 'paid', billId: null, driverName: 'Sam' })
    const { errors, ...changed } = sent.json()
    assert.deepEqual([sent.statusCode, changed.version, stateOf(changed)], [200, 2, saved])
    assert.deepEqual(
      errors
        .filter(({ field }: { field: string }) => field.startsWith('json.bill'))
        .map(({ field, code }: Json) => [field, code]),
      [
        ['json.billId', 'read_only'],
        ['json.billStatusId', 'read_only'],
        ['json.billNumber', 'read_only'],
      ],
    )
    assert.deepEqual(Object.hasOwn((await caller.events()).at(-1)?.previous ?? {}, 'billStatusId'), false)
  })

  test('happens once: asked again it answers the same bill, and of 20 requests at once one creates it', async () => {
    const caller = await newCaller(service)
    const { manifest, at } = await loaded(caller)
    const answers = await Promise.all(Array.from({ length: 20 }, () => caller.call('POST', `${at}/bill`, {})))
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [...Array(19).fill(200), 201])
    assert.equal(new Set(answers.map((answer) => answer.json().bill.id)).size, 1)
    assert.equal((await caller.get('/api/v1/bills')).json().total, 1)
    assert.equal((await caller.get(`/api/v1/bills?in_manifest_ids=${manifest.id}`)).json().total, 1)
    assert.equal((await caller.events()).filter(({ type }) => type === 'manifest.billed').length, 1)
  })

  test('a change of the payment items at the same moment comes before the bill, or is refused', async () => {
    const caller = await newCaller(service)
    const { manifest, at } = await loaded(caller)
    const [item] = manifest.payment_items
    const changes = Array.from({ length: 8 }, (_, index) =>
      caller.call('PUT', at, { payment_items: [{ ...item, unit_price: index }] }),
    )
    const bills = Array.from({ length: 4 }, () => caller.call('POST', `${at}/bill`))
    const answers = await Promise.all([...changes, ...bills])
    for (const { statusCode, body } of answers) assert.ok([200, 201, 409].includes(statusCode), body)
    const { payment_items, bill_id } = (await caller.get(at)).json().manifest
    const { bill_items } = (await caller.get(`/api/v1/bills/${bill_id}`)).json()
    assert.deepEqual(
      bill_items.map((line: Json) => [line.manifest_payment_item_id, line.unit_price]),
      payment_items.map(({ id, unit_price }: Item) => [id, unit_price]),
    )
  })

  test('while there is a bill, what it was made from is fixed in v1 and v2 and the manifest stays; with the draft gone it is billed anew', async () => {
    const caller = await newCaller(service)
    const { manifest, at } = await loaded(caller)
    const { bill } = (await caller.call('POST', `${at}/bill`)).json()
    const refusals = [
      await caller.call('PUT', at, { payment_items: [] }),
      await caller.call('PUT', at, { partner_carrier_id: null }),
      await caller.call('PUT', at, { currency_id: 'usd' }),
      await caller.call('DELETE', at),
      await caller.call('PUT', `${v2}/${manifest.id}`, { json: { paymentItems: null } }),
      await caller.call('DELETE', `${v2}/${manifest.id}`),
    ]
    for (const refused of refusals)
      assert.deepEqual(
        [refused.statusCode, refused.json().error_code ?? refused.json().code],
        [409, 'billed'],
        refused.body,
      )
    assert.match(refusals[0]?.json().error_message, new RegExp(bill.id))
    assert.equal((await caller.call('PUT', at, { notes: 'Late', driver_name: 'Sam' })).json().manifest.notes, 'Late')
    assert.equal((await caller.call('DELETE', `/api/v1/bills/${bill.id}`)).statusCode, 204)
    const [item] = manifest.payment_items
    const cheaper = await caller.call('PUT', at, { payment_items: [{ ...item, unit_price: 1 }] })
    assert.deepEqual([cheaper.statusCode, cheaper.json().manifest.bill_id], [200, null])
    const again = await caller.call('POST', `${at}/bill`)
    assert.equal(again.statusCode, 201, again.body)
    assert.notEqual(again.json().bill.id, bill.id)
    assert.deepEqual([again.json().bill.total_amount, again.json().bill_item.manifest_payment_item_id], [2, item?.id])
  })

  test('says why it cannot be: nothing to bill, nobody to pay, no currency, an unknown type, too much; and leaves nothing behind', async () => {
    const caller = await newCaller(service)
    const { partner } = await loaded(caller)
    const poor = await made(caller, 'partner_carriers', { name: 'No currency' })
    const items = [{ type: 'Line haul', unit_price: 100 }]
    const gone = await made(caller, 'bill_item_types', { name: 'Teleport' })
    for (const [body, status, code] of [
      [{ partner_carrier_id: partner.id }, 409, 'nothing_to_bill'],
      [{ partner_carrier_id: partner.id, payment_items: [] }, 409, 'nothing_to_bill'],
      [{ payment_items: items, currency_id: 'usd' }, 409, 'no_carrier'],
      [{ partner_carrier_id: poor.id, payment_items: items }, 409, 'no_currency'],
      [
        { partner_carrier_id: partner.id, payment_items: [...items, { type: 'Teleport', unit_price: 1 }] },
        409,
        'unknown_bill_item_type',
      ],
      [
        {
          partner_carrier_id: partner.id,
          payment_items: [{ type: 'Line haul', unit_price: Number.MAX_SAFE_INTEGER, quantity: 2 }],
        },
        400,
        'amount_too_large',
      ],
    ] as const) {
      const { id } = await made(caller, 'manifests', body as unknown as Json)
      if (code === 'unknown_bill_item_type')
        assert.equal((await caller.call('DELETE', `/api/v1/bill_item_types/${gone.id}`)).statusCode, 204)
      const refused = await caller.call('POST', `${manifests}/${id}/bill`)
      assert.deepEqual([refused.statusCode, refused.json().error_code], [status, code], refused.body)
      assert.equal((await caller.get(`${manifests}/${id}`)).json().manifest.bill_id, null)
    }
    assert.equal((await caller.get('/api/v1/bills')).json().total, 0)
  })

  test('needs the scope of bills too, the manifest of the organization, and the revision that If-Match names', async () => {
    const caller = await newCaller(service)
    const { at } = await loaded(caller)
    const without = callerIn(
      service,
      caller.org,
      scopeNames.filter((scope) => scope !== 'bills'),
    )
    const refused = await without.call('POST', `${at}/bill`)
    assert.equal(refused.statusCode, 403)
    assert.match(String(refused.headers['www-authenticate']), /scope="bills"/)
    assert.equal((await (await newCaller(service)).call('POST', `${at}/bill`)).statusCode, 404)
    assert.equal((await caller.call('POST', `${manifests}/${newId()}/bill`)).statusCode, 404)
    assert.equal((await caller.call('POST', `${at}/bill`, {}, { 'if-match': '"7"' })).statusCode, 412)
    assert.equal((await caller.get('/api/v1/bills')).json().total, 0)
  })
})

describe('the types of payment items and charges', { concurrency: true }, () => {
  test('are there when they are written, by any way; a refusal says which is near, and what an object had before stays', async () => {
    const caller = await newCaller(service)
    const { id: haul } = await made(caller, 'bill_item_types', { name: 'Line haul' })
    const { id: gone } = await made(caller, 'bill_item_types', { name: 'Teleport' })
    const customer = await made(caller, 'customers', { name: 'Acme' })
    const wrong = [{ type: 'Linehaul', unit_price: 100 }]
    const refusals: [string, Awaited<ReturnType<Caller['call']>>][] = [
      ['payment_items.0.type', await caller.call('POST', manifests, { payment_items: wrong })],
      ['charges.0.type', await caller.call('POST', '/api/v1/orders', { customer_id: customer.id, charges: wrong })],
      [
        'json.paymentItems.0.type',
        await caller.call('PATCH', v2, {
          objectKey: 'manifest',
          json: { paymentItems: [{ type: 'Linehaul', unitPrice: 100 }] },
        }),
      ],
    ]
    for (const [field, refused] of refusals) {
      const { error_code, code, details } = refused.json()
      assert.deepEqual(
        [refused.statusCode, error_code ?? code, details[0].field],
        [400, 'unknown_bill_item_type', field],
        refused.body,
      )
      assert.match(details[0].message, /there is no bill item type "Linehaul"\. Did you mean "Line haul"\?/)
      assert.deepEqual(details[0].allowed, ['Line haul', 'Teleport'])
    }
    const bulk = await caller.call('POST', `${v2}/bulk`, {
      mode: 'best_effort',
      objects: [
        { objectKey: 'manifest', json: { paymentItems: [{ type: 'Linehaul', unitPrice: 1 }] } },
        { objectKey: 'manifest', json: { paymentItems: [{ type: haul.toUpperCase(), unitPrice: 1 }] } },
      ],
    })
    assert.equal(bulk.statusCode, 200, bulk.body)
    assert.deepEqual([bulk.json().counts.failed, bulk.json().counts.created], [1, 1], bulk.body)
    const kept = await made(caller, 'manifests', { payment_items: [{ type: 'teleport', unit_price: 1 }] })
    assert.equal((await caller.call('DELETE', `/api/v1/bill_item_types/${gone}`)).statusCode, 204)
    const more = [...kept.payment_items, { type: 'line HAUL', unit_price: 2 }]
    const changed = await caller.call('PUT', `${manifests}/${kept.id}`, { payment_items: more })
    assert.equal(changed.statusCode, 200, changed.body)
    assert.equal(
      (await caller.call('POST', manifests, { payment_items: [{ type: 'teleport', unit_price: 1 }] })).statusCode,
      400,
    )
    assert.equal((await caller.call('DELETE', `${manifests}/${kept.id}`)).statusCode, 204)
    assert.equal((await caller.call('POST', `${v2}/${kept.id}/restore`)).statusCode, 200)
  })
})

describe('payment items', { concurrency: true }, () => {
  test('have ids that the server gives and that stay with them, however they are sent', async () => {
    const caller = await newCaller(service)
    await newItemTypes(caller, 'Line haul', 'Fuel')
    const sent = { type: 'Line haul', unit_price: 100 }
    const manifest = await made(caller, 'manifests', {
      payment_items: [
        { ...sent, id: newId() },
        { type: 'Fuel', unit_price: 5, quantity: 3 },
      ],
    })
    const at = `${manifests}/${manifest.id}`
    const [a, b] = manifest.payment_items as [Item, Item]
    const put = async (payment_items: unknown) => {
      const answer = await caller.call('PUT', at, { payment_items })
      assert.equal(answer.statusCode, 200, answer.body)
      return answer.json().manifest as { revision: number; payment_items: Item[] }
    }
    assert.deepEqual(
      (
        await put([
          { ...sent, quantity: null },
          { type: 'Fuel', unit_price: 5, quantity: 3 },
        ])
      ).revision,
      1,
    )
    assert.deepEqual((await put([b, { ...a, unit_price: 90 }])).payment_items, [b, { ...a, unit_price: 90 }])
    assert.deepEqual(
      (
        await put([
          { type: 'Fuel', unit_price: 6 },
          { ...sent, unit_price: 90 },
        ])
      ).payment_items.map(({ id }) => id),
      [b.id, a.id],
    )
    const own = newId()
    assert.deepEqual(
      (await put([{ ...sent, id: own.toUpperCase() }, a])).payment_items.map(({ id }) => id),
      [own, a.id],
    )
    const v2made = (
      await caller.call('PATCH', v2, {
        objectKey: 'manifest',
        json: { paymentItems: [{ type: 'Fuel', unitPrice: 1 }] },
      })
    ).json()
    assert.match(v2made.paymentItems[0].id, /^[0-9a-f-]{36}$/)
    for (const [items, field] of [
      [[{ type: 'x' }], 'payment_items.0.unit_price'],
      [[{ unit_price: 1 }], 'payment_items.0.type'],
      [[{ type: 'x', unit_price: 1.5 }], 'payment_items.0.unit_price'],
      [[a, a], 'payment_items.1.id'],
      [[{ ...a, id: 'x' }], 'payment_items.0.id'],
      [['x'], 'payment_items.0'],
      [{}, 'payment_items'],
    ] as const) {
      const refused = await caller.call('PUT', at, { payment_items: items })
      assert.deepEqual([refused.statusCode, refused.json().details[0].field], [400, field], refused.body)
    }
  })

  test('bulk writes do not change what a bill was made from either', async () => {
    const caller = await newCaller(service)
    const { manifest, at } = await loaded(caller)
    await caller.call('POST', `${at}/bill`)
    const bulk = async (row: Json) => (await caller.call('POST', `${v2}/bulk`, { objects: [row] })).json().results[0]
    const refused = [
      await bulk({ id: manifest.id, json: { currency: 'usd' } }),
      await bulk({ op: 'delete', id: manifest.id }),
    ]
    assert.deepEqual(
      refused.map(({ status, error }) => [status, error?.code]),
      [
        ['failed', 'billed'],
        ['failed', 'billed'],
      ],
    )
    assert.equal((await bulk({ id: manifest.id, json: { referenceNumber: 'TRIP-2' } })).status, 'updated')
  })
})
