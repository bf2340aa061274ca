import type { Context } from '../../context.ts'
import { sql } from '../../db/sql/sql.ts'

export async function findApplication(ctx: Context, clientId: string): Promise<string | undefined> {
  const [row] = await ctx.run<{ id: string }>(
    sql`select id from applications where org_id = ${ctx.org} and client_id = ${clientId}`,
  )
  return row?.id
}

export async function findRole(ctx: Context, id: string): Promise<string | undefined> {
  const [user] = await ctx.run<{ role: string }>(
    sql`select role from users where org_id = ${ctx.org} and id = ${id} and disabled_at is null`,
  )
  return user?.role
}
