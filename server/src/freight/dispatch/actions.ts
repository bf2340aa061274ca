import { type Context, transaction } from '../../platform/context.ts'
import { conflict, type Detail, invalid } from '../../platform/core/refusal.ts'
import type { ObjectReference } from '../../records/model/object.ts'
import { manifestResource } from '../../records/v1/resources.ts'
import { createOne, type WriteTerms } from '../../records/v1/write.ts'
import { departed, dispatched, putOrdersOn, type Report } from '../stops/actions.ts'
import { isReported, type Stop } from '../stops/itinerary/model.ts'
import { type Change, moveTrip, type ReportOptions, type ReportOutcome, type TripBefore } from '../stops/trip.ts'
import type { NewPlan } from './model.ts'
import { requireMove } from './moves.ts'
import { listPlanned, type PlannedOrder } from './store.ts'

/** Makes a planned manifest and puts orders on it, all or nothing. */
export function planManifest(
  ctx: Context,
  { order_ids, ...fields }: NewPlan,
  asked: WriteTerms,
  options: ReportOptions,
): Promise<ReportOutcome> {
  return transaction(ctx, async (ctx) => {
    const { id } = await createOne(ctx, manifestResource, { ...fields, status: 'planned' }, asked)
    return planOrders(ctx, { by: 'id', id }, order_ids, options)
  })
}

/**
 * Puts orders on a manifest that wait for one. Who puts one of them on another manifest at the same moment waits for the lock of the order, and then
 * finds it planned.
 */
export function planOrders(
  ctx: Context,
  manifest: ObjectReference,
  orderIds: readonly string[],
  options: ReportOptions,
): Promise<ReportOutcome> {
  return transaction(ctx, async (ctx) => {
    const ids = [...new Set(orderIds.map((id) => id.toLowerCase()))]
    const reported = await putOrdersOn(ctx, manifest, ids, options)
    requireWaiting(ids, await listPlanned(ctx, ids, reported.id))
    return reported
  })
}

/** Moves a manifest to another state as the table says, with what follows for its stops, legs and orders. */
export function moveManifest(
  ctx: Context,
  manifest: ObjectReference,
  { to, at }: Report & { to: string },
  options: ReportOptions,
): Promise<ReportOutcome> {
  return moveTrip(ctx, manifest, { ...options, evenClosed: true }, (before) => {
    if (before.status !== to) requireMove(before, to)
    return changeTo(before, to, { at })
  })
}

/** Puts the stops of a manifest in another order. Those that were reported stay where they are, and no order is delivered before it is picked up. */
export function sequenceStops(
  ctx: Context,
  manifest: ObjectReference,
  stopIds: readonly string[],
  options: ReportOptions,
): Promise<ReportOutcome> {
  return moveTrip(ctx, manifest, options, ({ status, stops }) => {
    const ids = stopIds.map((id) => id.toLowerCase())
    if (ids.length !== stops.length || !stops.every(({ id }) => ids.includes(id)))
      throw invalid(
        'stop_ids',
        'not_the_stops',
        `"stop_ids" must name each of the ${stops.length} stops of the manifest once. Read it again.`,
      )
    const next = ids.map((id, index) => ({ ...(stops.find((stop) => stop.id === id) as Stop), sequence: index + 1 }))
    requireReportedFirst(stops, next)
    requirePickupFirst(next)
    return { status, stops: next }
  })
}

function changeTo(before: TripBefore, to: string, report: Report): Change {
  const { status, stops } = before
  if (to === status) return { status, stops }
  if (to === 'dispatched') return dispatched(before)
  const stop =
    to === 'in_transit'
      ? (stops.find(({ kind }) => kind === 'pickup') ?? stops[0])
      : to === 'completed'
        ? stops.at(-1)
        : undefined
  return stop ? departed(before, stop.id, report) : { status: to, stops }
}

const closed = ['delivered', 'invoiced', 'cancelled', 'inactive']

function requireWaiting(ids: readonly string[], planned: readonly PlannedOrder[]): void {
  const wrong = planned.flatMap(({ id, full_id, status, other, other_id }): Detail[] => {
    const field = `order_ids.${ids.indexOf(id)}`
    if (closed.includes(status))
      return [
        {
          field,
          code: 'order_closed',
          message: `${full_id} is ${status}, so it cannot be planned. Change its status first.`,
        },
      ]
    if (other === null || other_id === null) return []
    return [
      {
        field,
        code: 'order_planned',
        message: `${full_id} is on ${other} already. Take it off there first.`,
        allowed: [other_id],
      },
    ]
  })
  const message = wrong.map(({ message }) => message).join(' ')
  if (wrong.some(({ code }) => code === 'order_closed')) throw conflict('order_closed', message, wrong)
  if (wrong.length > 0) throw conflict('order_planned', message, wrong)
}

function requireReportedFirst(before: readonly Stop[], after: readonly Stop[]): void {
  const last = before.findLastIndex(isReported)
  const moved = before.slice(0, last + 1).find(({ id }, index) => after[index]?.id !== id)
  if (moved)
    throw conflict(
      'stop_reported',
      `Stop ${moved.sequence} stays where it is: it was reported, or one behind it was. Undo the report first.`,
    )
}

function requirePickupFirst(stops: readonly Stop[]): void {
  const wrong = stops.findIndex(
    ({ kind, orderId }, index) =>
      kind === 'delivery' &&
      orderId &&
      stops.slice(index + 1).some((later) => later.kind === 'pickup' && later.orderId === orderId),
  )
  if (wrong < 0) return
  throw invalid(
    `stop_ids.${wrong}`,
    'wrong_order',
    `"stop_ids.${wrong}" is a delivery of an order whose pickup comes later. Put the pickup first.`,
  )
}
