-- A run pays what is due to many payees at once: drafts of payments, looked through, approved by a second person, issued together.
create table payment_runs (
  org_id uuid not null,
  id uuid not null,
  number integer not null,
  external_id text,
  status text not null default 'draft' constraint payment_run_status check (status in ('draft', 'approved', 'issued')),
  currency_id text not null,
  due_until date not null,
  pay_on date not null,
  partner_carrier_ids uuid[],
  left_out jsonb not null default '[]',
  has_more boolean not null default false,
  approved_by text,
  approved_at timestamptz(3),
  by_the_only_user boolean not null default false,
  issued_by text,
  issued_at timestamptz(3),
  -- The account from which it was paid, as it was then; encrypted. Its files are made from this.
  account_name text,
  company_id text,
  ach_file text,
  bank_details_sealed text,
  revision integer not null default 1,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint payment_run_number unique (org_id, number),
  constraint payment_run_external_id unique (org_id, external_id),
  constraint payment_run_is_approved_by_someone check ((status = 'draft') = (approved_by is null) and (approved_by is null) = (approved_at is null)),
  constraint payment_run_needs_a_second_person check (approved_by <> created_by or by_the_only_user),
  constraint payment_run_is_issued_by_someone check ((status = 'issued') = (issued_by is not null) and (issued_by is null) = (issued_at is null))
);
create index payment_runs_newest on payment_runs (org_id, created_at desc, id desc);
call keep_apart('payment_runs');
alter table payment_runs add constraint payment_run_organization foreign key (org_id) references organizations;
alter table payment_runs add constraint payment_run_currency foreign key (currency_id) references currencies;
grant select, insert, update, delete on payment_runs to lading_app;

-- A payment of a run and where it goes. What stands behind `payee_name` is written when it is issued, as it is then.
create table payment_run_payments (
  org_id uuid not null,
  payment_id uuid not null,
  run_id uuid not null,
  payee_id uuid not null,
  payee_name text,
  bank_details_sealed text,
  bank_details_masked jsonb,
  address jsonb,
  remittance_email text,
  -- What the carrier gives for being paid soon is a credit of it, which is applied to the bills.
  credit_id uuid,
  returned_at timestamptz(3),
  return_code text,
  return_reason text,
  primary key (org_id, payment_id),
  constraint payment_run_payment_is_of_the_run unique (org_id, run_id, payment_id),
  constraint payment_run_payment_is_returned_for_a_reason check ((returned_at is null) = (return_reason is null))
);
create index payment_run_payments_payee on payment_run_payments (org_id, payee_id);
call keep_apart('payment_run_payments');
alter table payment_run_payments add constraint payment_run_payment_organization foreign key (org_id) references organizations;
alter table payment_run_payments add constraint payment_run_payment_run foreign key (org_id, run_id) references payment_runs;
alter table payment_run_payments add constraint payment_run_payment_payment foreign key (org_id, payment_id) references payments;
alter table payment_run_payments add constraint payment_run_payment_payee foreign key (org_id, payee_id) references payees;
alter table payment_run_payments add constraint payment_run_payment_credit foreign key (org_id, credit_id) references credits;
grant select, insert, update, delete on payment_run_payments to lading_app;

-- How much of which bill a run pays. A bill is in one run at a time, from when it is chosen until its payment comes back.
create table payment_run_items (
  org_id uuid not null,
  run_id uuid not null,
  bill_id uuid not null,
  payment_id uuid not null,
  amount amount not null,
  discount_amount amount not null default 0,
  state text not null default 'planned' constraint payment_run_item_state check (state in ('planned', 'paid', 'returned')),
  primary key (org_id, run_id, bill_id),
  constraint payment_run_item_is_of_something check (amount <> 0),
  constraint payment_run_item_discount_is_a_part check (discount_amount >= 0 and (discount_amount = 0 or amount > 0))
);
create unique index payment_run_bill_is_in_one_run on payment_run_items (org_id, bill_id) where state in ('planned', 'paid');
create index payment_run_items_payment on payment_run_items (org_id, payment_id);
call keep_apart('payment_run_items');
alter table payment_run_items add constraint payment_run_item_organization foreign key (org_id) references organizations;
alter table payment_run_items add constraint payment_run_item_payment foreign key (org_id, run_id, payment_id) references payment_run_payments (org_id, run_id, payment_id);
alter table payment_run_items add constraint payment_run_item_bill foreign key (org_id, bill_id) references bills;
grant select, insert, update, delete on payment_run_items to lading_app;

