import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { complete, decisionOn, fromCustoms } from '../../../test/customs.ts'
import { applicationIn, newCaller, sharedService } from '../../../test/service.ts'
import type { Stop } from '../stops/itinerary/model.ts'
import { borderOf, crossingsOf } from './model.ts'

const service = await sharedService()

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
type Json = Record<string, any>

async function office() {
  const { org } = await newCaller(service)
  const { call, get } = applicationIn(service, org)
  const stops = [
    { kind: 'pickup', address: { city: 'Toronto', country: 'CA' } },
    { kind: 'border', address: { city: 'Blaine' } },
    { kind: 'delivery', address: { city: 'Seattle', country: 'US' } },
  ]
  const { manifest } = (await call('POST', '/api/v1/manifests', { stops })).json()
  const at = `/api/v1/manifests/${manifest.id}`
  const border = manifest.stops[1].id as string
  const report = async (what: string, stop = border) => {
    const answer = await call('POST', `${at}/stops/${stop}/${what}`)
    assert.equal(answer.statusCode, 200, answer.body)
  }
  const crossing = async (): Promise<Json> => (await get(`${at}/track`)).json().track.border_crossings[0]
  const announced = async (): Promise<Json[]> =>
    (await get(`/api/v1/events?types=emanifest.crossed_without_acceptance&limit=50`)).json().events
  const create = async (): Promise<string> =>
    (await call('POST', '/api/v1/emanifests', { manifest_id: manifest.id, border: 'ace' })).json().emanifest.id
  const accept = async (id: string) => {
    await call('PUT', `/api/v1/emanifests/${id}`, complete('CSCDTRIP1'))
    for (const verb of ['validate', 'submit'])
      assert.equal((await call('POST', `/api/v1/emanifests/${id}/${verb}`)).statusCode, 200)
    const answer = await call(
      'POST',
      '/api/v1/emanifests/acknowledgements',
      fromCustoms([decisionOn('CSCDTRIP1')]) as never,
      {
        'content-type': 'application/edi-x12',
      },
    )
    assert.equal(answer.json().acknowledgements[0].state, 'accepted', answer.body)
  }
  return { call, manifest, border, report, crossing, announced, create, accept }
}

describe('a border stop', { concurrency: true }, () => {
  test('that is departed from while customs has accepted nothing is flagged, and announced once', async () => {
    const { report, crossing, announced, border, manifest, accept, create } = await office()
    assert.deepEqual(await crossing(), {
      stop_id: border,
      border: 'ace',
      emanifest_id: null,
      state: null,
      flagged: false,
    })
    await report('arrive')
    assert.deepEqual(await announced(), [])
    await report('depart')
    await report('depart')
    assert.equal((await crossing()).flagged, true)
    const events = await announced()
    assert.equal(events.length, 1)
    const { subject, data } = events[0] as Json
    assert.deepEqual(
      [subject, data.id, data.border_crossing.stop_id, data.border_crossing.flagged],
      [{ type: 'manifest', id: manifest.id }, manifest.id, border, true],
    )
    const id = await create()
    await accept(id)
    assert.deepEqual(await crossing(), {
      stop_id: border,
      border: 'ace',
      emanifest_id: id,
      state: 'accepted',
      flagged: true,
    })
  })

  test('that is departed from with an accepted e-manifest is not flagged, and stays so when that is amended later', async () => {
    const { report, crossing, announced, create, accept, call } = await office()
    const id = await create()
    assert.deepEqual([(await crossing()).emanifest_id, (await crossing()).state], [id, 'draft'])
    await accept(id)
    await report('depart')
    assert.equal((await crossing()).flagged, false)
    await call('POST', `/api/v1/emanifests/${id}/amend`, {})
    assert.deepEqual([(await crossing()).state, (await crossing()).flagged], ['draft', false])
    assert.deepEqual(await announced(), [])
  })

  test('whose departure is undone is not flagged any more', async () => {
    const { report, crossing, announced } = await office()
    await report('depart')
    await report('undo')
    assert.equal((await crossing()).flagged, false)
    await report('depart')
    assert.deepEqual([(await crossing()).flagged, (await announced()).length], [true, 2])
  })

  test('of a draft is flagged too, with the e-manifest that was not accepted', async () => {
    const { report, crossing, announced, create } = await office()
    const id = await create()
    await report('depart')
    assert.deepEqual([(await crossing()).emanifest_id, (await crossing()).flagged], [id, true])
    assert.equal(((await announced())[0] as Json).data.border_crossing.emanifest_id, id)
  })
})

const stop = (id: string, kind: Stop['kind'], country?: string): Stop => ({
  id,
  sequence: 1,
  kind,
  ...(country && { address: { country } }),
})

describe('which border is crossed', () => {
  test('follows from the country where it goes on to, or else from that of the stop itself', () => {
    const stops = [
      stop('a', 'pickup', 'US'),
      stop('b', 'border'),
      stop('c', 'delivery', 'ca'),
      stop('d', 'border', 'US'),
      stop('e', 'delivery', 'USA'),
    ]
    assert.deepEqual([borderOf(stops, 1), borderOf(stops, 3)], ['aci', 'ace'])
    assert.equal(borderOf([stop('a', 'border', 'US')], 0), 'ace')
    assert.equal(borderOf([stop('a', 'border'), stop('b', 'delivery', 'MX')], 0), null)
  })

  test('an e-manifest that names the stop comes first, then one of the border that names none; an accepted one before others', () => {
    const stops = [stop('a', 'border'), stop('b', 'delivery', 'US')]
    const known = (id: string, more: object = {}) => ({
      id,
      border: 'ace' as const,
      stop_id: null,
      state: 'draft',
      is_accepted: false,
      ...more,
    })
    const chosen = (...all: ReturnType<typeof known>[]) => crossingsOf(stops, all, [])[0]?.emanifest_id
    assert.equal(chosen(known('1'), known('2', { stop_id: 'a' })), '2')
    assert.equal(chosen(known('1'), known('2', { is_accepted: true })), '2')
    assert.equal(chosen(known('1', { stop_id: 'gone' }), known('2', { border: 'aci' })), '1')
    assert.equal(chosen(known('1', { stop_id: 'b' }), known('2', { border: 'aci' })), null)
  })
})
