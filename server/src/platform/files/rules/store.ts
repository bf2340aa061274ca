import type { Context } from '../../context.ts'
import { sql } from '../../db/sql/sql.ts'
import type { DocumentType } from '../model.ts'
import type { Step } from './model.ts'

export type MissingFiles = { id: string; number: number | null; document_types: DocumentType[] }

/** Of these bills those that lack documents which rules ask for before this step, with the types that are missing. */
export async function listMissing(ctx: Context, step: Step, bills: readonly string[]): Promise<MissingFiles[]> {
  return ctx.run<MissingFiles>(sql`
    select b.id, b.number, array_agg(distinct needed.type order by needed.type) as document_types
    from bills b join document_rules r on r.org_id = b.org_id and r.before = ${step} and (r.partner_carrier_id is null or r.partner_carrier_id = b.partner_carrier_id)
    cross join lateral unnest(r.document_types) as needed(type)
    where b.org_id = ${ctx.org} and b.id = any(${bills}::uuid[]) and not exists (
      select from document_links l join document_files d on d.org_id = l.org_id and d.id = l.document_id
      where l.org_id = ${ctx.org} and d.document_type = needed.type and (l.record_id = b.id or l.record_id = b.master_trip_id or l.record_id in (
        select i.manifest_id from bill_items i where i.org_id = ${ctx.org} and i.bill_id = b.id)))
    group by b.id, b.number order by b.id`)
}

/** A bill that is not written yet: whose it is, and the records whose documents count, itself among them. */
export type PlannedBill = { partner_carrier_id: string | null; records: readonly string[] }

/** The same for bills as they are going to be, by their place in the list. */
export async function listMissingOfPlanned(
  ctx: Context,
  step: Step,
  bills: readonly PlannedBill[],
): Promise<{ index: number; document_types: DocumentType[] }[]> {
  const rows = JSON.stringify(
    bills.map(({ partner_carrier_id, records }, index) => ({ index, partner_carrier_id, records })),
  )
  return ctx.run(sql`
    select n.index, array_agg(distinct needed.type order by needed.type) as document_types
    from jsonb_to_recordset(${rows}::text::jsonb) as n(index int, partner_carrier_id uuid, records uuid[])
    join document_rules r on r.org_id = ${ctx.org} and r.before = ${step} and (r.partner_carrier_id is null or r.partner_carrier_id = n.partner_carrier_id)
    cross join lateral unnest(r.document_types) as needed(type)
    where not exists (
      select from document_links l join document_files d on d.org_id = l.org_id and d.id = l.document_id
      where l.org_id = ${ctx.org} and d.document_type = needed.type and l.record_id = any(n.records))
    group by n.index order by n.index`)
}
