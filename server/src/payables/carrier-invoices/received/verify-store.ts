import type { Run } from '../../../platform/db/sql/rows.ts'
import { sql, when } from '../../../platform/db/sql/sql.ts'

/** What is wrong with carrier invoices, in sentences. The constraints keep most of it true within a row; this does not rely on them. */
export async function listInvoiceFaults(run: Run, organizations?: readonly string[]): Promise<string[]> {
  const rows = await run<{ fault: string }>(sql`
    select 'The carrier invoice ' || id || ' of the organization ' || org_id || ' ' || fault || '.' as fault from (
      select i.org_id, i.id, 'is billed and its bill ' || coalesce(i.bill_id::text, '') || ' is not there, or is voided' as fault
      from carrier_invoices i left join bills b on b.org_id = i.org_id and b.id = i.bill_id where i.state = 'billed' and (b.id is null or b.voided_at is not null)
      union all
      select i.org_id, i.id, 'is ' || i.state || ' and has the bill ' || i.bill_id from carrier_invoices i where i.state <> 'billed' and i.bill_id is not null
      union all
      select i.org_id, i.id, 'is ' || i.state || ' and nobody knows how much of it is paid' from carrier_invoices i
      where i.state in ('approved', 'billed') and i.approved_amount is null
      union all
      select i.org_id, i.id, 'was audited, or is ' || i.state || ', and lacks ' || array_to_string(i.missing_fields, ' and ') from carrier_invoices i
      where i.missing_fields <> '{}' and (i.audited_at is not null or i.state not in ('received', 'matched', 'rejected'))
      union all
      select i.org_id, i.id, 'was audited, and that its lines come to ' || s.total || ' and not to ' || i.total_amount || ' was not found' from carrier_invoices i
      join (select l.org_id, l.id, sum((line ->> 'amount')::numeric) as total from carrier_invoices l cross join jsonb_array_elements(l.lines) as line group by l.org_id, l.id) s
        on s.org_id = i.org_id and s.id = i.id
      where i.audited_at is not null and s.total <> i.total_amount and not jsonb_path_exists(i.findings, '$[*] ? (@.code == "wrong_total")')
      union all
      select i.org_id, i.id, 'is not found by the manifests that it is matched with' from carrier_invoices i
      left join (select org_id, carrier_invoice_id, array_agg(manifest_id order by manifest_id) as manifest_ids from carrier_invoice_manifests group by org_id, carrier_invoice_id) m
        on m.org_id = i.org_id and m.carrier_invoice_id = i.id
      where not (coalesce(m.manifest_ids, '{}') <@ i.manifest_ids and coalesce(m.manifest_ids, '{}') @> i.manifest_ids)
    ) as found(org_id, id, fault)
    where true ${when(organizations, sql`and org_id = any(${organizations}::uuid[])`)} order by org_id, id`)
  return rows.map(({ fault }) => fault)
}
