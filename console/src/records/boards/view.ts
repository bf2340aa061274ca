import { sizeIn } from '../../app/table/page-size.ts'
import { type Filter, isFilter } from '../kinds/filter.ts'
import { currencyField, type Kind, placesOf, targetOf } from '../kinds/kind.ts'

/** What a list shows, as in its address. */
export type View = {
  page?: number
  size?: number
  q?: string
  sort?: string
  columns?: string
  filter?: Filter
  board?: string
}

/** Reads the known parameters of an address and ignores the rest. */
export function viewIn({ page, size, q, sort, columns, filter, board }: Record<string, unknown>): View {
  const number = Number(page)
  const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
  return {
    ...(Number.isSafeInteger(number) && number > 1 && { page: number }),
    ...sizeIn({ size }),
    ...(text(q) && { q: text(q) }),
    ...(text(sort) && { sort: text(sort) }),
    ...(text(columns) && { columns: text(columns) }),
    ...(isFilter(filter) && { filter }),
    ...(text(board) && { board: text(board) }),
  }
}

/** What is looked up by its name is in the order of names; what comes in day by day is newest first. */
export function defaultSortOf({ fields }: Kind): string {
  return fields.some(({ key, required }) => key === 'name' && required) ? 'name' : '-createdAt'
}

const defaultCount = 6
const notByDefault = ['address2', 'notes', 'latitude', 'longitude', 'postal']

/** The chosen columns, or the default: required fields first, then in the order of the definition. */
export function columnsOf({ columns }: View, kind: Kind): string[] {
  if (columns) return columns.split(',').filter(Boolean)
  const shown = kind.fields.filter(
    ({ key, type, items }) => !notByDefault.includes(key) && !(type === 'list' && items && 'fields' in items),
  )
  // States that the server sets, such as that of a manifest's bill, are shown by default: lists are searched for them.
  const readOnlyStates = kind.readOnlyFields.filter(({ type }) => type === 'select').map(({ key }) => key)
  const own = [...shown.filter(({ required }) => required), ...shown.filter(({ required }) => !required)].map(
    ({ key }) => key,
  )
  return [
    ...new Set([...own.slice(0, defaultCount - 2 - readOnlyStates.length), ...readOnlyStates, 'status', 'updatedAt']),
  ]
}

/** The paths that a search needs for these columns: names for references, currencies for amounts. */
export function pathsOf(columns: readonly string[], kind: Kind): string[] {
  const places = placesOf(kind)
  const paths = columns.flatMap((column) => {
    const shape = places.find(({ path }) => path === column)?.shape
    if (shape && targetOf(shape)) return [column, `${column}.name`, `${column}.fullId`]
    return shape?.type === 'money' ? [column, currencyField(kind)?.key ?? column] : [column]
  })
  return [...new Set(['fullId', 'name', ...paths])]
}
