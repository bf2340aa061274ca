import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createUser } from '../src/identity/users/actions.ts'
import { signToken } from '../src/platform/access/tokens/access-token.ts'
import { newId } from '../src/platform/core/values/ids.ts'
import { applicationIn, callerIn, newCaller, sharedService } from './service.ts'

const service = await sharedService()
const path = '/api/v1/organization'

/** An application in an organization of its own. */
async function newApplication() {
  const { org } = await newCaller(service)
  return applicationIn(service, org)
}

describe('the organization', { concurrency: true }, () => {
  test('is read by any token, with its settings as they are before anybody set them', async () => {
    const { org } = await newCaller(service)
    const answer = await callerIn(service, org, ['orders']).get(path)
    assert.equal(answer.statusCode, 200)
    const { organization } = answer.json()
    assert.deepEqual(
      { ...organization, created_at: null, updated_at: null },
      {
        ...{
          id: org,
          name: 'A test organization',
          address: null,
          home_currency_id: null,
          time_zone: 'UTC',
          default_pay_term_id: null,
        },
        ...{
          require_exchange_rate: false,
          approvals: 'off',
          approval_limit_amount: null,
          forbid_self_approval: false,
          separate_payer: false,
        },
        ...{ approval_reminder_days: 3, new_approver_days: 3 },
        ...{ eta_detour_factor: 1.25, eta_average_speed_kmh: 70, eta_delay_limit_minutes: 30, double_booking: 'off' },
        ...{
          require_send_address: false,
          duplicates: 'warn',
          revision: 1,
          created_at: null,
          updated_at: null,
          has_logo: false,
        },
      },
    )
    assert.equal(answer.headers.etag, '"1"')
  })

  test('takes what is sent, leaves the rest, and its history says what was before', async () => {
    const caller = await newApplication()
    const sent = {
      home_currency_id: 'USD',
      time_zone: 'america/new_york',
      address: { city: 'Asheville', country: 'US' },
    }
    const answer = await caller.call('PUT', path, sent, { 'if-match': '"1"' })
    assert.equal(answer.statusCode, 200, answer.body)
    const { organization } = answer.json()
    assert.equal(organization.home_currency_id, 'usd')
    assert.equal(organization.time_zone, 'America/New_York')
    assert.equal(organization.address.city, 'Asheville')
    assert.equal(organization.name, 'A test organization')
    assert.equal(organization.revision, 2)
    const { events } = (await caller.get(`${path}/history`)).json()
    assert.deepEqual(
      events.map(({ type, revision, previous }: Record<string, unknown>) => ({ type, revision, previous })),
      [
        {
          type: 'organization.updated',
          revision: 2,
          previous: { address: null, home_currency_id: null, time_zone: 'UTC' },
        },
        { type: 'organization.created', revision: 1, previous: null },
      ],
    )
    assert.deepEqual(events[0].data, organization)
  })

  test('names the pay term of bills that are saved with neither a due date nor a term: one by one, in bulk, and with a due date not', async () => {
    const caller = await newApplication()
    const made = async (url: string, body: object) =>
      Object.values((await caller.call('POST', `/api/v1/${url}`, body)).json())[0] as { id: string }
    const [term, other] = [
      await made('pay_terms', { name: 'Net 30', number_of_days: 30 }),
      await made('pay_terms', { name: 'Net 10', number_of_days: 10 }),
    ]
    assert.equal(
      (await caller.call('PUT', path, { default_pay_term_id: newId() })).json().error_code,
      'unknown_pay_term',
    )
    const set = await caller.call('PUT', path, { default_pay_term_id: term.id.toUpperCase() })
    assert.equal(set.json().organization.default_pay_term_id, term.id, set.body)
    assert.equal((await caller.call('DELETE', `/api/v1/pay_terms/${term.id}`)).json().error_code, 'in_use')
    const content = { currency_id: 'usd', bill_date: '2026-11-01', items: [{ unit_price: 100 }] }
    const saved = async (url: string, body: object) => {
      const { id } = await made(url, body)
      const record = Object.values((await caller.call('POST', `/api/v1/${url}/${id}/save`)).json())[0] as Record<
        string,
        string | null
      >
      return [record.pay_term_id, record.due_date]
    }
    assert.deepEqual(await saved('bills', content), [term.id, '2026-12-01T00:00:00.000Z'])
    assert.deepEqual(await saved('bills', { ...content, pay_term_id: other.id }), [
      other.id,
      '2026-11-11T00:00:00.000Z',
    ])
    assert.deepEqual(await saved('bills', { ...content, due_date: '2026-11-05' }), [null, '2026-11-05T00:00:00.000Z'])
    const { bill_date: invoice_date, ...rest } = content
    assert.deepEqual(await saved('invoices', { ...rest, invoice_date }), [null, null], 'it is the term of bills')
    const bulk = await caller.call('POST', '/api/v1/bills/bulk', {
      bills: [{ ...content, status_id: 'sent', external_id: 'B-1' }],
    })
    assert.equal(bulk.statusCode, 200, bulk.body)
    const { bill } = (await caller.get('/api/v1/bills/ext:B-1')).json()
    assert.deepEqual([bill.status_id, bill.pay_term_id, bill.due_date], ['sent', term.id, '2026-12-01T00:00:00.000Z'])
    assert.equal(
      (await caller.call('PUT', path, { default_pay_term_id: null })).json().organization.default_pay_term_id,
      null,
    )
    assert.deepEqual(await saved('bills', content), [null, null])
  })

  test('sent back as it was read changes nothing, and names what is not the caller’s to set', async () => {
    const caller = await newApplication()
    const answer = await caller.call('PUT', path, (await caller.get(path)).json())
    assert.equal(answer.json().organization.revision, 1)
    assert.equal(answer.headers['x-ignored-fields'], 'id, revision, created_at, updated_at, has_logo')
    assert.deepEqual(await caller.events(), [])
  })

  test('refuses another revision, what is no time zone or currency, and rates that are required without a home currency', async () => {
    const caller = await newApplication()
    const cases: [object, number, string, Record<string, string>?][] = [
      [{ name: 'B' }, 412, 'stale', { 'if-match': '"7"' }],
      [{ name: '  ' }, 400, 'bad_name'],
      [{ time_zone: 'Mars/Olympus' }, 400, 'unknown_time_zone'],
      [{ time_zone: '+05:00' }, 400, 'unknown_time_zone'],
      [{ home_currency_id: 'zzz' }, 400, 'unknown_currency'],
      [{ require_exchange_rate: true }, 400, 'home_currency_required'],
    ]
    for (const [body, status, code, headers] of cases) {
      const answer = await caller.call('PUT', path, body, headers)
      assert.deepEqual([answer.statusCode, answer.json().error_code], [status, code], JSON.stringify(body))
    }
    assert.deepEqual(await caller.events(), [])
    assert.equal(
      (await caller.call('PUT', path, { require_exchange_rate: true, home_currency_id: 'eur' })).statusCode,
      200,
    )
    assert.equal(
      (await caller.call('PUT', path, { home_currency_id: null })).json().error_code,
      'home_currency_required',
    )
  })

  test('says how much it uses of what it may have', async () => {
    const caller = await newCaller(service)
    const usage = async () => {
      const listed: { name: string; used: number; limit: number }[] = (await caller.get(`${path}/usage`)).json().usage
      return Object.fromEntries(listed.map(({ name, used, limit }) => [name, [used, limit]]))
    }
    const { organization } = service.settings.fileLimits
    const { kept } = service.settings.transfers
    const before = await usage()
    assert.deepEqual(before, {
      ...{ documents: [0, organization.files], storage: [0, organization.bytes], transfers_waiting: [0, 20] },
      ...{ transfers_kept: [0, kept.count], transfer_files: [0, kept.bytes] },
      ...{ positions_today: [0, service.settings.positionsOfDay], kinds: [before.kinds?.[0], 200] },
    })
    const { id } = (await caller.call('POST', '/api/v1/manifests', {})).json().manifest
    const position = { latitude: 45, longitude: -122.7, at: '2026-01-02T03:04:05Z' }
    for (const _ of [1, 2])
      assert.equal((await caller.call('POST', `/api/v1/manifests/${id}/positions`, position)).statusCode, 201)
    assert.deepEqual((await usage()).positions_today?.[0], 1, 'what was there before counts once')
    const file = '%PDF-1.4\n%%EOF\n'
    const headers = { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="pod.pdf"' }
    for (const _ of [1, 2])
      assert.equal((await caller.call('POST', '/api/v1/documents', file, headers)).statusCode, 201)
    const { documents, storage } = await usage()
    assert.deepEqual([documents?.[0], storage?.[0]], [2, file.length])
  })

  test('is changed by an admin, or by an application with the scope users, and by nobody else', async () => {
    const { org, ctx, call } = await newCaller(service)
    assert.equal((await callerIn(service, org, ['bills']).call('PUT', path, { name: 'B' })).statusCode, 403)
    const { id: sub } = await createUser(ctx, { email: `${newId()}@people.example`, name: 'Sam', role: 'member' })
    const issuance = { issuer: service.settings.authUrl, audience: service.settings.audience }
    const token = signToken(service.keyring, issuance, { sub, client_id: 'x', org_id: org, scopes: ['users'] })
    const answer = await call('PUT', path, { name: 'B' }, { authorization: `Bearer ${token}` })
    assert.deepEqual([answer.statusCode, answer.json().error_code], [403, 'admin_required'])
    assert.equal((await applicationIn(service, org, ['users']).call('PUT', path, { name: 'B' })).statusCode, 200)
  })
})