create view payment_runs_wire with (security_invoker = true) as
select r.org_id, r.id, r.revision, r.created_at, r.external_id, r.status, r.currency_id, left(json_build_object(
  'id', r.id, 'org_id', r.org_id, 'number', 'RUN-' || lpad(r.number::text, greatest(6, length(r.number::text)), '0'), 'external_id', r.external_id, 'status', r.status,
  'currency_id', r.currency_id, 'due_until', r.due_until::text, 'pay_on', r.pay_on::text, 'partner_carrier_ids', r.partner_carrier_ids, 'left_out', r.left_out,
  'has_more', r.has_more, 'approved_by', r.approved_by, 'approved_at', wire_time(r.approved_at), 'by_the_only_user', r.by_the_only_user, 'issued_by', r.issued_by,
  'issued_at', wire_time(r.issued_at),
  'available_actions', case r.status when 'draft' then '["approve","delete"]' when 'approved' then '["issue","delete"]' else '[]' end::json,
  'revision', r.revision, 'created_by', r.created_by, 'created_at', wire_time(r.created_at), 'updated_at', wire_time(r.updated_at))::text, -1) as open_json
from payment_runs r;
grant select on payment_runs_wire to lading_app;

-- A payment of a run is changed through its run alone. The column is new and null, so nothing is rewritten.
alter table payments add column payment_run_id uuid;
alter table payments add constraint payment_of_a_run foreign key (org_id, payment_run_id) references payment_runs not valid;

create or replace view payments_wire with (security_invoker = true) as
select p.org_id, p.id, p.revision, p.created_at, p.external_id, p.status, p.planned_allocations, left(json_build_object(
  'id', p.id, 'number', 'PAY-' || lpad(p.number::text, greatest(6, length(p.number::text)), '0'), 'org_id', p.org_id, 'external_id', p.external_id,
  'direction', p.direction, 'partner_carrier_id', p.partner_carrier_id, 'customer_id', p.customer_id, 'currency_id', p.currency_id, 'amount', p.amount,
  'allocated_amount', p.allocated_amount, 'unallocated_amount', case when p.status = 'voided' then 0 else p.amount - p.allocated_amount end,
  'method', p.method, 'reference_number', p.reference_number, 'notes', p.notes, 'paid_at', wire_time(p.paid_at), 'status', p.status,
  'voided_at', wire_time(p.voided_at), 'void_reason', p.void_reason, 'exchange_rate', trim_scale(p.exchange_rate)::text, 'home_currency_id', p.home_currency_id,
  'realized_gain_amount', p.realized_gain_amount, 'consolidated_bill_id', p.consolidated_bill_id, 'payment_run_id', p.payment_run_id,
  'available_actions', case when p.payment_run_id is null then payment_actions(p.status) when p.status = 'issued' then '["clear","return"]'
    when p.status = 'cleared' then '["return"]' else '[]' end::jsonb,
  'revision', p.revision, 'created_by', p.created_by, 'created_at', wire_time(p.created_at), 'updated_at', wire_time(p.updated_at))::text, -1) as open_json
from payments p;

-- What is taken off where a bill is paid early: percent of its total, within so many days of its date.
alter table pay_terms add column discount_days integer, add column discount_percent numeric(9, 6);
alter table pay_terms add constraint pay_term_discount_is_whole check ((discount_days is null) = (discount_percent is null)) not valid;
alter table pay_terms add constraint pay_term_discount_days check (discount_days between 0 and 3650) not valid;
alter table pay_terms add constraint pay_term_discount_percent check (discount_percent > 0 and discount_percent < 100) not valid;

create or replace view pay_terms_wire with (security_invoker = true) as
select t.org_id, t.id, t.revision, t.created_at, t.name, t.wire || ',"connector_mappings":' || coalesce((
    select json_object_agg(m.connector_id, row_to_json(mapping) order by m.connector_id)::text from pay_term_connector_mappings m
    cross join lateral (select m.connector_id, m.vendor_pay_term_id, m.pay_term_id, m.org_id) mapping
    where m.org_id = t.org_id and m.pay_term_id = t.id), '{}') || ',"discount_days":' || coalesce(t.discount_days::text, 'null')
    || ',"discount_percent":' || coalesce('"' || trim_scale(t.discount_percent)::text || '"', 'null') || ',"revision":' || t.revision || '}' as json
from pay_terms t;
