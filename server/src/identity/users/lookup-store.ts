import type { Context } from '../../platform/context.ts'
import { sql } from '../../platform/db/sql/sql.ts'

export async function findIdByEmail(ctx: Context, email: string): Promise<string | undefined> {
  const [row] = await ctx.run<{ id: string }>(
    sql`select id from users_wire where org_id = ${ctx.org} and lower(email) = lower(${email})`,
  )
  return row?.id
}
