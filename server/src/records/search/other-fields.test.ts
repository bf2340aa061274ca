import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newCaller, sharedService } from '../../../test/service.ts'
import { sql } from '../../platform/db/sql/sql.ts'
import { systemContext } from '../../platform/organizations/actions.ts'
import { updateDefinition } from '../definitions/actions.ts'
import type { FieldInput } from '../definitions/input.ts'
import { reindexObjects, requestReindexing } from '../upkeep/reindexing.ts'
import { faultsOf } from '../upkeep/verify.ts'
import type { Filter } from './conditions/condition.ts'

type Json = Record<string, unknown>

const service = await sharedService()
const base = '/api/v2/platformModel'
const caller = await newCaller(service)
const is = (field: string, op: string, value?: unknown) => ({ field, op, value }) as Filter

const things: Json[] = [
  {
    name: 'A',
    loyalty: 'gold',
    score: 5,
    vip: true,
    'a.b': 'dotted',
    'back\\slash': 1,
    nothing: null,
    codes: ['x', 2, true, null, ['deep']],
  },
  {
    name: 'B',
    loyalty: 'Silver lining',
    score: -2.5,
    vip: false,
    extra: { site: { dock: 'North 7', doors: 3 } },
    codes: [2, 3],
  },
  {
    name: 'C',
    loyalty: 12,
    extra: { site: [{ dock: 'South' }, { dock: 'North 9', doors: 9 }] },
    billingAddress: { city: 'Reno', gate: 'G4' },
  },
  {
    name: 'D',
    loyalty: ['gold', 'blue'],
    score: '5',
    extra: 'plain',
    billingAddress: { latitude: 10.5, longitude: -7 },
    constructor: 'own',
  },
  {
    name: 'E',
    score: 7,
    extra: {},
    codes: [],
    billingAddress: {},
    loyaltyX: 'gold',
    'loyalty-x': 'gold',
    notes: 'gold',
  },
]

async function make(objectKey: string, json: Json, more: Json = {}): Promise<string> {
  const answer = await caller.call('PATCH', `${base}/objects`, { objectKey, json, ...more })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().id
}

async function search(objectKey: string, asked: Json): Promise<Json[]> {
  const answer = await caller.call('POST', `${base}/objects/search`, { objectKey, limit: 200, ...asked })
  assert.equal(answer.statusCode, 200, `${JSON.stringify(asked)} ${answer.body}`)
  assert.equal(answer.json().total, answer.json().objects.length)
  return answer.json().objects
}

const found = async (filter: Filter) => (await search('customer', { filter })).map(({ name }) => name as string).sort()

before(async () => {
  for (const json of things) await make('customer', json)
})

