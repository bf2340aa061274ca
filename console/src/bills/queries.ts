import type { Paths } from '@lading/sdk'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../api/changes.ts'
import { answered } from '../api/problem.ts'
import { lading } from '../api/session.ts'
import { filterQueryOf, isFiltered, pageQueryOf, type Search, sortOf } from '../billing/documents/search.ts'
import type { Move, MoveBody } from '../billing/moves.tsx'
import { statusWords } from '../billing/states.ts'
import { useTotalsOf } from '../billing/totals.ts'
import { payTermQuery } from '../pay-terms/queries.ts'
import type { Bill, LineContent } from './bill.ts'
import { billList } from './fields.ts'

export type BillBody = Paths['/api/v1/bills']['post']['requestBody']['content']['application/json']

const path = (billID: string) => ({ params: { path: { billID } } })
const linePath = (billID: string, itemID: string) => ({ params: { path: { billID, itemID } } })

/** A change of a bill changes the statement that it is on. */
const changed = { touches: ['bills', 'statements'] }

export const billsQuery = (search: Search) => {
  const query = pageQueryOf(billList, search)
  return queryOptions({
    queryKey: ['bills', 'list', query],
    queryFn: async () => {
      const { bills, ...page } = await answered(lading.GET('/api/v1/bills', { params: { query } }))
      return { rows: bills, ...page }
    },
    placeholderData: keepPreviousData,
  })
}

/** How many there are under each tab. Without filters the API knows that without counting; with some, one request counts all states. */
export function useTotals(search: Search): Record<string, number | undefined> {
  const totalOf = async (query: object) => (await answered(lading.GET('/api/v1/bills', { params: { query } }))).total
  const counted = isFiltered(search)
  const known = useTotalsOf('bills', billList, search, totalOf, !counted)
  const { state: _, ...anyState } = search
  const filters = filterQueryOf(billList, anyState)
  const { data: totals } = useQuery({ ...totalsQuery(filters), enabled: counted, placeholderData: keepPreviousData })
  const { data: overdue } = useQuery({ ...totalsQuery({ ...filters, overdue: true }), enabled: counted, placeholderData: keepPreviousData })
  if (!counted) return known
  const sum = (some: Total[] | undefined) => some?.reduce((all, { count }) => all + count, 0)
  const states = Object.keys(statusWords).map((status) => [status, sum(totals?.filter(({ status_id }) => status_id === status))])
  return { ...Object.fromEntries(states), all: sum(totals), overdue: sum(overdue) }
}

export type Total = { status_id: string; currency_id: string | null; count: number; total_amount: number }

/** How many bills match and what they come to, in each state and currency. */
export const totalsQuery = (query: object) =>
  queryOptions({
    queryKey: ['bills', 'totals', query],
    queryFn: async (): Promise<Total[]> => (await answered(lading.GET('/api/v1/bills/totals', { params: { query } }))).totals,
  })

/** The latest bills of a carrier. */
export const billsOfCarrierQuery = (id: string) =>
  queryOptions({
    queryKey: ['bills', 'of carrier', id],
    queryFn: () => answered(lading.GET('/api/v1/bills', { params: { query: { partner_carrier_ids: [id], limit: 10 } } })),
  })

export const billQuery = (id: string) =>
  queryOptions({
    queryKey: ['bills', id],
    queryFn: async ({ client }) => {
      const whole = await answered(lading.GET('/api/v1/bills/{billID}', path(id)))
      // The answer contains the pay term, so that showing its name needs no request of its own.
      if (whole.pay_term) client.setQueryData(payTermQuery(whole.pay_term.id).queryKey, whole.pay_term)
      return whole
    },
  })

export const historyQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: ['bills', id, 'history', limit],
    queryFn: () => answered(lading.GET('/api/v1/bills/{billID}/history', { params: { path: { billID: id }, query: { limit } } })),
    placeholderData: keepPreviousData,
  })

