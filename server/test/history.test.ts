import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createApplication } from '../src/identity/applications/actions.ts'
import { createUser } from '../src/identity/users/actions.ts'
import { scopeNames } from '../src/platform/access/scopes.ts'
import { signToken } from '../src/platform/access/tokens/access-token.ts'
import { newId } from '../src/platform/core/values/ids.ts'
import { type Caller, callerIn, newCaller, sharedService } from './service.ts'

type Body = Record<string, unknown>
type Event = {
  type: string
  actor_name: string | null
  occurred_at: string
  data: Body
  previous: Body | null
  subject: { type: string; id: string }
}

const service = await sharedService()
const v2 = '/api/v2/platformModel'

/** An organization with an admin, and an application through which they act. */
async function newPlace() {
  const caller = await newCaller(service)
  const { id: sub } = await createUser(caller.ctx, {
    email: `${newId()}@people.example`,
    name: 'Dana Whitfield',
    role: 'admin',
  })
  const { client_id } = await createApplication(caller.ctx, {
    name: 'Sync',
    type: 'confidential',
    redirect_uris: [],
    scopes: scopeNames,
    grant_types: ['client_credentials'],
  })
  const issuance = { issuer: service.settings.authUrl, audience: service.settings.audience }
  const as = (subject: string): Caller['call'] => {
    const token = signToken(service.keyring, issuance, {
      sub: subject,
      client_id,
      org_id: caller.org,
      scopes: scopeNames,
      ...(subject === sub && { role: 'admin' }),
    })
    return (method, url, body, headers) =>
      caller.call(method, url, body, { authorization: `Bearer ${token}`, ...headers })
  }
  return { caller, dana: as(sub), sync: as(client_id) }
}

type Made = { at: string; field: string; from: unknown; to: unknown; change: Body; deletable: boolean }
type Make = (call: Caller['call']) => Promise<Made>

/** Makes one under the path, and says how a field of it is changed. */
const by =
  (path: string, body: Body, change: Body, { deletable = true, key = '' } = {}): Make =>
  async (call) => {
    const answer = await call('POST', path, body)
    assert.equal(answer.statusCode, 201, answer.body)
    const made = answer.json()
    const record = made.id ? made : (made[Object.keys(made)[0] as string] as Body)
    const [field = '', to] = Object.entries(change)[0] ?? []
    return { at: `${path}/${key || record.id}`, field, from: record[field] ?? body[field], to, change, deletable }
  }

const resources: Record<string, Make> = {
  bill: by('/api/v1/bills', { currency_id: 'usd', notes: 'a' }, { notes: 'b' }),
  invoice: by('/api/v1/invoices', { currency_id: 'usd', notes: 'a' }, { notes: 'b' }),
  async consolidated_bill(call) {
    const { bill } = (await call('POST', '/api/v1/bills', { currency_id: 'usd', items: [{ unit_price: 1 }] })).json()
    await call('POST', `/api/v1/bills/${bill.id}/save`)
    return by('/api/v1/consolidated_bills', { bill_ids: [bill.id] }, { notes: 'b' })(call)
  },
  pay_term: by('/api/v1/pay_terms', { name: 'Net 30', number_of_days: 30 }, { number_of_days: 45 }),
  bill_item_type: by('/api/v1/bill_item_types', { name: 'Fuel' }, { name: 'Fuel surcharge' }),
  user: (call) =>
    by(
      '/api/v1/users',
      { name: 'Sam', email: `${newId()}@people.example` },
      { name: 'Samir' },
      { deletable: false },
    )(call),
  oauth_application: by('/api/v1/oauth_applications', { name: 'Portal', scopes: ['bills'] }, { name: 'Door' }),
  customer: by('/api/v1/customers', { name: 'Acme' }, { name: 'Acme Foods' }),
  board: by(`${v2}/boards`, { name: 'All', objectKey: 'customer' }, { name: 'Every one' }),
  definition: by(
    `${v2}/definitions`,
    { objectKey: 'inspection', name: 'Inspection', prefix: 'INSP' },
    { name: 'Check' },
    { key: 'inspection' },
  ),
}

async function historyOf(call: Caller['call'], at: string): Promise<Event[]> {
  const answer = await call('GET', `${at}/history?limit=200`)
  assert.equal(answer.statusCode, 200, answer.body)
  const { total, events } = answer.json()
  assert.equal(total, events.length)
  return events
}

