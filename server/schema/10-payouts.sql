-- Payees, the accounts that pay them, and payment runs.

-- Where money goes: one record for each carrier, and one for each factoring company, which belongs to no carrier. Bank
-- details are encrypted with a key that is not in the database; next to them is what may be shown.
create table payees (
  org_id uuid not null constraint payee_organization references organizations,
  id uuid not null,
  external_id text,
  partner_carrier_id uuid,
  name text not null constraint payee_name_is_sensible check (length(name) between 1 and 255),
  method text not null constraint payee_method check (method in ('ach', 'wire', 'check', 'other')),
  bank_details_sealed text,
  bank_details_masked jsonb,
  address jsonb,
  remittance_email text,
  factor_payee_id uuid,
  notice_of_assignment_on date,
  notice_document_id uuid,
  quick_pay_days integer constraint payee_quick_pay_days check (quick_pay_days between 0 and 365),
  quick_pay_percent numeric(9,6)
    constraint payee_quick_pay_percent check (quick_pay_percent > 0 and quick_pay_percent < 100),
  notes text,
  status text not null constraint payee_status check (status in ('waiting', 'active')),
  revision integer not null default 1,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  is_factor boolean not null generated always as (partner_carrier_id is null) stored,
  has_factor boolean generated always as (case when factor_payee_id is not null then true end) stored,
  primary key (org_id, id),
  constraint payee_external_id unique (org_id, external_id),
  constraint payee_of_a_carrier unique (org_id, partner_carrier_id),
  constraint payee_kind unique (org_id, id, is_factor),
  constraint payee_bank_details_can_be_shown_masked
    check ((bank_details_sealed is null) = (bank_details_masked is null)),
  constraint payee_assignment_has_its_notice check ((factor_payee_id is null) = (notice_of_assignment_on is null)),
  constraint payee_document_is_of_a_notice check (notice_document_id is null or factor_payee_id is not null),
  constraint payee_assigned_is_a_carrier check (factor_payee_id is null or partner_carrier_id is not null),
  constraint payee_quick_pay_is_whole check ((quick_pay_days is null) = (quick_pay_percent is null)),
  -- The payee of an assignment is a factoring company, so assignments never form a chain.
  constraint payee_factor foreign key (org_id, factor_payee_id, has_factor) references payees (org_id, id, is_factor)
);
create index payees_newest on payees (org_id, created_at desc, id desc);
create index payees_of_a_factor on payees (org_id, factor_payee_id) where factor_payee_id is not null;
create index payees_by_notice on payees (org_id, notice_document_id) where notice_document_id is not null;
create index payees_updated on payees (org_id, updated_at);
call keep_apart('payees');
-- The background work keeps documents that payees name, in all organizations.
create policy listed_by_owner on payees for select to current_user using (true);
grant select, insert, update, delete on payees to lading_app;

-- A change of where money goes. It waits until a second person has decided. `fields` are the new values, bank details
-- masked; `previous` what they replace.
create table payee_changes (
  org_id uuid not null constraint payee_change_organization references organizations,
  id uuid not null,
  payee_id uuid not null,
  status text not null default 'waiting'
    constraint payee_change_status check (status in ('waiting', 'approved', 'rejected')),
  fields jsonb not null,
  previous jsonb not null,
  bank_details_sealed text,
  requested_by text not null,
  decided_by text,
  decided_at timestamptz(3),
  note text,
  -- Approved by who asked for it, because the organization has no other user.
  by_the_only_user boolean not null default false,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint payee_change_is_decided_by_someone
    check ((status = 'waiting') = (decided_by is null) and (decided_by is null) = (decided_at is null)),
  constraint payee_change_needs_a_second_person
    check (status <> 'approved' or decided_by <> requested_by or by_the_only_user),
  constraint payee_change_of_before_keeps_no_bank_details check (status = 'waiting' or bank_details_sealed is null),
  constraint payee_change_payee foreign key (org_id, payee_id) references payees on delete cascade
);
create unique index payee_change_waits_alone on payee_changes (org_id, payee_id) where status = 'waiting';
create index payee_changes_newest on payee_changes (org_id, payee_id, created_at desc, id desc);
call keep_apart('payee_changes');
create policy listed_by_owner on payee_changes for select to current_user using (true);
grant select, insert, update, delete on payee_changes to lading_app;

create view payees_wire with (security_invoker = true) as
select p.org_id, p.id, p.revision, p.created_at, p.external_id, p.partner_carrier_id, p.name, p.method, p.status, p.is_factor, p.factor_payee_id, w.id as waiting_change_id,
  row_to_json(wire)::text as json
