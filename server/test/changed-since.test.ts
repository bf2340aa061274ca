/** Whoever keeps a copy asks every list for what was changed since the last time. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inPlace } from './described.ts'
import { houseOf, newCarrier, portal } from './partners.ts'
import { personIn } from './people.ts'
import { newCaller, sharedService } from './service.ts'

type Schema = { $ref?: string; properties?: Record<string, Schema> }
type Operation = {
  operationId: string
  parameters?: { name?: string; in?: string }[]
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}
type Document = { paths: Record<string, { get?: Operation }>; components: { schemas: Record<string, Schema> } }

/** The lists without it, each with the reason. Histories are not among them: what happened does not change. */
const exceptions: Record<string, string> = {
  ...because('it never changes', ['searchCurrencies', 'searchSecurityEvents', 'searchRequestLog']),
  ...because('it is the list of what belongs to one record, which says itself when it was changed', [
    ...[
      'listBillItems',
      'listInvoiceItems',
      'listCreditItems',
      'listBillPayments',
      'listInvoicePayments',
      'listCreditPayments',
    ],
    ...['listPayeeChanges', 'listPaymentRunPayments', 'searchConnectorMappings', 'searchConnectorSyncResults'],
  ]),
  ...because('it is made of other records, which have it', [
    'searchApprovers',
    'searchDispatchManifests',
    'searchOrdersToPlan',
  ]),
  ...because('it is work with a beginning and an end, found by its state and its time', [
    ...['searchConnectorSyncs', 'searchWebhookDeliveries', 'searchDeliveriesOfWebhook'],
  ]),
}

function because(reason: string, operations: readonly string[]): Record<string, string> {
  return Object.fromEntries(operations.map((operation) => [operation, reason]))
}

const v2 = '/api/v2/platformModel'
const service = await sharedService()
const document = inPlace<Document>((await service.app.inject('/openapi.json')).json())
const lists = Object.entries(document.paths).flatMap(([path, { get }]) =>
  get && isList(get) && !path.endsWith('/history') ? [{ path, ...get }] : [],
)

function isList({ responses }: Operation): boolean {
  const schema = responses['200']?.content?.['application/json']?.schema
  const whole = schema?.$ref ? document.components.schemas[schema.$ref.split('/').at(-1) as string] : schema
  return (
    whole?.properties !== undefined &&
    ['total', 'next_after', 'nextAfter'].filter((name) => whole.properties?.[name]).length >= 2
  )
}

function takes({ parameters = [] }: Operation): boolean {
  return ['update_start_at', 'updated_start_at', 'updated_end_at'].every((wanted) =>
    parameters.some(({ name }) => name === wanted),
  )
}

