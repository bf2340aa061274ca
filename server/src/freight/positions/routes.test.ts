import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { listWaiting } from '../../../test/cluster.ts'
import { type Caller, callerIn, connectionName, databaseOf, newCaller, sharedService } from '../../../test/service.ts'
import { scopeNames } from '../../platform/access/scopes.ts'
import type { Context } from '../../platform/context.ts'
import type { Refusal } from '../../platform/core/refusal.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { sql } from '../../platform/db/sql/sql.ts'
import { openRouting } from '../arrival-times/routing.ts'
import { reportDeparture } from '../stops/actions.ts'
import { estimateAgain, mostOfManifest, recordPositions, recordPositionsOfMany } from './actions.ts'
import { readPosition } from './model.ts'
import { deleteOld } from './retention.ts'
import { routeAll } from './routing.ts'

const service = await sharedService()

// biome-ignore lint/suspicious/noExplicitAny: answers have many shapes
type Json = Record<string, any>

function adminOf({ org }: Caller): Caller {
  return callerIn(service, org, scopeNames, () => newId(), 'admin')
}

async function made({ call }: Caller, path: string, body: Json): Promise<Json> {
  const answer = await call('POST', `/api/v1/${path}`, body)
  assert.equal(answer.statusCode, 201, answer.body)
  return Object.values(answer.json())[0] as Json
}

const hour = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * hour).toISOString()
const portland = { city: 'Portland', latitude: 45.5152, longitude: -122.6784 }

/** A manifest to Portland that should be there at a time, and its paths. */
async function travelling(caller: Caller, window_end: string | null = null, more: Json = {}) {
  const manifest = await made(caller, 'manifests', {
    status: 'in_transit',
    stops: [{ kind: 'delivery', address: portland, ...(window_end && { window_end }) }],
    ...more,
  })
  const at = `/api/v1/manifests/${manifest.id}`
  const send = async (body: Json) => {
    const answer = await caller.call('POST', `${at}/positions`, body)
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json()
  }
  const track = async (query = '') => (await caller.get(`${at}/track${query}`)).json()
  return { manifest, at, send, track }
}