const exportQuery = (search: Search) => ({ ...filterQueryOf(billList, search), sort: sortOf(billList, search) as never, format: 'csv' as const })

/** All bills of a search as a CSV file. */
export function exportBills(search: Search): Promise<Blob> {
  return answered<Blob>(lading.GET('/api/v1/bills/export', { params: { query: exportQuery(search) }, parseAs: 'blob' }) as never)
}

/** The same in the background. */
export function startBillsExport(search: Search): Promise<unknown> {
  return answered(lading.POST('/api/v1/bills/exports', { params: { query: exportQuery(search) } }))
}

export function useCreateBill() {
  return useChange((body: BillBody) => answered(lading.POST('/api/v1/bills', { body })), changed)
}

export function useUpdateBill(id: string) {
  return useChange(
    ({ body, revision }: { body: object; revision: number }) => answered(lading.PUT('/api/v1/bills/{billID}', { ...path(id), ...ifUnchanged(revision), body })),
    changed,
  )
}

export function useMoveBill({ id, revision }: Bill, leave: () => Promise<void>) {
  const at = { ...path(id), ...ifUnchanged(revision) }
  const moves: Record<Move, (body: MoveBody) => Promise<unknown>> = {
    save: () => answered(lading.POST('/api/v1/bills/{billID}/save', { ...at, body: {} })),
    send: () => answered(lading.POST('/api/v1/bills/{billID}/send', { ...at, body: {} })),
    pay: ({ paid_at }) => answered(lading.POST('/api/v1/bills/{billID}/pay', { ...at, body: paid_at ? { paid_at } : {} })),
    reopen: ({ reason = '' }) => answered(lading.POST('/api/v1/bills/{billID}/reopen', { ...at, body: { reason } })),
    draft: () => answered(lading.PUT('/api/v1/bills/{billID}', { ...at, body: { status_id: 'draft' } })),
    delete: async () => {
      await answered(lading.DELETE('/api/v1/bills/{billID}', at))
      // Leave its page before the queries are read again: the record no longer exists.
      await leave()
    },
  }
  return useChange(({ move, ...body }: { move: Move } & MoveBody) => moves[move](body), changed)
}

export type Outcome = { status: string; id: string | null; error?: { error_message: string } }
type Moved = { id: string; status_id: Bill['status_id']; paid_at?: string }

/** The most that the API takes at once. */
const mostRows = 500

/** Moves many bills, each on its own: what is refused for one is done for the others. The outcomes are in the order of the bills. */
export function useMoveBills() {
  return useChange(async (bills: readonly Moved[]) => {
    const outcomes: Outcome[] = []
    for (let first = 0; first < bills.length; first += mostRows) {
      const body = { mode: 'best_effort' as const, bills: bills.slice(first, first + mostRows) }
      outcomes.push(...(await answered(lading.POST('/api/v1/bills/bulk', { body }))).results)
    }
    return outcomes
  }, changed)
}

export type LineChange = { revision: number } & (
  | { add: LineContent }
  | { change: Partial<LineContent>; of: string }
  | { remove: string }
  | { order: readonly string[] }
)

export function useChangeLines(billId: string) {
  return useChange(async ({ revision, ...asked }: LineChange): Promise<unknown> => {
    const condition = ifUnchanged(revision)
    if ('add' in asked) return answered(lading.POST('/api/v1/bills/{billID}/items', { ...path(billId), ...condition, body: asked.add }))
    if ('change' in asked)
      return answered(lading.PUT('/api/v1/bills/{billID}/items/{itemID}', { ...linePath(billId, asked.of), ...condition, body: asked.change }))
    if ('remove' in asked) return answered(lading.DELETE('/api/v1/bills/{billID}/items/{itemID}', { ...linePath(billId, asked.remove), ...condition }))
    return answered(lading.PUT('/api/v1/bills/{billID}/items/order', { ...path(billId), ...condition, body: { item_ids: [...asked.order] } }))
  }, changed)
}
