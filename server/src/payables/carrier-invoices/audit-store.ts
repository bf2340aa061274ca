import type { Context } from '../../platform/context.ts'
import { sql } from '../../platform/db/sql/sql.ts'

/**
 * For each of these invoices that has the carrier and number of a bill, or of an invoice before it: which, in words. The first is chosen after the join:
 * asked for the first of each, PostgreSQL reads all bills in the order of their ids until one fits, and mostly none does.
 */
export async function listSameInvoices(ctx: Context, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { org } = ctx
  const rows = await ctx.run<{ id: string; same: string }>(sql`
    with asked as materialized (
      select i.id, i.partner_carrier_id, i.number_key as number from carrier_invoices i where i.org_id = ${org} and i.id = any(${ids}::uuid[]))
    select distinct on (found.id) found.id, found.same from (
      select a.id, 1 as rank, b.id as other_id, 'The bill ' || coalesce(bill_number(b.number), b.id::text) as same from asked a
      join bill_numbers n on n.org_id = ${org} and n.number = a.number and n.partner_carrier_id = a.partner_carrier_id
      join bills b on b.org_id = ${org} and b.id = n.bill_id and b.voided_at is null
      union all
      select a.id, 2, o.id, 'The carrier invoice ' || o.invoice_number || ' of ' || coalesce(o.invoice_date::text, 'no date') from asked a
      join carrier_invoices o on o.org_id = ${org} and o.number_key = a.number and o.partner_carrier_id = a.partner_carrier_id and o.id < a.id and o.state <> 'rejected') found
    order by found.id, found.rank, found.other_id`)
  return new Map(rows.map(({ id, same }) => [id, same]))
}

/** `is_decided`: whether it is approved or billed. */
export type Rival = { id: string; invoice_number: string; is_decided: boolean }

/** The invoices that are matched with these manifests and not rejected, by the manifest, the first first. */
export async function listRivals(
  ctx: Context,
  manifests: readonly string[],
): Promise<ReadonlyMap<string, readonly Rival[]>> {
  const rows = await ctx.run<Rival & { manifest: string }>(sql`
    select m.manifest_id as manifest, i.id, i.invoice_number, i.state in ('approved', 'billed') as is_decided from carrier_invoice_manifests m
    join carrier_invoices i on i.org_id = ${ctx.org} and i.id = m.carrier_invoice_id and i.state <> 'rejected'
    where m.org_id = ${ctx.org} and m.manifest_id = any(${manifests}::uuid[]) order by i.id`)
  return Map.groupBy(rows, ({ manifest }) => manifest)
}

/** Those of these invoices with which a proof of delivery came. */
export async function listWithPod(ctx: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await ctx.run<{ id: string }>(sql`
    select distinct l.carrier_invoice_id as id from document_links l join document_files d on d.org_id = l.org_id and d.id = l.document_id
    where l.org_id = ${ctx.org} and l.carrier_invoice_id = any(${ids}::uuid[]) and d.document_type = 'pod'`)
  return new Set(rows.map(({ id }) => id))
}

/** Whether a manifest of the invoice changed after its audit. */
export async function isOutdated(ctx: Context, id: string): Promise<boolean> {
  const rows = await ctx.run(sql`
    select from carrier_invoices i join objects o on o.org_id = ${ctx.org} and o.id = any(i.manifest_ids) and o.updated_at > i.audited_at
    where i.org_id = ${ctx.org} and i.id = ${id} limit 1`)
  return rows.length > 0
}
