import type { Schemas } from '@lading/sdk'
import { queryOptions } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'

export type PayTerm = Schemas['PayTerm']
export type Mappings = PayTerm['connector_mappings']
export type Content = { name: string; number_of_days: number; connector_mappings: Mappings }

const path = (payTermID: string) => ({ params: { path: { payTermID } } })

/** Bills show the names of pay terms. */
const changed = { touches: ['pay-terms', 'bills', 'statements'] }

export const payTermsQuery = (query: { search_term?: string; limit?: number; offset?: number }) =>
  queryOptions({
    queryKey: ['pay-terms', 'list', query],
    queryFn: () => answered(lading.GET('/api/v1/pay_terms', { params: { query } })),
  })

export const payTermQuery = (id: string) =>
  queryOptions({
    queryKey: ['pay-terms', id],
    queryFn: async () => (await answered(lading.GET('/api/v1/pay_terms/{payTermID}', path(id)))).pay_term,
  })

export const historyQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: ['pay-terms', id, 'history', limit],
    queryFn: () =>
      answered(
        lading.GET('/api/v1/pay_terms/{payTermID}/history', { params: { path: { payTermID: id }, query: { limit } } }),
      ),
  })

/** The choices of a select while the person types. */
export const choicesQuery = (term: string) =>
  queryOptions({
    queryKey: ['pay-terms', 'choices', term],
    queryFn: async () => {
      const query = { limit: 50, ...(term && { search_term: term }) }
      return (await answered(lading.GET('/api/v1/pay_terms', { params: { query } }))).pay_terms.map(({ id, name }) => ({
        value: id,
        label: name,
      }))
    },
  })

export const choiceQuery = (id: string) =>
  queryOptions({
    queryKey: ['pay-terms', 'choice', id],
    queryFn: async () => [
      { value: id, label: (await answered(lading.GET('/api/v1/pay_terms/{payTermID}', path(id)))).pay_term.name },
    ],
  })

export function useCreatePayTerm() {
  return useChange((body: Content) => answered(lading.POST('/api/v1/pay_terms', { body })), changed)
}

export function useUpdatePayTerm(id: string) {
  return useChange(
    ({ changes, revision }: { changes: Partial<Content>; revision: number }) =>
      answered(lading.PUT('/api/v1/pay_terms/{payTermID}', { ...path(id), ...ifUnchanged(revision), body: changes })),
    changed,
  )
}

export function useDeletePayTerm({ id, revision }: PayTerm) {
  return useChange(
    () => answered(lading.DELETE('/api/v1/pay_terms/{payTermID}', { ...path(id), ...ifUnchanged(revision) })),
    changed,
  )
}
