import type { Context } from '../../platform/context.ts'
import { conflict, invalid, invalidAll, notFound } from '../../platform/core/refusal.ts'
import { toWire } from '../../platform/core/values/dates.ts'
import type { ObjectReference } from '../../records/model/object.ts'
import {
  departedBehind,
  isAfter,
  isReported,
  openBefore,
  type Stop,
  stopsOfOrder,
  withoutOrder,
  withStops,
} from './itinerary/model.ts'
import { type Change, moveTrip, type ReportOptions, type ReportOutcome, type TripBefore } from './trip.ts'

export type Report = {
  at?: string | undefined
  /** Whether the stops before it may be passed over that were not departed from. */
  mayPass?: boolean | undefined
}
/** `isNew`: it was not reported so before. `before`: the time that was reported before; null where none was. */
export type ReportedStop = ReportOutcome & { isNew: boolean; before: string | null }

/** The vehicle has arrived at a stop. Without a time that is now; reported before without another time, it changes nothing. */
export function reportArrival(
  ctx: Context,
  manifest: ObjectReference,
  stopId: string,
  said: Report = {},
  options: ReportOptions = {},
): Promise<ReportedStop> {
  return report(ctx, manifest, { id: stopId, time: 'arrivedAt' }, said, options)
}

/** The vehicle has departed from a stop; whether its arrival was reported does not matter. */
export function reportDeparture(
  ctx: Context,
  manifest: ObjectReference,
  stopId: string,
  said: Report = {},
  options: ReportOptions = {},
): Promise<ReportedStop> {
  return report(ctx, manifest, { id: stopId, time: 'departedAt' }, said, options)
}

type Reporting = { id: string; time: 'arrivedAt' | 'departedAt' }

async function report(
  ctx: Context,
  manifest: ObjectReference,
  { id, time }: Reporting,
  { at, mayPass = true }: Report,
  options: ReportOptions,
) {
  let isNew = false
  let before: string | null = null
  const reported = await moveTrip(ctx, manifest, options, ({ stops }) => ({
    stops: withStop(stops, id, (stop) => {
      if (!mayPass && !stop[time]) requireNoneOpen(openBefore(stops, id))
      const next = timeOf(at, stop[time])
      before = stop[time] ?? null
      isNew = next !== before
      return { ...stop, [time]: next }
    }),
  }))
  return { ...reported, isNew, before }
}

function requireNoneOpen(open: readonly Stop[]): void {
  if (open.length === 0) return
  const details = open.map(({ id, sequence, kind }) => ({
    field: 'stopID',
    code: 'stop_open',
    message: `Stop ${sequence} (${kind}) was not departed from.`,
    id,
  }))
  const which = open.map(({ sequence, kind }) => `${sequence} (${kind})`).join(', ')
  throw conflict(
    'stops_open',
    `Before this stop ${open.length === 1 ? 'one was' : `${open.length} were`} not departed from: ${which}. Report ${open.length === 1 ? 'it' : 'them'} first, or send "skip_stops": true.`,
    details,
  )
}

export function departed({ stops }: TripBefore, stopId: string, { at }: Report): Change {
  return { stops: withStop(stops, stopId, (stop) => ({ ...stop, departedAt: timeOf(at, stop.departedAt) })) }
}

/** `mayUndo` refuses what the caller may not take back. */
type UndoOptions = ReportOptions & { mayUndo?: (stop: Stop) => void }

/** Takes back the last report of a stop: the departure, or else the arrival. States that came from it go back, others stay. */
export function undoReport(
  ctx: Context,
  manifest: ObjectReference,
  stopId: string,
  { mayUndo, ...options }: UndoOptions = {},
): Promise<ReportOutcome> {
  return moveTrip(ctx, manifest, { ...options, isUndo: true }, ({ stops }) => ({
    stops: withStop(stops, stopId, (reported) => {
      if (!isReported(reported))
        throw conflict('not_reported', 'Neither an arrival nor a departure was reported of this stop.')
      mayUndo?.(reported)
      requireNoneLater(departedBehind(stops, stopId))
      const { departedAt, arrivedAt, ...stop } = reported
      return departedAt && arrivedAt ? { ...stop, arrivedAt } : stop
    }),
  }))
}

