import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'

/** Whether this user is the only one in the organization who can sign in. */
export async function isOnlyUser(ctx: Context, id: string): Promise<boolean> {
  const [row] = await ctx.run<{ alone: boolean }>(
    sql`select count(*) = 1 and coalesce(bool_and(id::text = ${id}), false) as alone from users
      where org_id = ${ctx.org} and disabled_at is null and joined_at is not null`,
  )
  return row?.alone ?? false
}
