import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Caller, callerIn, newCaller, newItemTypes, sharedService } from '../../../test/service.ts'
import { scopeNames } from '../../platform/access/scopes.ts'
import { signToken } from '../../platform/access/tokens/access-token.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { builtInKind } from '../kinds/built-in.ts'
import { type Resource, resources } from './resources.ts'

const service = await sharedService()
const v2 = '/api/v2/platformModel/objects'

type Json = Record<string, unknown>
type Kept = Json & { id: string; revision: number }

const pathOf = ({ many }: Resource) => `/api/v1/${many}`
const faceNamed = (many: string) => resources.find((resource) => resource.many === many) as Resource

/** Bodies that are right, one for each resource; an order needs a customer. */
const bodies: Record<string, (caller: Caller) => Promise<Json>> = {
  customers: async () => ({
    name: 'Acme Foods',
    address_2: 'Suite 4',
    tax_id: '94-1',
    billing_address: { address_1: '1 Pier', city: 'Oakland', gate: 'B' },
    currency_id: 'USD',
  }),
  orders: async (caller) => ({
    customer_id: (await make(caller, 'customers')).id,
    pickup_at: '2026-11-16T08:00:00+02:00',
    pickup: { company_name: 'Acme', latitude: 1, longitude: 2 },
  }),
  legs: async () => ({ sequence: 1, leg_type: 'line_haul', depart_at: '2026-11-16T09:30:00Z' }),
  manifests: async (caller) => {
    await newItemTypes(caller, 'Line haul')
    return {
      partner_carrier_id: (await make(caller, 'partner_carriers')).id,
      payment_items: [{ type: 'Line haul', unit_price: 185000 }],
    }
  },
  equipment: async () => ({ unit_number: 'T-104', equipment_type: 'reefer' }),
  services: async () => ({ name: 'Truckload', transit_days: 2 }),
  partner_carriers: async () => ({ name: 'Cascade Carriers', mc_number: 'MC-1', equipment_types: ['reefer'] }),
}

async function make(caller: Caller, many: string, more: Json = {}): Promise<Kept> {
  const resource = faceNamed(many)
  const answer = await caller.call('POST', pathOf(resource), { ...(await bodies[many]?.(caller)), ...more })
  assert.equal(answer.statusCode, 201, answer.body)
  const made = answer.json()[resource.one]
  assert.equal(answer.headers.location, `${pathOf(resource)}/${made.id}`)
  return made
}