function requireNoneLater(later: readonly Stop[]): void {
  if (later.length === 0) return
  const details = later.map(({ id, sequence, kind }) => ({
    field: 'stopID',
    code: 'stop_departed',
    message: `Stop ${sequence} (${kind}) was departed from.`,
    id,
  }))
  const which = later.map(({ sequence, kind }) => `${sequence} (${kind})`).join(', then ')
  throw conflict(
    'later_stop_reported',
    `${later.length === 1 ? 'A later stop was' : 'Later stops were'} departed from, which gave the states of now. Undo the report of stop ${which} first.`,
    details,
  )
}

/** Sends the manifest on its way. One without stops gets those of its orders. */
export function dispatchManifest(
  ctx: Context,
  manifest: ObjectReference,
  options: ReportOptions = {},
): Promise<ReportOutcome> {
  return moveTrip(ctx, manifest, options, dispatched)
}

export function dispatched({ stops, orders }: TripBefore): Change {
  return {
    isDispatch: true,
    stops:
      stops.length > 0
        ? stops
        : orders.reduce<Stop[]>((all, { id, json }) => withStops(all, stopsOfOrder(id, json)), []),
  }
}

/** Puts orders on a manifest, with their stops; an order without stops brings its pickup and its delivery. What is on it already stays as it is. */
export function putOrdersOn(
  ctx: Context,
  manifest: ObjectReference,
  orderIds: readonly string[],
  options: ReportOptions = {},
): Promise<ReportOutcome> {
  return moveTrip(
    ctx,
    manifest,
    options,
    ({ stops, orders, onIt }) => {
      const missing = orderIds.flatMap((id, index) => (orders.some((order) => order.id === id) ? [] : [{ id, index }]))
      if (missing.length > 0)
        throw invalidAll(
          missing.map(({ id, index }) => ({
            field: `order_ids.${index}`,
            code: 'unknown_reference',
            message: `There is no order ${id}.`,
          })),
        )
      const added = orders.filter(({ id }) => orderIds.includes(id) && !onIt.includes(id))
      return {
        orderIds: [...onIt, ...added.map(({ id }) => id)],
        planned: added.map(({ id }) => id),
        stops: added.reduce<readonly Stop[]>((all, { id, json }) => withStops(all, stopsOfOrder(id, json)), stops),
      }
    },
    orderIds,
  )
}

/** Takes an order off a manifest, with its stops, unless one of them was reported. Its state stays: another manifest may carry it. */
export function takeOrderOff(
  ctx: Context,
  manifest: ObjectReference,
  orderId: string,
  options: ReportOptions = {},
): Promise<ReportOutcome> {
  return moveTrip(ctx, manifest, options, ({ stops, onIt }) => {
    if (!onIt.includes(orderId)) throw notFound('order on this manifest', orderId)
    if (stops.some((stop) => stop.orderId === orderId && isReported(stop)))
      throw conflict(
        'stop_reported',
        'A stop of this order was reported already, so the order stays on the manifest. Undo the report first.',
      )
    return { orderIds: onIt.filter((id) => id !== orderId), stops: withoutOrder(stops, orderId) }
  })
}

function withStop(stops: readonly Stop[], id: string, report: (stop: Stop) => Stop): Stop[] {
  if (!stops.some((stop) => stop.id === id)) throw notFound('stop on this manifest', id)
  return stops.map((stop) => (stop.id === id ? inOrder(report(stop)) : stop))
}

function inOrder(stop: Stop): Stop {
  if (isAfter(stop.arrivedAt, stop.departedAt))
    throw invalid(
      'at',
      'wrong_order',
      `A stop is departed from after it was arrived at: the arrival is ${stop.arrivedAt}, the departure ${stop.departedAt}.`,
    )
  return stop
}

/** The clock of a phone may be a little fast. */
const mostAheadMs = 5 * 60_000

function timeOf(at: string | undefined, known: string | null | undefined): string {
  if (at === undefined) return known ?? toWire(new Date())
  if (Date.parse(at) > Date.now() + mostAheadMs)
    throw invalid('at', 'in_the_future', `"at" is ${at}, which is still to come. Report what has happened.`)
  return at
}
