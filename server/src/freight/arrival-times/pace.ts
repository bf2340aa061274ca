import type { Pace, Sighting } from './estimate.ts'

type Known = {
  settings: { eta_detour_factor: number; eta_average_speed_kmh: number }
  /** What a routing service said about the rest of the way: how much longer than straight it is, and how fast it is driven. */
  route: { factor: number; speed_kmh: number; at: string } | null
}

/** For so long what the routing service said holds for the positions that follow. */
const routeHolds = 60 * 60_000

/** By what the routing service last said, if that is not long ago, or else by the settings of the organization. */
export function paceOf({ settings, route }: Known, sighting: Sighting | null): Pace {
  const isCurrent = route !== null && (!sighting || Date.parse(sighting.at) - Date.parse(route.at) < routeHolds)
  if (isCurrent) return { detourFactor: route.factor, speedKmh: route.speed_kmh, source: 'routing' }
  return { detourFactor: settings.eta_detour_factor, speedKmh: settings.eta_average_speed_kmh, source: 'great_circle' }
}
