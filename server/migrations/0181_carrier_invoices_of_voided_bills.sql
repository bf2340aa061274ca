-- in lots for each organization
-- Carrier invoices whose bill was voided before voiding took them along: those whose bill was corrected have the bill in its place, the others can be
-- decided about again. Where two could have the same bill, the first has it.
with stuck as (
  select i.id, i.partner_carrier_id, i.invoice_number, b.voided_at, b.void_reason
  from carrier_invoices i join bills b on b.org_id = i.org_id and b.id = i.bill_id and b.voided_at is not null
  where i.org_id = current_setting('app.org_id')::uuid and i.state = 'billed' order by i.id limit 1000
), copies as (
  select distinct on (b.id) s.id, b.id as bill_id
  from stuck s
  join carrier_invoice_manifests m on m.org_id = current_setting('app.org_id')::uuid and m.carrier_invoice_id = s.id
  join manifest_bills l on l.org_id = current_setting('app.org_id')::uuid and l.manifest_id = m.manifest_id
  join bills b on b.org_id = current_setting('app.org_id')::uuid and b.id = l.bill_id and b.voided_at is null
    and b.partner_carrier_id = s.partner_carrier_id and b.reference_number = s.invoice_number
  where not exists (select from carrier_invoices o where o.org_id = current_setting('app.org_id')::uuid and o.bill_id = b.id)
  order by b.id, s.id
), named as (
  select s.id, s.voided_at, s.void_reason, (select c.bill_id from copies c where c.id = s.id order by c.bill_id limit 1) as bill_id from stuck s
)
update carrier_invoices i set
  bill_id = n.bill_id,
  state = case when n.bill_id is not null then 'billed' when i.manifest_ids = '{}' then 'received' else 'matched' end,
  approved_amount = case when n.bill_id is not null then i.approved_amount end,
  findings = case when n.bill_id is not null then i.findings else '[]' end,
  comparison = case when n.bill_id is not null then i.comparison else '[]' end,
  audited_at = case when n.bill_id is not null then i.audited_at end,
  decisions = case when n.bill_id is not null then i.decisions else i.decisions || jsonb_build_array(jsonb_build_object(
    'decision', 'void', 'note', coalesce(n.void_reason, ''), 'amount', null, 'decided_by', '', 'decided_at', wire_time(n.voided_at))) end,
  revision = i.revision + 1, updated_at = statement_timestamp()
from named n where i.org_id = current_setting('app.org_id')::uuid and i.id = n.id
returning 1;