describe('a field that the definition does not name', { concurrency: true }, () => {
  const cases: [string, Filter, string][] = [
    ['a text', is('otherFields.loyalty', 'eq', 'gold'), 'AD'],
    ['a number', is('otherFields.loyalty', 'eq', 12), 'C'],
    ['true', is('otherFields.vip', 'eq', true), 'A'],
    ['not that value, or none', is('otherFields.loyalty', 'ne', 'gold'), 'BCE'],
    ['values of several types', is('otherFields.loyalty', 'in', ['gold', 12]), 'ACD'],
    ['null', is('otherFields.nothing', 'eq', null), 'ABCDE'],
    ['numbers in their order, not texts that look like them', is('otherFields.score', 'gte', 5), 'AE'],
    ['texts in their order', is('otherFields.score', 'gte', '4'), 'D'],
    ['a range', { and: [is('otherFields.score', 'gt', -3), is('otherFields.score', 'lt', 6)] }, 'AB'],
    ['a piece of a text', is('otherFields.loyalty', 'contains', 'VER LIN'), 'B'],
    ['the beginning of a text', is('otherFields.loyalty', 'startsWith', 'go'), 'AD'],
    ['an entry of a list', is('otherFields.codes', 'eq', 2), 'AB'],
    ['an entry that is true', is('otherFields.codes', 'eq', true), 'A'],
    ['no list within a list', is('otherFields.codes', 'eq', 'deep'), ''],
    ['a value within', is('otherFields.extra.site.doors', 'gt', 2), 'BC'],
    ['a value within entries', is('otherFields.extra.site.dock', 'contains', 'north'), 'BC'],
    ['there, itself or within', is('otherFields.extra', 'exists'), 'BCD'],
    ['there, within', is('otherFields.extra.site', 'exists'), 'BC'],
    ['an empty list is as good as not there', is('otherFields.codes', 'exists', false), 'CDE'],
    ['a key with a dot in it', is('otherFields.a\\.b', 'eq', 'dotted'), 'A'],
    ['which is not a key within', is('otherFields.a.b', 'exists'), ''],
    ['a key with a backslash', is('otherFields.back\\\\slash', 'eq', 1), 'A'],
    ['not what a plain object answers to', is('otherFields.constructor', 'exists'), 'D'],
    ['a part of an address beyond its own', is('otherFields.billingAddress.gate', 'eq', 'G4'), 'C'],
    ['not a field whose name goes on', is('otherFields.loyalty', 'exists'), 'ABCD'],
    ['one that nothing has', is('otherFields.colour', 'exists'), ''],
    ['one that is named after all', is('otherFields.billingAddress.city', 'eq', 'Reno'), 'C'],
    ['with others', { or: [is('otherFields.vip', 'eq', false), { not: is('otherFields.extra', 'exists') }] }, 'ABE'],
  ]
  for (const [title, filter, expected] of cases)
    test(`is found by ${title}`, async () => assert.deepEqual((await found(filter)).join(''), expected))

  test('is found by its words', async () => {
    assert.deepEqual(
      (await search('customer', { q: 'north' })).map(({ name }) => name),
      ['C', 'B'],
    )
  })

  test('can be sorted by: numbers, texts, then booleans', async () => {
    const by = async (sort: string) => (await search('customer', { sort })).map(({ name }) => name).join('')
    assert.equal(await by('otherFields.score'), 'BAEDC')
    assert.equal(await by('-otherFields.score'), 'DEABC')
    assert.equal(await by('otherFields.loyalty,-name'), 'CBDAE')
    assert.equal(await by('status,otherFields.loyalty'), 'CBADE')
  })

  const wrong: [string, Filter, string][] = [
    ['its plain name', is('loyalty', 'eq', 'gold'), 'filter.field'],
    ['a record', is('otherFields.extra', 'eq', {}), 'filter.value'],
    ['null among values', is('otherFields.extra', 'in', ['x', null]), 'filter.value[1]'],
    ['one value for a list', is('otherFields.extra', 'in', 'x'), 'filter.value'],
    ['an empty list', is('otherFields.extra', 'in', []), 'filter.value'],
    ['an order of true and false', is('otherFields.vip', 'gt', true), 'filter.value'],
    ['a piece of a number', is('otherFields.score', 'contains', 5), 'filter.value'],
    ['an unknown operator', is('otherFields.score', 'like', 5), 'filter.op'],
    ['a backslash that says nothing', is('otherFields.a\\b', 'eq', 5), 'filter.field'],
    ['a backslash at the end', is('otherFields.a\\', 'exists'), 'filter.field'],
    ['a path that is too long', is(`otherFields.${'x'.repeat(256)}`, 'eq', 5), 'filter.field'],
  ]
  for (const [title, filter, spot] of wrong) {
    test(`is refused with ${title}, and the answer says where`, async () => {
      const answer = await caller.call('POST', `${base}/objects/search`, { objectKey: 'customer', filter })
      assert.deepEqual([answer.statusCode, answer.json().details?.[0].field], [400, spot], answer.body)
    })
  }

  test('can be sorted by with a comma in its key', async () => {
    await make('leg', { name: 'One', 'x,y': 2 })
    await make('leg', { name: 'Two', 'x,y': 1 })
    assert.deepEqual(
      (await search('leg', { sort: 'otherFields.x\\,y,name' })).map(({ name }) => name),
      ['Two', 'One'],
    )
  })

  test('compared without the prefix otherFields, the refusal says how to write it', async () => {
    const answer = await caller.call('POST', `${base}/objects/search`, {
      objectKey: 'customer',
      filter: is('loyalty', 'eq', 'gold'),
    })
    assert.match(answer.json().message, /"otherFields\.loyalty"/)
  })

  test('can have up to ten thousand values', async () => {
    const list = (length: number) => Array.from({ length }, (_, index) => index)
    const many = await caller.call('PATCH', `${base}/objects`, {
      objectKey: 'contact',
      json: { name: 'Many', readings: list(3000) },
    })
    assert.equal(many.statusCode, 200, many.body.slice(0, 300))
    assert.equal((await search('contact', { filter: is('otherFields.readings', 'eq', 2999) })).length, 1)
    const more = await caller.call('PUT', `${base}/objects/${many.json().id}`, { json: { others: list(7001) } })
    assert.deepEqual([more.statusCode, more.json().details[0].field], [400, 'json.others'], more.body.slice(0, 300))
    const tooMany = await caller.call('PATCH', `${base}/objects`, {
      objectKey: 'contact',
      json: { name: 'Too many', readings: list(50_001) },
    })
    assert.deepEqual(
      [tooMany.statusCode, tooMany.json().details[0].field, tooMany.json().details[0].code],
      [400, 'json.readings', 'too_many'],
    )
    const deeper = await caller.call('PATCH', `${base}/objects`, {
      objectKey: 'contact',
      json: { name: 'Track', track: [list(50_001)] },
    })
    assert.equal(deeper.statusCode, 200, deeper.body.slice(0, 300))
  })
})

