import { type Context, transaction } from '../../platform/context.ts'
import { conflict, notFound, type Refusal, unavailable } from '../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected } from '../../platform/core/schema/revisions.ts'
import { writeObjects } from '../../records/bulk/actions.ts'
import type { Definition } from '../../records/kinds/kind.ts'
import { type Fields, type LockedObject, type ObjectReference, textOfReference } from '../../records/model/object.ts'
import { namingOf } from '../../records/v1/refusals.ts'
import { manifestResource } from '../../records/v1/resources.ts'
import { noteCrossings } from '../crossings/actions.ts'
import { extensions } from '../extension.ts'
import { hasOwnStops } from './itinerary/extension.ts'
import { isReported, type Stop, stopsIn } from './itinerary/model.ts'
import { findBeforeReports, findTrip, type StateBeforeReports, type Trip } from './itinerary/store.ts'
import { course, type MovedKind, moveBack, moveOn, stateGiven, stopsOf } from './moves.ts'

/** A record whose state was moved. */
export type StateMove = { type: MovedKind; id: string; full_id: string; from: string; to: string }
export type ReportOutcome = { id: string; moved: StateMove[] }

export type ReportOptions = {
  expected?: ExpectedRevision
  /** Called when everything is written, in the same transaction. */
  afterwards?: (ctx: Context, manifestId: string) => Promise<void>
  /** Whether a manifest that is cancelled or inactive can be changed too. */
  evenClosed?: boolean
}

/** `isUndo`: a report is taken back, so states go back. */
type MoveOptions = ReportOptions & { isUndo?: boolean }

export type TripBefore = { status: string; stops: readonly Stop[]; orders: Trip['orders']; onIt: readonly string[] }
export type Change = {
  /** Where the manifest goes, if not to where its stops say. */
  status?: string
  stops: readonly Stop[]
  orderIds?: readonly string[]
  /** Orders that are put on the manifest by this. */
  planned?: readonly string[]
  isDispatch?: boolean
}

/**
 * Changes the stops of a manifest and moves the states that follow, all in one transaction. Manifest, legs and orders are locked together in the order
 * of their ids, as every write of several objects does: of two reports at once the second sees what the first has written.
 */
export function moveTrip(
  ctx: Context,
  reference: ObjectReference,
  { expected = null, afterwards, evenClosed = false, isUndo = false }: MoveOptions,
  change: (before: TripBefore) => Change,
  added: readonly string[] = [],
): Promise<ReportOutcome> {
  return transaction(ctx, async (ctx) => {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const trip = await findTrip(ctx, reference, added)
      if (!trip) throw notFound('manifest', textOfReference(reference))
      const stood = isUndo ? await findBeforeReports(ctx, trip) : null
      const reported = await writeTrip(ctx, trip, { expected, change, added, evenClosed, stood })
      if (!reported) continue
      if (reported.hasBorder) await noteCrossings(ctx, reported.id)
      if (afterwards) await afterwards(ctx, reported.id)
      return { id: reported.id, moved: reported.moved }
    }
    throw unavailable('Too many are writing this manifest at this moment. Try again.')
  })
}

type Asked = {
  expected: ExpectedRevision
  change: (before: TripBefore) => Change
  added: readonly string[]
  evenClosed: boolean
  /** An undo has it. */
  stood: StateBeforeReports | null
}

/** Null if orders came or went between looking them up and locking them, or what an undo goes back to was looked up for another version. */
async function writeTrip(
  ctx: Context,
  trip: Trip,
  { expected, change, added, evenClosed, stood }: Asked,
): Promise<(ReportOutcome & { hasBorder: boolean }) | null> {
  const moved: StateMove[] = []
  let decided = undefined as Decided | undefined
  let isOutdated = false
  const ids = [trip.id, ...trip.leg_ids, ...trip.orders.map(({ id }) => id)]
  const { outcomes } = await writeObjects(
    ctx,
    ids.map((id) => ({ id, json: {} })),
    {
      extensions,
      mode: 'all_or_nothing',
      naming: namingOf(manifestResource),
      // Called in the order of the rows, when all of them are locked: the manifest is first.
      read(_sent, definition, before) {
        const locked = before as LockedObject
        if (locked.id === trip.id) {
          const onIt = (locked.content.json.orderIds ?? []) as string[]
          isOutdated = !isOf(trip, onIt, added) || (stood !== null && stood.version !== locked.version)
          if (isOutdated) throw conflict('outdated', 'The manifest or its orders were changed meanwhile.')
          requireOpen(definition, locked, expected, evenClosed)
          decided = decide(
            locked,
            change({ status: locked.content.status, stops: stopsIn(locked.content.json), orders: trip.orders, onIt }),
            stood,
          )
          return noted(moved, 'manifest', locked, decided.fields)
        }
        // Nothing is written where the manifest was refused.
        return decided
          ? noted(
              moved,
              definition.objectKey as MovedKind,
              locked,
              followed(definition.objectKey as MovedKind, locked, decided),
            )
          : {}
      },
    },
  )
  const failed = outcomes.findIndex(({ refusal }) => refusal !== undefined)
  if (isOutdated || (failed > 0 && outcomes[failed]?.refusal?.kind === 'not_found')) return null
  if (failed >= 0) throw outcomes[failed]?.refusal as Refusal
  const hasBorder = [...(decided?.before ?? []), ...(decided?.change.stops ?? [])].some(({ kind }) => kind === 'border')
  return { id: trip.id, moved, hasBorder }
}

