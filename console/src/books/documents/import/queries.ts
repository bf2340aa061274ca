import { queryOptions, useMutation } from '@tanstack/react-query'
import { useChange } from '../../../app/api/changes.ts'
import { everyRow } from '../../../app/api/every-row.ts'
import { answered } from '../../../app/api/problem.ts'
import { lading } from '../../../app/api/session.ts'
import type { Document } from '../document.ts'
import { type DocumentKind, nameIn } from '../kind.ts'
import { type Party, parties } from '../party.ts'
import { atOne } from '../queries.ts'
import { byName, type IdsByName, type NamedRecord } from './mapping.ts'
import type { NameReading } from './targets.ts'

export type RowResult = {
  line: number
  status: string
  id: string | null
  possible_duplicates?: readonly string[]
  /** The lines of rows before it. */
  possible_duplicate_rows?: readonly number[]
  error?: { error_message: string; details: readonly { field: string; message: string }[] }
}
export type Report = {
  counts: { created: number; updated: number; unchanged: number; failed: number }
  results: readonly RowResult[]
}

async function send({ resource }: DocumentKind, csv: string, dry_run: boolean): Promise<Report> {
  const headers = { 'content-type': 'text/csv' }
  const request = { params: { query: { dry_run } }, body: csv, bodySerializer: (text: string) => text, headers }
  return (await answered(
    lading.POST(`/api/v1/${resource}/import` as '/api/v1/bills/import', request as never),
  )) as unknown as Report
}

/** What an import would do. Nothing is kept. */
export function useCheckImport(kind: DocumentKind) {
  return useMutation({ mutationFn: (csv: string) => send(kind, csv, true) })
}

export function useImport(kind: DocumentKind) {
  return useChange((csv: string) => send(kind, csv, false), kind)
}

/** The names of those documents, by their ids. */
export const numbersQuery = (kind: DocumentKind, ids: readonly string[]) =>
  queryOptions({
    queryKey: [kind.resource, 'numbers', ids],
    queryFn: async () => {
      const found = ids.map(
        async (id) =>
          [
            id,
            (await answered(lading.GET(atOne(kind, id), { params: {} as never }))) as unknown as Record<
              string,
              Document
            >,
          ] as const,
      )
      return new Map((await Promise.all(found)).map(([id, answer]) => [id, nameIn(kind, answer[kind.key] as Document)]))
    },
  })

const most = 200

/** What those names mean. */
export function findNames(reading: NameReading, names: readonly string[]): Promise<IdsByName> {
  if (names.length === 0) return Promise.resolve(new Map())
  if (reading === 'pay term name') return findPayTerms()
  return findParties(reading === 'carrier name' ? 'carrier' : 'customer', names)
}

async function findParties(party: Party, names: readonly string[]): Promise<IdsByName> {
  const found: NamedRecord[] = []
  for (let first = 0; first < names.length; first += most) {
    const filter = { field: 'name', op: 'in', value: names.slice(first, first + most) }
    for (let after: string | null | undefined; after !== null; ) {
      const body = {
        objectKey: parties[party].objectKey,
        paths: ['name'],
        filter,
        limit: most,
        ...(after && { after }),
      }
      const { objects, nextAfter } = await answered(lading.POST('/api/v2/platformModel/objects/search', { body }))
      found.push(...(objects as unknown as NamedRecord[]))
      after = nextAfter
    }
  }
  return byName(found)
}

async function findPayTerms(): Promise<IdsByName> {
  const pay_terms = await everyRow('pay_terms', (query) =>
    answered(lading.GET('/api/v1/pay_terms', { params: { query } })),
  )
  return byName(pay_terms)
}
