import type { Context } from '../../platform/context.ts'
import { sql } from '../../platform/db/sql/sql.ts'

export async function findIdByClientId(ctx: Context, client_id: string): Promise<string | undefined> {
  const [row] = await ctx.run<{ id: string }>(
    sql`select id from applications where org_id = ${ctx.org} and client_id = ${client_id}`,
  )
  return row?.id
}
