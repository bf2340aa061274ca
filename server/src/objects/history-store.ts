import type { Context } from '../context.ts'
import { type Asked, envelope, type Found, nothingFound, pageOf } from '../core/pages.ts'
import { keyTypesOf, latestIdFirst, pageStatement } from '../db/keyset.ts'
import { sql } from '../db/sql.ts'
import { snakeCase } from './kinds/kind.ts'

export async function listHistory(ctx: Context, objectKey: string, id: string, asked: Asked): Promise<string> {
  const page = pageOf(`history ${id}`, asked, keyTypesOf(latestIdFirst))
  const about = sql`org_id = ${ctx.org} and subject_type = ${snakeCase(objectKey)} and subject_id = ${id}`
  const [found] = await ctx.run<Found>(
    pageStatement({ total: sql`(select count(*)::int from events where ${about})`, rows: sql`from events_wire where ${about}`, order: latestIdFirst, page }),
  )
  return envelope('events', found ?? nothingFound, page, 'nextAfter')
}
