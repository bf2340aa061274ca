import type { Paths, Schemas } from '@lading/sdk'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import { termQueryOf } from '../../app/table/term-in-address.ts'
import type { PayeesSearch } from './routes.ts'

export type Payee = Schemas['Payee']
export type WaitingChange = NonNullable<Payee['waiting_change']>
export type BankDetails = NonNullable<Payee['bank_details']>
export type NewPayee = Paths['/api/v1/payees']['post']['requestBody']['content']['application/json']
export type RevealedBankDetails =
  Paths['/api/v1/payees/{payeeID}/reveal']['post']['responses']['200']['content']['application/json']

const path = (payeeID: string) => ({ params: { path: { payeeID } } })

/** Where money goes is in the drafts of payment runs too. */
const changed = { touches: ['payees', 'payment-runs', 'payments'] }

const filters = { waiting: { waiting: true }, carriers: { factors: false }, factors: { factors: true } }

export const payeesQuery = ({ show, ...search }: PayeesSearch) => {
  const query = { ...termQueryOf(search), ...(show && filters[show]) }
  return queryOptions({
    queryKey: ['payees', 'list', query],
    queryFn: () => answered(lading.GET('/api/v1/payees', { params: { query } })),
  })
}

export const payeeQuery = (id: string) =>
  queryOptions({
    queryKey: ['payees', id],
    queryFn: async () => (await answered(lading.GET('/api/v1/payees/{payeeID}', path(id)))).payee,
  })

/** The payee of a carrier; null where it has none. */
export const payeeOfQuery = (carrier: string) =>
  queryOptions({
    queryKey: ['payees', 'of', carrier],
    queryFn: async () =>
      (
        await answered(
          lading.GET('/api/v1/payees', { params: { query: { partner_carrier_ids: [carrier], limit: 1 } } }),
        )
      ).payees[0] ?? null,
  })

export const waitingCountQuery = queryOptions({
  queryKey: ['payees', 'waiting'],
  queryFn: async () =>
    (await answered(lading.GET('/api/v1/payees', { params: { query: { waiting: true, limit: 0 } } }))).total,
})

export const historyQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: ['payees', id, 'history', limit],
    queryFn: () =>
      answered(lading.GET('/api/v1/payees/{payeeID}/history', { params: { path: { payeeID: id }, query: { limit } } })),
  })

export const factorsQuery = (term: string) =>
  queryOptions({
    queryKey: ['payees', 'factors', term],
    queryFn: async () => {
      const query = { limit: 50, factors: true, ...(term && { search_term: term }) }
      return (await answered(lading.GET('/api/v1/payees', { params: { query } }))).payees.map(({ id, name }) => ({
        value: id,
        label: name,
      }))
    },
  })

export const factorQuery = (id: string) =>
  queryOptions({
    queryKey: ['payees', 'factor', id],
    queryFn: async ({ client }) => [{ value: id, label: (await client.ensureQueryData(payeeQuery(id))).name }],
  })

export const noticeQuery = (documentID: string) =>
  queryOptions({
    queryKey: ['documents', documentID],
    queryFn: async () =>
      (await answered(lading.GET('/api/v1/documents/{documentID}', { params: { path: { documentID } } }))).document,
  })

export function useCreatePayee() {
  return useChange(async (body: NewPayee) => (await answered(lading.POST('/api/v1/payees', { body }))).payee, changed)
}

export function useUpdatePayee(id: string) {
  return useChange(
    async ({ body, revision }: { body: object; revision: number }) =>
      (await answered(lading.PUT('/api/v1/payees/{payeeID}', { ...path(id), ...ifUnchanged(revision), body }))).payee,
    changed,
  )
}

export function useDeletePayee({ id, revision }: Payee, leave: () => Promise<void>) {
  return useChange(async () => {
    await answered(lading.DELETE('/api/v1/payees/{payeeID}', { ...path(id), ...ifUnchanged(revision) }))
    await leave()
  }, changed)
}

export type Decision = 'approve' | 'reject'

export function useDecideChange({ id, revision }: Payee, changeID: string) {
  const at = { params: { path: { payeeID: id, changeID } }, ...ifUnchanged(revision) }
  return useChange(({ decision, note }: { decision: Decision; note: string }) => {
    const body = note ? { note } : {}
    return decision === 'approve'
      ? answered(lading.POST('/api/v1/payees/{payeeID}/changes/{changeID}/approve', { ...at, body }))
      : answered(lading.POST('/api/v1/payees/{payeeID}/changes/{changeID}/reject', { ...at, body }))
  }, changed)
}

/** What it answers is kept nowhere but in the dialog that shows it. */
export function useReveal(id: string) {
  return useMutation({
    mutationFn: () => answered(lading.POST('/api/v1/payees/{payeeID}/reveal', { ...path(id), body: {} })),
    gcTime: 0,
  })
}
