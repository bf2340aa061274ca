import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Caller, callerIn, databaseOf, newCaller, sharedService } from '../../../test/service.ts'
import { scopeNames } from '../../platform/access/scopes.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { workAll } from '../../platform/transfers/rounds.ts'
import { transferables } from '../../transferables.ts'

const path = '/api/v1/credits'
const service = await sharedService()

type Json = { id: string; [field: string]: unknown }

async function make(caller: Caller, body: object): Promise<Json> {
  const answer = await caller.call('POST', path, { currency_id: 'usd', items: [{ unit_price: 500 }], ...body })
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().credit
}

describe('credits', { concurrency: true }, () => {
  test('have a direction from creation on, which nothing changes, and a number of their own', async () => {
    const caller = await newCaller(service)
    const missing = await caller.call('POST', path, { currency_id: 'usd' })
    assert.deepEqual(
      [missing.statusCode, missing.json().details[0].field, missing.json().error_code],
      [400, 'direction', 'required'],
    )
    assert.equal((await caller.call('POST', path, { direction: 'sideways' })).statusCode, 400)
    const { id } = await make(caller, { direction: 'out', external_id: 'CM-1', partner_carrier_id: newId() })
    assert.equal((await caller.call('POST', `${path}/${id}/save`)).json().credit.number, 'CR-000001')
    const put = await caller.call('PUT', `${path}/${id}`, { direction: 'in', notes: 'x' })
    assert.deepEqual(
      [put.statusCode, put.headers['x-ignored-fields'], put.json().credit.direction],
      [200, 'direction', 'out'],
    )
    const bulk = (
      await caller.call('POST', `${path}/bulk`, {
        credits: [{ external_id: 'CM-1', direction: 'in', notes: 'y' }, { external_id: 'CM-2' }],
      })
    ).json()
    assert.deepEqual(
      bulk.results.map(({ status, error }: Json) => [
        status,
        (error as { error_code?: string } | undefined)?.error_code,
      ]),
      [
        ['updated', undefined],
        ['failed', 'required'],
      ],
    )
    assert.equal((await caller.get(`${path}/${id}`)).json().credit.direction, 'out')
  })

  test('belong to a carrier or to a customer, by their direction', async () => {
    const caller = await newCaller(service)
    for (const [direction, wrong, right] of [
      ['out', 'customer_id', 'partner_carrier_id'],
      ['in', 'partner_carrier_id', 'customer_id'],
    ] as const) {
      const refused = await caller.call('POST', path, { direction, [wrong]: newId() })
      assert.deepEqual(
        [refused.statusCode, refused.json().error_code, refused.json().details[0].field],
        [400, 'wrong_party', wrong],
      )
      const { id } = await make(caller, { direction, [right]: newId() })
      assert.equal((await caller.call('PUT', `${path}/${id}`, { [wrong]: newId() })).json().error_code, 'wrong_party')
      const rows = [
        { direction, [wrong]: newId() },
        { direction, [right]: newId() },
      ]
      const { counts } = (await caller.call('POST', `${path}/bulk`, { credits: rows })).json()
      assert.deepEqual([counts.created, counts.failed], [1, 1])
    }
  })

  test('are found by the name of their carrier and of their customer', async () => {
    const caller = await newCaller(service)
    const made = async (resource: string, name: string) =>
      Object.values((await caller.call('POST', `/api/v1/${resource}`, { name })).json())[0] as Json
    const [partner, customer] = [
      await made('partner_carriers', 'Cascade Freight'),
      await made('customers', 'Acme Foods'),
    ]
    const given = await make(caller, { direction: 'out', partner_carrier_id: partner.id })
    const taken = await make(caller, { direction: 'in', customer_id: customer.id })
    const found = async (query: string) =>
      (await caller.get(`${path}?${query}`)).json().credits.map(({ id }: Json) => id)
    assert.deepEqual(await found('search_term=cascade'), [given.id])
    assert.deepEqual(await found('search_term=acme'), [taken.id])
    assert.deepEqual(await found(`customer_ids=${customer.id}`), [taken.id])
    assert.deepEqual(await found('directions=out'), [given.id])
  })
})