describe('fields of every kind', { concurrency: true }, () => {
  test('the board, the notification settings, the kind and the organization can be compared', async () => {
    const boardId = '01932B5E-6f00-7c3a-9d41-2f6a8b0c4e17'
    await make(
      'equipment',
      { name: 'One', unitNumber: '1', etaDelayNotifyEnabled: true, etaDelayNotifyLabel: 'Warn me' },
      { boardId },
    )
    await make('equipment', { name: 'Two', unitNumber: '2', etaDelayNotifyEnabled: false })
    await make('equipment', { name: 'Three', unitNumber: '3', etaDelayNotifyLabel: 'ETA delay notification' })
    const by = async (filter: Filter) =>
      (await search('equipment', { filter, sort: 'name' })).map(({ name }) => name).join(' ')
    assert.equal(await by(is('boardId', 'eq', boardId)), 'One')
    assert.equal(await by(is('boardId', 'exists', false)), 'Three Two')
    assert.equal(await by(is('etaDelayNotifyEnabled', 'eq', true)), 'One')
    assert.equal(await by(is('etaDelayNotifyEnabled', 'eq', false)), 'Three Two')
    assert.equal(await by(is('etaDelayNotifyEnabled', 'in', [true, false])), 'One Three Two')
    assert.equal(await by(is('etaDelayNotifyEnabled', 'ne', false)), 'One')
    assert.equal(await by(is('etaDelayNotifyEnabled', 'exists')), 'One Three Two')
    assert.equal(await by(is('etaDelayNotifyEnabled', 'exists', false)), '')
    assert.equal(await by(is('etaDelayNotifyLabel', 'contains', 'DELAY not')), 'Three Two')
    assert.equal(await by(is('etaDelayNotifyLabel', 'startsWith', 'W')), 'One')
    assert.equal(await by(is('etaDelayNotifyLabel', 'gt', 'F')), 'One')
    assert.equal(await by(is('etaDelayNotifyLabel', 'in', ['ETA delay notification', 'Warn me'])), 'One Three Two')
    assert.equal(
      await by({
        and: [
          is('etaDelayNotifyLabel', 'ne', 'Warn me'),
          is('objectKey', 'eq', 'equipment'),
          is('orgId', 'eq', caller.org),
        ],
      }),
      'Three Two',
    )
    assert.equal(await by(is('objectKey', 'ne', 'equipment')), '')
    const sorted = async (sort: string) => (await search('equipment', { sort })).map(({ name }) => name).join(' ')
    assert.equal(await sorted('etaDelayNotifyEnabled,name'), 'Three Two One')
    assert.equal(await sorted('-etaDelayNotifyEnabled,name'), 'One Three Two')
    assert.equal(await sorted('-etaDelayNotifyLabel,name'), 'One Three Two')
    const wrong = await caller.call('POST', `${base}/objects/search`, {
      objectKey: 'equipment',
      filter: is('boardId', 'eq', 'mine'),
    })
    assert.deepEqual([wrong.statusCode, wrong.json().details[0].field], [400, 'filter.value'])
  })

  test('an address with coordinates alone exists, and is found by them', async () => {
    assert.deepEqual(await found(is('billingAddress', 'exists')), ['C', 'D'])
    assert.deepEqual(await found(is('billingAddress.latitude', 'gt', 10)), ['D'])
    assert.deepEqual(
      await found({ and: [is('billingAddress.longitude', 'lte', -7), is('billingAddress.longitude', 'gte', -7)] }),
      ['D'],
    )
  })

  test('a manifest is found by the bill that pays for it', async () => {
    const partner = await make('partner', { name: 'Cascade', currency: 'usd' })
    const type = await caller.call('POST', '/api/v1/bill_item_types', { name: 'Line haul' })
    assert.equal(type.statusCode, 201, type.body)
    const manifests: string[] = []
    for (const name of ['M1', 'M2', 'M3'])
      manifests.push(
        await make('manifest', {
          name,
          partnerId: partner,
          currency: 'usd',
          paymentItems: [{ type: 'Line haul', unitPrice: 500 }],
        }),
      )
    const bills: Json[] = []
    for (const id of manifests.slice(0, 2)) {
      const made = await caller.call('POST', `/api/v1/manifests/${id}/bill`)
      assert.equal(made.statusCode, 201, made.body)
      bills.push(made.json().bill)
    }
    const saved = await caller.call('POST', `/api/v1/bills/${bills[1]?.id}/save`)
    assert.equal(saved.statusCode, 200, saved.body)
    const { number } = saved.json().bill
    const by = async (filter: Filter, sort = 'name') =>
      (await search('manifest', { filter, sort })).map(({ name }) => name).join(' ')
    assert.equal(await by(is('billStatusId', 'eq', 'draft')), 'M1')
    assert.equal(await by(is('billStatusId', 'in', ['saved', 'paid'])), 'M2')
    assert.equal(await by(is('billStatusId', 'ne', 'draft')), 'M2 M3')
    assert.equal(await by(is('billId', 'eq', bills[0]?.id)), 'M1')
    assert.equal(await by(is('billId', 'exists', false)), 'M3')
    assert.equal(await by(is('billNumber', 'exists')), 'M2')
    assert.equal(await by(is('billNumber', 'eq', number)), 'M2')
    assert.equal(await by(is('billNumber', 'gt', number)), '')
    assert.equal(await by({ and: [is('billNumber', 'gte', number), is('billNumber', 'lte', number)] }), 'M2')
    assert.equal(await by(is('billNumber', 'startsWith', 'BILL-0')), 'M2')
    assert.equal(await by(is('billNumber', 'contains', 'bill-')), 'M2')
    assert.equal(await by({ not: is('billNumber', 'contains', String(Number(number.slice(5)))) }), 'M1 M3')
    assert.equal(await by({ and: [is('billStatusId', 'exists'), is('name', 'eq', 'M2')] }), 'M2')
    assert.equal(await by({ not: is('billStatusId', 'eq', 'saved') }, '-billStatusId'), 'M1 M3')
    assert.equal(await by(is('name', 'exists'), 'billNumber,-name'), 'M2 M3 M1')
    const { manifests: v1 } = (await caller.get('/api/v1/manifests?bill_status_id=draft,paid')).json()
    assert.deepEqual(
      v1.map(({ name }: Json) => name),
      ['M1'],
    )
    for (const [field, value] of [
      ['billStatusId', 'lost'],
      ['billNumber', 'STMT-1'],
      ['billId', 'x'],
      ['billNumber', ['BILL-000001']],
      ['billNumber', { toString: 1, valueOf: 1 }],
    ] as const) {
      const answer = await caller.call('POST', `${base}/objects/search`, {
        objectKey: 'manifest',
        filter: is(field, 'eq', value),
      })
      assert.deepEqual([answer.statusCode, answer.json().details[0].field], [400, 'filter.value'], answer.body)
    }
    const stranger = await newCaller(service)
    const theirs = await stranger.call('POST', `${base}/objects/search`, {
      objectKey: 'manifest',
      filter: is('billId', 'eq', bills[0]?.id),
    })
    assert.equal(theirs.json().total, 0)
  })
})

