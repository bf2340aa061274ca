import type { Paths, Schemas } from '@lading/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { everyRow } from '../../app/api/every-row.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import type { Mailing } from '../../app/mail/mailing.ts'
import type { DocumentKind } from '../documents/kind.ts'
import { atOne } from '../documents/queries.ts'
import { pageQueryOf, type Search } from '../documents/search.ts'
import { useTotalsOf } from '../documents/totals.ts'
import { paymentList } from './fields.ts'

export type Payment = Schemas['Payment']
export type Allocation = Payment['allocations'][number]
export type DocumentPayment = Schemas['DocumentPayment']
export type NewPayment = Paths['/api/v1/payments']['post']['requestBody']['content']['application/json']

const path = (paymentID: string) => ({ params: { path: { paymentID } } })

/** A payment changes the documents that it pays, and these their statements. */
const changed = { touches: ['payments', 'payment-runs', 'bills', 'invoices', 'credits', 'statements'] }

export const paymentsQuery = (search: Search) => {
  const query = pageQueryOf(paymentList, search)
  return queryOptions({
    queryKey: ['payments', 'list', query],
    queryFn: async () => {
      const { payments, ...page } = await answered(lading.GET('/api/v1/payments', { params: { query } }))
      return { rows: payments, ...page }
    },
    placeholderData: keepPreviousData,
  })
}

export function useTotals(search: Search): Record<string, number | undefined> {
  return useTotalsOf(
    ['payments'],
    paymentList,
    search,
    async (query) => (await answered(lading.GET('/api/v1/payments', { params: { query } }))).total,
  )
}

export const paymentQuery = (id: string) =>
  queryOptions({
    queryKey: ['payments', id],
    queryFn: async () => (await answered(lading.GET('/api/v1/payments/{paymentID}', path(id)))).payment,
  })

export const historyQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: ['payments', id, 'history', limit],
    queryFn: () =>
      answered(
        lading.GET('/api/v1/payments/{paymentID}/history', { params: { path: { paymentID: id }, query: { limit } } }),
      ),
    placeholderData: keepPreviousData,
  })

/** The payments that have settled a document, or a part of it. */
export const paymentsOfQuery = (kind: DocumentKind, id: string) =>
  queryOptions({
    queryKey: ['payments', 'of', kind.resource, id],
    queryFn: async () => answered(lading.GET(`${atOne(kind, id)}/payments`, { params: {} as never })),
  })

export function useCreatePayment() {
  return useChange((body: NewPayment) => answered(lading.POST('/api/v1/payments', { body })), changed)
}

export function useUpdatePayment(id: string) {
  return useChange(
    ({ body, revision }: { body: object; revision: number }) =>
      answered(lading.PUT('/api/v1/payments/{paymentID}', { ...path(id), ...ifUnchanged(revision), body })),
    changed,
  )
}

export type Refund = NonNullable<
  Paths['/api/v1/payments/{paymentID}/refund']['post']['requestBody']
>['content']['application/json']

export function useRefund({ id, revision }: Payment) {
  return useChange(
    (body: Refund) =>
      answered(lading.POST('/api/v1/payments/{paymentID}/refund', { ...path(id), ...ifUnchanged(revision), body })),
    changed,
  )
}

/** The payments that pay back this one. */
export const refundsQuery = (id: string) =>
  queryOptions({
    queryKey: ['payments', 'refunds', id],
    queryFn: () =>
      everyRow('payments', (paging) =>
        answered(lading.GET('/api/v1/payments', { params: { query: { ...paging, refund_of_ids: [id] } } })),
      ),
  })

export type PaymentMove = 'issue' | 'clear' | 'reprice' | 'return' | 'void' | 'delete'

export function useMovePayment({ id, revision }: Payment, leave: () => Promise<void>) {
  const at = { ...path(id), ...ifUnchanged(revision) }
  const moves: Record<PaymentMove, (reason: string, code: string) => Promise<unknown>> = {
    issue: () => answered(lading.POST('/api/v1/payments/{paymentID}/issue', at)),
    clear: () => answered(lading.POST('/api/v1/payments/{paymentID}/clear', at)),
    reprice: () => answered(lading.POST('/api/v1/payments/{paymentID}/reprice', at)),
    return: (reason, code) =>
      answered(lading.POST('/api/v1/payments/{paymentID}/return', { ...at, body: { reason, ...(code && { code }) } })),
    void: (reason) => answered(lading.POST('/api/v1/payments/{paymentID}/void', { ...at, body: { reason } })),
    delete: async () => {
      await answered(lading.DELETE('/api/v1/payments/{paymentID}', at))
      await leave()
    },
  }
  return useChange(
    ({ move, reason = '', code = '' }: { move: PaymentMove; reason?: string; code?: string }) =>
      moves[move](reason, code),
    changed,
  )
}

/** Mails the remittance advice, or the receipt. */
export function useSendPayment(id: string) {
  return useChange(
    (mailing: Partial<Mailing>) =>
      answered(lading.POST('/api/v1/payments/{paymentID}/send', { ...path(id), body: mailing })),
    {
      touches: ['mails'],
    },
  )
}

export function useAllocate({ id, revision }: Payment) {
  return useChange(
    (allocations: readonly object[]) =>
      answered(
        lading.POST('/api/v1/payments/{paymentID}/allocations', {
          ...path(id),
          ...ifUnchanged(revision),
          body: { allocations } as never,
        }),
      ),
    changed,
  )
}

export function useEndAllocation({ id, revision }: Payment) {
  return useChange(
    (allocationID: string) =>
      answered(
        lading.DELETE('/api/v1/payments/{paymentID}/allocations/{allocationID}', {
          params: { path: { paymentID: id, allocationID } },
          ...ifUnchanged(revision),
        }),
      ),
    changed,
  )
}

/** Takes back what a credit was applied to, or the write-off that it is. */
export function useEndApplied({ id: allocationID, credit_id, invoice_id, is_write_off }: DocumentPayment) {
  const creditID = credit_id ?? ''
  const applied = { params: { path: { creditID, allocationID } } }
  const writeOff = {
    params: { path: { invoiceID: invoice_id ?? '', creditID } },
    body: { reason: 'The write-off was taken back' },
  }
  return useChange(async (_: undefined) => {
    if (is_write_off) await answered(lading.POST('/api/v1/invoices/{invoiceID}/write_offs/{creditID}/void', writeOff))
    else await answered(lading.DELETE('/api/v1/credits/{creditID}/allocations/{allocationID}', applied))
  }, changed)
}
