import { queryOptions } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../api/changes.ts'
import { answered } from '../api/problem.ts'
import { lading } from '../api/session.ts'
import type { DocumentFile, DocumentType } from './types.ts'

/** What documents are attached to: the type of a record, as the API names it, and its id. */
export type RecordName = { type: string; id: string }

const path = (documentID: string) => ({ params: { path: { documentID } } })
const changed = { touches: ['documents'] }

export const most = 100

export const documentsQuery = ({ type, id }: RecordName) =>
  queryOptions({
    queryKey: ['documents', type, id],
    queryFn: () =>
      answered(lading.GET('/api/v1/documents', { params: { query: { attached_to: [`${type}:${id}`], limit: most } } })),
  })

export const documentFileQuery = (id: string) =>
  queryOptions({
    queryKey: ['documents', 'one', id],
    queryFn: async () => (await answered(lading.GET('/api/v1/documents/{documentID}', path(id)))).document,
  })

/** Attaches a document that was attached to nothing. */
export function attach({ id, revision }: DocumentFile, record: RecordName): Promise<unknown> {
  return answered(
    lading.PUT('/api/v1/documents/{documentID}', {
      ...path(id),
      ...ifUnchanged(revision),
      body: { attached_to: [record] },
    }),
  )
}

/** The bytes of a document never change. */
export const contentQuery = ({ id, media_type }: DocumentFile) =>
  queryOptions({
    queryKey: ['document-content', id],
    queryFn: async () => {
      const content = await answered(
        lading.GET('/api/v1/documents/{documentID}/content', { ...path(id), parseAs: 'blob' }),
      )
      return new Blob([content as unknown as Blob], { type: media_type })
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })

export function useRetype() {
  return useChange(
    ({ document, type }: { document: DocumentFile; type: DocumentType }) =>
      answered(
        lading.PUT('/api/v1/documents/{documentID}', {
          ...path(document.id),
          ...ifUnchanged(document.revision),
          body: { document_type: type },
        }),
      ),
    { ...changed, evenIfRefused: true },
  )
}

/** Takes it off this record; where it is attached to no other, it is deleted. */
export function useRemoveDocument({ id, revision, attached_to }: DocumentFile, record: RecordName) {
  const others = attached_to.filter((one) => one.id !== record.id)
  return useChange(
    async () => {
      const options = { ...path(id), ...ifUnchanged(revision) }
      if (others.length > 0)
        await answered(lading.PUT('/api/v1/documents/{documentID}', { ...options, body: { attached_to: others } }))
      else await answered(lading.DELETE('/api/v1/documents/{documentID}', options))
    },
    { ...changed, evenIfRefused: true },
  )
}
