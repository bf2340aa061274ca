import { useInfiniteQuery } from '@tanstack/react-query'
import { answered } from '../../../app/api/problem.ts'
import { lading } from '../../../app/api/session.ts'
import type { Document } from '../../documents/document.ts'
import type { DocumentKind } from '../../documents/kind.ts'
import { parties } from '../../documents/party.ts'

const pageSize = 200
/** As many ids as an address takes without trouble. */
const idsAtOnce = 100

/** Whose documents, in which currency, and those that were chosen before. */
export type OpenDocumentSearch = {
  kind: DocumentKind
  partyId: string | null
  currencyId: string | null
  chosen?: readonly string[]
}

type OpenPage = {
  rows: readonly Document[]
  total: number
  next: string | null
  chosen: readonly Document[]
  closed: readonly Document[]
}

export type OpenList = {
  /** Those that were chosen, and then the others. */
  rows: readonly Document[]
  /** Those that are due first, without a gap. */
  oldest: readonly Document[]
  /** Those that were chosen and have nothing left to pay. */
  closed: readonly Document[]
  total: number
}

/**
 * The documents of a party that are not paid, those that are due first before the others, and those that were chosen wherever they stand among them. They are
 * read whenever they are opened, and never shown as they were the last time: an amount would be divided by what was due then.
 */
export function useOpenDocuments(wanted: OpenDocumentSearch) {
  const { kind, partyId, currencyId, chosen = [] } = wanted
  return useInfiniteQuery({
    queryKey: [kind.resource, 'open', partyId, currencyId, chosen],
    enabled: Boolean(partyId && currencyId),
    gcTime: 0,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) => readPage(wanted, pageParam),
    getNextPageParam: ({ next }: OpenPage) => next,
    select: ({ pages }): OpenList => listOf(pages),
  })
}

export type OpenDocumentsQuery = ReturnType<typeof useOpenDocuments>

async function readPage(
  { kind, partyId, currencyId, chosen = [] }: OpenDocumentSearch,
  after: string | null,
): Promise<OpenPage> {
  const whose = { [`${parties[kind.party].field}s`]: [partyId], currency_ids: [currencyId] }
  const [page, named] = await Promise.all([
    read(kind, {
      ...whose,
      status_ids: ['saved', 'sent', 'edited'],
      sort: 'due_date',
      limit: pageSize,
      ...(after && { after }),
    }),
    after ? [] : readChosen(kind, chosen, whose),
  ])
  return {
    rows: page.rows.filter(isOpen),
    total: page.total,
    next: page.next,
    chosen: named.filter(isOpen),
    closed: named.filter((one) => !isOpen(one)),
  }
}

async function readChosen(kind: DocumentKind, ids: readonly string[], whose: object): Promise<Document[]> {
  const lots = Array.from({ length: Math.ceil(ids.length / idsAtOnce) }, (_, lot) =>
    ids.slice(lot * idsAtOnce, (lot + 1) * idsAtOnce),
  )
  const pages = await Promise.all(
    lots.map((lot) => read(kind, { ...whose, ids: lot, include_voided: true, sort: 'due_date', limit: idsAtOnce })),
  )
  return pages.flatMap(({ rows }) => rows)
}

async function read(
  { resource }: DocumentKind,
  query: object,
): Promise<{ rows: Document[]; total: number; next: string | null }> {
  const page = await answered(
    lading.GET(`/api/v1/${resource}` as '/api/v1/bills', { params: { query: query as never } }),
  )
  return {
    rows: (page as unknown as Record<string, Document[]>)[resource] ?? [],
    total: page.total,
    next: page.next_after,
  }
}

function isOpen({ status_id, voided_at, amount_due }: Document): boolean {
  return status_id !== 'draft' && !voided_at && amount_due > 0
}

function listOf(pages: readonly OpenPage[]): OpenList {
  const chosen = pages.flatMap((page) => page.chosen)
  const oldest = [...new Map(pages.flatMap(({ rows }) => rows).map((row) => [row.id, row])).values()]
  const isChosen = new Set(chosen.map(({ id }) => id))
  return {
    rows: [...chosen, ...oldest.filter(({ id }) => !isChosen.has(id))],
    oldest,
    closed: pages.flatMap((page) => page.closed),
    total: pages[0]?.total ?? 0,
  }
}
