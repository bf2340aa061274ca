import { parseDate } from '../../platform/core/values/dates.ts'
import { manifestResource } from '../../records/v1/resources.ts'
import { type Stop, stopsIn } from '../stops/itinerary/model.ts'
import { zoneOf } from '../stops/itinerary/zones.ts'
import { type Estimate, type EtaSource, estimate, type Sighting } from './estimate.ts'
import { isOver } from './over.ts'
import { paceOf } from './pace.ts'

export type EtaSettings = {
  eta_detour_factor: number
  eta_average_speed_kmh: number
  eta_delay_limit_minutes: number
  time_zone: string
}

/** Where it was last, as answers show it. */
type LastPosition = Sighting & {
  speed_kmh: number | null
  heading: number | null
  source: string
  place: string | null
}

/** What is known of a manifest on its way, as `tracked-sql.ts` reads it. */
export type TrackedManifest = {
  id: string
  external_id: string | null
  full_id: string
  status: string
  stops: unknown
  last_position: LastPosition | null
  notified_delay_minutes: number | null
  settings: EtaSettings
  route: { factor: number; speed_kmh: number; at: string } | null
}

type Known = Pick<TrackedManifest, 'status' | 'stops' | 'last_position' | 'settings' | 'route'>

/** When it is expected where, from what is known now; null where it is over, or where nothing is known of its way. */
export function expectedOf(tracked: Known, sighting: Sighting | null = tracked.last_position): Estimate | null {
  return isOver(tracked.status)
    ? null
    : estimate(stopsIn({ stops: tracked.stops }), sighting, paceOf(tracked, sighting))
}

/** The same as answers show it. */
export type ExpectedArrival = {
  next_stop_id: string | null
  eta: string | null
  distance_left_km: number | null
  delay_minutes: number | null
  eta_source: EtaSource | null
  stops: Record<string, unknown>[]
}

/** When it is expected at the next stop, and its stops under the names of v1, each with when it is expected there or how late that was. */
export function shownExpected(tracked: Known): ExpectedArrival {
  const expected = expectedOf(tracked)
  const stops = stopsIn({ stops: tracked.stops })
  const shown = manifestResource.byName.get('stops')?.show(stops) as Record<string, unknown>[]
  return {
    next_stop_id: expected?.next_stop_id ?? null,
    eta: expected?.eta ?? null,
    distance_left_km: expected?.distance_left_km ?? null,
    delay_minutes: expected?.delay_minutes ?? null,
    eta_source: expected?.eta_source ?? null,
    stops: shown.map((stop, index) => ({
      ...stop,
      time_zone: zoneOf(stops[index] as Stop, tracked.settings.time_zone),
      ...timesOf(stops[index] as Stop, expected),
    })),
  }
}

function timesOf(stop: Stop, expected: Estimate | null) {
  const {
    eta = null,
    distance_km = null,
    delay_minutes = lateness(stop),
  } = expected?.stops.find(({ stop_id }) => stop_id === stop.id) ?? {}
  return { eta, distance_km, delay_minutes }
}

/** Of a stop that was arrived at, how late that was. */
function lateness({ arrivedAt, departedAt, windowEnd }: Stop): number | null {
  const [was, end] = [arrivedAt ?? departedAt, windowEnd].map((text) =>
    text ? (parseDate(text)?.getTime() ?? null) : null,
  )
  return was == null || end == null ? null : Math.max(0, Math.round((was - end) / 60_000))
}
