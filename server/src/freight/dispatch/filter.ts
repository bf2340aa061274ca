import type { Definition } from '../../records/kinds/kind.ts'
import type { Filter } from '../../records/search/conditions/condition.ts'
import { hasOwnStops } from '../stops/itinerary/extension.ts'
import type { ManifestQuery, OrderQuery } from './model.ts'

/** The filter that a query means, and the parameters that its conditions come from, in their order. */
export type FilterReading = { filter: Filter; parameters: string[] }

/** The states of manifests that are not over. */
export const liveStates = ['active', 'planned', 'dispatched', 'in_transit'] as const
/** The states of orders that wait for a manifest. */
export const openStates = ['active', 'planned'] as const

export function filterOfManifests(
  definition: Definition,
  { ids, status_ids: status, partner_carrier_ids, equipment_ids, driver, from, to }: ManifestQuery,
): FilterReading {
  const times = {
    start: ['startAt', ...(hasOwnStops(definition) ? [] : ['stops.windowStart'])],
    end: ['endAt', ...(hasOwnStops(definition) ? [] : ['stops.windowEnd'])],
  }
  return together([
    ['ids', ids?.length && { field: 'id', op: 'in', value: ids }],
    [
      'status_ids',
      status?.length
        ? { field: 'status', op: 'in', value: status }
        : !ids?.length && { field: 'status', op: 'in', value: liveStates },
    ],
    [
      'partner_carrier_ids',
      partner_carrier_ids?.length && { field: 'partnerId', op: 'in', value: partner_carrier_ids },
    ],
    ['equipment_ids', equipment_ids?.length && { field: 'equipmentId', op: 'in', value: equipment_ids }],
    ['driver', driver && { field: 'driverName', op: 'contains', value: driver }],
    ['from', from !== undefined && unknownOr(times.end, 'gte', from)],
    ['to', to !== undefined && unknownOr(times.start, 'lte', to)],
  ])
}

export function filterOfOrders({ customer_ids, equipment_type, from, to }: OrderQuery): FilterReading {
  return together([
    ['status', { field: 'status', op: 'in', value: openStates }],
    ['customer_ids', customer_ids?.length && { field: 'customerId', op: 'in', value: customer_ids }],
    ['equipment_type', equipment_type?.length && { field: 'equipmentType', op: 'in', value: equipment_type }],
    ['from', from !== undefined && unknownOr(['pickupAt'], 'gte', from)],
    ['to', to !== undefined && unknownOr(['pickupAt'], 'lte', to)],
  ])
}

/** By the first of these fields that has a value. What has none is kept: nobody is to miss a trip because its times were not entered. */
function unknownOr([field, ...others]: readonly string[], op: 'gte' | 'lte', value: string): Filter {
  if (field === undefined) return { and: [] }
  const missing: Filter = { not: { field, op: 'exists', value: true } }
  return { or: [{ field, op, value }, others.length > 0 ? { and: [missing, unknownOr(others, op, value)] } : missing] }
}

function together(parts: readonly (readonly [string, Filter | false | '' | 0 | undefined])[]): FilterReading {
  const given = parts.filter((part): part is readonly [string, Filter] => Boolean(part[1]))
  return { filter: { and: given.map(([, filter]) => filter) }, parameters: given.map(([name]) => name) }
}
