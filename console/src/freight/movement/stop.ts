import { browserZone } from '../../app/values/dates.ts'

/** A stop, as the track of a manifest and the field of an object have it. */
export type Stop = {
  id: string
  sequence: number
  kind: string
  place: string
  /** Of the place: that of the browser where the stop has none yet. */
  timeZone: string
  orderId: string | null
  windowStart: string | null
  windowEnd: string | null
  arrivedAt: string | null
  departedAt: string | null
  referenceNumbers: readonly string[]
  eta: string | null
  delayMinutes: number | null
}

/** Reads a stop in the names of v1 or of v2. */
export function stopIn(entry: unknown): Stop {
  const fields = (entry ?? {}) as Record<string, unknown>
  const address = (fields.address ?? {}) as Record<string, unknown>
  const text = (...names: string[]) =>
    names.map((name) => fields[name]).find((value): value is string => typeof value === 'string') ?? null
  const [windowEnd, arrivedAt] = [text('windowEnd', 'window_end'), text('arrivedAt', 'arrived_at')]
  return {
    id: String(fields.id ?? ''),
    sequence: Number(fields.sequence ?? 0),
    kind: String(fields.kind ?? ''),
    place: placeOf(address),
    timeZone: text('timeZone', 'time_zone') ?? browserZone(),
    orderId: text('orderId', 'order_id'),
    windowStart: text('windowStart', 'window_start'),
    windowEnd,
    arrivedAt,
    departedAt: text('departedAt', 'departed_at'),
    referenceNumbers: (fields.referenceNumbers ?? fields.reference_numbers ?? []) as string[],
    eta: text('eta'),
    delayMinutes: typeof fields.delay_minutes === 'number' ? fields.delay_minutes : latenessOf(arrivedAt, windowEnd),
  }
}

function placeOf({
  companyName,
  company_name = companyName,
  address1,
  address_1 = address1,
  city,
  state,
}: Record<string, unknown>): string {
  const town = [city, state].filter(Boolean).join(', ')
  return [company_name, town || address_1].filter(Boolean).join(' · ') || '–'
}

function latenessOf(arrived: string | null, end: string | null): number | null {
  return arrived && end ? Math.max(0, Math.round((Date.parse(arrived) - Date.parse(end)) / 60_000)) : null
}

/** `2 h 5 min` */
export function durationOf(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 ? `${hours} h` : '', rest > 0 || hours === 0 ? `${rest} min` : ''].filter(Boolean).join(' ')
}