/** The values at a path, found in another way than the index does. */
function valuesAt(json: unknown, keys: readonly string[]): unknown[] {
  const entries = Array.isArray(json) ? json.filter((entry) => !Array.isArray(entry)) : [json]
  if (keys.length === 0) return entries.filter((entry) => entry !== null && typeof entry !== 'object')
  const [key, ...rest] = keys as [string, ...string[]]
  return entries.flatMap((entry) =>
    entry !== null && typeof entry === 'object' && Object.hasOwn(entry, key)
      ? valuesAt((entry as Json)[key], rest)
      : [],
  )
}

test('random filters find the same objects as a check of every object', async () => {
  const own = await newCaller(service)
  let seed = 7
  const random = (n: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % n
  }
  const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T
  const scalars = ['red', 'Red', 'reddish', 'blue sky', '', 0, 1, 2.5, -1, true, false, null]
  const anything = (depth: number): unknown => {
    const kind = depth === 0 ? 0 : random(6)
    if (kind === 4) return Array.from({ length: random(4) }, () => anything(depth - 1))
    if (kind === 5)
      return Object.fromEntries(['k', 'm', 'k.m'].filter(() => random(2)).map((key) => [key, anything(depth - 1)]))
    return pick(scalars)
  }
  const objects = Array.from({ length: 120 }, (_, index) => ({
    objectKey: 'service',
    json: {
      name: `S${index}`,
      ...Object.fromEntries(['k', 'm', 'z'].filter(() => random(4)).map((key) => [key, anything(3)])),
    } as Json,
  }))
  const made = await own.call('POST', `${base}/objects/bulk`, { objects })
  assert.equal(made.json().counts.created, 120, made.body.slice(0, 500))
  const paths = [['k'], ['m'], ['z'], ['k', 'k'], ['k', 'm'], ['m', 'k.m'], ['z', 'k', 'm']]
  const holds = (json: Json, keys: string[], op: string, value: unknown): boolean => {
    const values = valuesAt(json, keys)
    if (op === 'exists') return values.length > 0 || hasWithin(json, keys)
    if (op === 'eq') return values.includes(value)
    if (op === 'in') return values.some((item) => (value as unknown[]).includes(item))
    const same = values.filter((item) => typeof item === typeof value) as string[]
    const than = value as string
    if (op === 'lt') return same.some((item) => item < than)
    if (op === 'gte') return same.some((item) => item >= than)
    return same.some((item) =>
      op === 'contains' ? item.toLowerCase().includes(than.toLowerCase()) : item.startsWith(than),
    )
  }
  for (let round = 0; round < 80; round++) {
    const asked = Array.from({ length: 1 + random(2) }, () => {
      const keys = pick(paths)
      const op = pick(['exists', 'eq', 'in', 'lt', 'gte', 'contains', 'startsWith'])
      const texts = ['red', 'e', 'blue sky', 'sk', 'Red']
      const value =
        op === 'exists'
          ? true
          : op === 'in'
            ? ['red', 1, true]
            : op === 'eq'
              ? pick(scalars.filter((item) => item !== null))
              : op === 'lt' || op === 'gte'
                ? pick(['red', 1, 'c', 0])
                : pick(texts)
      return { keys, op, value, negated: random(3) === 0 }
    })
    const is = pick(['and', 'or'])
    const parts = asked.map(({ keys, op, value, negated }) => {
      const test = { field: `otherFields.${keys.map((key) => key.replaceAll('.', '\\.')).join('.')}`, op, value }
      return negated ? { not: test } : test
    })
    const answer = await own.call('POST', `${base}/objects/search`, {
      objectKey: 'service',
      filter: { [is]: parts },
      limit: 200,
      sort: 'fullId',
      paths: ['name'],
    })
    assert.equal(answer.statusCode, 200, answer.body)
    const meets = (json: Json) => {
      const outcomes = asked.map(({ keys, op, value, negated }) => holds(json, keys, op, value) !== negated)
      return is === 'and' ? outcomes.every(Boolean) : outcomes.some(Boolean)
    }
    assert.deepEqual(
      answer.json().objects.map(({ name }: Json) => name),
      objects.filter(({ json }) => meets(json)).map(({ json }) => json.name),
      JSON.stringify(parts),
    )
  }
})

