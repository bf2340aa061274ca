import { isLate, type PlacedStop, stopsOf, type Trip } from '../trips/trip.ts'

type Place = { latitude: number; longitude: number }

/** How a manifest stands: the colour and the shape of its marker say it. */
export type MarkerState = 'late' | 'moving' | 'waiting'

/** What the map draws of a manifest: where it is, or where it begins, its stops, and the way between them. */
export type DrawnTrip = { trip: Trip; standing: MarkerState; at: Place; stops: (PlacedStop & Place)[] }

/** Manifests of which some place is known. */
export function drawnOf(trips: readonly Trip[]): DrawnTrip[] {
  return trips.flatMap((trip) => {
    const stops = stopsOf(trip).filter(
      (stop): stop is PlacedStop & Place => stop.latitude !== null && stop.longitude !== null,
    )
    const next = stops.find(({ arrivedAt, departedAt }) => !arrivedAt && !departedAt) ?? stops.at(-1)
    const at = trip.last_position ?? next
    const isMoving = trip.status === 'in_transit' || trip.last_position !== null
    return at
      ? [
          {
            trip,
            stops,
            at: { latitude: at.latitude, longitude: at.longitude },
            standing: isLate(trip) ? 'late' : isMoving ? 'moving' : 'waiting',
          },
        ]
      : []
  })
}

/** The contiguous United States. */
const usual: readonly [number, number][] = [
  [-125, 24],
  [-66.5, 49.5],
]

/** The places that have to be in view, as longitude and latitude: with one alone the map would show nothing but it. */
export function placesIn(drawn: readonly DrawnTrip[]): [number, number][] {
  const places = drawn
    .flatMap(({ at, stops }) => [at, ...stops])
    .map(({ longitude, latitude }): [number, number] => [longitude, latitude])
  if (places.length === 0) return [...usual]
  const [west, east] = [Math.min(...places.map(([x]) => x)), Math.max(...places.map(([x]) => x))]
  const [south, north] = [Math.min(...places.map(([, y]) => y)), Math.max(...places.map(([, y]) => y))]
  const wider = Math.max(0, (12 - (east - west)) / 2)
  const higher = Math.max(0, (7 - (north - south)) / 2)
  return [
    [Math.max(-180, west - wider), Math.max(-80, south - higher)],
    [Math.min(180, east + wider), Math.min(80, north + higher)],
  ]
}
