-- in lots for each organization
-- As 0164, for the second table that 0150 was to fill.
insert into carrier_invoice_manifests (org_id, manifest_id, carrier_invoice_id)
select distinct i.org_id, m.id, i.id
from carrier_invoices i cross join unnest(i.manifest_ids) as m(id)
left join carrier_invoice_manifests l on l.org_id = i.org_id and l.manifest_id = m.id and l.carrier_invoice_id = i.id
where i.org_id = current_setting('app.org_id')::uuid and l.carrier_invoice_id is null
limit 5000
on conflict do nothing
returning 1;
