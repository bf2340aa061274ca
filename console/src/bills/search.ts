import type { Paths } from '@lading/sdk'
import { statuses } from '../billing/status.tsx'
import { pageIn, pageSize } from '../parts/page-number.ts'

type Query = NonNullable<Paths['/api/v1/bills']['get']['parameters']['query']>

export const tabs = ['all', ...statuses, 'overdue'] as const
export type TabKey = (typeof tabs)[number]

export const sorts = {
  '-created_at': 'Newest first',
  created_at: 'Oldest first',
  '-updated_at': 'Changed last',
  due_date: 'Due first',
  '-due_date': 'Due last',
  '-bill_date': 'Bill date, latest first',
  bill_date: 'Bill date, earliest first',
  '-total_amount': 'Largest total',
  total_amount: 'Smallest total',
  '-number': 'Highest number',
  number: 'Lowest number',
} as const

export const texts = ['reference', 'carrier', 'currency'] as const
export const ranges = ['due', 'created', 'changed'] as const
const days = ranges.flatMap((range) => [`${range}_from`, `${range}_to`] as const)

/** A list of bills as its address has it: what is not said is not there. */
export type BillSearch = {
  state?: Exclude<TabKey, 'all'>
  sort?: keyof typeof sorts
  page?: number
} & { [key in (typeof texts)[number]]?: string } & { [key in (typeof days)[number]]?: string }

/** What an address says; what makes no sense there is as if it were not said. */
export function billSearchIn(search: Record<string, unknown>): BillSearch {
  const said = (name: string) => (typeof search[name] === 'string' || typeof search[name] === 'number' ? String(search[name]).trim() : '')
  const given = [
    ...texts.map((name) => [name, said(name)] as const),
    ...days.map((name) => [name, isDay(said(name)) ? said(name) : ''] as const),
    ['state', tabs.some((tab) => tab !== 'all' && tab === search.state) ? said('state') : ''],
    ['sort', said('sort') in sorts ? said('sort') : ''],
  ]
  return { ...Object.fromEntries(given.filter(([, value]) => value)), ...pageIn(search) }
}

export function filterOf({ state, reference, carrier, currency, ...range }: BillSearch): Query {
  return {
    ...(state === 'overdue' ? { overdue: true } : state && { status_ids: [state] }),
    ...(reference && { reference_number: reference }),
    ...(carrier && { partner_carrier_ids: [carrier] }),
    ...(currency && { currency_ids: [currency] }),
    ...(range.due_from && { due_start_at: range.due_from }),
    ...(range.due_to && { due_end_at: range.due_to }),
    ...(range.created_from && { created_start_at: range.created_from }),
    ...(range.created_to && { created_end_at: range.created_to }),
    ...(range.changed_from && { update_start_at: range.changed_from }),
    ...(range.changed_to && { updated_end_at: range.changed_to }),
  }
}

export function queryOf(search: BillSearch): Query {
  const { sort = '-created_at', page = 1 } = search
  return { ...filterOf(search), sort, limit: pageSize, offset: (page - 1) * pageSize }
}

export function isFiltered({ state: _, sort: __, page: ___, ...filters }: BillSearch): boolean {
  return Object.keys(filters).length > 0
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
}
