import assert from 'node:assert/strict'
import { createJoinedUser } from '../src/identity/users/actions.ts'
import { scopeNames } from '../src/platform/access/scopes.ts'
import { signToken } from '../src/platform/access/tokens/access-token.ts'
import { newId } from '../src/platform/core/values/ids.ts'
import { applicationIn, type Caller, callerIn, type Service } from './service.ts'

export const portal = '/api/v1/portal'
export const partnerPortal = '/api/v1/partner_portal'

export type Carrier = { id: string; name: string; user: string; email: string } & Pick<Caller, 'call' | 'get' | 'token'>

/** The same caller with another token. */
export function withToken({ app }: Service, token: string): Pick<Caller, 'call' | 'get' | 'token'> {
  const call: Caller['call'] = (method, url, body, headers = {}) =>
    app.inject({
      method: method as 'GET',
      url,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  return { token, call, get: (url, headers) => call('GET', url, undefined, headers) }
}

/** A carrier of an organization, and somebody of it who has signed in. */
export async function newCarrier(service: Service, org: string, name = 'Cascade Carriers'): Promise<Carrier> {
  const application = applicationIn(service, org)
  const made = await application.call('POST', '/api/v1/partner_carriers', { name })
  assert.equal(made.statusCode, 201, made.body)
  const { id } = made.json().partner_carrier
  const email = `${newId()}@example.com`
  const { id: user } = await createJoinedUser(application.ctx, {
    ...{
      email,
      name: `Lee of ${name}`,
      role: 'partner',
      partner_carrier_id: id,
      password: 'correct horse battery staple',
    },
  })
  const { keyring, settings } = service
  const issuance = { issuer: settings.authUrl, audience: settings.audience }
  const token = signToken(keyring, issuance, {
    sub: user,
    client_id: 'lading-console',
    org_id: org,
    scopes: scopeNames,
    role: 'partner',
  })
  return { id, name, user, email, ...withToken(service, token) }
}

/** What the organization does for its carriers, each answered with the id. */
export function houseOf(service: Service, org: string) {
  const member = callerIn(service, org)
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await member.call('POST', path, body)
    assert.equal(answer.statusCode, 201, `${path}: ${answer.body}`)
    const json = answer.json()
    return json.id ?? (Object.values(json)[0] as { id: string }).id
  }
  return {
    ...member,
    make,
    manifest: (body: object = {}) =>
      make('/api/v1/manifests', {
        currency_id: 'usd',
        stops: [
          {
            kind: 'pickup',
            address: { company_name: 'Acme Foods', address_1: '1 Dock Road', city: 'Oakland', state: 'CA' },
          },
          {
            kind: 'delivery',
            address: { company_name: 'Corner Store', address_1: '2 Mill Lane', city: 'Seattle', state: 'WA' },
          },
        ],
        ...body,
      }),
    tender: (manifest_id: string, partner_carrier_id: string, body: object = {}) =>
      make(`${partnerPortal}/tenders`, { manifest_id, partner_carrier_id, rate: 185000, ...body }),
    async bill(partner_carrier_id: string, body: object = {}): Promise<string> {
      const items = [{ unit_price: 185000, description: 'Line haul' }]
      const id = await make('/api/v1/bills', {
        partner_carrier_id,
        currency_id: 'usd',
        bill_date: '2026-11-01',
        due_date: '2026-12-01',
        items,
        ...body,
      })
      const saved = await member.call('POST', `/api/v1/bills/${id}/save`)
      assert.equal(saved.statusCode, 200, saved.body)
      return id
    },
    /** Whoever holds a new link, with the token that it was exchanged for. */
    async link(body: object): Promise<{ id: string; secret: string } & Pick<Caller, 'call' | 'get' | 'token'>> {
      const answer = await member.call('POST', `${partnerPortal}/links`, body)
      assert.equal(answer.statusCode, 201, answer.body)
      const { id, url } = answer.json()
      const secret = new URL(url).hash.slice(1)
      const opened = await service.app.inject({
        method: 'POST',
        url: `${portal}/link_sessions`,
        payload: { token: secret },
      })
      assert.equal(opened.statusCode, 200, opened.body)
      return { id, secret, ...withToken(service, opened.json().access_token) }
    },
  }
}

/** An order with freight from Fresno to Toledo; answers its id. */
export async function freightOrder(make: (path: string, body: object) => Promise<string>): Promise<string> {
  const customer_id = await make('/api/v1/customers', { name: 'Acme Foods' })
  return make('/api/v1/orders', {
    ...{ customer_id, weight: 18400, weight_unit: 'kg', equipment_type: 'reefer' },
    pickup: {
      company_name: 'Valley Packing',
      address_1: '9 Fig Street',
      city: 'Fresno',
      state: 'CA',
      country: 'US',
      latitude: 36.74,
      longitude: -119.79,
    },
    ...{ pickup_at: '2026-11-16T16:00:00Z', pickup_by: '2026-11-16T20:00:00Z' },
    delivery: {
      company_name: 'Great Lakes Foods',
      city: 'Toledo',
      state: 'OH',
      country: 'US',
      latitude: 41.65,
      longitude: -83.54,
    },
    deliver_by: '2026-11-20T15:00:00Z',
  })
}
