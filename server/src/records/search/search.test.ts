import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { numbersFrom, runs, some } from '../../../test/depth.ts'
import { type Caller, newCaller, newItemTypes, sharedService } from '../../../test/service.ts'
import { foldTallies, recountTally } from '../../platform/db/counts/tally-folding.ts'
import { sql, when } from '../../platform/db/sql/sql.ts'
import { updateDefinition } from '../definitions/actions.ts'
import { findObjectTally } from '../index/tallies.ts'
import { objectTallies } from '../index/tallies-sql.ts'
import { faultsOf } from '../upkeep/verify.ts'
import type { Filter } from './conditions/condition.ts'

type Json = Record<string, unknown>

const service = await sharedService()
const base = '/api/v2/platformModel'
const caller = await newCaller(service)

async function make({ call }: Pick<Caller, 'call'>, objectKey: string, json: Json): Promise<string> {
  const answer = await call('PATCH', `${base}/objects`, { objectKey, json })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().id
}

/** The ids that a search answers page after page, each behind the cursor of the one before, by pages of these sizes in turn. */
async function pagedByCursors(
  { call }: Pick<Caller, 'call'>,
  asked: Json,
  sizes: readonly number[],
  between = async (_: Json[]) => {},
): Promise<string[]> {
  const seen: string[] = []
  let after: string | null = null
  for (let nth = 0; nth === 0 || after !== null; nth++) {
    const answer = await call('POST', `${base}/objects/search`, { ...asked, after, limit: sizes[nth % sizes.length] })
    assert.equal(answer.statusCode, 200, answer.body)
    const { objects, nextAfter } = answer.json()
    seen.push(...objects.map(({ id }: Json) => id))
    await between(objects)
    after = nextAfter
  }
  return seen
}

const long = `${'long '.repeat(60)}END`
const people: Json[] = [
  {
    name: 'Acme Foods',
    city: 'Oakland',
    creditLimit: 500,
    tags: ['cold', 'food'],
    latitude: 37.5,
    externalId: 'A-1',
    billingAddress: { city: 'Reno' },
  },
  { name: 'Ärger & Söhne', city: 'Köln', creditLimit: 1000, tags: ['steel'], email: 'info@aerger.example' },
  { name: 'Bolt 100% Cargo', city: 'oakland', creditLimit: 1500, externalId: 'A-2', status: 'inactive', notes: long },
  { name: 'Cedar_Works', creditLimit: null, notes: `${long}!` },
  { name: 'Delta', city: 'Oakland', creditLimit: -3, country: '', website: `https://delta.example/${'q'.repeat(60)}` },
]
const names = people.map(({ name }) => name as string)
const ids: string[] = []
const orders: string[] = []

before(async () => {
  await newItemTypes(caller, 'Line haul', 'Fuel')
  for (const json of people) ids.push(await make(caller, 'customer', json))
  const hauls: Json[] = [
    {
      customerId: ids[0],
      pickupAt: '2026-11-15T23:30:00-02:00',
      hazardous: true,
      pickup: { city: 'Oakland', state: 'CA' },
      referenceNumber: 'PO-1',
    },
    { customerId: ids[1], pickupAt: '2026-11-16T02:00:00Z', hazardous: false, weight: 0.1 },
    { customerId: ids[0] },
  ]
  for (const json of hauls) orders.push(await make(caller, 'order', json))
  const manifest = {
    paymentItems: [
      { type: 'Line haul', unitPrice: 100 },
      { type: 'Fuel', unitPrice: 7 },
    ],
    orderIds: [orders[0], orders[2]],
    startAt: '2026-01-01T00:00:00Z',
  }
  await make(caller, 'manifest', manifest)
})

