import { daysFrom } from '../trips/days.ts'
import type { Trip } from '../trips/trip.ts'

/** What the timeline shows: so many days from the first one on, in the time zone of the browser. */
export type Range = { first: string; days: number }

/** A booking as part of a row: where it begins and how long it is, in hundredths of the whole width, and in which line. */
export type Bar = { trip: Trip; left: number; width: number; line: number; isDouble: boolean }
export type Row = { key: string; label: string; detail: string; bars: Bar[]; lines: number }

export type Unit = { id: string; name: string; status: string }

export function rowsOf(
  trips: readonly Trip[],
  units: readonly Unit[],
  range: Range,
): { drivers: Row[]; equipment: Row[] } {
  const drivers = new Map<string, Row>()
  for (const trip of trips) {
    const { driver_key, driver_name, driver_phone, partner_carrier } = trip
    if (!driver_key || drivers.has(driver_key)) continue
    const own = trips.filter((other) => other.driver_key === driver_key)
    drivers.set(
      driver_key,
      rowOf(driver_key, driver_name ?? driver_phone ?? '–', partner_carrier?.name ?? '', own, range),
    )
  }
  const named = new Map<string, Unit>()
  for (const { equipment } of trips)
    if (equipment) named.set(equipment.id, { id: equipment.id, name: equipment.name, status: 'active' })
  for (const unit of units) named.set(unit.id, unit)
  const equipment = [...named.values()].map(({ id, name, status }) =>
    rowOf(
      id,
      name,
      status === 'active' ? '' : 'In maintenance',
      trips.filter((trip) => trip.equipment?.id === id),
      range,
    ),
  )
  return { drivers: sorted([...drivers.values()].filter(({ bars }) => bars.length > 0)), equipment: sorted(equipment) }
}

/** Manifests that take a driver or a unit, and of which it is not known when. */
export function timelessOf(trips: readonly Trip[]): Trip[] {
  return trips.filter(
    ({ starts_at, ends_at, driver_key, equipment }) => (!starts_at || !ends_at) && (driver_key || equipment),
  )
}

export function momentsOf({ first, days }: Range): { from: number; until: number } {
  return { from: startOf(first), until: startOf(daysFrom(first, days)) }
}

export function daysOf({ first, days }: Range): string[] {
  return Array.from({ length: days }, (_, index) => daysFrom(first, index))
}

/** Where a moment is, in hundredths of the width. */
export function placeOf(moment: number, range: Range): number {
  const { from, until } = momentsOf(range)
  return ((moment - from) / (until - from)) * 100
}

function startOf(day: string): number {
  return new Date(`${day}T00:00:00`).getTime()
}

function sorted(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) => one.label.localeCompare(other.label, undefined, { numeric: true }))
}

/** Bookings that overlap stand below each other, and are marked. */
function rowOf(key: string, label: string, detail: string, trips: readonly Trip[], range: Range): Row {
  const ends: number[] = []
  const timed = trips
    .flatMap((trip) =>
      trip.starts_at && trip.ends_at
        ? [{ trip, from: Date.parse(trip.starts_at), until: Date.parse(trip.ends_at) }]
        : [],
    )
    .toSorted((one, other) => one.from - other.from)
  const bars = timed.map(({ trip, from, until }) => {
    const free = ends.findIndex((end) => end <= from)
    const line = free < 0 ? ends.length : free
    ends[line] = until
    const isDouble = timed.some(
      (other) => other.trip !== trip && isLive(trip) && isLive(other.trip) && other.from < until && from < other.until,
    )
    const [left, right] = [Math.max(0, placeOf(from, range)), Math.min(100, placeOf(until, range))]
    return { trip, left, width: right - left, line, isDouble }
  })
  return { key, label, detail, bars: bars.filter(({ width }) => width > 0), lines: Math.max(1, ends.length) }
}

function isLive({ status }: Trip): boolean {
  return status !== 'completed' && status !== 'cancelled'
}
