import type { Detail } from '../../../platform/core/refusal.ts'
import { parseDate } from '../../../platform/core/values/dates.ts'
import { newId } from '../../../platform/core/values/ids.ts'
import type { stopKinds } from '../../../records/kinds/stops.ts'
import type { Fields } from '../../../records/model/object.ts'

/** A stop as the field `stops` has it, once it is stored. */
export type Stop = {
  readonly id: string
  readonly sequence: number
  readonly kind: (typeof stopKinds)[number]
  readonly address?: Fields | null
  /** Of the place; in what was stored before stops had one it is missing until they are written again. */
  readonly timeZone?: string | null
  readonly windowStart?: string | null
  readonly windowEnd?: string | null
  readonly arrivedAt?: string | null
  readonly departedAt?: string | null
  readonly referenceNumbers?: readonly string[] | null
  /** Of a manifest: whose freight it is for. */
  readonly orderId?: string | null
}

/** The stops of an order or a manifest, in order; none where the field holds something else, from before it was built in. */
export function stopsIn(json: Fields): Stop[] {
  return Array.isArray(json.stops) && json.stops.every(isStop) ? json.stops : []
}

function isStop(value: unknown): value is Stop {
  const { id, sequence, kind } = (value ?? {}) as Partial<Stop>
  return typeof id === 'string' && typeof sequence === 'number' && typeof kind === 'string'
}

type Sent = Omit<Stop, 'sequence'> & { sequence?: number | null }

/** Stops in the order of their sequence; one without a sequence comes after the one that it was sent after. */
export function inSequence(sent: readonly Sent[]): Stop[] {
  let last = 0
  const placed = sent.map((stop): Stop => {
    const sequence = stop.sequence ?? last + 1
    last = sequence
    return { ...stop, sequence }
  })
  return placed.every(({ sequence }, index) => index === 0 || sequence > (placed[index - 1] as Stop).sequence)
    ? placed
    : placed.toSorted((one, other) => one.sequence - other.sequence)
}

/** What is wrong with stops beyond the types of their fields. */
export function faultsOf(stops: readonly Sent[]): Detail[] {
  const sequences = inSequence(stops).map(({ sequence }) => sequence)
  return stops.flatMap((stop, index) => {
    const at = `stops.${index}`
    const wrong = (field: string, code: string, message: string): Detail[] => [
      { field: `${at}.${field}`, code, message: `"${at}.${field}" ${message}` },
    ]
    return [
      ...(stop.sequence != null && sequences.filter((one) => one === stop.sequence).length > 1
        ? wrong(
            'sequence',
            'duplicate_sequence',
            `is ${stop.sequence}, as of another stop. Give each stop its own place.`,
          )
        : []),
      ...(isAfter(stop.windowStart, stop.windowEnd)
        ? wrong('windowEnd', 'wrong_order', 'is before the window begins.')
        : []),
      ...(isAfter(stop.arrivedAt, stop.departedAt) ? wrong('departedAt', 'wrong_order', 'is before the arrival.') : []),
    ]
  })
}

/** The stops that an order brings to a manifest: its own, under their ids, or else its pickup and its delivery. */
export function stopsOfOrder(orderId: string, order: Fields): Sent[] {
  const own = stopsIn(order)
  if (own.length > 0) return own.map((stop) => ({ ...stop, orderId }))
  const referenceNumbers =
    typeof order.referenceNumber === 'string' && order.referenceNumber !== ''
      ? { referenceNumbers: [order.referenceNumber] }
      : {}
  const made = (kind: 'pickup' | 'delivery', address: unknown, windowStart: unknown, windowEnd: unknown): Sent => ({
    id: newId(),
    kind,
    ...(address ? { address: address as Fields } : {}),
    ...(windowStart ? { windowStart: windowStart as string } : {}),
    ...(windowEnd ? { windowEnd: windowEnd as string } : {}),
    ...referenceNumbers,
    orderId,
  })
  return [
    made('pickup', order.pickup, order.pickupAt, order.pickupBy),
    made('delivery', order.delivery, order.deliverAt, order.deliverBy),
  ]
}

/**
 * The stops of a manifest with those of another order: what comes before the first delivery of the order goes behind the last pickup, the rest to the
 * end; nothing goes before a stop that was reported.
 */
export function withStops(stops: readonly Stop[], added: readonly Sent[]): Stop[] {
  const delivery = added.findIndex(({ kind }) => kind === 'delivery')
  const [first, rest] = delivery < 0 ? [[], added] : [added.slice(0, delivery), added.slice(delivery)]
  const at =
    Math.max(
      stops.findLastIndex(isReported),
      stops.findLastIndex(({ kind }) => kind === 'pickup'),
    ) + 1
  return renumbered([...stops.slice(0, at), ...first, ...stops.slice(at), ...rest])
}

export function withoutOrder(stops: readonly Stop[], orderId: string): Stop[] {
  return renumbered(stops.filter((stop) => stop.orderId !== orderId))
}

function renumbered(stops: readonly Sent[]): Stop[] {
  return stops.map((stop, index) => ({ ...stop, sequence: index + 1 }))
}

/** The stops before one that were not departed from, back to the last one that was. */
export function openBefore(stops: readonly Stop[], id: string): Stop[] {
  const before = stops.slice(
    0,
    stops.findIndex((stop) => stop.id === id),
  )
  return before.slice(before.findLastIndex(({ departedAt }) => departedAt) + 1)
}

/** The stops behind one that were departed from, the last one first, as they are to be taken back. */
export function departedBehind(stops: readonly Stop[], id: string): Stop[] {
  return stops
    .slice(stops.findIndex((stop) => stop.id === id) + 1)
    .filter(({ departedAt }) => departedAt)
    .toReversed()
}

export function isReported({ arrivedAt, departedAt }: Pick<Stop, 'arrivedAt' | 'departedAt'>): boolean {
  return Boolean(arrivedAt ?? departedAt)
}

/** Whether the first of two moments is later, where both are known. */
export function isAfter(one: string | null | undefined, other: string | null | undefined): boolean {
  const [first, second] = [one ? parseDate(one) : null, other ? parseDate(other) : null]
  return first !== null && second !== null && first > second
}
