import { type Stop, stopsIn } from '../stops/itinerary/model.ts'

/** Into the United States, or into Canada: what customs calls it there. */
export type Border = 'ace' | 'aci'

const bordersOf: Record<string, Border> = { US: 'ace', USA: 'ace', CA: 'aci', CAN: 'aci' }

/** A crossing as the track of a manifest shows it. */
export type BorderCrossing = {
  stop_id: string
  border: Border | null
  emanifest_id: string | null
  state: string | null
  flagged: boolean
}

/** An e-manifest of a manifest that is not cancelled. */
export type KnownEmanifest = { id: string; border: Border; stop_id: string | null; state: string; is_accepted: boolean }

/** Crossings that were noted when they were departed from. */
export type NotedCrossing = { stop_id: string; border: Border | null; emanifest_id: string | null; flagged: boolean }

/** Which border is crossed at a stop: that of the country where it goes on to; null where the stops do not say. */
export function borderOf(stops: readonly Stop[], index: number): Border | null {
  const next = stops.slice(index + 1).find((stop) => stop.kind !== 'border' && countryOf(stop))
  const country = countryOf(next) ?? countryOf(stops[index])
  return bordersOf[country ?? ''] ?? null
}

/** What crossings are told from, as `crossings-sql.ts` reads it. */
export type Crossing = { stops: unknown; emanifests: readonly KnownEmanifest[]; noted: readonly NotedCrossing[] }

export function crossingsIn({ stops, emanifests, noted }: Crossing): BorderCrossing[] {
  return crossingsOf(stopsIn({ stops }), emanifests, noted)
}

/** The border stops of a manifest, with what customs has accepted for each. One that was noted stays as it was at that moment. */
export function crossingsOf(
  stops: readonly Stop[],
  emanifests: readonly KnownEmanifest[],
  noted: readonly NotedCrossing[],
): BorderCrossing[] {
  return stops.flatMap((stop, index) => {
    if (stop.kind !== 'border') return []
    const before = noted.find(({ stop_id }) => stop_id === stop.id)
    const border = before?.border ?? borderOf(stops, index)
    const known = emanifestFor(stop, border, emanifests, stops)
    const flagged = before?.flagged ?? (Boolean(stop.departedAt) && !known?.is_accepted)
    return [
      {
        stop_id: stop.id,
        border: border ?? known?.border ?? null,
        emanifest_id: known?.id ?? null,
        state: known?.state ?? null,
        flagged,
      },
    ]
  })
}

/** The one that names this stop, or else one of the same border that names none or a stop that is gone; an accepted one before others. */
function emanifestFor(
  { id }: Stop,
  border: Border | null,
  emanifests: readonly KnownEmanifest[],
  stops: readonly Stop[],
): KnownEmanifest | undefined {
  const own = emanifests.filter(({ stop_id }) => stop_id === id)
  const isFree = ({ stop_id }: KnownEmanifest) => !stops.some((stop) => stop.id === stop_id)
  const fitting =
    own.length > 0 ? own : emanifests.filter((one) => isFree(one) && (border === null || one.border === border))
  return fitting.find(({ is_accepted }) => is_accepted) ?? fitting[0]
}

function countryOf(stop: Stop | undefined): string | null {
  const country = (stop?.address as { country?: unknown } | null | undefined)?.country
  return typeof country === 'string' && country.trim() !== '' ? country.trim().toUpperCase() : null
}
