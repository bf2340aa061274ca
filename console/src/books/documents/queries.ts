import { keepPreviousData, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { type Currency, currenciesQuery } from '../../app/api/currencies.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import type { Events } from '../../app/history/record-history.tsx'
import { spreadsheetOf } from '../../app/values/spreadsheet.ts'
import { nameQuery } from '../../records/kinds/names.ts'
import { type PayTerm, payTermQuery } from '../../settings/pay-terms/queries.ts'
import type { Document, Item, LineContent } from './document.ts'
import type { DocumentKind } from './kind.ts'
import type { Move, MoveBody } from './move.ts'
import { parties } from './party.ts'
import { columnsForPeople, tableForPeople } from './people-export.ts'
import { filterQueryOf, isFiltered, pageQueryOf, type Search, sortOf } from './search.ts'
import { statusWords } from './states.ts'
import { useTotalsOf } from './totals.ts'

/** All kinds of documents have the same paths below their own: those of bills say what they take and answer. */
const at = ({ resource }: DocumentKind) => `/api/v1/${resource}` as '/api/v1/bills'
export const atOne = (kind: DocumentKind, id: string) => `${at(kind)}/${id}` as '/api/v1/bills/{billID}'
/** The id is in the path already. */
const noParams = { params: {} as never }

export const documentsQuery = <D extends Document>(kind: DocumentKind<D>, search: Search) => {
  const query = { ...pageQueryOf(kind.list, search), ...kind.fixed?.query }
  return queryOptions({
    queryKey: [kind.resource, 'list', query],
    queryFn: async () => rowsIn(kind, await answered(lading.GET(at(kind), { params: { query } }))),
    placeholderData: keepPreviousData,
  })
}

function rowsIn<D extends Document>(
  { resource }: DocumentKind<D>,
  answer: { offset: number; limit: number; total: number },
) {
  const { offset, limit, total } = answer
  return { rows: (answer as unknown as Record<string, D[]>)[resource] ?? [], offset, limit, total }
}

/** How many there are under each tab. Without filters the API knows that without counting; with some, one request counts all states. */
export function useTotals(kind: DocumentKind, search: Search): Record<string, number | undefined> {
  const totalOf = async (query: object) =>
    (await answered(lading.GET(at(kind), { params: { query: { ...query, ...kind.fixed?.query } } }))).total
  const counted = isFiltered(search)
  const known = useTotalsOf([kind.resource, kind.fixed?.query], kind.list, search, totalOf, !counted)
  const { state: _, ...anyState } = search
  const filters = filterQueryOf(kind.list, anyState)
  const { data: totals } = useQuery({
    ...totalsQuery(kind, filters),
    enabled: counted,
    placeholderData: keepPreviousData,
  })
  const { data: overdue } = useQuery({
    ...totalsQuery(kind, { ...filters, overdue: true }),
    enabled: counted,
    placeholderData: keepPreviousData,
  })
  if (!counted) return known
  const sum = (some: Total[] | undefined) => some?.reduce((all, { count }) => all + count, 0)
  const states = Object.keys(statusWords).map((status) => [
    status,
    sum(totals?.filter(({ status_id }) => status_id === status)),
  ])
  return { ...Object.fromEntries(states), all: sum(totals), overdue: sum(overdue) }
}

export type Total = { status_id: string; currency_id: string | null; count: number; total_amount: number }

/** How many match and what they come to, in each state and currency. */
export const totalsQuery = (kind: DocumentKind, filters: object) => {
  const query = { ...filters, ...kind.fixed?.query }
  return queryOptions({
    queryKey: [kind.resource, 'totals', query],
    queryFn: async (): Promise<Total[]> =>
      (await answered(lading.GET(`${at(kind)}/totals`, { params: { query } }))).totals,
  })
}

/** The latest ones that match. */
export const latestQuery = <D extends Document>(kind: DocumentKind<D>, filters: object) => {
  const query = { ...filters, ...kind.fixed?.query, limit: 10 }
  return queryOptions({
    queryKey: [kind.resource, 'latest', query],
    queryFn: async () => rowsIn(kind, await answered(lading.GET(at(kind), { params: { query } }))),
  })
}

export type WholeDocument<D extends Document> = { document: D; items: readonly Item[]; currency: Currency | undefined }

export const documentQuery = <D extends Document>(kind: DocumentKind<D>, id: string) =>
  queryOptions({
    queryKey: [kind.resource, id],
    queryFn: async ({ client }): Promise<WholeDocument<D>> => {
      const whole = await answered(lading.GET(atOne(kind, id), noParams))
      const { pay_term, currency_info } = whole as { pay_term: PayTerm | null; currency_info: Currency | null }
      // The answer contains the pay term, so that showing its name needs no request of its own.
      if (pay_term) client.setQueryData(payTermQuery(pay_term.id).queryKey, pay_term)
      const parts = whole as unknown as Record<string, never>
      return {
        document: parts[kind.key] as unknown as D,
        items: parts[`${kind.key}_items`] ?? [],
        currency: currency_info ?? undefined,
      }
    },
  })

export const historyQuery = (kind: DocumentKind, id: string, limit: number) =>
  queryOptions({
    queryKey: [kind.resource, id, 'history', limit],
    queryFn: async (): Promise<Events> =>
      answered(lading.GET(`${atOne(kind, id)}/history`, { params: { query: { limit } } as never })),
    placeholderData: keepPreviousData,
  })

const exportQuery = (kind: DocumentKind, search: Search) => ({
  ...filterQueryOf(kind.list, search),
  ...kind.fixed?.query,
  sort: sortOf(kind.list, search) as never,
  format: 'csv' as const,
})

/** All documents of a search, in the columns of the list, for a spreadsheet. */
export async function exportForPeople(client: QueryClient, kind: DocumentKind, search: Search): Promise<string> {
  const query = { ...exportQuery(kind, search), format: 'ndjson' as const }
  const text = await answered<string>(lading.GET(`${at(kind)}/export`, { params: { query }, parseAs: 'text' }) as never)
  const documents = text.split('\n').flatMap((line) => (line ? [JSON.parse(line) as Document] : []))
  const currencies = await client.ensureQueryData(currenciesQuery)
  const named = columnsForPeople(kind.list.fields).filter(({ kind: of }) => of === 'carrier' || of === 'customer')
  const ids = named.flatMap(({ name }) => [
    ...new Set(documents.map((document) => (document as unknown as Record<string, string | null>)[name])),
  ])
  const { objectKey } = parties[kind.party]
  const found = await Promise.all(
    ids.flatMap((id) =>
      id ? [client.ensureQueryData(nameQuery(objectKey, id)).then((name) => [id, name?.name ?? id] as const)] : [],
    ),
  )
  const names = new Map(found)
  return spreadsheetOf(
    tableForPeople(kind.list.fields, documents as never, {
      digitsOf: (currency) => currencies.find(({ id }) => id === currency)?.minor_units ?? 2,
      nameOf: (id) => names.get(id) ?? id,
      numberOf: ({ number }) => String(number ?? 'Draft'),
    }),
  )
}

/** All documents of a search as a CSV file with all fields. */
export function exportDocuments(kind: DocumentKind, search: Search): Promise<Blob> {
  return answered<Blob>(
    lading.GET(`${at(kind)}/export`, { params: { query: exportQuery(kind, search) }, parseAs: 'blob' }) as never,
  )
}

/** Starts the same export in the background. */
export function startExport(kind: DocumentKind, search: Search): Promise<unknown> {
  return answered(lading.POST(`${at(kind)}/exports`, { params: { query: exportQuery(kind, search) } }))
}

/** Answers the id. */
export function useCreateDocument(kind: DocumentKind) {
  return useChange(async (body: object): Promise<string> => {
    const created = await answered(lading.POST(at(kind), { body: { ...body, ...kind.fixed?.body } as never }))
    return (created as unknown as Record<string, Document>)[kind.key]?.id ?? ''
  }, kind)
}

export function useUpdateDocument(kind: DocumentKind, id: string) {
  return useChange(
    ({ body, revision }: { body: object; revision: number }) =>
      answered(lading.PUT(atOne(kind, id), { ...noParams, ...ifUnchanged(revision), body })),
    kind,
  )
}

/** `go` leads to the page of a document, or to the list. */
export function useMoveDocument(kind: DocumentKind, { id, revision }: Document, go: (id?: string) => Promise<void>) {
  const [path, condition] = [atOne(kind, id), { ...noParams, ...ifUnchanged(revision) }]
  const moves: Record<Move, (body: MoveBody) => Promise<unknown>> = {
    save: () => answered(lading.POST(`${path}/save`, { ...condition, body: {} })),
    send: (body) => answered(lading.POST(`${path}/send`, { ...condition, body })),
    pay: (body) => answered(lading.POST(`${path}/pay`, { ...condition, body })),
    reopen: ({ reason = '' }) => answered(lading.POST(`${path}/reopen`, { ...condition, body: { reason } })),
    void: ({ reason = '' }) => answered(lading.POST(`${path}/void`, { ...condition, body: { reason } })),
    correct: async ({ reason = '' }) => {
      const copy = await answered(lading.POST(`${path}/correct`, { ...condition, body: { reason } }))
      await go((copy as unknown as Record<string, Document>)[kind.key]?.id)
    },
    reprice: () => answered(lading.POST(`${path}/reprice`, { ...condition, body: {} as never })),
    draft: () => answered(lading.PUT(path, { ...condition, body: { status_id: 'draft' } })),
    delete: async () => {
      await answered(lading.DELETE(path, condition))
      // Leave its page before the queries are read again: the record no longer exists.
      await go()
    },
  }
  return useChange(({ move, ...body }: { move: Move } & MoveBody) => moves[move](body), kind)
}

export type Outcome = { status: string; id: string | null; error?: { error_message: string } }
type Moved = { id: string; status_id: Document['status_id']; paid_at?: string }

/** The most that the API takes at once. */
const mostRows = 500

/** Moves many documents, each on its own: what is refused for one is done for the others. The outcomes are in the order of the documents. */
export function useMoveDocuments(kind: DocumentKind) {
  return useChange(async (moved: readonly Moved[]) => {
    const outcomes: Outcome[] = []
    for (let first = 0; first < moved.length; first += mostRows) {
      const body = { mode: 'best_effort' as const, [kind.resource]: moved.slice(first, first + mostRows) }
      outcomes.push(...(await answered(lading.POST(`${at(kind)}/bulk`, { body: body as never }))).results)
    }
    return outcomes
  }, kind)
}

export type LineChange = { revision: number } & (
  | { add: LineContent }
  | { change: Partial<LineContent>; of: string }
  | { remove: string }
  | { order: readonly string[] }
)

/** Answers the new revision of the document. */
export function useChangeLines(kind: DocumentKind, id: string) {
  const items = `${atOne(kind, id)}/items` as const
  const itemAt = (itemId: string) => `${items}/${itemId}` as '/api/v1/bills/{billID}/items/{itemID}'
  const send = ({ revision, ...asked }: LineChange): Promise<unknown> => {
    const condition = { ...noParams, ...ifUnchanged(revision) }
    if ('add' in asked) return answered(lading.POST(items, { ...condition, body: asked.add }))
    if ('change' in asked) return answered(lading.PUT(itemAt(asked.of), { ...condition, body: asked.change }))
    if ('remove' in asked) return answered(lading.DELETE(itemAt(asked.remove), condition))
    return answered(lading.PUT(`${items}/order`, { ...condition, body: { item_ids: [...asked.order] } }))
  }
  return useChange(
    async (asked: LineChange): Promise<number> =>
      ((await send(asked)) as Record<string, Document> | undefined)?.[kind.key]?.revision ?? 0,
    kind,
  )
}