async function search(
  objectKey: string,
  asked: Json,
): Promise<{ objects: Json[]; total: number; offset: number; limit: number; nextAfter: string | null }> {
  const answer = await caller.call('POST', `${base}/objects/search`, { objectKey, ...asked })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

async function namesBy(filter: Filter, more: Json = {}): Promise<string[]> {
  const { objects, total } = await search('customer', { filter, ...more })
  assert.equal(total, objects.length)
  return objects.map(({ name }) => name as string).sort()
}

const is = (field: string, op: string, value?: unknown) => ({ field, op, value }) as Filter
const [acme, aerger, bolt, cedar, delta] = names as [string, string, string, string, string]

describe('a filter', { concurrency: true }, () => {
  const cases: [string, Filter, string[]][] = [
    ['eq tells upper from lower case', is('city', 'eq', 'Oakland'), [acme, delta]],
    ['ne keeps what has no value too', is('city', 'ne', 'Oakland'), [aerger, bolt, cedar]],
    ['in', is('city', 'in', ['Köln', 'oakland']), [aerger, bolt]],
    ['eq null is the same as not there', is('creditLimit', 'eq', null), [cedar]],
    ['exists', is('creditLimit', 'exists'), [acme, aerger, bolt, delta]],
    ['exists false', is('creditLimit', 'exists', false), [cedar]],
    ['lt over numbers, negative ones too', is('creditLimit', 'lt', 500), [delta]],
    ['lte and gt together', { and: [is('creditLimit', 'lte', 1000), is('creditLimit', 'gt', -3)] }, [acme, aerger]],
    ['gte over texts', is('name', 'gte', 'Cedar'), [aerger, cedar, delta]],
    ['contains is the same in upper and lower case, in any script', is('name', 'contains', 'ÄRGER'), [aerger]],
    ['contains finds the middle of a word', is('name', 'contains', 'elt'), [delta]],
    ['contains takes % as it is', is('name', 'contains', '0% c'), [bolt]],
    ['contains takes _ as it is', is('name', 'contains', 'r_w'), [cedar]],
    ['contains joins the end of a word and the beginning of the next', is('name', 'contains', 'me fo'), [acme]],
    ['contains finds a whole word between others', is('name', 'contains', 't 100% car'), [bolt]],
    ['contains finds signs alone', is('name', 'contains', '&'), [aerger]],
    ['contains finds less than a piece of a word', is('city', 'contains', 'ak'), [acme, bolt, delta]],
    ['contains finds nothing in another field', is('city', 'contains', 'elt'), []],
    [
      'contains finds a piece of a word that is too long to be one',
      is('website', 'contains', 'e/qqqqqqqqqqqqqqqqqqqqqqqqqqqq'),
      [delta],
    ],
    ['contains looks at the whole of a long text', is('notes', 'contains', 'END'), [bolt, cedar]],
    ['eq looks at the whole of a long text', is('notes', 'eq', long), [bolt]],
    ['startsWith', is('name', 'startsWith', 'Ce'), [cedar]],
    ['startsWith looks at the whole of a long text', is('notes', 'startsWith', `${long}!`), [cedar]],
    ['a list by any of its entries', is('tags', 'eq', 'food'), [acme]],
    ['a part of an address', is('billingAddress.city', 'startsWith', 'Re'), [acme]],
    ['an address that is there', is('billingAddress', 'exists'), [acme]],
    ['status', is('status', 'eq', 'inactive'), [bolt]],
    ['status among others', { and: [is('status', 'ne', 'inactive'), is('city', 'exists')] }, [acme, aerger, delta]],
    ['externalId', is('externalId', 'in', ['A-1', 'A-2', 'A-3']), [acme, bolt]],
    ['fullId', is('fullId', 'eq', 'CUST-4'), [cedar]],
    ['source', is('source', 'eq', 'api'), names],
    ['createdAt', is('createdAt', 'gt', '2001-01-01'), names],
    ['createdAt before', is('createdAt', 'lte', '2001-01-01T00:00:00+01:00'), []],
    ['updatedAt', is('updatedAt', 'gte', '2001-01-01'), names],
    ['version', is('version', 'eq', 1), names],
    ['version among numbers that none can have', is('version', 'in', [1.5, 1e12, -1]), []],
    [
      'version in its order, compared with any number',
      { and: [is('version', 'gt', 0.5), is('version', 'lte', 1e12), is('version', 'lt', 1.5)] },
      names,
    ],
    [
      'or over different fields',
      { or: [is('city', 'eq', 'Köln'), is('creditLimit', 'lt', 0), is('status', 'eq', 'inactive')] },
      [aerger, bolt, delta],
    ],
    ['not of or', { not: { or: [is('city', 'exists'), is('status', 'eq', 'inactive')] } }, [cedar]],
    [
      'nested',
      { and: [{ or: [is('tags', 'eq', 'cold'), is('tags', 'eq', 'steel')] }, { not: is('city', 'eq', 'Köln') }] },
      [acme],
    ],
    ['a value that nothing has', is('city', 'eq', 'Nowhere'), []],
    ['an empty text is a value', is('country', 'eq', ''), [delta]],
  ]
  for (const [title, filter, expected] of cases)
    test(title, async () => assert.deepEqual(await namesBy(filter), [...expected].sort()))

  test('moments are compared as moments, a bare date is a whole day', async () => {
    const by = async (filter: Filter) =>
      (await search('order', { filter })).objects.map(({ id }) => orders.indexOf(id as string)).sort()
    assert.deepEqual(await by(is('pickupAt', 'eq', '2026-11-16T01:30:00Z')), [0])
    assert.deepEqual(await by(is('pickupAt', 'eq', '2026-11-16')), [0, 1])
    assert.deepEqual(await by(is('pickupAt', 'gt', '2026-11-15')), [0, 1])
    assert.deepEqual(await by(is('pickupAt', 'lte', '2026-11-16T01:59:00Z')), [0])
    assert.deepEqual(await by(is('customerId', 'eq', ids[0])), [0, 2])
    assert.deepEqual(await by(is('hazardous', 'eq', true)), [0])
    assert.deepEqual(await by(is('hazardous', 'ne', true)), [1, 2])
    assert.deepEqual(await by(is('weight', 'eq', 0.1)), [1])
  })

  test('entries of a list of records are found by their fields', async () => {
    assert.equal((await search('manifest', { filter: is('paymentItems.type', 'eq', 'Fuel') })).total, 1)
    assert.equal((await search('manifest', { filter: is('paymentItems.unitPrice', 'gt', 100) })).total, 0)
    assert.equal((await search('manifest', { filter: is('orderIds', 'eq', orders[2]) })).total, 1)
  })

  const wrong: [string, unknown, string][] = [
    ['an unknown field', { and: [is('city', 'eq', 'x'), is('colour', 'eq', 1)] }, 'filter.and[1].field'],
    ['a field that only is', is('constructor', 'eq', 1), 'filter.field'],
    ['an unknown operator', is('city', 'like', 'x'), 'filter.op'],
    ['an operator of another type', { not: is('creditLimit', 'contains', 'x') }, 'filter.not.op'],
    ['a value of another type', { or: [is('creditLimit', 'eq', '5')] }, 'filter.or[0].value'],
    ['a list for one value', is('city', 'eq', ['x']), 'filter.value'],
    ['one value for a list', is('city', 'in', 'x'), 'filter.value'],
    ['one wrong value of many', is('creditLimit', 'in', [1, 'x']), 'filter.value[1]'],
    ['no date', is('createdAt', 'gt', 'yesterday'), 'filter.value'],
    ['an unknown status', is('status', 'eq', 'frozen'), 'filter.value'],
    ['two shapes at once', { and: [], or: [] }, 'filter'],
    ['an empty and', { and: [] }, 'filter.and'],
    ['no shape', { and: [{}] }, 'filter.and[0]'],
    [
      'too deep',
      Array.from({ length: 12 }).reduce<unknown>((inner) => ({ not: inner }), is('city', 'eq', 'x')),
      `filter${'.not'.repeat(9)}`,
    ],
    [
      'too many within each other',
      {
        and: [
          is('city', 'eq', 'x'),
          { or: [is('city', 'eq', 'y'), { and: Array.from({ length: 40 }, () => is('city', 'contains', 'abc def')) }] },
        ],
      },
      'filter',
    ],
    ['too many', { or: Array.from({ length: 200 }, () => is('city', 'eq', 'x')) }, 'filter.or[99]'],
  ]
  for (const [title, filter, spot] of wrong) {
    test(`with ${title} is a 400 that points at ${spot}`, async () => {
      const answer = await caller.call('POST', `${base}/objects/search`, { objectKey: 'customer', filter })
      assert.equal(answer.statusCode, 400, answer.body)
      assert.equal(answer.json().details[0].field, spot, answer.body)
    })
  }
})

describe('a search', { concurrency: true }, () => {
  test('by words finds the beginnings of words in any text field, all of them', async () => {
    const by = async (q: string) => (await search('customer', { q })).objects.map(({ name }) => name as string).sort()
    assert.deepEqual(await by('oak'), [acme, bolt, delta])
    assert.deepEqual(await by('OAK foo'), [acme])
    assert.deepEqual(await by('söh'), [aerger])
    assert.deepEqual(await by('cust-3'), [bolt])
    assert.deepEqual(await by('reno'), [acme])
    assert.deepEqual(await by('elt'), [])
    assert.deepEqual(await by('%'), [])
    assert.equal((await search('customer', { q: 'oak', filter: is('creditLimit', 'gt', 400) })).total, 2)
  })

  test('is ordered newest first, or by any field; what has no value comes last', async () => {
    const by = async (sort: string | undefined, more: Json = {}) =>
      (await search('customer', { ...(sort && { sort }), ...more })).objects.map(({ name }) =>
        names.indexOf(name as string),
      )
    assert.deepEqual(await by(undefined), [4, 3, 2, 1, 0])
    assert.deepEqual(await by('createdAt'), [0, 1, 2, 3, 4])
    assert.deepEqual(await by('fullId'), [0, 1, 2, 3, 4])
    assert.deepEqual(await by('creditLimit'), [4, 0, 1, 2, 3])
    assert.deepEqual(await by('-creditLimit'), [2, 1, 0, 4, 3])
    assert.deepEqual(await by('name'), [0, 2, 3, 4, 1])
    assert.deepEqual(await by('-creditLimit', { filter: is('city', 'exists', true) }), [2, 1, 0, 4])
    assert.deepEqual(await by('city', { filter: is('status', 'eq', 'active') }), [1, 0, 4, 3])
    assert.deepEqual(await by('-creditLimit', { offset: 1, limit: 2 }), [1, 0])
    assert.deepEqual(await by('-creditLimit', { offset: 4, limit: 2 }), [3])
    for (const sort of ['nothing', 'billingAddress', '--name', 'deletedAt'])
      assert.equal(
        (await caller.call('POST', `${base}/objects/search`, { objectKey: 'customer', sort })).statusCode,
        400,
        sort,
      )
  })

  test('page after page by cursors answers the same as one large page, in any order, by pages of any size, while others write', async () => {
    const other = await newCaller(service)
    const [cities, mixed] = [
      ['Oakland', 'oakland', 'Köln', '', 'Zürich "old"', null],
      [7, -7.25, 'seven', '7', true, false, null],
    ]
    const customer = (n: number) => ({
      name: `C ${(n * 7) % 5}`,
      city: cities[n % 6],
      creditLimit: n % 4 === 0 ? null : (n * 13) % 5,
      mixed: mixed[n % 7],
      ...(n % 3 === 0 && { status: 'inactive' }),
      ...(n % 5 === 0 && { externalId: `X-${n}`, etaDelayNotifyEnabled: true }),
    })
    const create = async (count: number) => {
      const objects = Array.from({ length: count }, (_, n) => ({ objectKey: 'customer', json: customer(n) }))
      const { counts } = (await other.call('POST', `${base}/objects/bulk`, { objects })).json()
      assert.equal(counts.failed, 0)
    }
    await create(45)
    const { objects: made } = (await other.get(`${base}/objects?objectKey=customer&limit=200`)).json()
    for (const { id } of made.slice(0, 12))
      assert.equal((await other.call('DELETE', `${base}/objects/${id}`)).statusCode, 204)

    const fields = [
      'name',
      'city',
      'creditLimit',
      'status',
      'externalId',
      'otherFields.mixed',
      'etaDelayNotifyEnabled',
      'version',
      'createdAt',
      'updatedAt',
      'fullId',
    ]
    const keysOf = (fields: readonly string[]) =>
      fc
        .uniqueArray(fc.constantFrom(...fields), { minLength: 1, maxLength: 3 })
        .chain((chosen) => fc.tuple(...chosen.map((field) => fc.constantFrom(field, `-${field}`))))
        .map((keys) => keys.join())
    const filters: (Json | undefined)[] = [
      undefined,
      { filter: is('status', 'eq', 'active') },
      { filter: { not: is('city', 'eq', 'Oakland') } },
      { filter: is('creditLimit', 'exists') },
      { q: 'c' },
    ]
    const live = fc.tuple(keysOf(fields), fc.constantFrom(...filters))
    const deleted = fc.tuple(
      keysOf(['name', 'externalId', 'fullId', 'status', 'deletedAt', 'createdAt', 'id']),
      fc.constant({ deleted: 'only' }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ arbitrary: live, weight: 5 }, { arbitrary: deleted, weight: 1 }),
        fc.array(fc.integer({ min: 4, max: 20 }), { minLength: 1, maxLength: 3 }),
        async ([sort, filter], sizes) => {
          const asked = { objectKey: 'customer', sort, ...filter }
          const { objects } = (await other.call('POST', `${base}/objects/search`, { ...asked, limit: 200 })).json()
          assert.deepEqual(
            await pagedByCursors(other, asked, sizes),
            objects.map(({ id }: Json) => id),
            JSON.stringify(asked),
          )
        },
      ),
      { numRuns: runs(40) },
    )

    for (const sort of ['-createdAt', 'name,-creditLimit', 'otherFields.mixed,city', '-city']) {
      const { objects: before } = (
        await other.call('POST', `${base}/objects/search`, { objectKey: 'customer', sort, limit: 200 })
      ).json()
      let written = 0
      const seen = await pagedByCursors(other, { objectKey: 'customer', sort }, [9], async (page) => {
        const { id } = page.at(-1) as Json
        assert.equal(
          (await other.call('PUT', `${base}/objects/${id}`, { json: { notes: `read ${sort}` } })).statusCode,
          200,
        )
        if (written++ < 2) await create(3)
      })
      assert.equal(new Set(seen).size, seen.length, `${sort} answers an object twice`)
      for (const { id } of before) assert.ok(seen.includes(id), `${sort} misses an object`)
    }
  })

  test('a cursor of another kind, order or filter, or made up, is a 400, and so is one with an offset', async () => {
    const first = await search('customer', { limit: 2, sort: 'name', filter: is('city', 'exists') })
    const after = first.nextAfter
    for (const [code, body] of [
      ['invalid_cursor', { sort: 'name' }],
      ['invalid_cursor', { sort: '-name', filter: is('city', 'exists') }],
      ['invalid_cursor', { objectKey: 'partner', sort: 'name', filter: is('city', 'exists') }],
      ['invalid_cursor', { sort: 'name', filter: is('city', 'exists'), after: 'nonsense' }],
      ['after_with_offset', { sort: 'name', filter: is('city', 'exists'), offset: 0 }],
    ] as [string, Json][]) {
      const answer = await caller.call('POST', `${base}/objects/search`, { objectKey: 'customer', after, ...body })
      assert.deepEqual(
        [answer.statusCode, answer.json().code, answer.json().details[0].field],
        [400, code, 'after'],
        answer.body,
      )
    }
    const next = await search('customer', {
      limit: 0,
      sort: 'name',
      filter: is('city', 'exists'),
      after,
      paths: ['name'],
    })
    assert.deepEqual([next.objects, next.total, next.nextAfter], [[], 4, null])
  })

  test('objects created in the same millisecond are ordered by the next field, on every page', async () => {
    const other = await newCaller(service)
    const cities = ['b', 'c', 'a', 'd', 'a', 'c', 'b', 'e', 'd', 'a', 'f', 'c']
    const many = Array.from({ length: 24 }, (_, index) => ({
      objectKey: 'customer',
      json: { name: `N${index}`, city: cities[index % cities.length] },
    }))
    for (let lot = 0; lot < 2; lot++)
      assert.equal((await other.call('POST', `${base}/objects/bulk`, { objects: many })).json().counts.created, 24)
    const page = async (sort: string, more: Json): Promise<Json[]> => {
      const answer = await other.call('POST', `${base}/objects/search`, { objectKey: 'customer', sort, ...more })
      assert.equal(answer.statusCode, 200, answer.body)
      return answer.json().objects
    }
    const all = await page('id', { limit: 200 })
    const compared = (a: unknown, b: unknown) =>
      Number((a as string) > (b as string)) - Number((a as string) < (b as string))
    for (const sign of [1, -1]) {
      const expected = all.toSorted(
        (a, b) => sign * compared(a.createdAt, b.createdAt) || -compared(a.city, b.city) || sign * compared(a.id, b.id),
      )
      for (const filter of [undefined, is('name', 'startsWith', 'N'), is('name', 'ne', 'X')]) {
        const pages = [0, 7, 14, 21, 28, 35, 42, 49].map((offset) =>
          page(`${sign < 0 ? '-' : ''}createdAt,-city`, { offset, limit: 7, ...(filter && { filter }) }),
        )
        assert.deepEqual(
          (await Promise.all(pages)).flat().map(({ id }) => id),
          expected.map(({ id }) => id),
        )
        const sort = `${sign < 0 ? '-' : ''}createdAt,-city`
        assert.deepEqual(
          await pagedByCursors(other, { objectKey: 'customer', sort, ...(filter && { filter }) }, [7]),
          expected.map(({ id }) => id),
        )
      }
    }
  })

  test('is ordered by up to three fields; a wrong one is a 400 with its place', async () => {
    const by = async (sort: string, more: Json = {}) =>
      (await search('customer', { sort, ...more })).objects.map(({ name }) => names.indexOf(name as string))
    assert.deepEqual(await by('city,-creditLimit'), [1, 0, 4, 2, 3])
    assert.deepEqual(await by('-city,creditLimit'), [2, 4, 0, 1, 3])
    assert.deepEqual(await by('status,-name'), [1, 4, 3, 0, 2])
    assert.deepEqual(await by('version,city,-creditLimit'), [1, 0, 4, 2, 3])
    assert.deepEqual(await by('country,status,-createdAt'), [4, 3, 1, 0, 2])
    assert.deepEqual(await by('city, -creditLimit', { offset: 1, limit: 3 }), [0, 4, 2])
    assert.deepEqual(await by('city,-creditLimit', { filter: is('status', 'eq', 'active') }), [1, 0, 4, 3])
    assert.deepEqual(await by('city,-creditLimit', { filter: is('name', 'ne', delta) }), [1, 0, 2, 3])
    assert.deepEqual(await by('city,-creditLimit', { filter: is('creditLimit', 'exists') }), [1, 0, 4, 2])
    const wrong: [string, string][] = [
      ['city,nothing', 'sort[1]'],
      ['city,,name', 'sort[1]'],
      ['name,city,status,version', 'sort'],
      ['name,billingAddress', 'sort[1]'],
    ]
    for (const [sort, field] of wrong) {
      const answer = await caller.call('POST', `${base}/objects/search`, { objectKey: 'customer', sort })
      assert.deepEqual([answer.statusCode, answer.json().details[0].field], [400, field], sort)
    }
    const listed = (await caller.get(`${base}/objects?objectKey=customer&sort=city,-creditLimit&paths=name`)).json()
    assert.deepEqual(
      listed.objects.map(({ name }: Json) => name),
      [aerger, acme, delta, bolt, cedar],
    )
  })

  test('finds the deleted ones where that is asked, to be restored', async () => {
    const other = await newCaller(service)
    const made = []
    for (const n of [1, 2, 3, 4])
      made.push(
        await make(other, 'customer', {
          name: `Gone ${n}`,
          city: 'X',
          externalId: `G-${n}`,
          ...(n === 3 && { status: 'inactive' }),
        }),
      )
    for (const id of made.slice(0, 3)) await other.call('DELETE', `${base}/objects/${id}`)
    const by = async (asked: Json) => {
      const { objects, total } = (
        await other.call('POST', `${base}/objects/search`, { objectKey: 'customer', deleted: 'only', ...asked })
      ).json()
      assert.ok(objects.every(({ deletedAt }: Json) => /Z$/.test(String(deletedAt))))
      return [total, ...objects.map(({ name }: Json) => name)]
    }
    assert.deepEqual(await by({}), [3, 'Gone 3', 'Gone 2', 'Gone 1'])
    assert.deepEqual(await by({ sort: 'name', offset: 1, limit: 1 }), [3, 'Gone 2'])
    assert.deepEqual(await by({ filter: is('externalId', 'in', ['G-1', 'G-4']) }), [1, 'Gone 1'])
    assert.deepEqual(
      await by({ filter: { or: [is('name', 'eq', 'Gone 2'), is('fullId', 'eq', 'CUST-3')] }, sort: 'fullId' }),
      [2, 'Gone 2', 'Gone 3'],
    )
    assert.deepEqual(await by({ filter: { not: is('status', 'eq', 'inactive') }, sort: '-createdAt' }), [
      2,
      'Gone 2',
      'Gone 1',
    ])
    assert.deepEqual(
      await by({
        filter: { and: [is('deletedAt', 'gte', '2001-01-01'), is('version', 'eq', 2), is('name', 'gt', 'Gone 1')] },
      }),
      [2, 'Gone 3', 'Gone 2'],
    )
    assert.deepEqual(await by({ paths: ['name'], filter: is('id', 'in', [made[0]]) }), [1, 'Gone 1'])
    const wrong: [Json, string][] = [
      [{ filter: is('city', 'eq', 'X') }, 'filter.field'],
      [{ filter: is('name', 'contains', 'one') }, 'filter.op'],
      [{ q: 'gone' }, 'q'],
      [{ sort: 'city' }, 'sort'],
      [{ deleted: 'with' }, 'deleted'],
    ]
    for (const [asked, field] of wrong) {
      const answer = await other.call('POST', `${base}/objects/search`, {
        objectKey: 'customer',
        deleted: 'only',
        ...asked,
      })
      assert.deepEqual([answer.statusCode, answer.json().details?.[0].field], [400, field], answer.body)
    }
    const v1 = async (query: string) => (await other.get(`/api/v1/customers?deleted=only&${query}`)).json()
    const { customers, total } = await v1('external_ids=G-2&sort=-name,created_at')
    assert.deepEqual(
      [total, customers[0].name, typeof customers[0].deleted_at, customers[0].deletedAt],
      [1, 'Gone 2', 'string', undefined],
    )
    for (const query of ['q=gone', 'search_term=gone', 'currency=usd', 'sort=city'])
      assert.equal((await v1(query)).error_code && 400, 400, query)
    assert.equal((await other.call('POST', `${base}/objects/${made[1]}/restore`)).statusCode, 200)
    assert.deepEqual(await by({}), [2, 'Gone 3', 'Gone 1'])
    assert.deepEqual(await by({ filter: is('createdBy', 'exists') }), [2, 'Gone 3', 'Gone 1'])
    const stranger = await newCaller(service)
    assert.equal((await stranger.get(`${base}/objects?objectKey=customer&deleted=only`)).json().total, 0)
  })

  test('shows any page of a kind, or of its states, in the order of its times, however deep', async () => {
    const other = await newCaller(service)
    const first = await make(other, 'customer', { name: 'First' })
    await service.database.transaction(other.org, (run) =>
      run(sql`
        insert into objects (org_id, id, object_key, number, full_id, name, status, source, json, created_at, created_by, updated_at, updated_by)
        select own.org_id, rpad(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || lpad(n::text, 3, '0') || '8', 32, '0')::uuid, 'customer', n + 1, 'CUST-' || (n + 1), 'N', case when n % 3 = 0 then 'inactive' else 'active' end,
          'api', '{}', at, own.org_id, at + interval '1 hour' * (n * 7 % 100), own.org_id
        from (select n, timestamptz '2026-01-30 00:00Z' + interval '7 minutes' * n as at from generate_series(1, 700) as n) as made
          cross join organizations own where own.org_id = ${other.org}`),
    )
    for (const tally of Object.values(objectTallies('customer'))) await recountTally(service.database, tally, other.org)
    await other.call('PUT', `${base}/objects/${first}`, { json: { city: 'X' } })
    for (const sort of ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', '-id']) {
      for (const status of ['', '&status=inactive', '&status=active,inactive,active']) {
        const page = async (offset: number, limit: number) => {
          const { objects, total } = (
            await other.get(
              `${base}/objects?objectKey=customer&paths=id&sort=${sort}${status}&offset=${offset}&limit=${limit}`,
            )
          ).json()
          return { ids: objects.map(({ id }: Json) => id as string), total }
        }
        const { total } = await page(0, 0)
        const column = sort.endsWith('updatedAt') ? sql`updated_at` : sql`id`
        const rows = await other.ctx.run<{ id: string }>(sql`
          select id from objects where org_id = ${other.org} ${when(status === '&status=inactive', sql`and status = 'inactive'`)} order by ${column}, id`)
        const all = rows.map(({ id }) => id)
        if (sort.startsWith('-')) all.reverse()
        assert.equal(total, all.length)
        for (const offset of [199, 201, 215, total - 5, total, total + 300])
          assert.deepEqual((await page(offset, 9)).ids, all.slice(offset, offset + 9), `${sort}${status} ${offset}`)
      }
    }
  })

  test('pages, counts exactly, and clamps', async () => {
    assert.deepEqual(Object.assign(await search('customer', { limit: 0 }), { objects: 0 }), {
      objects: 0,
      offset: 0,
      limit: 0,
      total: 5,
      nextAfter: null,
    })
    const { objects, ...page } = await search('customer', { offset: 4, limit: 1000 })
    assert.deepEqual([objects.length, page], [1, { offset: 4, limit: 200, total: 5, nextAfter: null }])
    const far = await search('customer', { offset: Number.MAX_SAFE_INTEGER, sort: 'name' })
    assert.deepEqual([far.objects, far.total], [[], 5])
    assert.equal(
      (await caller.call('POST', `${base}/objects/search`, { objectKey: 'customer', limit: -1 })).statusCode,
      400,
    )
    assert.equal((await caller.call('POST', `${base}/objects/search`, { objectKey: 'nothing' })).statusCode, 400)
    assert.equal((await caller.get(`${base}/objects`)).statusCode, 400)
  })

  test('by GET takes states, an externalId and a filter as JSON', async () => {
    const by = async (query: string) => (await caller.get(`${base}/objects?objectKey=customer&${query}`)).json()
    assert.equal((await by('status=active,inactive')).total, 5)
    assert.equal((await by('status=inactive')).objects[0].name, bolt)
    assert.equal((await by('externalId=A-1')).objects[0].name, acme)
    assert.equal(
      (await by(`filter=${encodeURIComponent(JSON.stringify(is('city', 'eq', 'Köln')))}&status=active`)).objects[0]
        .name,
      aerger,
    )
    assert.equal((await by('filter={')).statusCode, 400)
    assert.equal((await by('q=%00')).statusCode, 400)
    const wrong: [string, string][] = [
      ['status=frozen', 'status'],
      [`status=active&filter=${encodeURIComponent('{"field":"colour","op":"exists"}')}`, 'filter.field'],
      [`filter=${encodeURIComponent('{"field":"name","op":"eq","value":"\\u0000"}')}`, 'filter.value'],
      [`filter=${encodeURIComponent('{"field":"name","op":"in","value":["\\ud800"]}')}`, 'filter.value.0'],
      [`filter=${encodeURIComponent('{"field":"name","field":"city","op":"exists"}')}`, 'filter.field'],
    ]
    for (const [query, spot] of wrong) {
      const { statusCode, details } = await by(query)
      assert.deepEqual([statusCode, details?.[0].field], [400, spot], query)
    }
  })

  test('distinguishes a field from a column with the same name', async () => {
    const other = await newCaller(service)
    const fields = [
      { key: 'created', name: 'Created', type: 'number' as const },
      { key: 'updated_at', name: 'Updated', type: 'text' as const },
    ]
    await updateDefinition(other.ctx, 'service', { fields }, null)
    await make(other, 'service', { name: 'Washing', created: 5, updated_at: 'm' })
    const total = async (...and: Filter[]) =>
      (await other.call('POST', `${base}/objects/search`, { objectKey: 'service', filter: { and } })).json().total
    const made = is('createdAt', 'gt', '2020-01-01')
    assert.deepEqual([await total(made, is('created', 'gt', 4)), await total(is('created', 'gt', 5), made)], [1, 0])
    assert.deepEqual(
      [
        await total(is('updated_at', 'lt', 'n'), is('updatedAt', 'gt', '2020-01-01')),
        await total(is('updated_at', 'gt', 'n'), made),
      ],
      [1, 0],
    )
  })

  test('answers the paths asked for, through references, in one go', async () => {
    const { objects } = await search('order', {
      paths: ['fullId', 'customerId', 'customer.name', 'customerId.billingAddress.city', 'pickup.city'],
      sort: 'createdAt',
    })
    assert.deepEqual(objects[0], {
      id: orders[0],
      objectKey: 'order',
      fullId: 'ORD-1',
      customerId: ids[0],
      customer: { id: ids[0], objectKey: 'customer', name: acme, billingAddress: { city: 'Reno' } },
      pickup: { city: 'Oakland' },
    })
    assert.deepEqual((objects[2] as Json).pickup, null)
    const manifest = (await search('manifest', { paths: ['orders.customer.name', 'orderIds'] })).objects[0] as {
      orders: Json[]
    }
    assert.deepEqual(
      manifest.orders.map(({ customer }) => (customer as Json).name),
      [acme, acme],
    )
    const whole = (await caller.get(`${base}/objects/${orders[0]}?paths=*,customerId.*`)).json()
    assert.equal(whole.customer.city, 'Oakland')
    assert.equal(whole.referenceNumber, 'PO-1')
    assert.deepEqual((await caller.get(`${base}/objects/${ids[0]}?paths=name,constructor`)).json(), {
      id: ids[0],
      objectKey: 'customer',
      name: acme,
    })
    for (const path of ['name.x', 'nothing.name', 'customerId.', 'pickup.city.x', 'constructor.name'])
      assert.equal((await caller.get(`${base}/objects/${orders[0]}?paths=${path}`)).statusCode, 400, path)
  })

  test('finds the same where very many meet each condition as where few do', async () => {
    const other = await newCaller(service)
    await make(other, 'customer', { name: 'Little 0' })
    const made = sql`(select n, md5(${other.org} || n)::uuid as id, timestamptz '2026-01-01 00:00Z' + interval '1 minute' * n as at from generate_series(1, 2500) as n) as made cross join organizations own`
    await service.database.transaction(other.org, async (run) => {
      await run(sql`
        insert into objects (org_id, id, object_key, number, full_id, name, status, source, json, created_at, created_by, updated_at, updated_by)
        select own.org_id, id, 'customer', n + 1, 'CUST-' || (n + 1), 'Big ' || n, case when n % 2 = 0 then 'inactive' else 'active' end, 'api', '{}', at, id, at, id from ${made} where own.org_id = ${other.org}`)
      await run(sql`
        insert into object_values (org_id, object_id, object_key, field, position, text_value, folded_value, number_value)
        select own.org_id, id, 'customer', v.field, 0, v.text, lower(v.text), v.number from ${made}
        cross join lateral (values ('name', 'Big ' || n, null), ('city', 'Metropolis', null), ('creditLimit', null, n)) as v(field, text, number) where own.org_id = ${other.org}`)
      await run(sql`
        insert into object_words (org_id, object_key, word, object_id)
        select own.org_id, 'customer', word, id from ${made} cross join lateral unnest(array['big', n::text, 'metropolis']) as word where own.org_id = ${other.org}`)
      await run(sql`insert into object_word_ends (org_id, object_key, ending, word, object_id)
        select distinct on (ending) own.org_id, 'customer', ending, 'metropolis', id from ${made} cross join word_ends('metropolis') as ending
        where own.org_id = ${other.org}`)
    })
    const by = async (asked: Json) => {
      const answer = await other.call('POST', `${base}/objects/search`, { objectKey: 'customer', limit: 3, ...asked })
      assert.equal(answer.statusCode, 200, answer.body)
      const { objects, total } = answer.json()
      return [total, ...objects.map(({ name }: Json) => name)]
    }
    const metropolis = is('city', 'eq', 'Metropolis')
    const sevens = Array.from({ length: 2500 }, (_, n) => n + 1).filter((n) => String(n).startsWith('77')).length
    assert.deepEqual(await by({ filter: is('city', 'contains', 'etropol'), sort: '-creditLimit' }), [
      2500,
      'Big 2500',
      'Big 2499',
      'Big 2498',
    ])
    assert.deepEqual(await by({ filter: is('city', 'contains', 'METROPOLIS'), sort: 'creditLimit', offset: 2499 }), [
      2500,
      'Big 2500',
    ])
    assert.deepEqual(await by({ filter: is('name', 'contains', 'ig 77'), sort: '-name', limit: 1 }), [
      sevens,
      'Big 779',
    ])
    assert.deepEqual(await by({ filter: metropolis, sort: '-updatedAt,name' }), [
      2500,
      'Big 2500',
      'Big 2499',
      'Big 2498',
    ])
    assert.deepEqual(
      await by({ filter: { and: [metropolis, is('creditLimit', 'gt', 0)] }, sort: 'status,-creditLimit' }),
      [2500, 'Big 2499', 'Big 2497', 'Big 2495'],
    )
    assert.deepEqual(
      await by({ filter: { and: [metropolis, { not: is('creditLimit', 'gte', 2499) }] }, sort: '-creditLimit' }),
      [2498, 'Big 2498', 'Big 2497', 'Big 2496'],
    )
    assert.deepEqual(
      await by({ filter: { and: [metropolis, is('creditLimit', 'eq', 7), { not: is('status', 'eq', 'inactive') }] } }),
      [1, 'Big 7'],
    )
    assert.deepEqual(
      await by({
        filter: { and: [metropolis, { or: [is('creditLimit', 'eq', 8), is('name', 'contains', 'ig 250')] }] },
        sort: 'creditLimit',
      }),
      [3, 'Big 8', 'Big 250', 'Big 2500'],
    )
    assert.deepEqual(await by({ q: 'metro big', sort: 'creditLimit' }), [2500, 'Big 1', 'Big 2', 'Big 3'])
    assert.deepEqual(await by({ q: 'metro 77', sort: '-name', limit: 1 }), [sevens, 'Big 779'])
    assert.deepEqual(await by({ q: 'metro', filter: is('creditLimit', 'lte', 2), sort: 'creditLimit' }), [
      2,
      'Big 1',
      'Big 2',
    ])
    assert.deepEqual(await by({ filter: is('name', 'exists'), sort: 'creditLimit', offset: 2499 }), [
      2501,
      'Big 2500',
      'Little 0',
    ])
  })

  test('is ordered by several fields, also where very many objects are equal in the first', async () => {
    const other = await newCaller(service)
    await make(other, 'customer', { name: 'Little 0' })
    const made = sql`(
      select n, md5(${other.org} || n)::uuid as id, timestamptz '2026-01-01 00:00Z' + interval '1 minute' * (n % 50) as at, 'N' || n * 7919 % 5000 as name,
        case when n <= 300 then 'Aachen' when n <= 2700 then 'Berlin' when n <= 4900 then 'Chur' end as city, nullif(n * 31 % 97, 0) as credit
      from generate_series(1, 5000) as n) as made cross join organizations own`
    await service.database.transaction(other.org, async (run) => {
      await run(sql`
        insert into objects (org_id, id, object_key, number, full_id, name, status, source, json, created_at, created_by, updated_at, updated_by)
        select own.org_id, id, 'customer', n + 1, 'CUST-' || (n + 1), made.name, case when n % 3 = 0 then 'inactive' else 'active' end, 'api', '{}', at, id, at, id from ${made} where own.org_id = ${other.org}`)
      await run(sql`
        insert into object_values (org_id, object_id, object_key, field, position, text_value, folded_value, number_value)
        select own.org_id, id, 'customer', v.field, 0, v.text, lower(v.text), v.number from ${made}
        cross join lateral (values ('name', made.name, null), ('city', city, null), ('creditLimit', null, credit)) as v(field, text, number)
        where own.org_id = ${other.org} and (v.text is not null or v.number is not null)`)
    })
    await service.database.pool.run(sql`analyze objects, object_values`)
    for (const tally of Object.values(objectTallies('customer'))) await recountTally(service.database, tally, other.org)
    type Known = Record<string, string | number | null> & { id: string }
    const all = await other.ctx.run<Known>(sql`
      select o.id::text, o.name, o.status, o.updated_at::text as "updatedAt",
        (select text_value from object_values v where v.org_id = ${other.org} and v.object_id = o.id and v.field = 'city') as city,
        (select number_value from object_values v where v.org_id = ${other.org} and v.object_id = o.id and v.field = 'creditLimit') as "creditLimit"
      from objects o where o.org_id = ${other.org}`)
    /** Naively: one key after the other, what has no value last, then the ids, in the direction of the first key. */
    const sorted = (rows: readonly Known[], sort: string) => {
      const keys = sort.split(',').map((key) => ({ field: key.replace('-', ''), sign: key.startsWith('-') ? -1 : 1 }))
      keys.push({ field: 'id', sign: keys[0]?.sign as number })
      return [...rows].sort((one, two) => {
        for (const { field, sign } of keys) {
          const [a, b] = [one[field] ?? null, two[field] ?? null]
          if (a === b) continue
          if (a === null || b === null) return a === null ? 1 : -1
          return a < b ? -sign : sign
        }
        return 0
      })
    }
    const filters: [Filter | undefined, (row: Known) => boolean][] = [
      [undefined, () => true],
      [is('status', 'eq', 'active'), ({ status }) => status === 'active'],
      [{ not: is('creditLimit', 'eq', 31) }, ({ creditLimit }) => creditLimit !== 31],
      [is('creditLimit', 'exists'), ({ creditLimit }) => creditLimit !== null],
    ]
    const sorts = [
      'city,name',
      '-city,-creditLimit,name',
      'status,name',
      '-status,city,creditLimit',
      'city,status,-name',
      'city,-updatedAt',
    ]
    const asked = filters.flatMap(([filter, meets]) =>
      (filter ? sorts.slice(0, 2) : sorts).flatMap((sort) =>
        (filter ? [0, 290] : [0, 290, 990, 2695]).map((offset) => ({ filter, meets, sort, offset })),
      ),
    )
    for (const { filter, meets, sort, offset } of some(asked)) {
      const expected = sorted(all.filter(meets), sort)
      const body = { objectKey: 'customer', sort, offset, limit: 10, paths: ['id'], ...(filter && { filter }) }
      const { objects, total, nextAfter } = (await other.call('POST', `${base}/objects/search`, body)).json()
      const seen = [total, ...objects.map(({ id }: Json) => id)]
      assert.deepEqual(
        seen,
        [expected.length, ...expected.slice(offset, offset + 10).map(({ id }) => id)],
        `${JSON.stringify(filter)} ${sort} ${offset}`,
      )
      const { offset: _, ...rest } = body
      const behind = (await other.call('POST', `${base}/objects/search`, { ...rest, after: nextAfter })).json()
      assert.deepEqual(
        [behind.total, ...behind.objects.map(({ id }: Json) => id)],
        [expected.length, ...expected.slice(offset + 10, offset + 20).map(({ id }) => id)],
        `behind ${JSON.stringify(filter)} ${sort} ${offset}`,
      )
    }
  })

  test('finds part of a word that many write at the same moment, in bulk too, each organization its own', async () => {
    const [one, two] = [await newCaller(service), await newCaller(service)]
    const text = 'Xylophone-Quartett'
    await Promise.all(
      [one, two].flatMap((caller) => Array.from({ length: 3 }, () => make(caller, 'customer', { name: text }))),
    )
    await one.call('POST', `${base}/objects/bulk`, {
      objects: ['Glockenspiele', text].map((name) => ({ objectKey: 'customer', json: { name } })),
    })
    const count = async (caller: Caller, value: string) =>
      (
        await caller.call('POST', `${base}/objects/search`, {
          objectKey: 'customer',
          filter: is('name', 'contains', value),
        })
      ).json().total
    assert.deepEqual(
      [await count(one, 'lopho'), await count(two, 'ONE-QUAR'), await count(one, 'ckens'), await count(two, 'ckens')],
      [4, 3, 1, 0],
    )
    assert.deepEqual(await faultsOf(service.database, one.org), [])
    await service.database.transaction(one.org, (run) =>
      run(sql`set local role none`).then(() =>
        run(sql`delete from object_word_ends where org_id = ${one.org} and word = 'glockenspiele'`),
      ),
    )
    assert.match(String(await faultsOf(service.database, one.org)), /glockenspiele.*not found by its pieces/)
  })

  test('finds at once what was just written, and no more what was just changed or deleted', async () => {
    const other = await newCaller(service)
    const count = async (value: string) =>
      (
        await other.call('POST', `${base}/objects/search`, { objectKey: 'customer', filter: is('city', 'eq', value) })
      ).json().total
    const id = await make(other, 'customer', { name: 'N', city: 'One' })
    assert.equal(await count('One'), 1)
    await other.call('PUT', `${base}/objects/${id}`, { json: { city: 'Two' } })
    assert.deepEqual([await count('One'), await count('Two')], [0, 1])
    await other.call('DELETE', `${base}/objects/${id}`)
    assert.equal(await count('Two'), 0)
    assert.equal((await other.get(`${base}/objects?objectKey=customer&q=two`)).json().total, 0)
    await other.call('POST', `${base}/objects/${id}/restore`)
    assert.equal(await count('Two'), 1)
    assert.equal((await other.get(`${base}/objects?objectKey=customer&q=two`)).json().total, 1)
  })
})

