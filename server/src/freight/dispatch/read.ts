import type { Context } from '../../platform/context.ts'
import { unavailable } from '../../platform/core/refusal.ts'
import { envelope, pageOf } from '../../platform/core/schema/pages.ts'
import { withDefinitions } from '../../records/definitions/read.ts'
import type { Definition } from '../../records/kinds/kind.ts'
import type { Fields } from '../../records/model/object.ts'
import { pageOfFound, rowsFound } from '../../records/search/search.ts'
import { inV1Terms } from '../../records/v1/refusals.ts'
import { manifestResource, orderResource, type Resource } from '../../records/v1/resources.ts'
import { show } from '../../records/v1/translate.ts'
import { shownExpected } from '../arrival-times/expected.ts'
import { driverOf, timeOf } from '../bookings/model.ts'
import { crossingsIn } from '../crossings/model.ts'
import { extensions } from '../extension.ts'
import { findingsOf } from '../loads/findings.ts'
import { stopsIn } from '../stops/itinerary/model.ts'
import { zoneOf } from '../stops/itinerary/zones.ts'
import { type FilterReading, filterOfManifests, filterOfOrders } from './filter.ts'
import type { ManifestQuery, OrderQuery } from './model.ts'
import { movesFrom } from './moves.ts'
import { findTrips, findWaiting, orderKeys, type Trip } from './store.ts'

/** The manifests of the board as JSON text, those that begin first first: one round trip while definitions do not change. */
export function searchTrips(ctx: Context, query: ManifestQuery): Promise<string> {
  const { q, offset, limit, after } = query
  const filterOf = (definition: Definition) => filterOfManifests(definition, query)
  return searched(ctx, manifestResource, filterOf, async (definition, { filter }) => {
    const found = await pageOfFound(
      ctx,
      definition,
      { filter, q: q || undefined, sort: 'startAt', offset, limit, after },
      extensions,
    )
    const trips = await findTrips(ctx, found)
    if (trips?.revision !== definition.revision) return undefined
    return envelope(
      'manifests',
      { list: JSON.stringify(trips.trips.map(shown)), total: trips.total, next: trips.next },
      found.page,
    )
  })
}

/** The orders that no manifest carries yet, as JSON text. */
export function searchOrders(ctx: Context, query: OrderQuery): Promise<string> {
  const { q, offset, limit, after, ...filters } = query
  const page = pageOf('orders to plan', { ...filters, q, offset, limit, after }, orderKeys)
  return searched(
    ctx,
    orderResource,
    () => filterOfOrders(query),
    async (definition, { filter }) => {
      const found = await findWaiting(
        ctx,
        await rowsFound(ctx, definition, { filter, q: q || undefined }, extensions),
        page,
      )
      if (found?.revision !== definition.revision) return undefined
      const list = (JSON.parse(found.list) as Waiting[]).map(shownOrder)
      return envelope('orders', { list: JSON.stringify(list), total: found.total, next: found.next }, page)
    },
  )
}

type Work = (definition: Definition, read: FilterReading) => Promise<string | undefined>

async function searched(
  ctx: Context,
  resource: Resource,
  filterOf: (definition: Definition) => FilterReading,
  work: Work,
): Promise<string> {
  const parameters: string[] = []
  const answer = await inV1Terms(
    resource,
    '',
    () =>
      withDefinitions(ctx, async (define) => {
        const definition = await define(resource.kind.objectKey)
        const read = filterOf(definition)
        parameters.splice(0, parameters.length, ...read.parameters)
        return work(definition, read)
      }),
    parameters,
  )
  if (answer === undefined) throw unavailable('The definition of this kind is being changed at this moment. Try again.')
  return answer
}

function shown(trip: Trip) {
  const { id, full_id, status, version, json, partner_carrier, equipment, orders } = trip
  const text = (key: string) => (typeof json[key] === 'string' ? json[key] : null)
  const stops = stopsIn({ stops: trip.stops })
  const time = timeOf({ ...json, stops })
  return {
    ...{
      id,
      full_id,
      reference_number: text('referenceNumber'),
      status,
      revision: version,
      moves: movesFrom({ status, stops }),
    },
    ...{
      partner_carrier,
      driver_name: text('driverName'),
      driver_phone: text('driverPhone'),
      driver_key: driverOf(json),
      equipment,
    },
    ...{ starts_at: time?.from ?? null, ends_at: time?.until ?? null, orders },
    ...shownExpected(trip),
    last_position: trip.last_position,
    border_crossings: crossingsIn(trip),
    planning_findings: findingsOf(
      { manifest: { ...json, stops: trip.stops }, orders: trip.carried, unit: trip.unit, settings: trip.settings },
      status,
    ),
  }
}

type Waiting = { order: Fields; customer: unknown; time_zone: string }

const shownOfOrders = [
  ...[
    'id',
    'full_id',
    'reference_number',
    'status',
    'pickup',
    'pickup_at',
    'pickup_by',
    'delivery',
    'deliver_at',
    'deliver_by',
    'stops',
  ],
  ...['commodity', 'pieces', 'weight', 'weight_unit', 'equipment_type', 'temperature', 'hazardous'],
]

function shownOrder({ order, customer, time_zone }: Waiting) {
  const fields = show(orderResource, order)
  const picked = Object.fromEntries(shownOfOrders.map((name) => [name, fields[name] ?? null]))
  const stops = stopsIn(order)
  const zones = {
    pickup_time_zone: zoneOf(
      stops.find(({ kind }) => kind === 'pickup') ?? { address: order.pickup as Fields | null },
      time_zone,
    ),
    delivery_time_zone: zoneOf(
      stops.findLast(({ kind }) => kind === 'delivery') ?? { address: order.delivery as Fields | null },
      time_zone,
    ),
  }
  return { ...picked, ...zones, stops: Array.isArray(picked.stops) ? picked.stops : [], customer }
}
