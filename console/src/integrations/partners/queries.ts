import type { Schemas } from '@lading/sdk'
import { queryOptions } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { everyRow } from '../../app/api/every-row.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'

export type Invitation = Schemas['PortalInvitation']
export type PortalLink = Schemas['PortalLink']
export type Tender = Schemas['Tender']
export type Question = Schemas['BillQuestion']

export const invitationsQuery = queryOptions({
  queryKey: ['partner-people'],
  queryFn: () =>
    everyRow('invitations', (query) =>
      answered(lading.GET('/api/v1/partner_portal/invitations', { params: { query } })),
    ),
})

type Record = { manifest_ids?: string[]; bill_ids?: string[] }

export const linksQuery = (of: Record = {}) =>
  queryOptions({
    queryKey: ['portal-links', of],
    queryFn: () =>
      everyRow('links', (paging) =>
        answered(
          lading.GET('/api/v1/partner_portal/links', { params: { query: { ...paging, status_ids: ['open'], ...of } } }),
        ),
      ),
  })

export const tendersQuery = (manifest: string) =>
  queryOptions({
    queryKey: ['tenders', manifest],
    queryFn: () =>
      everyRow('tenders', (paging) =>
        answered(
          lading.GET('/api/v1/partner_portal/tenders', { params: { query: { ...paging, manifest_ids: [manifest] } } }),
        ),
      ),
  })

/** Those that wait for something: for the carrier, or for us. */
export const openTendersQuery = queryOptions({
  queryKey: ['tenders', 'open'],
  queryFn: () =>
    everyRow('tenders', (paging) =>
      answered(
        lading.GET('/api/v1/partner_portal/tenders', {
          params: { query: { ...paging, status_ids: ['open', 'countered'] } },
        }),
      ),
    ),
})

export const openQuestionsQuery = queryOptions({
  queryKey: ['bill-questions', 'open'],
  queryFn: () =>
    everyRow('questions', (paging) =>
      answered(
        lading.GET('/api/v1/partner_portal/questions', { params: { query: { ...paging, status_ids: ['open'] } } }),
      ),
    ),
})

export const questionsOfBillQuery = (bill: string) =>
  queryOptions({
    queryKey: ['bill-questions', bill],
    queryFn: () =>
      everyRow('questions', (paging) =>
        answered(
          lading.GET('/api/v1/partner_portal/questions', { params: { query: { ...paging, bill_ids: [bill] } } }),
        ),
      ),
  })

export function useInvitePartner() {
  return useChange(
    (body: { email: string; name: string; partner_carrier_id: string }) =>
      answered(lading.POST('/api/v1/partner_portal/invitations', { body })),
    { touches: ['partner-people', 'people'] },
  )
}

export function useCreateLink() {
  return useChange(
    (body: { manifest_id?: string; bill_id?: string; partner_carrier_id?: string; expires_in: number }) =>
      answered(lading.POST('/api/v1/partner_portal/links', { body })),
    { touches: ['portal-links'] },
  )
}

export function useRevokeLink({ id }: PortalLink) {
  return useChange(
    () => answered(lading.DELETE('/api/v1/partner_portal/links/{linkID}', { params: { path: { linkID: id } } })),
    { touches: ['portal-links'] },
  )
}

/** An accepted tender gives the manifest its carrier. */
const ofTenders = { touches: ['tenders', 'objects', 'movement'], evenIfRefused: true }

export function useCreateTender() {
  return useChange(
    (body: {
      manifest_id: string
      partner_carrier_id: string
      rate?: number
      currency_id?: string
      message?: string
      expires_in: number
    }) => answered(lading.POST('/api/v1/partner_portal/tenders', { body })),
    ofTenders,
  )
}

/** A tender is taken back, or what its carrier asks for accepted; the reason is kept in its history. */
export function useDecideTender({ id, revision }: Tender, decision: 'cancel' | 'accept_counter') {
  return useChange((reason: string) => {
    const at = { params: { path: { tenderID: id } }, ...ifUnchanged(revision), body: reason ? { reason } : {} }
    return decision === 'cancel'
      ? answered(lading.POST('/api/v1/partner_portal/tenders/{tenderID}/cancel', at as never))
      : answered(lading.POST('/api/v1/partner_portal/tenders/{tenderID}/accept_counter', at as never))
  }, ofTenders)
}

export const tenderHistoryQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: ['tenders', id, 'history', limit],
    queryFn: () =>
      answered(
        lading.GET('/api/v1/partner_portal/tenders/{tenderID}/history', {
          params: { path: { tenderID: id }, query: { limit } },
        }),
      ),
  })

const ofQuestions = { touches: ['bill-questions'] }

export function useAnswer({ id }: Question) {
  return useChange(
    (text: string) =>
      answered(
        lading.POST('/api/v1/partner_portal/questions/{questionID}/answer', {
          params: { path: { questionID: id } },
          body: { text },
        }),
      ),
    ofQuestions,
  )
}

export function useCloseQuestion({ id }: Question) {
  return useChange(
    () =>
      answered(
        lading.POST('/api/v1/partner_portal/questions/{questionID}/close', {
          params: { path: { questionID: id } },
          body: {},
        }),
      ),
    ofQuestions,
  )
}