describe('positions', { concurrency: true }, () => {
  test('land in their place however they come, a repeat is kept once, and nothing else is written of the manifest', async () => {
    const caller = await newCaller(service)
    const { manifest, at, send, track } = await travelling(caller)
    const before = (await caller.events()).length
    const third = { at: ago(1), latitude: 44, longitude: -123, speed_kmh: 88.5, heading: 360, source: 'device' }
    assert.deepEqual(await send(third), { recorded: 1, repeated: 0 })
    assert.deepEqual(
      await send({
        positions: [
          { at: ago(3), latitude: 42, longitude: -123 },
          third,
          { at: ago(2), latitude: 43, longitude: -123 },
        ],
      }),
      {
        recorded: 2,
        repeated: 1,
      },
    )
    assert.deepEqual(await send({ note: 'Fuel stop', place: 'Eugene, OR' }), { recorded: 1, repeated: 0 })
    const shown = await track()
    assert.deepEqual(
      shown.track.positions.map(({ latitude, source, note, heading }: Json) => [latitude, source, note, heading]),
      [
        [null, 'check_call', 'Fuel stop', null],
        [44, 'device', null, 0],
        [43, 'api', null, null],
        [42, 'api', null, null],
      ],
    )
    assert.deepEqual(
      [shown.track.last_position.latitude, shown.track.last_position.speed_kmh, shown.next_after],
      [44, 88.5, null],
    )
    const read = (await caller.get(at)).json().manifest
    assert.deepEqual([read.revision, read.updated_at], [manifest.revision, manifest.updated_at])
    assert.deepEqual(
      read.map_markers.map(({ id, kind, latitude }: Json) => [id, kind, latitude]),
      [
        ['stops.address', 'delivery', 45.5152],
        ['position', 'position', 44],
      ],
    )
    assert.equal((await caller.events()).length, before)
    const same = await caller.call('PUT', at, read)
    assert.equal(same.json().manifest.revision, manifest.revision)
  })

  test('what is wrong is refused with its field, and nothing of the request is kept', async () => {
    const caller = await newCaller(service)
    const { at, track } = await travelling(caller)
    const refused = async (body: unknown) => {
      const answer = await caller.call('POST', `${at}/positions`, body as Json)
      assert.equal(answer.statusCode, 400, answer.body)
      return answer.json().details.map(({ field, code }: Json) => `${field} ${code}`)
    }
    assert.deepEqual(await refused({ latitude: 1 }), ['longitude required'])
    assert.deepEqual(await refused({}), ['latitude required'])
    assert.deepEqual(
      await refused({
        positions: [
          { latitude: 1, longitude: 1 },
          { latitude: 1, longitude: 1, at: '2126-01-01T00:00:00Z' },
        ],
      }),
      ['positions.1.at in_the_future'],
    )
    assert.deepEqual(await refused({ latitude: 1, longitude: 1, positions: [{ note: 'x' }] }), ['positions ambiguous'])
    for (const body of [
      { latitude: 91, longitude: 0 },
      { latitude: 'north', longitude: 0 },
      { note: 'x', source: 'radio' },
      { note: 'x', at: 'noon' },
      { positions: [] },
    ])
      await refused(body)
    assert.deepEqual((await track()).track.positions, [])
    const stranger = await newCaller(service)
    assert.equal((await stranger.call('POST', `${at}/positions`, { note: 'x' })).statusCode, 404)
    assert.equal((await stranger.get(`${at}/track`)).statusCode, 404)
    assert.equal((await callerIn(service, caller.org, ['orders']).get(`${at}/track`)).statusCode, 403)
    assert.equal((await caller.get(`/api/v1/manifests/${newId()}/track`)).statusCode, 404)
  })

  test('come by the thousand, of many manifests, with a result for each', async () => {
    const caller = await newCaller(service)
    const trips = await Promise.all(
      ['A', 'B', 'C', 'D'].map((external_id) => travelling(caller, null, { external_id })),
    )
    const positions: Json[] = Array.from({ length: 995 }, (_, index) => ({
      manifest_id: index % 2 ? trips[index % 4]?.manifest.id : `ext:${'ABCD'[index % 4]}`,
      at: new Date(Date.now() - (index + 1) * 1000).toISOString(),
      latitude: 40 + index / 1000,
      longitude: -120,
    }))
    positions.push(
      { ...positions[3] },
      { manifest_id: newId(), note: 'x' },
      { manifest_id: 'nobody', note: 'x' },
      { manifest_id: 'ext:A', latitude: 200 },
      {},
    )
    const answer = await caller.call('POST', '/api/v1/positions', { positions })
    assert.equal(answer.statusCode, 200, answer.body)
    const { counts, results } = answer.json()
    assert.deepEqual(counts, { recorded: 995, repeated: 1, failed: 4 })
    assert.deepEqual(
      results.slice(995).map(({ status, error }: Json) => error?.error_code ?? status),
      ['repeated', 'not_found', 'bad_id', 'wrong_type', 'required'],
    )
    const again = await caller.call('POST', '/api/v1/positions', { positions: positions.slice(0, 100) })
    assert.deepEqual(again.json().counts, { recorded: 0, repeated: 100, failed: 0 })
    const tooMany = await caller.call('POST', '/api/v1/positions', {
      positions: Array(1001).fill({ manifest_id: 'ext:A', note: 'x' }),
    })
    assert.equal(tooMany.statusCode, 400)
    const [trip] = trips as [(typeof trips)[0]]
    const { track, limit, next_after } = await trip.track('?limit=100')
    assert.deepEqual([limit, track.positions.length, track.last_position.latitude], [100, 100, 40])
    let [all, next] = [track.positions, next_after]
    while (next) {
      const page = await trip.track(`?limit=100&after=${next}`)
      all = [...all, ...page.track.positions]
      next = page.next_after
    }
    assert.deepEqual([all.length, new Set(all.map(({ at }: Json) => at)).size], [249, 249])
    assert.deepEqual(
      all
        .map(({ at }: Json) => at)
        .toSorted()
        .toReversed(),
      all.map(({ at }: Json) => at),
    )
    const simple = (await trip.track('?simplify_to=10')).track.positions
    assert.ok(simple.length >= 8 && simple.length <= 10, String(simple.length))
    assert.deepEqual([simple[0].at, simple.at(-1).at], [all[0].at, all.at(-1).at])
    assert.equal((await caller.get(`${trip.at}/track?after=nonsense`)).statusCode, 400)
  })

  test('an order shows the position of the manifest that carries it, until it is delivered', async () => {
    const caller = await newCaller(service)
    const customer_id = (await made(caller, 'customers', { name: 'Acme' })).id
    const [moving, delivered] = [
      await made(caller, 'orders', { customer_id, status: 'in_transit' }),
      await made(caller, 'orders', { customer_id, status: 'delivered' }),
    ]
    const { send } = await travelling(caller, null, { order_ids: [moving.id, delivered.id] })
    await send({ latitude: 44, longitude: -123, place: 'Eugene' })
    const markers = async (id: string) => (await caller.get(`/api/v1/orders/${id}`)).json().order.map_markers
    assert.deepEqual(await markers(moving.id), [
      { id: 'position', kind: 'position', label: 'Eugene', latitude: 44, longitude: -123 },
    ])
    assert.deepEqual(await markers(delivered.id), [])
    const listed = (await caller.get(`/api/v1/orders?ids=${moving.id}`)).json().orders[0]
    assert.equal(listed.map_markers.length, 1)
  })

  test('old ones are deleted, and the last position stays', async () => {
    const caller = await newCaller(service)
    const { at, send, track } = await travelling(caller)
    await send({ latitude: 44, longitude: -123 })
    assert.ok(
      (await deleteOld(databaseOf(service, new Set([caller.org])), 1, undefined, Date.now() + 2 * 86_400_000)) >= 1,
    )
    const shown = await track()
    assert.deepEqual([shown.track.positions, shown.track.last_position.latitude], [[], 44])
    assert.equal((await caller.get(at)).json().manifest.map_markers.length, 2)
  })
})

