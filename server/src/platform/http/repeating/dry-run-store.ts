import type { Context } from '../../context.ts'
import { sql } from '../../db/sql/sql.ts'

/** Checks now what PostgreSQL would check on commit. */
export async function requireConstraints(ctx: Context): Promise<void> {
  await ctx.run(sql`set constraints all immediate`)
}
