import type { Paths, Schemas } from '@lading/sdk'
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import { pageSize } from '../../app/table/page-number.ts'
import { saveFile } from '../../app/values/save-file.ts'
import type { RunsSearch } from './routes.ts'

export type PaymentRun = Schemas['PaymentRun']
export type RunPayment = Schemas['PaymentRunPayment']
export type RunBill = RunPayment['bills'][number]
export type SetOff = RunPayment['set_offs'][number]
export type NewRun = Paths['/api/v1/payment_runs']['post']['requestBody']['content']['application/json']
type Advices =
  Paths['/api/v1/payment_runs/{paymentRunID}/remittance_advices']['get']['responses']['200']['content']['application/json']
export type Advice = Advices['remittance_advices'][number]

const path = (paymentRunID: string) => ({ params: { path: { paymentRunID } } })

/** A run that is issued pays bills, with their statements and credits. */
const changed = { touches: ['payment-runs', 'payments', 'bills', 'credits', 'statements', 'mails'] }

export const runsQuery = ({ state, page = 1 }: RunsSearch) => {
  const query = { ...(state && { status_ids: [state] }), limit: pageSize, offset: (page - 1) * pageSize }
  return queryOptions({
    queryKey: ['payment-runs', 'list', query],
    queryFn: () => answered(lading.GET('/api/v1/payment_runs', { params: { query } })),
  })
}

export const runPaymentsQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: ['payment-runs', id, 'payments', limit],
    queryFn: () =>
      answered(
        lading.GET('/api/v1/payment_runs/{paymentRunID}/payments', {
          params: { path: { paymentRunID: id }, query: { limit } },
        }),
      ),
    placeholderData: keepPreviousData,
  })

export const advicesQuery = (id: string) =>
  queryOptions({
    queryKey: ['payment-runs', id, 'advices'],
    queryFn: async () =>
      (await answered(lading.GET('/api/v1/payment_runs/{paymentRunID}/remittance_advices', path(id))))
        .remittance_advices,
  })

export const historyQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: ['payment-runs', id, 'history', limit],
    queryFn: () =>
      answered(
        lading.GET('/api/v1/payment_runs/{paymentRunID}/history', {
          params: { path: { paymentRunID: id }, query: { limit } },
        }),
      ),
  })

export function useCreateRun() {
  return useChange(
    async (body: NewRun) => (await answered(lading.POST('/api/v1/payment_runs', { body }))).payment_run,
    changed,
  )
}

export type RunMove = 'approve' | 'issue' | 'delete' | 'send'

export function useMoveRun({ id, revision }: PaymentRun, move: RunMove, leave: () => Promise<void>) {
  const at = { ...path(id), ...ifUnchanged(revision) }
  const moves: Record<RunMove, () => Promise<unknown>> = {
    approve: () => answered(lading.POST('/api/v1/payment_runs/{paymentRunID}/approve', at)),
    issue: () => answered(lading.POST('/api/v1/payment_runs/{paymentRunID}/issue', at)),
    send: () => answered(lading.POST('/api/v1/payment_runs/{paymentRunID}/send', at)),
    delete: async () => {
      await answered(lading.DELETE('/api/v1/payment_runs/{paymentRunID}', at))
      await leave()
    },
  }
  return useChange(() => moves[move](), changed)
}

export function useTakeOut({ id, revision }: PaymentRun, billID: string) {
  const at = { params: { path: { paymentRunID: id, billID } }, ...ifUnchanged(revision) }
  return useChange(() => answered(lading.DELETE('/api/v1/payment_runs/{paymentRunID}/bills/{billID}', at)), changed)
}

export function useTakeOutSetOff({ id, revision }: PaymentRun, setOffID: string) {
  const at = { params: { path: { paymentRunID: id, setOffID } }, ...ifUnchanged(revision) }
  return useChange(
    () => answered(lading.DELETE('/api/v1/payment_runs/{paymentRunID}/set_offs/{setOffID}', at)),
    changed,
  )
}

export const formats = {
  nacha: { label: 'NACHA', type: 'text/plain', ending: 'ach', text: 'ACH payments in US dollars' },
  pain001: { label: 'pain.001', type: 'application/xml', ending: 'xml', text: 'Wires, and ACH in other currencies' },
  csv: { label: 'CSV', type: 'text/csv', ending: 'csv', text: 'All payments, checks among them' },
} as const
export type FileFormat = keyof typeof formats

export function useDownloadFile({ id, number }: PaymentRun) {
  return useMutation({
    mutationFn: async (format: FileFormat) => {
      const { type, ending } = formats[format]
      const options = {
        params: { path: { paymentRunID: id, format } },
        headers: { accept: type },
        parseAs: 'blob' as const,
      }
      saveFile(
        await answered<Blob>(lading.GET('/api/v1/payment_runs/{paymentRunID}/files/{format}', options) as never),
        `${number}.${ending}`,
      )
    },
  })
}
