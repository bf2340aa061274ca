import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'

/** The next number of a kind of record; nobody else gets one of that kind until this transaction ends. */
export async function takeNumber(ctx: Context, name: 'bill' | 'consolidated_bill' | `object:${string}`): Promise<number> {
  const [row] = await ctx.run<{ value: number }>(sql`
    insert into counters as c (org_id, name, value) values (${ctx.org}, ${name}, 1) on conflict (org_id, name) do update set value = c.value + 1 returning value`)
  return row?.value as number
}
