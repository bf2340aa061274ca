-- contracts for code before 0031_oldest_code.sql: the two constraints allow more than before, so nothing that older code writes is refused.
-- What a carrier owes us, credits that it gave and payments to it that settle nothing yet, is set off against its bills in a payment run. Of each bill a part
-- may be set off, and all of it too: then the payment has nothing of it. Nothing is rewritten: the defaults are constant.
alter table payment_runs add column set_off_credits boolean not null default false;
alter table payment_run_items add column set_off_amount bigint not null default 0;
alter table payment_run_items add constraint payment_run_item_set_off_is_a_part
  check (set_off_amount between 0 and 9007199254740991 and (set_off_amount = 0 or amount >= 0)) not valid;
alter table payment_run_items drop constraint payment_run_item_is_of_something;
alter table payment_run_items add constraint payment_run_item_is_of_something check (amount <> 0 or set_off_amount > 0) not valid;
alter table payment_run_items drop constraint payment_run_item_discount_is_a_part;
alter table payment_run_items add constraint payment_run_item_discount_is_a_part
  check (discount_amount >= 0 and (discount_amount = 0 or amount + set_off_amount > 0)) not valid;

-- A credit, or what is left of an earlier payment, that makes a payment of a run smaller. Each is in one run at a time, until that is issued; from then on what
-- is left of it says how much more can be set off.
create table payment_run_set_offs (
  org_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  payment_id uuid not null,
  credit_id uuid,
  from_payment_id uuid,
  amount amount not null constraint payment_run_set_off_is_of_something check (amount > 0),
  state text not null default 'planned' constraint payment_run_set_off_state check (state in ('planned', 'applied', 'returned')),
  primary key (org_id, id),
  constraint payment_run_set_off_has_one_source check (num_nonnulls(credit_id, from_payment_id) = 1)
);
create unique index payment_run_credit_is_in_one_run on payment_run_set_offs (org_id, credit_id) where state = 'planned';
create unique index payment_run_earlier_payment_is_in_one_run on payment_run_set_offs (org_id, from_payment_id) where state = 'planned';
create index payment_run_set_offs_payment on payment_run_set_offs (org_id, payment_id);
create index payment_run_set_offs_run on payment_run_set_offs (org_id, run_id);
call keep_apart('payment_run_set_offs');
alter table payment_run_set_offs add constraint payment_run_set_off_organization foreign key (org_id) references organizations;
alter table payment_run_set_offs add constraint payment_run_set_off_payment
  foreign key (org_id, run_id, payment_id) references payment_run_payments (org_id, run_id, payment_id) on delete cascade;
alter table payment_run_set_offs add constraint payment_run_set_off_credit foreign key (org_id, credit_id) references credits;
alter table payment_run_set_offs add constraint payment_run_set_off_earlier_payment foreign key (org_id, from_payment_id) references payments;
grant select, insert, update, delete on payment_run_set_offs to lading_app;

-- The run that has applied it: it is taken back with the payment of the run and in no other way.
alter table allocations add column payment_run_id uuid;

create or replace view allocations_wire with (security_invoker = true) as
select a.org_id, a.id, a.payment_id, a.from_credit_id, a.bill_id, a.invoice_id, a.to_credit_id, a.created_at, a.ended_at, json_build_object(
  'id', a.id, 'bill_id', a.bill_id, 'invoice_id', a.invoice_id, 'credit_id', a.to_credit_id, 'amount', a.amount, 'gain_amount', a.gain_amount,
  'created_at', wire_time(a.created_at))::text as json, a.payment_run_id
from allocations a;

create or replace view payment_runs_wire with (security_invoker = true) as
select r.org_id, r.id, r.revision, r.created_at, r.external_id, r.status, r.currency_id, left(json_build_object(
  'id', r.id, 'org_id', r.org_id, 'number', 'RUN-' || lpad(r.number::text, greatest(6, length(r.number::text)), '0'), 'external_id', r.external_id, 'status', r.status,
  'currency_id', r.currency_id, 'due_until', r.due_until::text, 'pay_on', r.pay_on::text, 'partner_carrier_ids', r.partner_carrier_ids,
  'set_off_credits', r.set_off_credits, 'left_out', r.left_out,
  'has_more', r.has_more, 'approved_by', r.approved_by, 'approved_at', wire_time(r.approved_at), 'by_the_only_user', r.by_the_only_user, 'issued_by', r.issued_by,
  'issued_at', wire_time(r.issued_at),
  'available_actions', case r.status when 'draft' then '["approve","delete"]' when 'approved' then '["issue","delete"]' else '[]' end::json,
  'revision', r.revision, 'created_by', r.created_by, 'created_at', wire_time(r.created_at), 'updated_at', wire_time(r.updated_at))::text, -1) as open_json
from payment_runs r;
