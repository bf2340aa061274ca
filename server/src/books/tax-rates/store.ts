import type { Context } from '../../platform/context.ts'
import { join, named, sql } from '../../platform/db/sql/sql.ts'

/** Whether a line in one of these tables carries the rate. Whoever gives a line the rate holds its row until the line is written. */
export async function isCarried(ctx: Context, id: string, lineTables: readonly string[]): Promise<boolean> {
  const carried = lineTables.map(
    (table) => sql`exists (select from ${named(table)} where tax_rate_id = ${id} and org_id = ${ctx.org})`,
  )
  const [row] = await ctx.run<{ carried: boolean }>(sql`select ${join(carried, sql` or `)} as carried`)
  return row?.carried ?? false
}