describe('a token', { concurrency: true }, () => {
  /** Someone with every scope, and one for each direction, in one organization. */
  async function threeCallers(): Promise<{ all: Caller; bills: Caller; invoices: Caller; out: Json; back: Json }> {
    const all = await newCaller(service)
    const without = (name: string) =>
      callerIn(
        service,
        all.org,
        scopeNames.filter((scope) => scope !== name),
      )
    const out = await make(all, { direction: 'out', external_id: 'OUT' })
    const back = await make(all, { direction: 'in', external_id: 'IN' })
    return { all, bills: without('invoices'), invoices: without('bills'), out, back }
  }

  test('sees and writes the credits of the directions that its scopes allow, and no others', async () => {
    const { all, bills, invoices, out, back } = await threeCallers()
    for (const [caller, own, other, scope] of [
      [bills, out, back, 'invoices'],
      [invoices, back, out, 'bills'],
    ] as const) {
      const listed = (await caller.get(path)).json()
      assert.deepEqual([listed.total, listed.credits.map(({ id }: Json) => id)], [1, [own.id]])
      assert.equal((await caller.get(`${path}?directions=${other.direction}`)).json().total, 0)
      assert.equal((await caller.get(`${path}/totals`)).json().totals[0].count, 1)
      assert.equal((await caller.get(`${path}/export`)).body.split('\r\n').length, 3)
      assert.equal((await caller.get(`${path}/${own.id}/history`)).json().total, 1)
      const refused = await Promise.all([
        caller.get(`${path}/${other.id}`),
        caller.get(`${path}/ext:${other.external_id}`),
        caller.get(`${path}/${other.id}/history`),
        caller.get(`${path}/${other.id}/items`),
        caller.call('PUT', `${path}/${other.id}`, { notes: 'x' }),
        caller.call('POST', `${path}/${other.id}/save`),
        caller.call('POST', `${path}/${other.id}/items`, { unit_price: 1 }),
        caller.call('DELETE', `${path}/${other.id}`),
      ])
      assert.deepEqual(
        refused.map(({ statusCode }) => statusCode),
        refused.map(() => 404),
      )
      const forbidden = await caller.call('POST', path, { direction: other.direction })
      assert.equal(forbidden.statusCode, 403)
      assert.match(String(forbidden.headers['www-authenticate']), new RegExp(`scope="${scope}"`))
      const rows = [
        { external_id: other.external_id, notes: 'x' },
        { direction: other.direction },
        { id: own.id, notes: 'x' },
      ]
      const { results } = (await caller.call('POST', `${path}/bulk`, { credits: rows })).json()
      assert.deepEqual(
        results.map(({ status, error }: Json) => (error as { error_code: string } | undefined)?.error_code ?? status),
        ['insufficient_scope', 'insufficient_scope', 'updated'],
      )
    }
    assert.equal((await all.get(path)).json().total, 2)
    assert.equal((await callerIn(service, all.org, ['orders']).get(path)).statusCode, 403)
  })

  test('exports in the background what it may see, and sees no transfer with more than that', async () => {
    const { all, bills } = await threeCallers()
    const started = async (caller: Caller) =>
      (await caller.call('POST', `${path}/exports?format=ndjson`)).json().transfer.id as string
    const [mine, whole] = [await started(bills), await started(all)]
    await workAll(databaseOf(service, new Set([all.org])), transferables)
    const resultOf = async (caller: Caller, id: string) => caller.get(`/api/v1/transfers/${id}/result`)
    assert.deepEqual(
      (await resultOf(bills, mine)).body
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).direction),
      ['out'],
    )
    assert.equal((await resultOf(all, whole)).body.trim().split('\n').length, 2)
    assert.equal((await resultOf(bills, whole)).statusCode, 403)
    assert.deepEqual(
      (await bills.get('/api/v1/transfers')).json().transfers.map(({ id }: Json) => id),
      [mine],
    )
    assert.equal((await all.get('/api/v1/transfers')).json().total, 2)
  })
})
