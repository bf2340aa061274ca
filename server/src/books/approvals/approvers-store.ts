import { approvingRoles } from '../../platform/access/roles.ts'
import type { Context } from '../../platform/context.ts'
import {
  envelope,
  type FoundRecords,
  nothingFound,
  type PageRequest,
  pageOf,
} from '../../platform/core/schema/pages.ts'
import { keyTypesOf, newestFirst, pageStatement } from '../../platform/db/sql/keyset.ts'
import { sql } from '../../platform/db/sql/sql.ts'

export async function listApprovers(ctx: Context, search: PageRequest): Promise<string> {
  const page = pageOf('approvers', search, keyTypesOf(newestFirst))
  const filter = sql`org_id = ${ctx.org} and disabled_at is null and role = any(${approvingRoles}::text[])`
  const [found] = await ctx.run<FoundRecords>(
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