describe('changed since', { concurrency: true }, () => {
  test('every list takes update_start_at, or is known not to', () => {
    assert.ok(lists.length > 40)
    const without = lists.filter((list) => !takes(list)).map(({ operationId }) => operationId)
    assert.deepEqual(without.toSorted(), Object.keys(exceptions).toSorted())
  })

  test('it is asked of the database on every list: nothing is from the far future, nor from long ago', async () => {
    const { org } = await newCaller(service)
    const admin = await personIn(service, org, 'admin')
    const carrier = await newCarrier(service, org)
    const manifest = await houseOf(service, org).manifest({ partner_carrier_id: carrier.id })
    const board = await admin.call('POST', `${v2}/boards`, { objectKey: 'manifest', name: 'All' })
    const ids: Record<string, string> = { manifestID: manifest, boardId: board.json().id }
    for (const { path: template, operationId } of lists.filter(takes)) {
      const caller = template.startsWith(`${portal}/`) ? carrier : admin
      const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => ids[name] ?? assert.fail(`${operationId}: ${name}`))
      const kind = operationId === 'listObjects' ? '&objectKey=manifest' : ''
      for (const query of [
        'update_start_at=2999-01-01',
        'updated_start_at=2999-01-01T00:00:00Z',
        'updated_end_at=2000-01-01',
        'update_start_at=2000-01-01',
      ]) {
        const answer = await caller.get(`${path}?${query}${kind}&limit=5`)
        assert.equal(answer.statusCode, 200, `${operationId} ${query}: ${answer.body}`)
        if (query !== 'update_start_at=2000-01-01') assert.equal(answer.json().total, 0, `${operationId} ${query}`)
      }
      assert.equal((await caller.get(`${path}?update_start_at=soon${kind}`)).statusCode, 400, operationId)
    }
  })

  test('it keeps what was changed at that moment or later, with its total and over its pages', async () => {
    const caller = await newCaller(service)
    const path = '/api/v1/pay_terms'
    const made: { id: string; updated_at: string }[] = []
    for (const name of ['Net 7', 'Net 15', 'Net 30'])
      made.push((await caller.call('POST', path, { name, number_of_days: 7 })).json().pay_term)
    const [first, second, third] = made as [(typeof made)[0], (typeof made)[0], (typeof made)[0]]
    const changed = (await caller.call('PUT', `${path}/${first.id}`, { name: 'Net 10' })).json().pay_term
    const find = async (query: string) => {
      const { pay_terms, total, next_after } = (await caller.get(`${path}?${query}`)).json() as {
        pay_terms: { id: string }[]
        total: number
        next_after: string | null
      }
      return { ids: pay_terms.map(({ id }) => id), total, next_after }
    }
    assert.deepEqual(await find(`update_start_at=${third.updated_at}&updated_end_at=${third.updated_at}`), {
      ids: [third.id],
      total: 1,
      next_after: null,
    })
    assert.deepEqual((await find(`update_start_at=${changed.updated_at}`)).ids, [first.id])
    assert.deepEqual((await find(`updated_end_at=${second.updated_at}`)).ids, [second.id])
    const page = await find(`update_start_at=${second.updated_at}&limit=2`)
    assert.deepEqual([page.ids, page.total], [[third.id, second.id], 3])
    const next = `update_start_at=${second.updated_at}&limit=2&after=${page.next_after}`
    assert.deepEqual(await find(next), { ids: [first.id], total: 3, next_after: null })
  })

  test('objects, their boards and their kinds have it too, in parameters and in bodies', async () => {
    const admin = await personIn(service, (await newCaller(service)).org, 'admin')
    const make = async (name: string) =>
      (await admin.call('PATCH', `${v2}/objects`, { objectKey: 'customer', json: { name } })).json()
    const [first, second] = [await make('Acme Foods'), await make('Bay Foods')]
    const changed = (await admin.call('PUT', `${v2}/objects/${first.id}`, { json: { city: 'Reno' } })).json()
    const namesIn = ({ objects }: { objects: { name: string }[] }) => objects.map(({ name }) => name)
    const since = `objectKey=customer&update_start_at=${changed.updatedAt}`
    assert.deepEqual(namesIn((await admin.get(`${v2}/objects?${since}`)).json()), ['Acme Foods'])
    const filter = { field: 'name', op: 'startsWith', value: 'B' }
    const search = async (body: object) =>
      (await admin.call('POST', `${v2}/objects/search`, { objectKey: 'customer', ...body })).json()
    assert.deepEqual(namesIn(await search({ updated_end_at: second.updatedAt })), ['Bay Foods'])
    assert.deepEqual(namesIn(await search({ filter, updated_start_at: second.updatedAt })), ['Bay Foods'])
    assert.deepEqual(namesIn(await search({ filter, update_start_at: changed.updatedAt })), [])
    const wrong = await search({ filter: { field: 'size', op: 'eq', value: 1 }, update_start_at: changed.updatedAt })
    assert.equal(wrong.details[0].field, 'filter.field')

    const board = await admin.call('POST', `${v2}/boards`, { objectKey: 'customer', name: 'B', filter })
    const shown = `${v2}/boards/${board.json().id}/objects`
    assert.deepEqual(namesIn((await admin.get(`${shown}?update_start_at=${second.updatedAt}`)).json()), ['Bay Foods'])
    assert.deepEqual(namesIn((await admin.get(`${shown}?update_start_at=${changed.updatedAt}`)).json()), [])

    await admin.call('PUT', `${v2}/definitions/leg`, { fields: [{ key: 'seal', name: 'Seal', type: 'text' }] })
    const { definitions } = (await admin.get(`${v2}/definitions?update_start_at=${changed.updatedAt}`)).json()
    assert.deepEqual(
      definitions.map(({ objectKey }: { objectKey: string }) => objectKey),
      ['leg'],
    )
  })

  test('of what never changes it is the time at which it was made, and a transfer goes on until it has ended', async () => {
    const { org } = await newCaller(service)
    const admin = await personIn(service, org, 'admin')
    const approver = await personIn(service, org, 'approver')
    const made = (
      await admin.call('POST', '/api/v1/approval_delegations', {
        to_user_id: approver.id,
        starts_at: '2026-01-01T00:00:00Z',
        ends_at: '2096-01-01T00:00:00Z',
      })
    ).json().approval_delegation
    const found = async (query: string) => (await admin.get(`/api/v1/approval_delegations?${query}`)).json().total
    assert.deepEqual(
      [await found(`update_start_at=${made.created_at}`), await found(`updated_end_at=${made.created_at}`)],
      [1, 1],
    )
    const exported = await admin.call('POST', '/api/v1/bills/exports')
    assert.equal(exported.statusCode, 202, exported.body)
    const { created_at } = exported.json().transfer
    assert.equal((await admin.get(`/api/v1/transfers?update_start_at=${created_at}`)).json().total, 1)
  })
})
