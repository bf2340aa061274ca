import { parseDate, toWire } from '../../platform/core/values/dates.ts'
import { isReported, type Stop } from '../stops/itinerary/model.ts'

export type Place = { latitude: number; longitude: number }

/** Where the vehicle was last known to be. */
export type Sighting = Place & { at: string }

export type EtaSource = 'great_circle' | 'routing'

/** How distances become times: the way on the road is so much longer than the straight one, and driven at this speed. */
export type Pace = { detourFactor: number; speedKmh: number; source: EtaSource }

export type StopEstimate = { stop_id: string; eta: string; distance_km: number; delay_minutes: number | null }

export type Estimate = {
  next_stop_id: string
  /** When it is expected at the next stop. */
  eta: string
  /** How far it is to the last stop. */
  distance_left_km: number
  /** The largest of the stops that are left; null where none of them has a window. */
  delay_minutes: number | null
  eta_source: EtaSource
  stops: StopEstimate[]
}

const hour = 3_600_000
const minute = 60_000

/**
 * When the vehicle is expected at the stops that are left, from where it was last known to be. A stop whose window has not begun is left when it begins;
 * how long loading takes is not known. Null where nothing is left, or where nothing is known of the place of the vehicle or of a stop.
 */
export function estimate(stops: readonly Stop[], sighting: Sighting | null, pace: Pace): Estimate | null {
  const from = lastKnown(stops, sighting)
  const left = stopsLeft(stops).flatMap((stop) => placeOf(stop) ?? [])
  if (!from || left.length === 0) return null
  let [place, time, kilometres]: [Place, number, number] = [from, Date.parse(from.at), 0]
  const estimates: StopEstimate[] = []
  for (const { stop, ...there } of left) {
    const distance = greatCircleKm(place, there) * pace.detourFactor
    kilometres += distance
    const arrival = time + (distance / pace.speedKmh) * hour
    estimates.push({
      stop_id: stop.id,
      eta: toWire(new Date(arrival)),
      distance_km: rounded(kilometres),
      delay_minutes: delayOf(stop, arrival),
    })
    place = there
    time = Math.max(arrival, momentOf(stop.windowStart) ?? 0)
  }
  const [next] = estimates as [StopEstimate]
  const delays = estimates.flatMap(({ delay_minutes }) => delay_minutes ?? [])
  return {
    next_stop_id: next.stop_id,
    eta: next.eta,
    distance_left_km: rounded(kilometres),
    delay_minutes: delays.length > 0 ? Math.max(...delays) : null,
    eta_source: pace.source,
    stops: estimates,
  }
}

/** Stops after the last one that was reported: one before it was passed, whether or not somebody reported it. */
export function stopsLeft(stops: readonly Stop[]): readonly Stop[] {
  return stops.slice(stops.findLastIndex(isReported) + 1)
}

/** The last position, or the last stop that was reported if that is later and has coordinates. */
export function lastKnown(stops: readonly Stop[], sighting: Sighting | null): Sighting | null {
  const reported = stops.findLast(isReported)
  const place = reported && placeOf(reported)
  const at = momentOf(reported?.departedAt ?? reported?.arrivedAt)
  if (!place || at === null) return sighting
  const { latitude, longitude } = place
  return sighting && Date.parse(sighting.at) >= at ? sighting : { latitude, longitude, at: toWire(new Date(at)) }
}

/** The places on the rest of the way, for a routing service. */
export function placesLeft(stops: readonly Stop[], sighting: Sighting | null): Place[] {
  const from = lastKnown(stops, sighting)
  return from ? [from, ...stopsLeft(stops).flatMap((stop) => placeOf(stop) ?? [])] : []
}

const earthRadiusKm = 6371.0088

/** This is the haversine formula. */
export function greatCircleKm(from: Place, to: Place): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const [north, east] = [radians(to.latitude - from.latitude), radians(to.longitude - from.longitude)]
  const half =
    Math.sin(north / 2) ** 2 +
    Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * Math.sin(east / 2) ** 2
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(half)))
}

function placeOf(stop: Stop): (Place & { stop: Stop }) | null {
  const { latitude, longitude } = (stop.address ?? {}) as Partial<Place>
  return typeof latitude === 'number' && typeof longitude === 'number' ? { stop, latitude, longitude } : null
}

/** In whole minutes; 0 where it is in time. */
/** The most that the database keeps: a window can be thousands of years before the next one. */
const longestDelay = 2 ** 31 - 1

function delayOf({ windowEnd }: Stop, arrival: number): number | null {
  const end = momentOf(windowEnd)
  return end === null ? null : Math.min(longestDelay, Math.max(0, Math.round((arrival - end) / minute)))
}

function momentOf(text: string | null | undefined): number | null {
  return text ? (parseDate(text)?.getTime() ?? null) : null
}

function rounded(kilometres: number): number {
  return Math.round(kilometres * 10) / 10
}