describe('arrival times', { concurrency: true }, () => {
  test('follow from the last position and the settings of the organization', async () => {
    const caller = await newCaller(service)
    const { send, track } = await travelling(caller)
    await send({ at: ago(1), latitude: 45.5152, longitude: -121.6784 })
    const { track: shown } = await track()
    assert.deepEqual(
      [shown.eta_source, shown.distance_left_km, shown.next_stop_id, shown.delay_minutes],
      ['great_circle', 97.4, shown.stops[0].id, null],
    )
    await adminOf(caller).call('PUT', '/api/v1/organization', { eta_detour_factor: 2, eta_average_speed_kmh: 35 })
    const { track: slower } = await track()
    assert.deepEqual([slower.distance_left_km, slower.stops[0].distance_km], [155.8, 155.8])
    assert.ok(slower.eta > shown.eta)
    assert.equal(
      (await adminOf(caller).call('PUT', '/api/v1/organization', { eta_detour_factor: 0.5 })).statusCode,
      400,
    )
  })

  test('a delay beyond the limit makes one event, not one for each position, and one mail to the contacts of a customer who wants it', async () => {
    const caller = await newCaller(service)
    const customer = async (name: string, more: Json) => made(caller, 'customers', { name, ...more })
    const wanting = await customer('Acme', {
      eta_delay_notify_enabled: true,
      eta_delay_notify_label: 'Late freight',
      email: 'ap@acme.example',
    })
    const without = await customer('Quiet', { email: 'ap@quiet.example' })
    const contact = (json: Json) =>
      caller.call('PATCH', '/api/v2/platformModel/objects', { objectKey: 'contact', json })
    await contact({ name: 'Dana', customerId: wanting.id, email: 'dana@acme.example', notify: ['delay'] })
    await contact({ name: 'Lee', customerId: wanting.id, email: 'lee@acme.example', notify: ['invoice'] })
    const order_ids = [
      await made(caller, 'orders', { customer_id: wanting.id, reference_number: 'PO-9' }),
      await made(caller, 'orders', { customer_id: without.id }),
    ].map(({ id }) => id)
    const { manifest, send } = await travelling(caller, ago(1), { order_ids })
    const delayed = async () => (await caller.events()).filter(({ type }) => type === 'manifest.delayed')
    const mails = async () => (await caller.get('/api/v1/mails')).json().mails
    // 20 minutes from Portland, and an hour late.
    const near = { latitude: 45.5152, longitude: -122.5 }
    for (const minutes of [9, 8, 7, 6])
      await send({ at: new Date(Date.now() - minutes * 60_000).toISOString(), ...near })
    const [event, ...more] = await delayed()
    assert.deepEqual([more.length, event?.subject_id], [0, manifest.id])
    const { tracking } = (event as Json).data
    assert.ok(tracking.delay_minutes > 30 && tracking.delay_minutes < 90, String(tracking.delay_minutes))
    const [mail, ...others] = await mails()
    assert.deepEqual([others.length, mail.to, mail.subject], [0, ['dana@acme.example'], 'Late freight: ORD-1 (PO-9)'])
    assert.match(mail.body_text, /Delivery at Portland: expected .* late\./)
    // Far away it grows by more than another limit.
    await Promise.all(
      [5, 4, 3].map((minutes) =>
        send({ at: new Date(Date.now() - minutes * 60_000).toISOString(), latitude: 44.5, longitude: -122.5 }),
      ),
    )
    assert.equal((await delayed()).length, 2)
    assert.equal((await mails()).length, 2)
  })

  test('reports of stops change what is expected, and the last one ends it', async () => {
    const caller = await newCaller(service)
    const stops = [
      { kind: 'pickup', address: { latitude: 44, longitude: -123 } },
      { kind: 'delivery', address: portland },
    ]
    const { at, manifest, track } = await travelling(caller, null, { status: 'dispatched', stops })
    assert.equal((await track()).track.eta, null)
    await caller.call('POST', `${at}/stops/${manifest.stops[0].id}/depart`, { at: ago(1) })
    const shown = (await track()).track
    assert.deepEqual([shown.status, shown.next_stop_id, shown.stops[0].eta], ['in_transit', manifest.stops[1].id, null])
    assert.ok(shown.eta)
    await caller.call('POST', `${at}/stops/${manifest.stops[1].id}/depart`)
    assert.deepEqual([(await track()).track.status, (await track()).track.eta], ['completed', null])
  })

  test('come from a routing service where there is one, and from the great circle where it fails', async () => {
    const asked: string[] = []
    let answer: [number, object] = [500, {}]
    const server = createServer((request, reply) => {
      asked.push(request.url as string)
      reply.writeHead(answer[0], { 'content-type': 'application/json' }).end(JSON.stringify(answer[1]))
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    after(() => server.close())
    const findRoute = openRouting(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 5_000)
    const caller = await newCaller(service)
    const { send, track } = await travelling(caller)
    const database = databaseOf(service, new Set([caller.org]))
    await send({ latitude: 45.5152, longitude: -121.6784 })
    await routeAll(database, findRoute)
    assert.equal((await track()).track.eta_source, 'great_circle')
    answer = [200, { code: 'NoRoute', message: 'x' }]
    await routeAll(database, findRoute)
    assert.equal((await track()).track.eta_source, 'great_circle')
    answer = [200, { code: 'Ok', routes: [{ distance: 100_000, duration: 7200 }] }]
    await routeAll(database, findRoute)
    const shown = (await track()).track
    assert.deepEqual([shown.eta_source, shown.distance_left_km], ['routing', 100])
    assert.equal(Date.parse(shown.eta) - Date.parse(shown.last_position.at), 2 * hour)
    assert.ok(
      asked.includes('/route/v1/driving/-121.678400,45.515200;-122.678400,45.515200?overview=false'),
      asked.join(' '),
    )
    const nowhere = await openRouting('http://127.0.0.1:9', 1_000)([])
    assert.equal(nowhere, null)
  })
})

// One after the other: each waits until somebody waits for a lock.
describe('arrival times after a position that had to wait', () => {
  /** Sends a position while something that was done to the manifest is not committed yet; it waits for that. */
  async function sentDuring(
    caller: Caller,
    done: (ctx: Context) => Promise<unknown>,
    sent: () => Promise<unknown>,
  ): Promise<void> {
    let position: Promise<unknown> | undefined
    await caller.ctx.transaction(async (ctx) => {
      await done(ctx)
      position = sent()
      while ((await listWaiting(service.pool, connectionName)).length === 0)
        await new Promise((resolve) => setTimeout(resolve, 5))
    })
    await position
  }

  const estimated = async ({ ctx, org }: Caller, manifest: Json) =>
    (
      await ctx.transaction((ctx) =>
        ctx.run<Json>(
          sql`select next_stop_id, distance_left_km from tracking where org_id = ${org} and manifest_id = ${manifest.id}`,
        ),
      )
    )[0] as Json

  test('know of a departure that is reported at that moment, and make no event of a delay at the stop that was left', async () => {
    const caller = await newCaller(service)
    const eugene = { city: 'Eugene', latitude: 44.05, longitude: -123.09 }
    const stops = [
      { kind: 'delivery', address: eugene, window_end: ago(1) },
      { kind: 'delivery', address: portland },
    ]
    const { manifest, send } = await travelling(caller, null, { stops })
    await send({ at: ago(3), latitude: 44, longitude: -123.09 })
    await sentDuring(
      caller,
      (ctx) =>
        reportDeparture(
          ctx,
          { by: 'id', id: manifest.id },
          manifest.stops[0].id,
          { at: ago(2) },
          { afterwards: estimateAgain },
        ),
      () => send({ at: ago(0.05), latitude: 44.9, longitude: -122.9 }),
    )
    assert.equal((await estimated(caller, manifest)).next_stop_id, manifest.stops[1].id)
    assert.deepEqual(
      (await caller.events()).filter(({ type }) => type === 'manifest.delayed'),
      [],
    )
  })

  test('stay those of a newer position that is recorded at that moment', async () => {
    const caller = await newCaller(service)
    const { manifest, send, track } = await travelling(caller)
    await send({ at: ago(3), latitude: 40, longitude: -123 })
    await sentDuring(
      caller,
      (ctx) =>
        recordPositions(ctx, { by: 'id', id: manifest.id }, [
          readPosition({ at: ago(0.1), latitude: 45, longitude: -122.7 }),
        ]),
      () => send({ at: ago(2), latitude: 41, longitude: -123 }),
    )
    assert.equal(
      Math.round((await estimated(caller, manifest)).distance_left_km),
      Math.round((await track()).track.distance_left_km),
    )
  })

  test('are recorded up to so many of a manifest; of many manifests, the row that is too many fails alone', async () => {
    const caller = await newCaller(service)
    const { manifest, send } = await travelling(caller)
    const other = await travelling(caller)
    const setCount = (count: number) =>
      caller.ctx.transaction((ctx) =>
        ctx.run(
          sql`update tracking set positions_recorded = ${count} where org_id = ${caller.org} and manifest_id = ${manifest.id}`,
        ),
      )
    const reference = { by: 'id', id: manifest.id } as const
    const at = (hours: number) => readPosition({ at: ago(hours), latitude: 45, longitude: -122.7 })
    await send({ at: ago(3), latitude: 40, longitude: -123 })
    await setCount(mostOfManifest - 1)
    await assert.rejects(recordPositions(caller.ctx, reference, [at(2), at(1)]), { code: 'too_many_positions' })
    assert.deepEqual(await recordPositions(caller.ctx, reference, [at(2)]), ['recorded'])
    const row = (id: string) => ({ manifest_id: id, at: ago(1), latitude: 45, longitude: -122.7 })
    const [refused, taken] = await recordPositionsOfMany(caller.ctx, [row(manifest.id), row(other.manifest.id)])
    assert.equal((refused as Refusal).code, 'too_many_positions')
    assert.equal(taken, 'recorded')
  })

  test('of an organization are as many in a day as may be, also of requests at the same time; what is sent again takes no room', async () => {
    const caller = await newCaller(service)
    const [one, other] = [await travelling(caller), await travelling(caller)]
    const row = ({ manifest }: { manifest: Json }, hours: number) => ({
      manifest_id: manifest.id,
      at: ago(hours),
      latitude: 45,
      longitude: -122.7,
    })
    const first = row(one, 1)
    assert.deepEqual(await recordPositionsOfMany(caller.ctx, [first, row(other, 1)], 3), ['recorded', 'recorded'])
    const both = await Promise.allSettled(
      [one, other].map((each) => recordPositionsOfMany(caller.ctx, [row(each, 2)], 3)),
    )
    assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    const beyond = recordPositions(caller.ctx, { by: 'id', id: one.manifest.id }, [readPosition(row(one, 3))], 3)
    await assert.rejects(beyond, { code: 'too_many_positions', message: /can record 3 positions in a day/ })
    assert.deepEqual(await recordPositionsOfMany(caller.ctx, [first], 3), ['repeated'])
    const days = () =>
      service.database.read(caller.org, sql`select recorded::int from position_days where org_id = ${caller.org}`)
    assert.deepEqual(await days(), [{ recorded: 3 }])
    await service.pool.run(sql`update position_days set day = day - 3 where org_id = ${caller.org}`)
    await deleteOld(service.database, 400)
    assert.deepEqual(await days(), [])
  })
})
