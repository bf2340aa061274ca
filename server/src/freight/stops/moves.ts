import type { Stop } from './itinerary/model.ts'

/** What the stops of a manifest say about a record: the stops that concern it, and whether the manifest was dispatched. */
type Facts = { stops: readonly Stop[]; isDispatched: boolean }

type Move = {
  readonly to: string
  /** The condition in words, as docs/movement.md has it. */
  readonly when: string
  readonly holds: (facts: Facts) => boolean
}

export type MovedKind = 'manifest' | 'leg' | 'order'

/**
 * The one table of how reports of stops move states. Of each kind the first line whose condition holds is the state that the stops give. A record is
 * moved to it if that is further than where it stands, and never back. docs/movement.md shows this table, and a test compares the two.
 */
export const moves: Record<MovedKind, readonly Move[]> = {
  manifest: [
    { to: 'completed', when: 'its last stop is departed from', holds: ({ stops }) => hasLeft(stops.at(-1)) },
    {
      to: 'in_transit',
      when: 'its first pickup, or a stop after it, is departed from',
      holds: ({ stops }) => isUnderway(stops),
    },
    {
      to: 'dispatched',
      when: 'it is dispatched, or a stop is arrived at',
      holds: ({ stops, isDispatched }) =>
        isDispatched || stops.some(({ arrivedAt, departedAt }) => Boolean(arrivedAt ?? departedAt)),
    },
  ],
  leg: [
    {
      to: 'completed',
      when: 'the last stop of its order is departed from',
      holds: ({ stops }) => hasLeft(stops.at(-1)),
    },
    {
      to: 'in_transit',
      when: 'the first pickup of its order, or a stop after it, is departed from',
      holds: ({ stops }) => isUnderway(stops),
    },
    { to: 'planned', when: 'its manifest is dispatched', holds: ({ isDispatched }) => isDispatched },
  ],
  order: [
    {
      to: 'delivered',
      when: 'its last delivery is departed from',
      holds: ({ stops }) => hasLeft(stops.findLast(({ kind }) => kind === 'delivery')),
    },
    {
      to: 'in_transit',
      when: 'its first pickup, or a stop after it, is departed from',
      holds: ({ stops }) => isUnderway(stops),
    },
    {
      to: 'planned',
      when: 'it is put on a manifest, or its manifest is dispatched',
      holds: ({ isDispatched }) => isDispatched,
    },
  ],
}

/** The states of a trip from its beginning to its end. Others, such as cancelled and those that an organization added, are never moved. */
export const course: Record<MovedKind, readonly string[]> = {
  manifest: ['active', 'planned', 'dispatched', 'in_transit', 'completed'],
  leg: ['active', 'planned', 'in_transit', 'completed'],
  order: ['active', 'planned', 'in_transit', 'delivered', 'invoiced'],
}

/** The state that the stops give; null where they give none. */
export function stateGiven(kind: MovedKind, facts: Facts): string | null {
  return moves[kind].find(({ holds }) => holds(facts))?.to ?? null
}

/** Where a record goes that stands at `from`: on to `to`, never back. */
export function moveOn(kind: MovedKind, from: string, to: string | null): string {
  const [here, there] = [course[kind].indexOf(from), to === null ? -1 : course[kind].indexOf(to)]
  return here >= 0 && there > here ? (to as string) : from
}

type Undone = {
  before: string | null
  after: string | null
  /** Where no report is left: the state in which the record was before the first one. */
  stood: string | undefined
}

/** Where a record goes when a report is undone: back only from the state that the stops gave with that report. */
export function moveBack(kind: MovedKind, from: string, { before, after, stood }: Undone): string {
  if (from !== before) return from
  const [here, there] = [course[kind].indexOf(from), stood === undefined ? -1 : course[kind].indexOf(stood)]
  return there >= 0 && there <= here ? (stood as string) : (after ?? from)
}

/** The stops that concern an order: those that name it, or else those that name no order. A leg without an order follows the whole manifest. */
export function stopsOf(stops: readonly Stop[], orderId: string | null): readonly Stop[] {
  if (orderId === null) return stops
  const own = stops.filter((stop) => stop.orderId === orderId)
  return own.length > 0 ? own : stops.filter((stop) => (stop.orderId ?? null) === null)
}

function hasLeft(stop: Stop | undefined): boolean {
  return typeof stop?.departedAt === 'string'
}

/** A stop before the first pickup, such as the yard, is departed from empty. */
function isUnderway(stops: readonly Stop[]): boolean {
  const first = stops.findIndex(({ kind }) => kind === 'pickup')
  return stops.some((stop, index) => index >= first && hasLeft(stop))
}