/** Whether there is any value at a path or beneath it. */
function hasWithin(json: unknown, keys: readonly string[]): boolean {
  const entries = Array.isArray(json) ? json.filter((entry) => !Array.isArray(entry)) : [json]
  const [key, ...rest] = keys
  return entries.some((entry) => {
    if (entry === null || typeof entry !== 'object') return key === undefined && entry !== null
    if (key !== undefined) return Object.hasOwn(entry, key) && hasWithin((entry as Json)[key], rest)
    return Object.values(entry as Json).some((inner) => hasWithin(inner, []))
  })
}

describe('the index entries of such a field', { concurrency: true }, () => {
  test('follow every change, deletion and restoration of the object, and every change of the definition', async () => {
    const own = await newCaller(service)
    const put = async (id: string, json: Json) =>
      assert.equal((await own.call('PUT', `${base}/objects/${id}`, { json })).statusCode, 200)
    const total = async (field: string, value: unknown) => {
      const answer = await own.call('POST', `${base}/objects/search`, {
        objectKey: 'customer',
        filter: is(field, 'eq', value),
      })
      return answer.statusCode === 200 ? answer.json().total : answer.json().details[0].code
    }
    const made = await own.call('PATCH', `${base}/objects`, {
      objectKey: 'customer',
      json: { name: 'X', tier: 'one', size: { w: 1 }, boardId: null },
    })
    const { id } = made.json()
    await put(id, { tier: 'two', size: { w: [2, 3] } })
    assert.deepEqual([await total('otherFields.tier', 'one'), await total('otherFields.tier', 'two')], [0, 1])
    assert.deepEqual([await total('otherFields.size.w', 1), await total('otherFields.size.w', 3)], [0, 1])
    assert.deepEqual(await faultsOf(service.database, own.org), [])
    assert.equal((await own.call('DELETE', `${base}/objects/${id}`)).statusCode, 204)
    assert.equal(await total('otherFields.tier', 'two'), 0)
    assert.equal((await own.call('POST', `${base}/objects/${id}/restore`)).statusCode, 200)
    assert.equal(await total('otherFields.tier', 'two'), 1)
    const define = (fields: FieldInput[]) => updateDefinition(own.ctx, 'customer', { fields }, null)
    await define([{ key: 'tier', name: 'Tier', type: 'select', options: ['one', 'two'] }])
    assert.deepEqual([await total('tier', 'two'), await total('otherFields.tier', 'two')], [1, 1])
    assert.deepEqual(await faultsOf(service.database, own.org), [])
    await define([])
    assert.deepEqual(
      [await total('tier', 'two'), await total('otherFields.tier', 'two')],
      ['unknown_field', 'unknown_field'],
    )
    assert.deepEqual(await faultsOf(service.database, own.org), [])
    await define([{ key: 'tier', name: 'Tier', type: 'text' }])
    assert.equal(await total('tier', 'two'), 1)
    await put(id, { size: null, tier: null })
    assert.deepEqual([await total('tier', 'two'), await total('otherFields.size.w', 3)], [0, 0])
    assert.deepEqual(await faultsOf(service.database, own.org), [])
  })

  test('hold ten thousand words; texts beyond them are found by their parts all the same, whichever field comes first', async () => {
    const own = await newCaller(service)
    const words = (letter: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${letter}${index}`).join(' ')
    const json = {
      name: 'Wordy',
      notes: `${words('n', 1500)} early`,
      a: words('a', 1500),
      m: words('m', 1500),
      z: [words('y', 1500), `${words('z', 1500)} late`],
    }
    const more = Object.fromEntries(['b', 'c', 'd'].map((key) => [key, words(key, 1500)]))
    const made = await own.call('PATCH', `${base}/objects`, { objectKey: 'customer', json: { ...json, ...more } })
    assert.equal(made.statusCode, 200, made.body.slice(0, 200))
    const total = async (asked: Json) =>
      (await own.call('POST', `${base}/objects/search`, { objectKey: 'customer', ...asked })).json().total
    const everywhere = async () => [
      await total({ q: 'wordy early' }),
      await total({ filter: is('notes', 'contains', 'n1499 ear') }),
      await total({ filter: is('otherFields.m', 'contains', 'm1499') }),
      await total({ filter: is('otherFields.z', 'contains', 'z1499 lat') }),
    ]
    assert.deepEqual(await everywhere(), [1, 1, 1, 1])
    await updateDefinition(
      own.ctx,
      'customer',
      { fields: [{ key: 'z', name: 'Z', type: 'list', items: { type: 'text' } }] },
      null,
    )
    assert.deepEqual(await everywhere(), [1, 1, 1, 1])
    assert.deepEqual(await faultsOf(service.database, own.org), [])
  })

  test('are repaired by reindexing where they are wrong, and nothing else is touched', async () => {
    const own = await newCaller(service)
    const made: string[] = []
    for (const json of [{ name: 'Lost', tier: 'one' }, { name: 'Whole' }])
      made.push((await own.call('PATCH', `${base}/objects`, { objectKey: 'customer', json })).json().id)
    await service.database.transaction(own.org, async (run) => {
      await run(
        sql`delete from object_values where org_id = ${own.org} and object_id = ${made[0]} and field in ('tier', 'name')`,
      )
      await run(sql`delete from object_words where org_id = ${own.org} and object_key = 'customer' and word = 'one'`)
      await run(
        sql`insert into object_words (org_id, object_key, word, object_id) values (${own.org}, 'customer', 'stale', ${made[1]})`,
      )
    })
    assert.equal((await faultsOf(service.database, own.org)).length, 4)
    await requestReindexing(systemContext(service.database, own.org))
    await Promise.all([reindexObjects(service.database), reindexObjects(service.database)])
    assert.deepEqual(await faultsOf(service.database, own.org), [])
    const { read } = await reindexObjects(service.database)
    assert.equal(read, 0)
    const { version } = (await own.get(`${base}/objects/${made[0]}`)).json()
    assert.equal(version, 1)
  })
})

test('after all of this the index entries are right', async () => {
  assert.deepEqual(await faultsOf(service.database, caller.org), [])
})
