-- The tax that was set on a bill stays while tax is switched off, and comes back with it. Null while tax is on, and where none was set.
-- A plain bigint: a column of the domain `amount`, which has a constraint, would rewrite the table. `not valid` spares a reading of the whole table
-- under the lock: a column that is new is null everywhere, and every row that is written from now on is checked.
alter table bills add column kept_tax_amount bigint;
alter table bills add constraint bill_keeps_tax_while_it_is_off
  check (kept_tax_amount is null or (not is_tax_on and kept_tax_amount between -9007199254740991 and 9007199254740991)) not valid;

create or replace view bills_wire with (security_invoker = true) as
select b.org_id, b.id, b.revision, b.created_at, b.consolidated_bill_id, own.text || '}' as json, b.external_id, b.created_by, b.pay_term_id, b.currency_id, own.text as open_json
from bills b
cross join lateral (
  select case when b.status_id = 'paid' and b.consolidated_bill_id is not null and exists (
      select from consolidated_bills s where s.org_id = b.org_id and s.id = b.consolidated_bill_id and s.status_id = 'paid')
    then left(b.wire, -length('["reopen"]')) || '[]' else b.wire end || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null') as text
) own;
