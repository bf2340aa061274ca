import type { Context } from '../../context.ts'
import type { AsOf } from '../../core/values/as-of.ts'
import { momentAndDay } from '../../db/sql/as-of.ts'
import { sql } from '../../db/sql/sql.ts'
import type { Subject } from './history-store.ts'

/** What an event says of a record, as JSON text. */
export type PastRecord = { type: string; data: string }

/**
 * The last event of a record up to a moment. Of two changes the one with the higher revision came later, whatever the clocks of two processes say.
 */
export async function findLastUpTo(ctx: Context, { type, id }: Subject, at: AsOf): Promise<PastRecord | undefined> {
  const { moment } = momentAndDay(at, sql`o.time_zone`)
  const [stood] = await ctx.run<PastRecord>(sql`
    select type, data::text as data from events where org_id = ${ctx.org} and subject_type = ${type} and subject_id = ${id} and occurred_at <= (select ${moment} from organizations o where o.org_id = ${ctx.org})
    order by revision desc nulls last, id desc limit 1`)
  return stood
}
