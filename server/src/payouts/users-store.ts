import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'

/** Whether this user is the only person of the organization: those of carriers, who use the portal, are none of its own. */
export async function isOnlyUser(ctx: Context, id: string): Promise<boolean> {
  const [row] = await ctx.run<{ alone: boolean }>(
    sql`select count(*) = 1 and coalesce(bool_and(id::text = ${id}), false) as alone from users
      where org_id = ${ctx.org} and disabled_at is null and joined_at is not null and role <> 'partner'`,
  )
  return row?.alone ?? false
}
