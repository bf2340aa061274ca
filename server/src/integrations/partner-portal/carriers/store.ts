import type { Context } from '../../../platform/context.ts'
import { sql } from '../../../platform/db/sql/sql.ts'

/** The name of a carrier of the organization, which stays until the transaction ends. */
export async function holdCarrier(
  ctx: Context,
  id: string,
): Promise<{ name: string; email: string | null } | undefined> {
  const [row] = await ctx.run<{ name: string; email: string | null }>(
    sql`select name, json ->> 'email' as email from objects where org_id = ${ctx.org} and id = ${id} and object_key = 'partner' and deleted_at is null for key share`,
  )
  return row
}

/** `items` are its payment items as they are kept, whatever an organization has made of that field. */
export type HeldManifest = {
  id: string
  full_id: string
  status: string
  carrier: string | null
  currency: string | null
  items: unknown
}

/** The manifest and its carrier, which stay as they are until the transaction ends. */
export async function lockManifest(ctx: Context, id: string): Promise<HeldManifest | undefined> {
  const [row] = await ctx.run<HeldManifest>(sql`
    select id, full_id, status, json ->> 'partnerId' as carrier, json ->> 'currency' as currency, json -> 'paymentItems' as items from objects
    where org_id = ${ctx.org} and id = ${id} and object_key = 'manifest' and deleted_at is null for update`)
  return row
}

/** The carrier of a bill that carriers may see. */
export async function findBillCarrier(
  ctx: Context,
  id: string,
): Promise<{ carrier: string | null; status_id: string; voided: boolean } | undefined> {
  const [row] = await ctx.run<{ carrier: string | null; status_id: string; voided: boolean }>(
    sql`select partner_carrier_id as carrier, status_id, voided_at is not null as voided from bills where org_id = ${ctx.org} and id = ${id} for key share`,
  )
  return row
}
