import { pageIn } from '../../app/table/page-number.ts'
import { rememberedSize, sizeIn } from '../../app/table/page-size.ts'
import { type AnyFields, type Filter, type NamedField, shownFields } from './field.ts'

/** A list of documents: its path, the tabs with what each asks the API for, the filters of its fields, and the orders that the API knows. A tab can have an order of its own. */
export type List = {
  path: string
  fields: AnyFields
  tabs: Readonly<Record<string, Tab>>
  /** By the API's names, with a minus in front for descending; the first is the default. */
  sorts: Readonly<Record<string, string>>
  /** One box that searches in several fields: what it says, and the parameter of the API. */
  term?: { label: string; param: string }
}

export type Tab = { label: string; query: object; sort?: string }

/** A list as its address has it: the tab, the order, the page and its size, the text that is searched for, and one text for each filter that is set. */
export type Search = { state?: string; sort?: string; page?: number; size?: number; q?: string } & {
  [filter: string]: string | number | undefined
}

export type FilterField = NamedField & { filter: Filter }

export function filtersOf({ fields }: Pick<List, 'fields'>): FilterField[] {
  return shownFields(fields).filter((field): field is FilterField => field.filter !== undefined)
}

/** The keys of a filter in the address: one, or the two ends of a range. */
export function keysOf({ filter }: FilterField): string[] {
  return 'from' in filter ? [`${filter.key}_from`, `${filter.key}_to`] : [filter.key]
}

/** What an address asks for; what makes no sense is left out. */
export function searchIn(list: List, given: Record<string, unknown>): Search {
  const text = (key: string) =>
    typeof given[key] === 'string' || typeof given[key] === 'number' ? String(given[key]).trim() : ''
  const known = filtersOf(list).flatMap((field) =>
    keysOf(field).map((key) => [key, isPossible(field, text(key)) ? text(key) : ''] as const),
  )
  const [first = ''] = Object.keys(list.tabs)
  const state = text('state') in list.tabs && text('state') !== first ? text('state') : ''
  const sort = text('sort') in list.sorts ? text('sort') : ''
  const q = list.term ? text('q').slice(0, 255) : ''
  return { ...withoutEmpty({ ...Object.fromEntries(known), q, state, sort }), ...pageIn(given), ...sizeIn(given) }
}

/** Only what is set stands in the address. */
export function withoutEmpty(search: Record<string, string | number | null | undefined>): Search {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value)) as Search
}

/** The API's parameters for the tab and the filters. */
export function filterQueryOf(list: List, search: Search): Record<string, unknown> {
  const query: Record<string, unknown> = { ...list.tabs[search.state ?? '']?.query }
  if (list.term && search.q) query[list.term.param] = search.q
  for (const { filter } of filtersOf(list)) {
    if ('flag' in filter) {
      if (search[filter.key]) query[filter.flag] = true
    } else if ('param' in filter) {
      const value = search[filter.key]
      if (value) query[filter.param] = filter.many ? [value] : value
    } else {
      const [from, to] = [search[`${filter.key}_from`], search[`${filter.key}_to`]]
      if (from) query[filter.from] = from
      if (to) query[filter.to] = to
    }
  }
  return query
}

/** The API's parameters for one page of the list. */
export function pageQueryOf(list: List, search: Search): Record<string, unknown> {
  const sort = sortOf(list, search)
  const limit = search.size ?? rememberedSize()
  return { ...filterQueryOf(list, search), ...(sort && { sort }), limit, offset: ((search.page ?? 1) - 1) * limit }
}

/** The order that was chosen, or the one that suits the tab. */
export function sortOf(list: List, search: Search): string | undefined {
  return search.sort ?? defaultSortOf(list, search)
}

export function defaultSortOf({ tabs, sorts }: List, { state }: Search): string | undefined {
  return tabs[state ?? '']?.sort ?? Object.keys(sorts)[0]
}

export function isFiltered({ state: _, sort: __, page: ___, size: ____, ...filters }: Search): boolean {
  return Object.keys(filters).length > 0
}

function isPossible({ kind, filter, options }: FilterField, text: string): boolean {
  if ('flag' in filter) return text === 'yes'
  if ('from' in filter || kind === 'day' || kind === 'period') return isDay(text)
  return kind !== 'choice' || text in (options ?? {})
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
}
