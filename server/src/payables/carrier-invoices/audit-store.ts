import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/** For each of these invoices that has the carrier and number of a bill, or of an invoice before it: which, in words. */
export async function listSameInvoices(ctx: Context, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { org } = ctx
  const rows = await ctx.run<{ id: string; same: string }>(sql`
    select i.id, coalesce(
      (select 'The bill ' || coalesce(bill_number(b.number), b.id::text) from bills b where b.org_id = ${org} and b.reference_number is not null and b.voided_at is null
        and carrier_number(b.reference_number) = carrier_number(i.invoice_number) and b.partner_carrier_id = i.partner_carrier_id order by b.id limit 1),
      (select 'The carrier invoice ' || o.invoice_number || ' of ' || coalesce(o.invoice_date::text, 'no date') from carrier_invoices o where o.org_id = ${org}
        and carrier_number(o.invoice_number) = carrier_number(i.invoice_number) and o.partner_carrier_id = i.partner_carrier_id and o.id < i.id and o.state <> 'rejected'
        order by o.id limit 1)) as same
    from carrier_invoices i where i.org_id = ${org} and i.id = any(${ids}::uuid[])`)
  return new Map(rows.flatMap(({ id, same }) => (same ? [[id, same] as const] : [])))
}

/** The invoices that are matched with these manifests and not rejected, by the manifest, the first first. */
export async function listRivals(ctx: Context, manifests: readonly string[]): Promise<ReadonlyMap<string, readonly { id: string; invoice_number: string }[]>> {
  const rows = await ctx.run<{ manifest: string; id: string; invoice_number: string }>(sql`
    select m.id as manifest, i.id, i.invoice_number from unnest(${manifests}::uuid[]) as m(id)
    cross join lateral (select i.id, i.invoice_number from carrier_invoices i where i.org_id = ${ctx.org} and i.manifest_ids @> array[m.id] and i.state <> 'rejected'
      order by i.id limit 5) i`)
  return Map.groupBy(rows, ({ manifest }) => manifest)
}
