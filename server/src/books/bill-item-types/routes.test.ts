import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Caller, newCaller, sharedService } from '../../../test/service.ts'
import { scopeNames } from '../../platform/access/scopes.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { sql } from '../../platform/db/sql/sql.ts'

const path = '/api/v1/bill_item_types'
const service = await sharedService()

async function make(caller: Caller, body: object) {
  const answer = await caller.call('POST', path, body)
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().bill_item_type
}

describe('GET /bill_item_types', { concurrency: true }, () => {
  test('answers the envelope of the contract, newest first, with every field of every type', async () => {
    const caller = await newCaller(service)
    const first = await make(caller, { name: 'Detention' })
    const second = await make(caller, { name: 'Lumper', class: 'accessorial', external_id: 'L1', qb_external_id: 'Q1' })
    const answer = await caller.get(path)
    assert.equal(answer.statusCode, 200)
    assert.deepEqual(answer.json(), {
      bill_item_types: [second, first],
      offset: 0,
      limit: 20,
      total: 2,
      next_after: null,
    })
    assert.deepEqual(Object.keys(first), [
      'id',
      'external_id',
      'qb_external_id',
      'name',
      'class',
      'org_id',
      'revision',
      'created_at',
      'updated_at',
    ])
    assert.equal(first.external_id, null)
    assert.equal(first.org_id, caller.org)
    assert.match(first.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  test('pages without losing or repeating a row, clamps a large limit and says so, and counts exactly', async () => {
    const caller = await newCaller(service)
    await Promise.all(Array.from({ length: 25 }, (_, index) => make(caller, { name: `Type ${index}` })))
    const seen: string[] = []
    for (let offset = 0; offset < 30; offset += 7) {
      const { bill_item_types, total } = (await caller.get(`${path}?offset=${offset}&limit=7`)).json()
      assert.equal(total, 25)
      seen.push(...bill_item_types.map(({ id }: { id: string }) => id))
    }
    assert.equal(seen.length, 25)
    assert.equal(new Set(seen).size, 25)
    assert.equal((await caller.get(`${path}?limit=5000`)).json().limit, 200)
    assert.deepEqual((await caller.get(`${path}?limit=0`)).json(), {
      bill_item_types: [],
      offset: 0,
      limit: 0,
      total: 25,
      next_after: null,
    })
  })

  test('search_term finds a substring of any of the four fields, whatever the case, and takes % and _ literally', async () => {
    const caller = await newCaller(service)
    await make(caller, { name: 'Fuel SURCHARGE' })
    await make(caller, { name: 'a', class: 'Überführung' })
    await make(caller, { name: 'b', external_id: 'ext-77' })
    await make(caller, { name: 'c', qb_external_id: '100%_off' })
    const names = async (term: string) =>
      (await caller.get(`${path}?search_term=${encodeURIComponent(term)}`))
        .json()
        .bill_item_types.map(({ name }: { name: string }) => name)
    assert.deepEqual(await names('surch'), ['Fuel SURCHARGE'])
    assert.deepEqual(await names('ÜBERF'), ['a'])
    assert.deepEqual(await names('EXT-7'), ['b'])
    assert.deepEqual(await names('%_'), ['c'])
    assert.deepEqual(await names("'; drop table bill_item_types; --"), [])
  })

  test('names matches whole names in all three ways of writing an array; an empty one filters nothing', async () => {
    const caller = await newCaller(service)
    for (const name of ['Detention', 'Lumper', 'Loading, live']) await make(caller, { name })
    const count = async (query: string) => (await caller.get(`${path}?${query}`)).json().total
    assert.equal(await count('names=detention&names=LUMPER'), 2)
    assert.equal(await count('names[]=detention&names[]=lumper'), 2)
    assert.equal(await count('names=detention,lumper'), 2)
    assert.equal(await count('names%5B%5D=Loading%2C%20live'), 1)
    assert.equal(await count('names=Deten'), 0)
    assert.equal(await count('names='), 3)
  })

  for (const [query, field] of [
    ['limit=-1', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1.5', 'limit'],
    ['offset=-1', 'offset'],
    ['offset=99999999999999999999', 'offset'],
    ['limit=1&limit=2', 'limit'],
    ['search_term=%00', 'search_term'],
  ] as const) {
    test(`answers 400 to ?${query} and names ${field}`, async () => {
      const answer = await (await newCaller(service)).get(`${path}?${query}`)
      assert.equal(answer.statusCode, 400, answer.body)
      assert.equal(answer.json().details[0].field, field)
    })
  }

  test('ignores an unknown parameter, and with Prefer: handling=strict refuses it by name', async () => {
    const caller = await newCaller(service)
    assert.equal((await caller.get(`${path}?color=red`)).statusCode, 200)
    const strict = await caller.get(`${path}?color=red&limit=5`, { prefer: 'handling=strict' })
    assert.equal(strict.statusCode, 400)
    assert.deepEqual(
      strict.json().details.map(({ field }: { field: string }) => field),
      ['color'],
    )
    const fine = await caller.get(`${path}?names[]=a&limit=5`, { prefer: 'handling=strict' })
    assert.equal(fine.headers['preference-applied'], 'handling=strict')
  })
})

describe('POST /bill_item_types', { concurrency: true }, () => {
  test('answers 201 in the shape of the GET, with Location and ETag, and records the event', async () => {
    const caller = await newCaller(service)
    const answer = await caller.call('POST', path, { name: 'Detention', external_id: 'D-1' })
    const made = answer.json().bill_item_type
    assert.equal(answer.statusCode, 201)
    assert.equal(answer.headers.location, `${path}/${made.id}`)
    assert.equal(answer.headers.etag, '"1"')
    const read = await caller.get(answer.headers.location as string)
    assert.deepEqual(read.json(), answer.json())
    const [event] = await caller.events()
    assert.equal(event?.type, 'bill_item_type.created')
    assert.deepEqual(event?.data, made)
  })

  for (const [what, body, field] of [
    ['no name', { class: 'x' }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name that is a number', { name: 7 }, 'name'],
    ['a name that is too long', { name: 'x'.repeat(256) }, 'name'],
    ['a NUL character', { name: 'a\0b' }, 'name'],
    ['half a surrogate pair', { name: 'a\ud800' }, 'name'],
  ] as const) {
    test(`answers 400 to ${what}, names the field and writes nothing`, async () => {
      const caller = await newCaller(service)
      const answer = await caller.call('POST', path, body)
      assert.equal(answer.statusCode, 400, answer.body)
      assert.equal(answer.json().details[0].field, field)
      assert.equal((await caller.get(path)).json().total, 0)
      assert.deepEqual(await caller.events(), [])
    })
  }

  test('answers 409 to an external_id that is taken, also when twenty ask for it at once, and records one event', async () => {
    const caller = await newCaller(service)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => caller.call('POST', path, { name: 'Twin', external_id: 'same' })),
    )
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [201, ...Array(19).fill(409)])
    assert.equal((await caller.events()).length, 1)
  })

  test('two organizations may use the same external_id', async () => {
    const [one, other] = await Promise.all([newCaller(service), newCaller(service)])
    const [a, b] = [
      await make(one, { name: 'X', external_id: 'same' }),
      await make(other, { name: 'Y', external_id: 'same' }),
    ]
    assert.equal((await one.get(`${path}/ext:same`)).json().bill_item_type.id, a.id)
    assert.equal((await other.get(`${path}/ext:same`)).json().bill_item_type.id, b.id)
  })
})

describe('GET /bill_item_types/:id', { concurrency: true }, () => {
  test('takes the id, ext: and external_id:, with slashes, colons, spaces and Unicode', async () => {
    const caller = await newCaller(service)
    const external_id = 'a/b:c d?é漢%'
    const made = await make(caller, { name: 'Odd', external_id })
    for (const reference of [
      made.id,
      made.id.toUpperCase(),
      `ext:${encodeURIComponent(external_id)}`,
      `external_id:${encodeURIComponent(external_id)}`,
    ]) {
      assert.equal((await caller.get(`${path}/${reference}`)).json().bill_item_type?.id, made.id, reference)
    }
  })

  test('answers 400 to a malformed id, 404 to one of nothing, and the same 404 to one of another organization', async () => {
    const [caller, stranger] = await Promise.all([newCaller(service), newCaller(service)])
    const { id } = await make(stranger, { name: 'Theirs', external_id: 'theirs' })
    assert.equal((await caller.get(`${path}/not-an-id`)).statusCode, 400)
    assert.equal((await caller.get(`${path}/ext:`)).statusCode, 400)
    const missing = newId()
    const [theirs, nothing] = [await caller.get(`${path}/${id}`), await caller.get(`${path}/${missing}`)]
    assert.equal(theirs.statusCode, 404)
    assert.equal(theirs.json().error_message.replace(id, ''), nothing.json().error_message.replace(missing, ''))
    assert.equal((await caller.get(`${path}/ext:theirs`)).statusCode, 404)
  })

  test('answers 304 to a caller who has that revision', async () => {
    const caller = await newCaller(service)
    const { id } = await make(caller, { name: 'Still' })
    assert.equal((await caller.get(`${path}/${id}`, { 'if-none-match': '"1"' })).statusCode, 304)
    assert.equal((await caller.get(`${path}/${id}`, { 'if-none-match': '"2"' })).statusCode, 200)
  })
})

describe('PUT /bill_item_types/:id', { concurrency: true }, () => {
  test('applies the fields sent, clears with null, keeps the rest, raises the revision and records what was before', async () => {
    const caller = await newCaller(service)
    const made = await make(caller, { name: 'Old', class: 'c', external_id: 'e' })
    const answer = await caller.call('PUT', `${path}/ext:e`, { name: 'New', class: null })
    assert.equal(answer.headers.etag, '"2"')
    const now = answer.json().bill_item_type
    assert.deepEqual({ ...now, updated_at: null }, { ...made, name: 'New', class: null, revision: 2, updated_at: null })
    const event = (await caller.events()).at(-1)
    assert.equal(event?.type, 'bill_item_type.updated')
    assert.deepEqual(event?.previous, { name: 'Old', class: 'c' })
  })

  test('a whole body read and put back changes nothing: no revision, no updated_at, no event', async () => {
    const caller = await newCaller(service)
    const made = await make(caller, { name: 'Same' })
    const answer = await caller.call('PUT', `${path}/${made.id}`, made)
    assert.deepEqual(answer.json().bill_item_type, made)
    assert.equal((await caller.events()).length, 1)
  })

  test('answers 412 when If-Match is stale, and records nothing; twenty at once with one ETag give one success', async () => {
    const caller = await newCaller(service)
    const { id } = await make(caller, { name: 'Contested' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        caller.call('PUT', `${path}/${id}`, { name: `Winner ${index}` }, { 'if-match': '"1"' }),
      ),
    )
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, ...Array(19).fill(412)])
    assert.equal((await caller.events()).length, 2)
    assert.equal((await caller.call('PUT', `${path}/${id}`, { name: 'x' }, { 'if-match': 'nonsense' })).statusCode, 400)
  })

  test('twenty at once without If-Match all apply, and the revision counts each', async () => {
    const caller = await newCaller(service)
    const { id } = await make(caller, { name: 'Busy' })
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => caller.call('PUT', `${path}/${id}`, { name: `Name ${index}` })),
    )
    assert.equal((await caller.get(`${path}/${id}`)).json().bill_item_type.revision, 21)
  })

  test('answers 404 across organizations and 409 to an external_id that is taken, and changes nothing', async () => {
    const [caller, stranger] = await Promise.all([newCaller(service), newCaller(service)])
    const theirs = await make(stranger, { name: 'Theirs' })
    assert.equal((await caller.call('PUT', `${path}/${theirs.id}`, { name: 'Mine' })).statusCode, 404)
    assert.equal((await stranger.get(`${path}/${theirs.id}`)).json().bill_item_type.name, 'Theirs')
    await make(caller, { name: 'A', external_id: 'a' })
    const b = await make(caller, { name: 'B', external_id: 'b' })
    assert.equal(
      (await caller.call('PUT', `${path}/${b.id}`, { external_id: 'a' })).json().error_code,
      'external_id_taken',
    )
    assert.equal((await caller.get(`${path}/${b.id}`)).json().bill_item_type.revision, 1)
  })

  test('a name is required to stay: null is a 400', async () => {
    const caller = await newCaller(service)
    const { id } = await make(caller, { name: 'Named' })
    assert.equal((await caller.call('PUT', `${path}/${id}`, { name: null })).json().details[0].field, 'name')
  })
})

