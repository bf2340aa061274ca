import type { Context } from '../context.ts'
import { envelope, pageOf } from '../core/pages.ts'
import { sliceOf, sql } from '../db/sql.ts'
import type { Definition } from './definitions/kind.ts'

/** A condition on objects: all of, one of, not, or a field compared with a value. */
export type Filter = { and: Filter[] } | { or: Filter[] } | { not: Filter } | { field: string; op: Op; value?: unknown }

export const ops = ['eq', 'ne', 'in', 'lt', 'lte', 'gt', 'gte', 'contains', 'startsWith', 'exists'] as const
export type Op = (typeof ops)[number]

export type Search = {
  filter?: Filter
  /** Words, each of which must be in one of the text fields. */
  q?: string
  /** A field, with - in front for descending; newest first unless said. */
  sort?: string
  offset?: number
  limit?: number
  paths?: readonly string[]
}

/** A page of objects of a kind as JSON text, in the envelope `{ <name>, offset, limit, total }`. */
export async function searchObjects(ctx: Context, definition: Definition, search: Search, name = 'objects'): Promise<string> {
  const page = pageOf(search)
  const [row] = await ctx.run<{ list: string; total: number }>(sql`
    select (select count(*)::int from objects where org_id = ${ctx.org} and object_key = ${definition.objectKey} and deleted_at is null) as total,
      (select '[' || coalesce(string_agg(w.json, ',' order by w.id desc), '') || ']' from (
        select id from objects where org_id = ${ctx.org} and object_key = ${definition.objectKey} and deleted_at is null order by id desc ${sliceOf(page)}) as page
        join objects_wire w on w.org_id = ${ctx.org} and w.id = page.id) as list`)
  return envelope(name, row?.list ?? '[]', row?.total ?? 0, page)
}
