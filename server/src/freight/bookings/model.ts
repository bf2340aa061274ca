import { parseDate } from '../../platform/core/values/dates.ts'
import type { Fields } from '../../records/model/object.ts'
import { frameOf } from '../stops/itinerary/frame.ts'
import { stopsIn } from '../stops/itinerary/model.ts'

/** That a manifest takes a unit of equipment or a driver for a time. */
export type Booking = { manifest_id: string; resource: string; from: string; until: string }

/** The fields of a manifest that say what it takes and when. */
const booking = ['equipmentId', 'driverName', 'driverPhone', 'partnerId', 'startAt', 'endAt', 'stops'] as const

const over = ['completed', 'cancelled', 'inactive']

type State = { readonly json: Fields; readonly status: string }

/** Whether a write changes what a manifest takes. One that was doubly booked before that was refused can be changed in everything else. */
export function isRebooked(before: State | null, after: State | null): boolean {
  if (!before || !after) return true
  const [was, is] = [planOf(before.json), planOf(after.json)]
  return (
    isLive(before) !== isLive(after) ||
    booking.some((field) => JSON.stringify(was[field] ?? null) !== JSON.stringify(is[field] ?? null))
  )
}

/** Without what was reported of its stops: that a vehicle came early or left late is a fact, which no booking of another manifest can refuse. */
function planOf(json: Fields): Fields {
  return { ...json, stops: stopsIn(json).map(({ arrivedAt: _, departedAt: __, ...stop }) => stop) }
}

/** What a manifest takes: nothing once it is over, or where its time is not known. */
export function bookingsOf(manifest_id: string, state: State | null): Booking[] {
  if (!state || !isLive(state)) return []
  const time = timeOf(state.json)
  return time ? resourcesOf(state.json).map((resource) => ({ manifest_id, resource, ...time })) : []
}

function isLive({ status }: State): boolean {
  return !over.includes(status)
}

/** From its start to its end, or else, and where these are just the windows of its stops, from the first time of its stops to the last. */
export function timeOf(json: Fields): { from: string; until: string } | null {
  const stops = stopsIn(json)
  const times = stops.flatMap(({ windowStart, windowEnd, arrivedAt, departedAt }) =>
    [windowStart, windowEnd, arrivedAt, departedAt].flatMap(momentOf),
  )
  const frame = frameOf(stops)
  const from =
    (json.startAt === frame.startAt ? undefined : momentOf(json.startAt)[0]) ??
    (times.length > 0 ? Math.min(...times) : null)
  const until =
    (json.endAt === frame.endAt ? undefined : momentOf(json.endAt)[0]) ?? (times.length > 0 ? Math.max(...times) : null)
  return from === null || until === null || from >= until
    ? null
    : { from: new Date(from).toISOString(), until: new Date(until).toISOString() }
}

function momentOf(value: unknown): number[] {
  const time = typeof value === 'string' ? parseDate(value) : null
  return time ? [time.getTime()] : []
}

function resourcesOf(json: Fields): string[] {
  const driver = driverOf(json)
  return [
    ...(typeof json.equipmentId === 'string' ? [`equipment ${json.equipmentId}`] : []),
    ...(driver === null ? [] : [`driver ${driver}`]),
  ]
}

/** A driver is known by phone, or else by name, among the drivers of a carrier: two carriers may each have a Sam Ortiz. Null where there is none. */
export function driverOf({ driverName, driverPhone, partnerId }: Fields): string | null {
  const phone = typeof driverPhone === 'string' ? driverPhone.replace(/\D/g, '') : ''
  const name = typeof driverName === 'string' ? driverName.trim().replace(/\s+/g, ' ').toLowerCase() : ''
  const driver = phone.length >= 6 ? phone : name
  return driver === '' ? null : `${partnerId ?? 'own'} ${driver}`
}