describe('the history of every resource that changes', { concurrency: true }, () => {
  for (const [noun, make] of Object.entries(resources)) {
    test(`${noun}: who by name, when, before and after; also of one that was deleted; another organization finds nothing`, async () => {
      const { caller, dana, sync } = await newPlace()
      const { at, field, from, to, change, deletable } = await make(dana)
      const changed = await sync('PUT', at, change)
      assert.equal(changed.statusCode, 200, changed.body)
      const [updated, ...before] = await historyOf(dana, at)
      assert.deepEqual([updated?.type, updated?.actor_name, updated?.subject.type], [`${noun}.updated`, 'Sync', noun])
      assert.deepEqual([updated?.previous?.[field], updated?.data[field]], [from ?? null, to])
      assert.ok(Math.abs(Date.parse(String(updated?.occurred_at)) - Date.now()) < 600_000)
      assert.deepEqual([before.at(-1)?.type, before.at(-1)?.actor_name], [`${noun}.created`, 'Dana Whitfield'])
      const stranger = await newPlace()
      assert.equal((await stranger.dana('GET', `${at}/history`)).statusCode, 404)
      assert.equal((await callerIn(service, caller.org, ['emanifests']).get(`${at}/history`)).statusCode, 403)
      if (!deletable) return
      assert.equal((await dana('DELETE', at)).statusCode, 204)
      const [deleted, ...rest] = await historyOf(dana, at)
      assert.deepEqual(
        [deleted?.type, deleted?.actor_name, rest.length],
        [`${noun}.deleted`, 'Dana Whitfield', before.length + 1],
      )
    })
  }

  test('of what there never was it is a 404, and of what has no changes yet an empty list', async () => {
    const { dana } = await newPlace()
    for (const path of [
      'bills',
      'consolidated_bills',
      'pay_terms',
      'bill_item_types',
      'users',
      'oauth_applications',
      'orders',
    ])
      assert.equal((await dana('GET', `/api/v1/${path}/${newId()}/history`)).statusCode, 404, path)
    for (const path of [
      `${v2}/boards/${newId()}`,
      `${v2}/objects/${newId()}`,
      `${v2}/definitions/nothing`,
      '/api/v1/bills/ext:nothing',
      '/api/v1/orders/ext:nothing',
    ])
      assert.equal((await dana('GET', `${path}/history`)).statusCode, 404, path)
    assert.deepEqual(await historyOf(dana, `${v2}/definitions/customer`), [])
  })

  test('of an object in v2 it has the names too, and the cursor of v2; by an external id it is that of the record that has it', async () => {
    const { dana } = await newPlace()
    const { id } = (
      await dana('PATCH', `${v2}/objects`, { objectKey: 'customer', json: { name: 'Acme', externalId: 'C-1' } })
    ).json()
    const answer = (await dana('GET', `${v2}/objects/${id}/history`)).json()
    assert.deepEqual([answer.events[0].actor_name, answer.nextAfter], ['Dana Whitfield', null])
    assert.deepEqual(await historyOf(dana, '/api/v1/customers/ext:C-1'), answer.events)
  })

  test('of users and applications it is for admins', async () => {
    const { caller, dana } = await newPlace()
    const { at } = await (resources.user as Make)(dana)
    const member = callerIn(service, caller.org)
    assert.equal((await member.get(`${at}/history`)).json().error_code, 'admin_required')
    assert.equal(
      (await member.get(`/api/v1/oauth_applications/${newId()}/history`)).json().error_code,
      'admin_required',
    )
  })
})

describe('a document as of a moment', { concurrency: true }, () => {
  const kinds = [
    { all: '/api/v1/bills', noun: 'bill' },
    { all: '/api/v1/invoices', noun: 'invoice' },
  ]
  /** As of the moment of its last change. */
  const lastChange = async (caller: Caller, at: string): Promise<string> =>
    (await caller.get(`${at}/history?limit=1`)).json().events[0].occurred_at
  const asOf = (caller: Caller, at: string, moment: string) => caller.get(`${at}?as_of=${encodeURIComponent(moment)}`)

  for (const { all, noun } of kinds) {
    test(`${all} is answered as it was read then, with its lines and its pay term, whatever became of it`, async () => {
      const caller = await newCaller(service)
      const { pay_term } = (
        await caller.call('POST', '/api/v1/pay_terms', { name: 'Net 30', number_of_days: 30 })
      ).json()
      const made = await caller.call('POST', all, {
        currency_id: 'usd',
        pay_term_id: pay_term.id,
        external_id: 'E',
        items: [{ unit_price: 100 }],
      })
      const at = `${all}/${made.json()[noun].id}`
      const read: { moment: string; body: string }[] = []
      const note = async () => read.push({ moment: await lastChange(caller, at), body: (await caller.get(at)).body })
      await note()
      for (const change of [
        () => caller.call('PUT', at, { notes: 'x', is_tax_on: true, tax_amount: 7 }),
        () => caller.call('POST', `${at}/items`, { unit_price: 5, quantity: 2 }),
        () => caller.call('POST', `${at}/save`),
        () => caller.call('POST', `${at}/send`),
        () => caller.call('POST', `${at}/pay`),
        () => caller.call('POST', `${at}/reopen`, { reason: 'Sent back' }),
      ]) {
        assert.ok((await change()).statusCode < 300)
        await note()
      }
      await caller.call('PUT', `/api/v1/pay_terms/${pay_term.id}`, { name: 'Net 7', number_of_days: 7 })
      for (const [index, { moment, body }] of read.entries()) {
        // Two changes in one millisecond have no moment between them.
        if (read[index + 1]?.moment === moment) continue
        for (const path of [at, `${all}/ext:E`])
          assert.deepEqual((await asOf(caller, path, moment)).json(), JSON.parse(body), `change ${index}`)
      }
      const now = JSON.parse((await caller.get(at)).body)
      assert.equal(now.pay_term.name, 'Net 7')
      assert.deepEqual((await asOf(caller, at, '2999-01-01')).json(), now)
    })

    test(`${all} is not found before it was created, nor after it was deleted, nor by another organization`, async () => {
      const [caller, other] = [await newCaller(service), await newCaller(service)]
      const at = `${all}/${(await caller.call('POST', all, {})).json()[noun].id}`
      const created = await lastChange(caller, at)
      assert.equal((await asOf(caller, at, '2001-01-01')).statusCode, 404)
      assert.equal((await asOf(other, at, created)).statusCode, 404)
      const answer = await asOf(caller, at, created)
      assert.deepEqual([answer.statusCode, answer.headers.etag], [200, undefined])
      await caller.call('DELETE', at)
      const deleted = await lastChange(caller, at)
      if (deleted !== created) assert.equal((await asOf(caller, at, created)).statusCode, 200)
      assert.equal((await asOf(caller, at, deleted)).statusCode, 404)
      assert.equal((await asOf(caller, at, 'yesterday')).statusCode, 400)
    })
  }
})
