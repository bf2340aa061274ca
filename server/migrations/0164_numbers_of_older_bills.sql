-- in lots for each organization
-- Row-level security hid the bills from 0150 where the owner of the tables is no superuser, so it filled nothing: duplicates of older bills were not found.
insert into bill_numbers (org_id, bill_id, partner_carrier_id, number)
select b.org_id, b.id, b.partner_carrier_id, carrier_number(b.reference_number)
from bills b left join bill_numbers n on n.org_id = b.org_id and n.bill_id = b.id
where b.org_id = current_setting('app.org_id')::uuid and n.bill_id is null and b.partner_carrier_id is not null and carrier_number(b.reference_number) is not null
limit 5000
on conflict do nothing
returning 1;
