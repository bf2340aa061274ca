import type { Paths } from '@lading/sdk'
import { statuses } from '../billing/status.tsx'
import { pageIn, pageSize } from '../parts/page-number.ts'

type Query = NonNullable<Paths['/api/v1/consolidated_bills']['get']['parameters']['query']>

export const tabs = ['all', ...statuses] as const
export type TabKey = (typeof tabs)[number]

export const types = { carrier_statement: 'Carrier statement', driver_settlement: 'Driver settlement' } as const
export type StatementType = keyof typeof types

/** A list of statements as its address has it. */
export type StatementSearch = {
  state?: Exclude<TabKey, 'all'>
  type?: StatementType
  carrier?: string
  period_from?: string
  period_to?: string
  page?: number
}

export function statementSearchIn(search: Record<string, unknown>): StatementSearch {
  const said = (name: string) => (typeof search[name] === 'string' ? (search[name] as string).trim() : '')
  const day = (name: string) => (/^\d{4}-\d{2}-\d{2}$/.test(said(name)) && !Number.isNaN(Date.parse(said(name))) ? said(name) : '')
  const given = [
    ['state', statuses.some((status) => status === search.state) ? said('state') : ''],
    ['type', said('type') in types ? said('type') : ''],
    ['carrier', said('carrier')],
    ['period_from', day('period_from')],
    ['period_to', day('period_to')],
  ]
  return { ...Object.fromEntries(given.filter(([, value]) => value)), ...pageIn(search) }
}

export function filterOf({ state, type, carrier, period_from, period_to }: StatementSearch): Query {
  return {
    ...(state && { status_ids: [state] }),
    ...(type && { consolidated_bill_type_ids: [type] }),
    ...(carrier && { partner_carrier_ids: [carrier] }),
    ...(period_from && { period_start_at: period_from }),
    ...(period_to && { period_end_at: period_to }),
  }
}

export function queryOf(search: StatementSearch): Query {
  return { ...filterOf(search), limit: pageSize, offset: ((search.page ?? 1) - 1) * pageSize }
}

export function isFiltered({ page: _, ...filters }: StatementSearch): boolean {
  return Object.keys(filters).length > 0
}