for (const resource of resources) {
  const { kind, many, one } = resource
  const path = pathOf(resource)

  describe(`/api/v1/${many}`, { concurrency: true }, () => {
    test('what is made here is the same object in v2, and the other way round, with every defined field in snake_case', async () => {
      const caller = await newCaller(service)
      const made = await make(caller, many, { external_id: 'ERP 1/7' })
      const read = await caller.get(`${path}/${made.id}`)
      assert.equal(read.headers.etag, '"1"')
      assert.deepEqual(read.json(), { [one]: made })
      for (const way of ['ext:', 'external_id:']) {
        assert.deepEqual((await caller.get(`${path}/${way}${encodeURIComponent('ERP 1/7')}`)).json(), { [one]: made })
      }
      const names = Object.keys(made)
      for (const name of [
        'id',
        'external_id',
        'full_id',
        'name',
        'status',
        'org_id',
        'revision',
        'created_at',
        'created_by',
        'updated_at',
        'updated_by',
        'source',
      ]) {
        assert.ok(names.includes(name), name)
      }
      assert.ok(names.length >= (builtInKind(kind.objectKey)?.fields.length ?? 0) + 12)
      for (const name of names) assert.match(name, /^[a-z0-9_]+$/)
      assert.ok(Object.values(made).every((value) => value !== undefined))
      const twin = (await caller.get(`${v2}/${made.id}`)).json()
      assert.deepEqual(
        [twin.objectKey, twin.fullId, twin.name, twin.version],
        [kind.objectKey, made.full_id, made.name, 1],
      )
      const { errors: _, ...again } = (
        await caller.call('PUT', `${v2}/${made.id}`, { json: { externalId: 'other', status: 'inactive' } })
      ).json()
      const seen = (await caller.get(`${path}/${made.id}`)).json()[one]
      assert.deepEqual(
        [seen.external_id, seen.status, seen.revision, seen.updated_at],
        ['other', 'inactive', 2, again.updatedAt],
      )
      assert.deepEqual(
        (await caller.events()).filter(({ subject_id }) => subject_id === made.id).map(({ type }) => type),
        [`${kind.objectKey}.created`, `${kind.objectKey}.updated`],
      )
    })

    test('a whole body read and sent back changes nothing; If-Match guards; null clears; what is the server’s is ignored by name', async () => {
      const caller = await newCaller(service)
      const made = await make(caller, many)
      const whole = (await caller.get(`${path}/${made.id}`)).json()
      for (const body of [whole, whole[one], { ...whole[one], status: null }]) {
        const same = await caller.call('PUT', `${path}/${made.id}`, body, { 'if-match': '"1"' })
        assert.equal(same.statusCode, 200, same.body)
        assert.deepEqual(same.json(), whole)
        assert.match(String(same.headers['x-ignored-fields']), /id, full_id, .*revision/)
      }
      const twin = (await caller.get(`${v2}/${made.id}`)).json()
      assert.equal((await caller.call('PUT', `${v2}/${made.id}`, twin)).json().version, 1, 'nor does one of v2')
      const changed = await caller.call('PUT', `${path}/${made.id}`, {
        external_id: 'E',
        eta_delay_notify_enabled: true,
      })
      assert.deepEqual(changed.json()[one], {
        ...made,
        external_id: 'E',
        eta_delay_notify_enabled: true,
        revision: 2,
        updated_at: changed.json()[one].updated_at,
      })
      assert.equal(changed.headers.etag, '"2"')
      const stale = await caller.call('PUT', `${path}/${made.id}`, { external_id: 'F' }, { 'if-match': '"1"' })
      assert.equal(stale.statusCode, 412)
      assert.equal(
        (await caller.call('DELETE', `${path}/${made.id}`, undefined, { 'if-match': '"1"' })).statusCode,
        412,
      )
      assert.equal((await caller.call('PUT', `${path}/ext:E`, { external_id: null })).json()[one].external_id, null)
      assert.equal((await caller.call('DELETE', `${path}/${made.id}`)).statusCode, 204)
      assert.equal((await caller.get(`${path}/${made.id}`)).statusCode, 404)
      assert.equal((await caller.call('DELETE', `${path}/${made.id}`)).statusCode, 404)
    })

    test('answers 400, 401, 403, 404 and 409 in the shape of v1', async () => {
      const caller = await newCaller(service)
      const made = await make(caller, many, { external_id: 'X' })
      const stranger = await newCaller(service)
      for (const url of [`${path}/${made.id}`, `${path}/ext:X`, `${path}/${newId()}`]) {
        for (const [method, body] of [['GET'], ['PUT', {}], ['DELETE']] as const) {
          const answer = await stranger.call(method, url, body)
          assert.equal(answer.statusCode, 404, answer.body)
          assert.match(answer.json().error_message, new RegExp(`There is no ${resource.label} `))
        }
      }
      const other = await make(caller, many === 'customers' ? 'services' : 'customers')
      for (const [method, body] of [['GET'], ['PUT', {}], ['DELETE']] as const)
        assert.equal((await caller.call(method, `${path}/${other.id}`, body)).statusCode, 404)
      assert.equal((await caller.get(`${path}/nothing`)).statusCode, 400)
      const without = callerIn(
        service,
        caller.org,
        scopeNames.filter((scope) => scope !== kind.scope),
      )
      assert.equal((await without.get(path)).statusCode, 403)
      assert.equal((await caller.get(path, { authorization: '' })).statusCode, 401)
      const twice = await caller.call('POST', path, { ...(await bodies[many]?.(caller)), external_id: 'X' })
      assert.equal(twice.statusCode, 409, twice.body)
      assert.deepEqual([twice.json().error_code, twice.json().details[0].field], ['external_id_taken', 'external_id'])
      assert.doesNotMatch(twice.body, /externalId/)
      for (const [body, field] of [
        [{ external_id: '' }, 'external_id'],
        [{ status: 'frozen' }, 'status'],
        [{ eta_delay_notify_enabled: 'yes' }, 'eta_delay_notify_enabled'],
      ] as const) {
        const refused = await caller.call('PUT', `${path}/${made.id}`, body)
        assert.equal(refused.statusCode, 400, refused.body)
        assert.equal(refused.json().details[0].field, field)
      }
      assert.equal(
        (await caller.call('PUT', `${path}/${made.id}`, { taxId: 'x', colour: 'red' })).json()[one].revision,
        1,
      )
      const strict = await caller.call(
        'PUT',
        `${path}/${made.id}`,
        { taxId: 'x', colour: 'red' },
        { prefer: 'handling=strict' },
      )
      assert.equal(strict.statusCode, 400)
      assert.deepEqual(
        strict.json().details.map(({ field }: Json) => field),
        ['taxId', 'colour'],
      )
    })

    test('search answers the envelope, pages, filters and sorts', async () => {
      const caller = await newCaller(service)
      const [a, b, c] = [
        await make(caller, many, { external_id: 'E-a' }),
        await make(caller, many, { status: 'inactive' }),
        await make(caller, many),
      ]
      const ids = async (query: string) => {
        const answer = await caller.get(`${path}?${query}`)
        assert.equal(answer.statusCode, 200, answer.body)
        return answer.json()[many].map(({ id }: Kept) => id)
      }
      assert.deepEqual((await caller.get(path)).json(), {
        [many]: [c, b, a],
        offset: 0,
        limit: 20,
        total: 3,
        next_after: null,
      })
      assert.deepEqual((await caller.get(`${path}?limit=0`)).json(), {
        [many]: [],
        offset: 0,
        limit: 0,
        total: 3,
        next_after: null,
      })
      assert.equal((await caller.get(`${path}?limit=5000`)).json().limit, 200)
      assert.deepEqual(await ids('sort=created_at&limit=1&offset=1'), [b.id])
      assert.deepEqual(await ids('sort=-full_id'), [c.id, b.id, a.id])
      assert.deepEqual(await ids('status=inactive'), [b.id])
      assert.deepEqual(await ids('external_ids=E-a,E-b'), [a.id])
      assert.deepEqual(await ids(`ids[]=${a.id}&ids[]=${b.id}&status=inactive`), [b.id])
      assert.deepEqual(await ids(`search_term=${encodeURIComponent(String(b.full_id).slice(1).toLowerCase())}`), [b.id])
      assert.deepEqual(await ids('search_term=e-A&external_ids='), [a.id])
      assert.deepEqual(await ids(`created_start_at=${a.created_at}&created_end_at=${a.created_at}&ids=${a.id}`), [a.id])
      assert.deepEqual(await ids('created_end_at=2020-01-01'), [])
      assert.deepEqual(await ids('update_start_at=2099-01-01'), [])
      for (const [query, field] of [
        ['limit=-1', 'limit'],
        ['sort=colour', 'sort.0'],
        ['ids=x', 'ids.0'],
        ['status=frozen', 'status_ids.0'],
        ['status=frozen&external_ids=a', 'status_ids.0'],
        ['created_start_at=soon', 'created_start_at'],
      ] as const) {
        const refused = await caller.get(`${path}?${query}`)
        assert.equal(refused.statusCode, 400, refused.body)
        assert.equal(refused.json().details[0].field, field)
        assert.doesNotMatch(refused.body, /filter/)
      }
    })
  })
}

