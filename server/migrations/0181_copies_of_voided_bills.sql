-- in lots for each organization
-- Carrier invoices whose bill was corrected before that took them along have the bill in its place. Where two could have the same, the first has it.
update carrier_invoices i set bill_id = found.bill_id, revision = i.revision + 1, updated_at = statement_timestamp()
from (
  select distinct on (b.id) s.id, b.id as bill_id
  from carrier_invoices s
  join bills v on v.org_id = s.org_id and v.id = s.bill_id and v.voided_at is not null
  join carrier_invoice_manifests m on m.org_id = s.org_id and m.carrier_invoice_id = s.id
  join manifest_bills l on l.org_id = s.org_id and l.manifest_id = m.manifest_id
  join bills b on b.org_id = s.org_id and b.id = l.bill_id and b.voided_at is null and b.partner_carrier_id = s.partner_carrier_id and b.reference_number = s.invoice_number
  left join carrier_invoices o on o.org_id = s.org_id and o.bill_id = b.id
  where s.org_id = current_setting('app.org_id')::uuid and s.state = 'billed' and o.id is null
  order by b.id, s.id
  limit 1000) as found
where i.org_id = current_setting('app.org_id')::uuid and i.id = found.id
returning 1;