describe('index entries', () => {
  test('match their objects, and the totals their number, after random changes by many at once', async () => {
    const other = await newCaller(service)
    const random = numbersFrom('changes by many at once')
    const texts = ['Oakland', 'Köln', 'a b', '', long, 'ΟΔΟΣ', '100%', 'CUST 1']
    const target = await make(other, 'customer', { name: 'Target' })
    const dock = { fields: [{ key: 'dock', name: 'Dock', type: 'text' as const }] }
    await updateDefinition(other.ctx, 'order', dock, null)
    const known: string[] = []
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        for (let step = 0; step < 16; step++) {
          const json = {
            notes: texts[random(8)],
            dock: texts[random(8)],
            weight: [null, 0, 1.5, -2e10][random(4)],
            hazardous: random(2) === 1,
            pickup: { city: texts[random(8)] },
            status: ['active', 'planned'][random(2)],
          }
          const at = `${base}/objects/${known[random(known.length)]}`
          const done = [
            async () =>
              known.push(
                await make(other, 'order', {
                  ...json,
                  customerId: target,
                  ...(random(2) && { externalId: `E${random(4)}` }),
                }),
              ),
            () => other.call('PUT', at, { json }),
            () => other.call('DELETE', at),
            () => other.call('POST', `${at}/restore`),
            () => updateDefinition(other.ctx, 'order', random(2) ? { fields: [] } : dock, null),
          ]
          await done[known.length === 0 ? 0 : random(step % 8 === 0 ? 5 : 4)]?.()
        }
      }),
    )
    assert.deepEqual(await faultsOf(service.database, other.org), [])
    await foldTallies(service.database, findObjectTally, other.org)
    assert.deepEqual(await faultsOf(service.database, other.org), [])
    const { objects, total } = (await other.get(`${base}/objects?objectKey=order&limit=200`)).json()
    assert.equal(objects.length, total)
    const planned = (await other.get(`${base}/objects?objectKey=order&status=planned&limit=200`)).json()
    assert.deepEqual(
      [planned.total, planned.objects.length],
      Array(2).fill(objects.filter(({ status }: Json) => status === 'planned').length),
    )
  })

  test('of a fullId stay when a field that has the same word is removed', async () => {
    const other = await newCaller(service)
    await updateDefinition(other.ctx, 'customer', { fields: [{ key: 'dock', name: 'Dock', type: 'text' }] }, null)
    const id = await make(other, 'customer', { name: 'Acme', dock: 'Gate 1' })
    const find = async (q: string) =>
      (await other.get(`${base}/objects?objectKey=customer&q=${q}`)).json().objects.map(({ id }: Json) => id)
    assert.deepEqual([await find('1'), await find('gate')], [[id], [id]])
    await updateDefinition(other.ctx, 'customer', { fields: [] }, null)
    assert.deepEqual([await find('1'), await find('cust'), await find('gate')], [[id], [id], []])
    assert.deepEqual(await faultsOf(service.database, other.org), [])
  })

  test('are reported by verify where they are wrong', async () => {
    const other = await newCaller(service)
    const id = await make(other, 'customer', { name: 'A', city: 'X' })
    await service.database.transaction(other.org, (run) =>
      run(sql`delete from object_values where org_id = ${other.org} and object_id = ${id} and field = 'city'`),
    )
    assert.match(String(await faultsOf(service.database, other.org)), new RegExp(`${id}.*other values`))
  })
})