describe('the resources together', { concurrency: true }, () => {
  test('references are held, named and searched by: an order of a customer keeps it from being deleted', async () => {
    const caller = await newCaller(service)
    const order = await make(caller, 'orders')
    await make(caller, 'orders')
    const found = (await caller.get(`/api/v1/orders?customer_ids=${order.customer_id}`)).json()
    assert.deepEqual([found.total, found.orders[0].id], [1, order.id])
    const refused = await caller.call('DELETE', `/api/v1/customers/${order.customer_id}`)
    assert.equal(refused.statusCode, 409, refused.body)
    assert.match(refused.json().error_message, /ORD-1/)
    for (const body of [{ customer_id: newId() }, { customer_id: order.id }, {}, { customer_id: null }]) {
      const answer = await caller.call('POST', '/api/v1/orders', body)
      assert.equal(answer.statusCode, 400, answer.body)
      assert.equal(answer.json().details[0].field, 'customer_id')
    }
    assert.equal((await caller.call('PUT', `/api/v1/orders/${order.id}`, { customer_id: null })).statusCode, 400)
    assert.equal((await caller.call('DELETE', `/api/v1/orders/${order.id}`)).statusCode, 204)
    assert.equal((await caller.call('DELETE', `/api/v1/customers/${order.customer_id}`)).statusCode, 204)
  })

  test('all times have one format, parts of addresses are in snake_case, and fields that nobody defined keep their names', async () => {
    const caller = await newCaller(service)
    const customer = await make(caller, 'customers')
    assert.deepEqual([customer.address_2, customer.currency_id, customer.notes], ['Suite 4', 'usd', null])
    assert.deepEqual(customer.billing_address, {
      ...Object.fromEntries(
        ['company_name', 'contact_name', 'address_2', 'state', 'postal', 'country', 'latitude', 'longitude'].map(
          (name) => [name, null],
        ),
      ),
      address_1: '1 Pier',
      city: 'Oakland',
      gate: 'B',
    })
    assert.deepEqual((await caller.get(`${v2}/${customer.id}`)).json().billingAddress, {
      address1: '1 Pier',
      city: 'Oakland',
      gate: 'B',
    })
    const order = await make(caller, 'orders')
    assert.equal(order.pickup_at, '2026-11-16T06:00:00.000Z')
    assert.equal((await caller.get(`${v2}/${order.id}`)).json().pickupAt, '2026-11-16T08:00:00+02:00')
    await caller.call('PUT', `${v2}/${customer.id}`, {
      json: { loyaltyTier: 'gold', external_id: 'shadowed', notes: 'x' },
    })
    const seen = (await caller.get(`/api/v1/customers/${customer.id}`)).json().customer
    assert.deepEqual([seen.loyaltyTier, seen.external_id, seen.notes], ['gold', null, 'x'])
    const same = await caller.call('PUT', `/api/v1/customers/${customer.id}`, seen, { prefer: 'handling=strict' })
    assert.deepEqual(same.json().customer, seen)
    const wrong = await caller.call('PUT', `/api/v1/customers/${customer.id}`, {
      billing_address: { address_1: 7 },
      credit_limit: 1.5,
    })
    assert.deepEqual(
      wrong
        .json()
        .details.map(({ field }: Json) => field)
        .sort(),
      ['billing_address.address_1', 'credit_limit'],
    )
  })

  test('the currency has the name that documents have; where no field is called so, an own one keeps its name', async () => {
    const caller = await newCaller(service)
    const customer = await make(caller, 'customers')
    const seenIn = async (id: string) => (await caller.get(`${v2}/${id}`)).json()
    assert.deepEqual([customer.currency_id, (await seenIn(customer.id)).currency], ['usd', 'usd'])
    await caller.call('PUT', `${v2}/${customer.id}`, { json: { currency_id: 'shadowed' } })
    const again = await caller.call('PUT', `/api/v1/customers/${customer.id}`, { currency_id: 'cad' })
    assert.equal(again.json().customer.currency_id, 'cad')
    const { currency, currency_id } = await seenIn(customer.id)
    assert.deepEqual([currency, currency_id], ['cad', 'shadowed'])
    const leg = await make(caller, 'legs')
    const own = { currency: 'as the carrier wrote', currency_id: 7 }
    await caller.call('PUT', `${v2}/${leg.id}`, { json: own })
    const shown = (await caller.get(`/api/v1/legs/${leg.id}`)).json().leg
    assert.deepEqual({ currency: shown.currency, currency_id: shown.currency_id }, own)
  })

  test('fields that the organization added are taken and shown under their own names, and hold in both versions', async () => {
    const caller = await newCaller(service)
    const { keyring, settings } = service
    const self = { sub: 'application', client_id: 'application', org_id: caller.org, scopes: scopeNames }
    const authorization = `Bearer ${signToken(keyring, { issuer: settings.authUrl, audience: settings.audience }, self)}`
    const fields = [
      { key: 'accountManager', name: 'Account manager', type: 'text', required: true },
      { key: 'visit_at', name: 'Visit', type: 'date-time' },
    ]
    const defined = await caller.call(
      'PUT',
      '/api/v2/platformModel/definitions/customer',
      { fields },
      { authorization },
    )
    assert.equal(defined.statusCode, 200, defined.body)
    const missing = await caller.call('POST', '/api/v1/customers', { name: 'A' })
    assert.deepEqual([missing.statusCode, missing.json().details[0].field], [400, 'accountManager'])
    const made = await make(caller, 'customers', { accountManager: 'Sam', visit_at: '2026-11-16T08:00:00Z' })
    assert.deepEqual([made.accountManager, made.visit_at], ['Sam', '2026-11-16T08:00:00Z'])
    const strict = await caller.call(
      'PUT',
      `/api/v1/customers/${made.id}`,
      { accountManager: 'Lee' },
      { prefer: 'handling=strict' },
    )
    assert.deepEqual([strict.statusCode, strict.json().customer.accountManager], [200, 'Lee'])
    assert.equal((await caller.get(`${v2}/${made.id}`)).json().accountManager, 'Lee')
  })
})
