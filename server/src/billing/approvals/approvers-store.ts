import { approvingRoles } from '../../auth/roles.ts'
import type { Context } from '../../context.ts'
import { type Asked, envelope, type Found, nothingFound, pageOf } from '../../core/pages.ts'
import { keyTypesOf, newestFirst, pageStatement } from '../../db/keyset.ts'
import { sql } from '../../db/sql.ts'

export async function listApprovers(ctx: Context, search: Asked): Promise<string> {
  const page = pageOf('approvers', search, keyTypesOf(newestFirst))
  const filter = sql`org_id = ${ctx.org} and disabled_at is null and role = any(${approvingRoles}::text[])`
  const [found] = await ctx.run<Found>(
    pageStatement({
      total: sql`(select count(*)::int from users where ${filter})`,
      json: sql`json_build_object('id', id, 'name', name)::text`,
      rows: sql`from users where ${filter}`,
      order: newestFirst,
      page,
    }),
  )
  return envelope('approvers', found ?? nothingFound, page)
}
