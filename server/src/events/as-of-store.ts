import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import { lastEventUpTo } from './as-of-sql.ts'
import type { Subject } from './history-store.ts'

/** What an event says of a record, as JSON text. */
export type Stood = { type: string; data: string }

/** A record by its last event up to a moment. */
export async function findRecordUpTo(ctx: Context, { type, id }: Subject, at: Date): Promise<Stood | undefined> {
  const [stood] = await ctx.run<Stood>(sql`select d.type, d.data::text as data from (${lastEventUpTo(ctx.org, { type, id: sql`${id}::uuid`, at })}) d`)
  return stood
}