/** Whether these orders are the ones that were looked up, but for those that are to be added. */
function isOf({ orders }: Trip, onIt: readonly string[], added: readonly string[]): boolean {
  return (
    onIt.every((id) => orders.some((order) => order.id === id)) &&
    orders.every(({ id }) => onIt.includes(id) || added.includes(id))
  )
}

function requireOpen(
  definition: Definition,
  { content: { status }, version }: LockedObject,
  expected: ExpectedRevision,
  evenClosed: boolean,
): void {
  requireExpected(expected, version)
  if (hasOwnStops(definition)) throw ownStops()
  if (!evenClosed && (status === 'cancelled' || status === 'inactive'))
    throw conflict(
      'manifest_closed',
      `This manifest is ${status}, so nothing is reported of it. Change its status first.`,
    )
}

type Decided = {
  fields: Fields
  before: readonly Stop[]
  change: Change
  isDispatched: boolean
  stood: StateBeforeReports | null
}

/** What becomes of the manifest. */
function decide(locked: LockedObject, change: Change, stood: StateBeforeReports | null): Decided {
  const { json, status } = locked.content
  const before = stopsIn(json)
  const { stops, orderIds, isDispatch = false } = change
  const given = (of: readonly Stop[]) =>
    stateGiven('manifest', { stops: of, isDispatched: isDispatch || stood !== null })
  const next =
    change.status ??
    (stood
      ? moveBack('manifest', status, {
          before: given(before),
          after: given(stops),
          stood: stoodAt(locked, change, stood),
        })
      : moveOn('manifest', status, given(stops)))
  const isDispatched = stood !== null || course.manifest.indexOf(next) >= course.manifest.indexOf('dispatched')
  return { before, change, isDispatched, stood, fields: { stops, status: next, ...(orderIds && { orderIds }) } }
}

/** What becomes of a leg or an order. */
function followed(kind: MovedKind, locked: LockedObject, { before, change, isDispatched, stood }: Decided): Fields {
  const { id, content } = locked
  const { json, status } = content
  const orderId = kind === 'order' ? id : ((json.orderId as string | null | undefined) ?? null)
  const given = (of: readonly Stop[]) =>
    stateGiven(kind, { stops: stopsOf(of, orderId), isDispatched: isDispatched || (change.planned ?? []).includes(id) })
  // An order that is taken off is not moved by the stops of others.
  if (change.orderIds && orderId !== null && !change.orderIds.includes(orderId)) return {}
  const next = stood
    ? moveBack(kind, status, {
        before: given(before),
        after: given(change.stops),
        stood: stoodAt(locked, change, stood),
      })
    : moveOn(kind, status, given(change.stops))
  return { status: next, ...(kind === 'order' && withTimes(json, change.stops)) }
}

/** The state of a record before the first report, where none is left. */
function stoodAt({ id }: LockedObject, { stops }: Change, { states }: StateBeforeReports): string | undefined {
  return stops.some(isReported) ? undefined : states[id]
}

/** A stop that came from the order has the id that it has there, and the order shows the same times. */
function withTimes(order: Fields, stops: readonly Stop[]): Fields {
  const own = stopsIn(order)
  const next = own.map((stop) => {
    const same = stops.find(({ id }) => id === stop.id)
    if (!same) return stop
    const { arrivedAt: _, departedAt: __, ...rest } = stop
    return {
      ...rest,
      ...(same.arrivedAt && { arrivedAt: same.arrivedAt }),
      ...(same.departedAt && { departedAt: same.departedAt }),
    }
  })
  return own.length > 0 ? { stops: next } : {}
}

function noted(
  moved: StateMove[],
  type: MovedKind,
  { id, full_id, content: { status } }: LockedObject,
  fields: Fields,
): Fields {
  if (typeof fields.status === 'string' && fields.status !== status)
    moved.push({ type, id, full_id, from: status, to: fields.status })
  return fields
}

function ownStops(): Refusal {
  const message =
    'This organization has a field of its own called "stops", which counts instead of the stops that can be reported. Remove that field first.'
  return conflict('own_stops', message)
}
