import type { Context } from '../../../platform/context.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../../../platform/core/schema/pages.ts'
import { andChanged } from '../../../platform/db/sql/changed.ts'
import { keyTypesOf, newestFirst, pageStatement } from '../../../platform/db/sql/keyset.ts'
import { sql, when } from '../../../platform/db/sql/sql.ts'
import type { InvitationSearch } from './model.ts'

/** The users of carriers, with the name of the carrier of each. */
export async function listInvitations(ctx: Context, search: InvitationSearch): Promise<string> {
  const page = pageOf('portal_invitations', search, keyTypesOf(newestFirst))
  const { partner_carrier_ids } = search
  const filter = sql`w.org_id = ${ctx.org}${andChanged(ctx.org, 'users', search)} and w.partner_carrier_id is not null
    ${when(partner_carrier_ids, sql`and w.partner_carrier_id = any(${partner_carrier_ids}::uuid[])`)}`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({
      total: sql`(select count(*)::int from users_wire w where ${filter})`,
      json: sql`left(w.json, -1) || ',"partner_carrier_name":' || coalesce((
        select to_json(o.name)::text from objects o where o.org_id = ${ctx.org} and o.id = w.partner_carrier_id), 'null') || '}'`,
      rows: sql`from users_wire w where ${filter}`,
      order: newestFirst,
      page,
    }),
  )
  return envelope('invitations', found ?? nothingFound, page)
}
