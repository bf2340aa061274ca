import type { Condition, Filter } from '../../records/kinds/filter.ts'
import type { DispatchSearch } from './trips/search.ts'

type Part = Pick<DispatchSearch, 'status' | 'carrier' | 'equipment' | 'driver' | 'from' | 'to'>

/** How each filter of the page is said in the filter of a board of manifests, so that the board is of use in the list of manifests too. */
const conditions: { name: keyof Part; field: string; op: Condition['op'] }[] = [
  { name: 'status', field: 'status', op: 'in' },
  { name: 'carrier', field: 'partnerId', op: 'eq' },
  { name: 'equipment', field: 'equipmentId', op: 'eq' },
  { name: 'driver', field: 'driverName', op: 'contains' },
  { name: 'from', field: 'endAt', op: 'gte' },
  { name: 'to', field: 'startAt', op: 'lte' },
]

export function filterOf(search: Part): Filter | undefined {
  const given = conditions.flatMap(({ name, field, op }): Condition[] => {
    const value = search[name]
    return value ? [{ field, op, value: name === 'status' ? value.split(',') : value }] : []
  })
  return given.length > 1 ? { and: given } : given[0]
}

/** The filters of the page that a board means; null where it asks for something that the page has no filter for. */
export function partIn(filter: Filter | undefined): Part | null {
  if (!filter) return {}
  const given = 'and' in filter ? filter.and : [filter]
  const read = given.map((condition) => {
    const known =
      'field' in condition && conditions.find(({ field, op }) => field === condition.field && op === condition.op)
    if (!known) return null
    const { value } = condition as Condition
    const text = Array.isArray(value) ? value.join() : value
    return typeof text === 'string' ? ([known.name, text] as const) : null
  })
  const names = read.map((one) => one?.[0])
  return read.includes(null) || new Set(names).size < names.length
    ? null
    : (Object.fromEntries(read as (readonly [string, string])[]) as Part)
}