from payees p
left join payee_changes w on w.org_id = p.org_id and w.payee_id = p.id and w.status = 'waiting'
cross join lateral (
  select p.id, p.org_id, p.external_id, p.partner_carrier_id, p.name, p.method, p.bank_details_masked as bank_details, wire_address(p.address) as address, p.remittance_email,
    p.factor_payee_id, p.notice_of_assignment_on::text as notice_of_assignment_on, p.notice_document_id, p.quick_pay_days, trim_scale(p.quick_pay_percent)::text as quick_pay_percent,
    p.notes, p.status,
    case when w.id is not null then json_build_object('id', w.id, 'fields', w.fields, 'requested_by', w.requested_by, 'requested_at', wire_time(w.created_at)) end as waiting_change,
    p.revision, p.created_by, wire_time(p.created_at) as created_at, wire_time(p.updated_at) as updated_at
) wire;
grant select on payees_wire to lading_app;

create view payee_changes_wire with (security_invoker = true) as
select c.org_id, c.id, c.payee_id, c.status, c.created_at, row_to_json(wire)::text as json
from payee_changes c
cross join lateral (
  select c.id, c.payee_id, c.status, c.fields, c.previous, c.requested_by, wire_time(c.created_at) as requested_at, c.decided_by, wire_time(c.decided_at) as decided_at,
    c.note, c.by_the_only_user
) wire;
grant select on payee_changes_wire to lading_app;

-- The account from which an organization pays in a currency, as its bank knows it. Encrypted like the details of
-- payees.
create table paying_accounts (
  org_id uuid not null constraint paying_account_organization references organizations,
  currency_id text not null constraint paying_account_currency references currencies,
  name text not null constraint paying_account_name_is_sensible check (length(name) between 1 and 255),
  bank_details_sealed text not null,
  bank_details_masked jsonb not null,
  company_id text,
  ach_file text not null constraint paying_account_ach_file check (ach_file in ('nacha', 'pain001')),
  revision integer not null default 1,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, currency_id)
);
call keep_apart('paying_accounts');
grant select, insert, update, delete on paying_accounts to lading_app;

create view paying_accounts_wire with (security_invoker = true) as
select a.org_id, a.currency_id, a.revision, row_to_json(wire)::text as json
from paying_accounts a
cross join lateral (
  select a.org_id, a.currency_id, a.name, a.bank_details_masked as bank_details, a.company_id, a.ach_file, a.revision, a.created_by,
    wire_time(a.created_at) as created_at, wire_time(a.updated_at) as updated_at
) wire;
grant select on paying_accounts_wire to lading_app;

-- A run pays what is due to many payees at once: drafts of payments, looked through, approved by a second person,
-- issued together.
create table payment_runs (
  org_id uuid not null constraint payment_run_organization references organizations,
  id uuid not null,
  number integer not null,
  external_id text,
  status text not null default 'draft'
    constraint payment_run_status check (status in ('draft', 'approved', 'issued')),
  currency_id text not null constraint payment_run_currency references currencies,
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
  -- What a carrier owes us, credits that it gave and payments to it that settle nothing yet, is set off against its
  -- bills in a payment run. Of each bill a part may be set off, and all of it too: then the payment has nothing of it.
  set_off_credits boolean not null default false,
  revision integer not null default 1,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint payment_run_number unique (org_id, number),
  constraint payment_run_external_id unique (org_id, external_id),
  constraint payment_run_is_approved_by_someone
    check ((status = 'draft') = (approved_by is null) and (approved_by is null) = (approved_at is null)),
  constraint payment_run_needs_a_second_person check (approved_by <> created_by or by_the_only_user),
  constraint payment_run_is_issued_by_someone
    check ((status = 'issued') = (issued_by is not null) and (issued_by is null) = (issued_at is null))
);
create index payment_runs_newest on payment_runs (org_id, created_at desc, id desc);
call keep_apart('payment_runs');
grant select, insert, update, delete on payment_runs to lading_app;
alter table payments add constraint payment_of_a_run foreign key (org_id, payment_run_id) references payment_runs;

create view payment_runs_wire with (security_invoker = true) as
select r.org_id, r.id, r.revision, r.created_at, r.external_id, r.status, r.currency_id, left(json_build_object(
  'id', r.id, 'org_id', r.org_id, 'number', 'RUN-' || lpad(r.number::text, greatest(6, length(r.number::text)), '0'), 'external_id', r.external_id, 'status', r.status,
  'currency_id', r.currency_id, 'due_until', r.due_until::text, 'pay_on', r.pay_on::text, 'partner_carrier_ids', r.partner_carrier_ids,
  'set_off_credits', r.set_off_credits, 'left_out', r.left_out,
  'has_more', r.has_more, 'approved_by', r.approved_by, 'approved_at', wire_time(r.approved_at), 'by_the_only_user', r.by_the_only_user, 'issued_by', r.issued_by,
  'issued_at', wire_time(r.issued_at),
  'available_actions', case r.status when 'draft' then '["approve","delete"]' when 'approved' then '["issue","delete"]' else '[]' end::json,
  'revision', r.revision, 'created_by', r.created_by, 'created_at', wire_time(r.created_at), 'updated_at', wire_time(r.updated_at))::text, -1) as open_json
