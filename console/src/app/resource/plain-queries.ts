import { queryOptions } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../api/changes.ts'
import { answered } from '../api/problem.ts'
import { lading } from '../api/session.ts'
import type { Events } from '../history/record-history.tsx'

export type NamedRow = { id: string; name: string; revision: number }
export type ListQuery = { search_term?: string; limit?: number; offset?: number }
type RowsOfPage<Row> = { rows: Row[]; offset: number; limit: number; total: number }

/** Where a plain record is in the API: `/api/v1/tax_rates`, whose answers have `tax_rates` and `tax_rate` in them. */
export type Place = {
  /** The first part of the keys of its queries. */
  key: string
  all: `/api/v1/${string}`
  parameter: string
  plural: string
  noun: string
  /** The keys of other queries that show it. */
  alsoTouches?: readonly string[]
}

/** What the API is asked about a plain record, and told. The paths of the SDK have types one by one, so one of them stands for all. */
export function plainQueries<Row extends NamedRow, Content extends object>(
  { key, all, parameter, plural, noun, alsoTouches = [] }: Place,
  { labelOf = ({ name }: Row) => name, offered = {} }: { labelOf?: (row: Row) => string; offered?: object } = {},
) {
  const [each, history] = [`${all}/{${parameter}}` as Each, `${all}/{${parameter}}/history` as `${Each}/history`]
  const path = (id: string) => ({ path: { [parameter]: id } as never })
  const changed = { touches: [key, ...alsoTouches] }
  const rowOf = (answer: unknown) => (answer as Record<string, Row>)[noun] as Row
  const list = async (query: object): Promise<RowsOfPage<Row>> => {
    const { [plural]: rows, ...page } = (await answered(
      lading.GET(all as All, { params: { query } }),
    )) as unknown as Record<string, unknown>
    return { ...page, rows } as RowsOfPage<Row>
  }
  const one = (id: string) =>
    queryOptions({
      queryKey: [key, id],
      queryFn: async () => rowOf(await answered(lading.GET(each, { params: path(id) }))),
    })
  return {
    list: (query: ListQuery) => queryOptions({ queryKey: [key, 'list', query], queryFn: () => list(query) }),
    one,
    history: (id: string, limit: number) =>
      queryOptions({
        queryKey: [key, id, 'history', limit],
        queryFn: (): Promise<Events> => answered(lading.GET(history, { params: { ...path(id), query: { limit } } })),
      }),
    /** The choices of a select while the person types. */
    choices: (term: string) =>
      queryOptions({
        queryKey: [key, 'choices', term],
        queryFn: async () => {
          const { rows } = await list({ limit: 50, ...offered, ...(term && { search_term: term }) })
          return rows.map((row) => ({ value: row.id, label: labelOf(row) }))
        },
      }),
    choice: (id: string) =>
      queryOptions({
        queryKey: [key, 'choice', id],
        queryFn: async ({ client }) => [{ value: id, label: labelOf(await client.ensureQueryData(one(id))) }],
      }),
    useCreate: () => useChange((body: Content) => answered(lading.POST(all as All, { body: body as never })), changed),
    useUpdate: (id: string) =>
      useChange(
        ({ changes, revision }: { changes: Partial<Content>; revision: number }) =>
          answered(lading.PUT(each, { params: path(id), ...ifUnchanged(revision), body: changes as never })),
        changed,
      ),
    useDelete: ({ id, revision }: Row) =>
      useChange(() => answered(lading.DELETE(each, { params: path(id), ...ifUnchanged(revision) })), changed),
  }
}

type All = '/api/v1/tax_rates'
type Each = '/api/v1/tax_rates/{taxRateID}'
