-- in lots for each organization
-- Bills of carriers' invoices for several manifests, from before 0169. Where two such bills pay for one manifest, the older is kept for it.
insert into manifest_bills (org_id, manifest_id, bill_id)
select distinct on (m.manifest_id) i.org_id, m.manifest_id, b.id
from carrier_invoices i
join bills b on b.org_id = i.org_id and b.id = i.bill_id and b.number is not null and b.voided_at is null
join carrier_invoice_manifests m on m.org_id = i.org_id and m.carrier_invoice_id = i.id
join objects o on o.org_id = i.org_id and o.id = m.manifest_id and o.object_key = 'manifest' and o.deleted_at is null
left join manifest_bills l on l.org_id = i.org_id and l.manifest_id = m.manifest_id
where i.org_id = current_setting('app.org_id')::uuid and i.state = 'billed' and l.bill_id is null
order by m.manifest_id, b.id
limit 5000
on conflict do nothing
returning 1;