from payment_runs r;
grant select on payment_runs_wire to lading_app;

-- A payment of a run and where it goes. What stands behind `payee_name` is written when it is issued, as it is then.
create table payment_run_payments (
  org_id uuid not null constraint payment_run_payment_organization references organizations,
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
  -- How a payment was issued and what it said to pay, as it was then: the files of a run are made from this, whatever
  -- becomes of the payment and its bills.
  method text,
  bill_references jsonb,
  primary key (org_id, payment_id),
  constraint payment_run_payment_is_of_the_run unique (org_id, run_id, payment_id),
  constraint payment_run_payment_is_returned_for_a_reason check ((returned_at is null) = (return_reason is null)),
  constraint payment_run_payment_run foreign key (org_id, run_id) references payment_runs,
  constraint payment_run_payment_payment foreign key (org_id, payment_id) references payments,
  constraint payment_run_payment_payee foreign key (org_id, payee_id) references payees,
  constraint payment_run_payment_credit foreign key (org_id, credit_id) references credits
);
create index payment_run_payments_payee on payment_run_payments (org_id, payee_id);
call keep_apart('payment_run_payments');
grant select, insert, update, delete on payment_run_payments to lading_app;

-- How much of which bill a run pays. A bill is in one run at a time, from when it is chosen until its payment comes
-- back.
create table payment_run_items (
  org_id uuid not null constraint payment_run_item_organization references organizations,
  run_id uuid not null,
  bill_id uuid not null,
  payment_id uuid not null,
  amount amount not null,
  discount_amount amount not null default 0,
  state text not null default 'planned'
    constraint payment_run_item_state check (state in ('planned', 'paid', 'returned')),
  set_off_amount bigint not null default 0,
  primary key (org_id, run_id, bill_id),
  constraint payment_run_item_set_off_is_a_part
    check (set_off_amount between 0 and 9007199254740991 and (set_off_amount = 0 or amount >= 0)),
  constraint payment_run_item_is_of_something check (amount <> 0 or set_off_amount > 0),
  constraint payment_run_item_discount_is_a_part
    check (discount_amount >= 0 and (discount_amount = 0 or amount + set_off_amount > 0)),
  constraint payment_run_item_payment
    foreign key (org_id, run_id, payment_id) references payment_run_payments (org_id, run_id, payment_id),
  constraint payment_run_item_bill foreign key (org_id, bill_id) references bills
);
create unique index payment_run_bill_is_in_one_run
  on payment_run_items (org_id, bill_id) where state in ('planned', 'paid');
create index payment_run_items_payment on payment_run_items (org_id, payment_id);
call keep_apart('payment_run_items');
grant select, insert, update, delete on payment_run_items to lading_app;

-- A credit, or what is left of an earlier payment, that makes a payment of a run smaller. Each is in one run at a time,
-- until that is issued; from then on what is left of it says how much more can be set off.
create table payment_run_set_offs (
  org_id uuid not null constraint payment_run_set_off_organization references organizations,
  id uuid not null,
  run_id uuid not null,
  payment_id uuid not null,
  credit_id uuid,
  from_payment_id uuid,
  amount amount not null constraint payment_run_set_off_is_of_something check (amount > 0),
  state text not null default 'planned'
    constraint payment_run_set_off_state check (state in ('planned', 'applied', 'returned')),
  primary key (org_id, id),
  constraint payment_run_set_off_has_one_source check (num_nonnulls(credit_id, from_payment_id) = 1),
  constraint payment_run_set_off_payment
    foreign key (org_id, run_id, payment_id)
      references payment_run_payments (org_id, run_id, payment_id) on delete cascade,
  constraint payment_run_set_off_credit foreign key (org_id, credit_id) references credits,
  constraint payment_run_set_off_earlier_payment foreign key (org_id, from_payment_id) references payments
);
create unique index payment_run_credit_is_in_one_run
  on payment_run_set_offs (org_id, credit_id) where state = 'planned';
create unique index payment_run_earlier_payment_is_in_one_run
  on payment_run_set_offs (org_id, from_payment_id) where state = 'planned';
create index payment_run_set_offs_payment on payment_run_set_offs (org_id, payment_id);
create index payment_run_set_offs_run on payment_run_set_offs (org_id, run_id);
call keep_apart('payment_run_set_offs');
grant select, insert, update, delete on payment_run_set_offs to lading_app;
