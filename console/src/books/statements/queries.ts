import type { Paths } from '@lading/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import { payTermQuery } from '../../settings/pay-terms/queries.ts'
import type { Move, MoveBody } from '../documents/move.ts'
import { pageQueryOf, type Search } from '../documents/search.ts'
import { useTotalsOf } from '../documents/totals.ts'
import { type Statement, statementList } from './fields.ts'

export type NewStatement = Paths['/api/v1/consolidated_bills']['post']['requestBody']['content']['application/json']

const path = (consolidatedBillID: string) => ({ params: { path: { consolidatedBillID } } })

/** A change of a statement changes its bills too. */
const changed = { touches: ['bills', 'statements', 'payments', 'mails'] }

export const statementsQuery = (search: Search) => {
  const query = pageQueryOf(statementList, search)
  return queryOptions({
    queryKey: ['statements', 'list', query],
    queryFn: async () => {
      const { consolidated_bills, ...page } = await answered(
        lading.GET('/api/v1/consolidated_bills', { params: { query } }),
      )
      return { rows: consolidated_bills, ...page }
    },
    placeholderData: keepPreviousData,
  })
}

export function useTotals(search: Search): Record<string, number | undefined> {
  return useTotalsOf(
    ['statements'],
    statementList,
    search,
    async (query) => (await answered(lading.GET('/api/v1/consolidated_bills', { params: { query } }))).total,
  )
}

export const historyQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: ['statements', id, 'history', limit],
    queryFn: () =>
      answered(
        lading.GET('/api/v1/consolidated_bills/{consolidatedBillID}/history', {
          params: { path: { consolidatedBillID: id }, query: { limit } },
        }),
      ),
  })

export const statementQuery = (id: string) =>
  queryOptions({
    queryKey: ['statements', id],
    queryFn: async ({ client }) => {
      const whole = await answered(lading.GET('/api/v1/consolidated_bills/{consolidatedBillID}', path(id)))
      // The answer contains the pay term, so that showing its name needs no request of its own.
      if (whole.pay_term) client.setQueryData(payTermQuery(whole.pay_term.id).queryKey, whole.pay_term)
      return whole
    },
  })

/** Contains the bills that can be added; the API cannot filter out those that are on another statement. */
export const candidatesQuery = ({ partner_carrier_id, currency_id }: Statement, page: number) =>
  queryOptions({
    queryKey: ['bills', 'candidates', partner_carrier_id, currency_id, page],
    queryFn: () => {
      const filters = {
        status_ids: ['saved' as const, 'sent' as const, 'edited' as const],
        currency_ids: [currency_id],
      }
      const query = {
        ...filters,
        ...(partner_carrier_id && { partner_carrier_ids: [partner_carrier_id] }),
        limit: 100,
        offset: (page - 1) * 100,
      }
      return answered(lading.GET('/api/v1/bills', { params: { query } }))
    },
    placeholderData: keepPreviousData,
  })

export function useCreateStatement() {
  return useChange((body: NewStatement) => answered(lading.POST('/api/v1/consolidated_bills', { body })), changed)
}

export function useUpdateStatement(id: string) {
  return useChange(
    ({ body, revision }: { body: object; revision: number }) =>
      answered(
        lading.PUT('/api/v1/consolidated_bills/{consolidatedBillID}', { ...path(id), ...ifUnchanged(revision), body }),
      ),
    changed,
  )
}

export function useMoveStatement({ id, revision }: Statement, leave: () => Promise<void>) {
  const at = { ...path(id), ...ifUnchanged(revision) }
  const base = '/api/v1/consolidated_bills/{consolidatedBillID}' as const
  const moves: Partial<Record<Move, (body: MoveBody) => Promise<unknown>>> = {
    save: () => answered(lading.POST(`${base}/save`, { ...at, body: {} })),
    send: (body) => answered(lading.POST(`${base}/send`, { ...at, body })),
    pay: ({ paid_at }) => answered(lading.POST(`${base}/pay`, { ...at, body: paid_at ? { paid_at } : {} })),
    reopen: ({ reason = '' }) => answered(lading.POST(`${base}/reopen`, { ...at, body: { reason } })),
    void: ({ reason = '' }) => answered(lading.POST(`${base}/void`, { ...at, body: { reason } })),
    draft: () => answered(lading.PUT(base, { ...at, body: { status_id: 'draft' } })),
    delete: async () => {
      await answered(lading.DELETE(base, at))
      await leave()
    },
  }
  return useChange(
    ({ move, ...body }: { move: Move } & MoveBody) =>
      moves[move]?.(body) ?? Promise.reject(new Error(`A statement cannot do ${move}.`)),
    changed,
  )
}

export function useAddBills({ id, revision }: Statement) {
  return useChange(
    (bill_ids: string[]) =>
      answered(
        lading.POST('/api/v1/consolidated_bills/{consolidatedBillID}/bills', {
          ...path(id),
          ...ifUnchanged(revision),
          body: { bill_ids },
        }),
      ),
    changed,
  )
}

export function useRemoveBill({ id, revision }: Statement) {
  return useChange(
    (billID: string) =>
      answered(
        lading.DELETE('/api/v1/consolidated_bills/{consolidatedBillID}/bills/{billID}', {
          params: { path: { consolidatedBillID: id, billID } },
          ...ifUnchanged(revision),
        }),
      ),
    changed,
  )
}
