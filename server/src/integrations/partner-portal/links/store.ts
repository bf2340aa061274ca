import type { Context } from '../../../platform/context.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../../../platform/core/schema/pages.ts'
import type { WireRecord } from '../../../platform/core/schema/revisions.ts'
import type { Database } from '../../../platform/db/database.ts'
import { andChanged } from '../../../platform/db/sql/changed.ts'
import { keyTypesOf, newestFirst, pageStatement } from '../../../platform/db/sql/keyset.ts'
import { sql, when } from '../../../platform/db/sql/sql.ts'
import type { PortalLink, PortalLinkSearch } from './model.ts'

export async function listLinks(ctx: Context, search: PortalLinkSearch): Promise<string> {
  const page = pageOf('portal_links', search, keyTypesOf(newestFirst))
  const { manifest_ids, bill_ids, partner_carrier_ids, status_ids: states } = search
  const filter = sql`org_id = ${ctx.org}${andChanged(ctx.org, 'portal_links', search)} ${when(manifest_ids, sql`and manifest_id = any(${manifest_ids}::uuid[])`)}
    ${when(bill_ids, sql`and bill_id = any(${bill_ids}::uuid[])`)} ${when(partner_carrier_ids, sql`and partner_carrier_id = any(${partner_carrier_ids}::uuid[])`)}
    ${when(states, sql`and state = any(${states}::text[])`)}`
  const total = sql`(select count(*)::int from portal_links_wire where ${filter})`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({ total, rows: sql`from portal_links_wire where ${filter}`, order: newestFirst, page }),
  )
  return envelope('links', found ?? nothingFound, page)
}

export async function findLink(ctx: Context, id: string): Promise<WireRecord | undefined> {
  const [row] = await ctx.run<WireRecord>(
    sql`select revision, json from portal_links_wire where org_id = ${ctx.org} and id = ${id}`,
  )
  return row
}

export async function lockLink(ctx: Context, id: string): Promise<PortalLink | undefined> {
  const locked = await ctx.run(sql`select id from portal_links where org_id = ${ctx.org} and id = ${id} for update`)
  const found = locked.length > 0 ? await findLink(ctx, id) : undefined
  return found && JSON.parse(found.json)
}

type New = {
  id: string
  manifest_id: string | null
  bill_id: string | null
  partner_carrier_id: string
  created_by: string
  token_sha256: Buffer
}

export async function insertLink(
  ctx: Context,
  { id, manifest_id, bill_id, partner_carrier_id, created_by, token_sha256 }: New,
  seconds: number,
): Promise<void> {
  await ctx.run(sql`
    insert into portal_links (org_id, id, token_sha256, partner_carrier_id, manifest_id, bill_id, expires_at, created_by)
    values (${ctx.org}, ${id}, ${token_sha256}, ${partner_carrier_id}, ${manifest_id}, ${bill_id}, now() + ${seconds} * interval '1 second', ${created_by})`)
}

export async function saveRevoked(ctx: Context, id: string, revoked_by: string): Promise<void> {
  await ctx.run(sql`
    update portal_links set revoked_at = statement_timestamp(), revoked_by = ${revoked_by}, revision = revision + 1, updated_at = statement_timestamp()
    where org_id = ${ctx.org} and id = ${id}`)
}

export type OpenedLink = Pick<PortalLink, 'id' | 'manifest_id' | 'bill_id' | 'state'> & { seconds_left: number }

/** The link with this secret, and for how long it is good by the clock of the database. */
export async function findBySecret(
  database: Database,
  org: string,
  token_sha256: Buffer,
): Promise<OpenedLink | undefined> {
  const [row] = await database.read<OpenedLink>(
    org,
    sql`select l.id, l.manifest_id, l.bill_id, case when l.revoked_at is not null then 'revoked' when l.expires_at <= statement_timestamp() then 'expired' else 'open' end as state,
      extract(epoch from l.expires_at - statement_timestamp())::float8 as seconds_left
      from portal_links l where l.org_id = ${org} and l.token_sha256 = ${token_sha256}`,
  )
  return row
}

export async function noteOpened(database: Database, org: string, id: string): Promise<void> {
  await database.transaction(org, (run) =>
    run(sql`update portal_links set last_opened_at = statement_timestamp() where org_id = ${org} and id = ${id}`),
  )
}

/** Whether this manifest is offered to this carrier now. */
export async function isOffered(ctx: Context, manifest: string, carrier: string): Promise<boolean> {
  const rows = await ctx.run(sql`
    select id from tenders where org_id = ${ctx.org} and manifest_id = ${manifest} and partner_carrier_id = ${carrier}
      and (state = 'countered' or state = 'open' and expires_at > statement_timestamp())`)
  return rows.length > 0
}
