import type { Paths, Schemas } from '@lading/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { answered, wordsFor } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import { attach, documentFileQuery } from '../../app/files/queries.ts'
import type { DocumentFile } from '../../app/files/types.ts'
import type { CarrierInvoice, Decision, NewInvoice } from './invoice.ts'

export type Proposal = Schemas['MatchProposal']
type Query = NonNullable<Paths['/api/v1/carrier_invoices']['get']['parameters']['query']>

const path = (carrierInvoiceID: string) => ({ params: { path: { carrierInvoiceID } } })
/** A decision may make a bill, which its manifest shows. */
const changed = { touches: ['carrier-invoices', 'bills', 'approvals', 'objects', 'documents'], evenIfRefused: true }

export const invoicesQuery = (query: Query) =>
  queryOptions({
    queryKey: ['carrier-invoices', 'list', query],
    queryFn: () => answered(lading.GET('/api/v1/carrier_invoices', { params: { query } })),
    placeholderData: keepPreviousData,
  })

export const invoiceQuery = (id: string) =>
  queryOptions({
    queryKey: ['carrier-invoices', id],
    queryFn: async () =>
      (await answered(lading.GET('/api/v1/carrier_invoices/{carrierInvoiceID}', path(id)))).carrier_invoice,
  })

/** The invoice that a bill was made of; null for one that was made otherwise. */
export const invoiceOfBillQuery = (billId: string) =>
  queryOptions({
    queryKey: ['carrier-invoices', 'of-bill', billId],
    queryFn: async () =>
      (await answered(lading.GET('/api/v1/carrier_invoices', { params: { query: { bill_ids: [billId], limit: 1 } } })))
        .carrier_invoices[0] ?? null,
  })

export const proposalsQuery = ({ id, revision }: Pick<CarrierInvoice, 'id' | 'revision'>) =>
  queryOptions({
    queryKey: ['carrier-invoices', id, 'proposals', revision],
    queryFn: async () =>
      (await answered(lading.GET('/api/v1/carrier_invoices/{carrierInvoiceID}/proposals', path(id)))).proposals,
  })

export const historyQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: ['carrier-invoices', id, 'history', limit],
    queryFn: () =>
      answered(
        lading.GET('/api/v1/carrier_invoices/{carrierInvoiceID}/history', {
          params: { path: { carrierInvoiceID: id }, query: { limit } },
        }),
      ),
  })

/** `problem` is why what follows from saving could not be done. */
export type SavedInvoice = { id: string; problem: unknown }

/** Creates an invoice, attaches the document that it was read from, and audits it. */
export function useCreateInvoice(document: DocumentFile | null) {
  return useChange(async (body: NewInvoice): Promise<SavedInvoice> => {
    const { id } = (await answered(lading.POST('/api/v1/carrier_invoices', { body }))).carrier_invoice
    return afterSaving(id, async () => {
      if (document) await attach(document, { type: 'carrier_invoice', id })
      await audit(id)
    })
  }, changed)
}

/** Saves what was changed, and audits the invoice again: what was found before says nothing of it. */
export function useUpdateInvoice(id: string) {
  return useChange(
    async ({
      changes,
      revision,
    }: {
      changes: Partial<NewInvoice> & { missing_fields?: [] }
      revision: number
    }): Promise<SavedInvoice> => {
      await answered(
        lading.PUT('/api/v1/carrier_invoices/{carrierInvoiceID}', {
          ...path(id),
          ...ifUnchanged(revision),
          body: changes,
        }),
      )
      return afterSaving(id, () => audit(id))
    },
    changed,
  )
}

/** What is saved is saved: sending the form again would make a second one. */
function afterSaving(id: string, next: () => Promise<unknown>): Promise<SavedInvoice> {
  return next().then(
    () => ({ id, problem: null }),
    (problem: unknown) => ({ id, problem }),
  )
}

export function useDeleteInvoice({ id, revision }: CarrierInvoice, leave: () => Promise<void>) {
  return useChange(async () => {
    await answered(
      lading.DELETE('/api/v1/carrier_invoices/{carrierInvoiceID}', { ...path(id), ...ifUnchanged(revision) }),
    )
    // Leave its page before the queries are read again: the record no longer exists.
    await leave()
  }, changed)
}

/** Says which manifests an invoice is for, and audits it against them; none takes the match back. */
export function useMatch({ id, revision }: Pick<CarrierInvoice, 'id' | 'revision'>) {
  return useChange(async (manifest_ids: string[]) => {
    const at = { ...path(id), ...ifUnchanged(revision) }
    const matched = await answered(
      lading.POST('/api/v1/carrier_invoices/{carrierInvoiceID}/match', { ...at, body: { manifest_ids } }),
    )
    return manifest_ids.length > 0 ? audit(id) : matched.carrier_invoice
  }, changed)
}

export function useAudit({ id }: Pick<CarrierInvoice, 'id'>) {
  return useChange(() => audit(id), changed)
}

async function audit(id: string): Promise<CarrierInvoice> {
  return (await answered(lading.POST('/api/v1/carrier_invoices/{carrierInvoiceID}/audit', { ...path(id), body: {} })))
    .carrier_invoice
}

export type DecisionInput = { decision: Decision; note: string; amount?: number }

export function useDecide(invoice: Pick<CarrierInvoice, 'id' | 'revision'>) {
  return useChange((decided: DecisionInput) => decide(invoice, decided), changed)
}

async function decide(
  { id, revision }: Pick<CarrierInvoice, 'id' | 'revision'>,
  { decision, note, amount }: DecisionInput,
): Promise<CarrierInvoice> {
  // All of these paths take and answer the same; that of paying short says all that they take.
  const at =
    `/api/v1/carrier_invoices/{carrierInvoiceID}/${decision}` as '/api/v1/carrier_invoices/{carrierInvoiceID}/short_pay'
  const body = { ...(note && { note }), ...(amount !== undefined && { amount }) } as { note: string; amount?: number }
  return (await answered(lading.POST(at, { ...path(id), ...ifUnchanged(revision), body }))).carrier_invoice
}

export type Outcome = { id: string; problem: string | null; words: string }

/** Approves invoices and bills, each on its own: what is refused for one is done for the others. */
export function useApproveRows() {
  return useChange(async ({ invoices, billIds, note }: Approving): Promise<Outcome[]> => {
    const outcomes: Outcome[] = []
    for (const invoice of invoices) {
      const problem = await decide(invoice, { decision: 'approve', note }).then(() => null, wordsFor)
      outcomes.push({ id: invoice.id, problem, words: 'Approved, its bill is made' })
    }
    if (billIds.length === 0) return outcomes
    const { results } = await answered(
      lading.POST('/api/v1/bills/approve', { body: { bill_ids: [...billIds], ...(note && { note }) } }),
    )
    const ofBills = results.map(({ id, status, error }) => ({
      id,
      problem: error?.error_message ?? null,
      words: status === 'approved' ? 'Approved' : 'Waits for another person',
    }))
    return [...outcomes, ...ofBills]
  }, changed)
}

type Approving = {
  invoices: readonly Pick<CarrierInvoice, 'id' | 'revision'>[]
  billIds: readonly string[]
  note: string
}

/** The document that a new invoice is read from. */
export const sourceDocumentQuery = (id: string) => ({ ...documentFileQuery(id), enabled: id !== '' })
