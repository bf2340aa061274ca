import type { Context } from '../context.ts'
import { envelope, nothingFound, pageOf } from '../core/pages.ts'
import { sliceOf, sql } from '../db/sql.ts'
import { snakeCase } from './kinds/kind.ts'

export async function listHistory(ctx: Context, objectKey: string, id: string, search: { offset?: number; limit?: number }): Promise<string> {
  const page = pageOf(search)
  const about = sql`org_id = ${ctx.org} and subject_type = ${snakeCase(objectKey)} and subject_id = ${id}`
  const [row] = await ctx.run<{ list: string; total: number }>(sql`
    select (select count(*)::int from events where ${about}) as total,
      (select '[' || coalesce(string_agg(json, ',' order by id desc), '') || ']' from (
        select json, id from events_wire where ${about} order by id desc ${sliceOf(page)}) as page) as list`)
  return envelope('events', row ?? nothingFound, page)
}
