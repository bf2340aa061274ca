import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'

type Numbered = 'bill' | 'consolidated_bill' | `object:${string}`

/** The next number of a kind of record; nobody else gets one of that kind until this transaction ends. */
export function takeNumber(ctx: Context, name: Numbered): Promise<number> {
  return takeNumbers(ctx, name, 1)
}

/** So many numbers in a row; this is the first of them. */
export async function takeNumbers(ctx: Context, name: Numbered, count: number): Promise<number> {
  const [row] = await ctx.run<{ value: number }>(sql`
    insert into counters as c (org_id, name, value) values (${ctx.org}, ${name}, ${count}) on conflict (org_id, name) do update set value = c.value + excluded.value returning value`)
  return (row?.value as number) - count + 1
}
