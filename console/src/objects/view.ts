import { type Filter, isFilter } from './filter.ts'
import { currencyField, type Kind, placesOf, targetOf } from './kind.ts'

/** What a list shows, as it stands in the address. */
export type View = { page?: number; q?: string; sort?: string; columns?: string; filter?: Filter; board?: string }

/** Reads what is of use in an address, and passes over the rest. */
export function viewIn({ page, q, sort, columns, filter, board }: Record<string, unknown>): View {
  const number = Number(page)
  const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
  return {
    ...(Number.isSafeInteger(number) && number > 1 && { page: number }),
    ...(text(q) && { q: text(q) }),
    ...(text(sort) && { sort: text(sort) }),
    ...(text(columns) && { columns: text(columns) }),
    ...(isFilter(filter) && { filter }),
    ...(text(board) && { board: text(board) }),
  }
}

const usual = 6
const unwieldy = ['address2', 'notes', 'latitude', 'longitude', 'postal']

/** The columns asked for, or those that say most: what is required first, then as defined. */
export function columnsOf({ columns }: View, kind: Kind): string[] {
  if (columns) return columns.split(',').filter(Boolean)
  const shown = kind.fields.filter(({ key, type, items }) => !unwieldy.includes(key) && !(type === 'list' && items && 'fields' in items))
  // What the server says of where something stands, such as the bill of a manifest, is what a list is looked through for.
  const said = kind.readOnlyFields.filter(({ type }) => type === 'select').map(({ key }) => key)
  const own = [...shown.filter(({ required }) => required), ...shown.filter(({ required }) => !required)].map(({ key }) => key)
  return [...new Set([...own.slice(0, usual - 2 - said.length), ...said, 'status', 'updatedAt'])]
}

/** What a search has to answer for these columns: names for references, currencies for amounts. */
export function pathsOf(columns: readonly string[], kind: Kind): string[] {
  const places = placesOf(kind)
  const paths = columns.flatMap((column) => {
    const shape = places.find(({ path }) => path === column)?.shape
    if (shape && targetOf(shape)) return [column, `${column}.name`, `${column}.fullId`]
    return shape?.type === 'money' ? [column, currencyField(kind)?.key ?? column] : [column]
  })
  return [...new Set(['fullId', 'name', ...paths])]
}