describe('DELETE /bill_item_types/:id', { concurrency: true }, () => {
  test('answers 204, then 404, and records the event with what was deleted', async () => {
    const caller = await newCaller(service)
    const made = await make(caller, { name: 'Gone' })
    assert.equal((await caller.call('DELETE', `${path}/${made.id}`)).statusCode, 204)
    assert.equal((await caller.call('DELETE', `${path}/${made.id}`)).statusCode, 404)
    const event = (await caller.events()).at(-1)
    assert.equal(event?.type, 'bill_item_type.deleted')
    assert.deepEqual(event?.data, made)
  })

  test('answers 409 while a line of a bill uses it, 412 to a stale If-Match, 404 to a stranger; nothing is deleted', async () => {
    const [caller, stranger] = await Promise.all([newCaller(service), newCaller(service)])
    const { id } = await make(caller, { name: 'Used' })
    const bill = newId()
    await service.pool.transaction(async (run) => {
      await run({ text: `set local app.org_id = '${caller.org}'`, values: [] })
      await run(
        sql`insert into bills (org_id, id, full_id, created_by) values (${caller.org}, ${bill}, ${newId()}, 'test')`,
      )
      await run(
        sql`insert into bill_items (org_id, id, bill_id, position, bill_item_type_id, unit_price, quantity, total_amount) values (${caller.org}, ${newId()}, ${bill}, 1, ${id}, 100, 2, 200)`,
      )
    })
    assert.equal((await caller.call('DELETE', `${path}/${id}`)).json().error_code, 'in_use')
    assert.equal((await caller.call('DELETE', `${path}/${id}`, undefined, { 'if-match': '"9"' })).statusCode, 412)
    assert.equal((await stranger.call('DELETE', `${path}/${id}`)).statusCode, 404)
    assert.equal((await caller.get(`${path}/${id}`)).statusCode, 200)
    assert.equal((await caller.events()).length, 1)
  })
})

describe('every bill item type route', { concurrency: true }, () => {
  for (const [method, url, body] of [
    ['GET', path],
    ['POST', path, { name: 'x' }],
    ['GET', `${path}/${newId()}`],
    ['PUT', `${path}/${newId()}`, {}],
    ['DELETE', `${path}/${newId()}`],
  ] as const) {
    test(`${method} ${url.replace(/[0-9a-f-]{36}/, ':id')} answers 401 without a token and 403 to one with every other scope`, async () => {
      const caller = await newCaller(
        service,
        scopeNames.filter((scope) => scope !== 'bill_item_types'),
      )
      const refused = await caller.call(method, url, body)
      assert.equal(refused.statusCode, 403)
      assert.match(String(refused.headers['www-authenticate']), /error="insufficient_scope".*scope="bill_item_types"/)
      assert.equal((await caller.call(method, url, body, { authorization: '' })).statusCode, 401)
    })
  }
})
