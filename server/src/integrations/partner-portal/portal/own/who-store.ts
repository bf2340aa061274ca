import type { Context } from '../../../../platform/context.ts'
import { sql } from '../../../../platform/db/sql/sql.ts'

export type PortalVisitor = {
  carrier: string
  carrier_name: string
  organization: string
  /** What the person is called; null of a link. */
  name: string | null
  manifest_id: string | null
  bill_id: string | null
  expires_at: Date | null
}

/** The carrier of a user with the role partner, as it is at this moment. */
export async function findPartnerOfUser(ctx: Context, user: string): Promise<PortalVisitor | undefined> {
  const [row] = await ctx.run<PortalVisitor>(sql`
    select u.partner_carrier_id as carrier, c.name as carrier_name, own.name as organization, u.name, null::uuid as manifest_id, null::uuid as bill_id, null::timestamptz as expires_at
    from users u join organizations own on own.org_id = u.org_id
    join objects c on c.org_id = u.org_id and c.id = u.partner_carrier_id and c.object_key = 'partner' and c.deleted_at is null
    where u.org_id = ${ctx.org} and u.id = ${user} and u.role = 'partner' and u.disabled_at is null`)
  return row
}

/** The carrier and the record of a link that is good at this moment. */
export async function findPartnerOfLink(ctx: Context, link: string): Promise<PortalVisitor | undefined> {
  const [row] = await ctx.run<PortalVisitor>(sql`
    select l.partner_carrier_id as carrier, c.name as carrier_name, own.name as organization, null::text as name, l.manifest_id, l.bill_id, l.expires_at
    from portal_links l join organizations own on own.org_id = l.org_id
    join objects c on c.org_id = l.org_id and c.id = l.partner_carrier_id and c.object_key = 'partner' and c.deleted_at is null
    where l.org_id = ${ctx.org} and l.id = ${link} and l.revoked_at is null and l.expires_at > statement_timestamp()`)
  return row
}
