import { stopsIn as stopsOf } from '../../../freight/stops/itinerary/model.ts'

/** A stop of a manifest, as far as its times are known. */
export type Stop = {
  arrived_at: string | null
  departed_at: string | null
  window_start?: string | null
  window_end: string | null
}

/** The hours at a stop that carriers do not charge for. */
const freeHours = 2

/** The hours waited at the stops beyond the free time; null where no stop has both times. Who comes before the window begins waits at their own expense. */
export function waitedHours(stops: readonly Stop[]): number | null {
  const known = stops.flatMap(({ arrived_at, departed_at, window_start }) =>
    arrived_at && departed_at
      ? [Date.parse(departed_at) - Math.max(Date.parse(arrived_at), window_start ? Date.parse(window_start) : 0)]
      : [],
  )
  if (known.length === 0) return null
  const hours = known.reduce((sum, ms) => sum + Math.max(0, ms / 3_600_000 - freeHours), 0)
  return Math.round(hours * 100) / 100
}

/**
 * The stops of a manifest. An organization may have a field of its own called `stops`, from before it was built in: that is read as far as its entries have times, in
 * the names of v2 or of v1. What is no list of stops is none.
 */
export function stopsIn(json: Record<string, unknown>): Stop[] {
  const real = stopsOf(json)
  if (real.length > 0)
    return real.map(({ arrivedAt = null, departedAt = null, windowStart = null, windowEnd = null }) => ({
      arrived_at: arrivedAt,
      departed_at: departedAt,
      window_start: windowStart,
      window_end: windowEnd,
    }))
  if (!Array.isArray(json.stops)) return []
  return json.stops.map((stop: Record<string, unknown>) => {
    const text = (...names: string[]) =>
      names.map((name) => stop?.[name]).find((value): value is string => typeof value === 'string') ?? null
    return {
      arrived_at: text('arrivedAt', 'arrived_at'),
      departed_at: text('departedAt', 'departed_at'),
      window_end: text('windowEnd', 'window_end'),
    }
  })
}

/** Completed, or left by its truck at the last stop. */
export function isDelivered(status: string, stops: readonly Stop[]): boolean {
  return status === 'completed' || Boolean(stops.at(-1)?.departed_at)
}

const kilometresOf: Record<string, number> = { km: 1, mile: 1.609344 }

/** The distances together, in the unit that a line counts in; null where it counts in something else or one is unknown. */
export function addDistances(kilometres: readonly (number | null)[], unit: string | null | undefined): number | null {
  const length = kilometresOf[unit ?? '']
  if (!length || kilometres.some((one) => one === null)) return null
  return kilometres.reduce<number>((sum, one) => sum + (one as number), 0) / length
}
