-- Money that goes out to carriers and partners, or comes in from customers. What of it settles which document are its allocations.
create table payments (
  org_id uuid not null,
  id uuid not null,
  number integer,
  external_id text,
  direction text not null,
  partner_carrier_id uuid,
  customer_id uuid,
  payee_id uuid not null generated always as (coalesce(partner_carrier_id, customer_id, '00000000-0000-0000-0000-000000000000')) stored,
  currency_id text not null,
  amount amount not null,
  allocated_amount amount not null default 0,
  -- What a draft is meant for. It settles nothing before the payment is issued.
  planned_allocations jsonb not null default '[]',
  method text not null,
  reference_number text,
  notes text,
  paid_at timestamptz(3) not null,
  status text not null,
  voided_at timestamptz(3),
  void_reason text,
  exchange_rate numeric,
  home_currency_id text,
  realized_gain_amount bigint,
  consolidated_bill_id uuid,
  revision integer not null default 1,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint payment_external_id unique (org_id, external_id),
  constraint payment_number unique (org_id, number),
  constraint payment_identity unique (org_id, id, currency_id, payee_id),
  constraint payment_direction check (direction in ('out', 'in')),
  constraint payment_has_one_party check (num_nonnulls(partner_carrier_id, customer_id) <= 1),
  constraint payment_method check (method in ('ach', 'wire', 'check', 'card', 'cash', 'recorded', 'other')),
  constraint payment_status check (status in ('draft', 'issued', 'cleared', 'voided')),
  constraint payment_has_a_number_once_issued check (status = 'draft' or number is not null),
  constraint payment_voided_has_a_reason check ((status = 'voided') = (voided_at is not null) and (voided_at is null) = (void_reason is null)),
  constraint payment_plans_while_it_is_a_draft check (status = 'draft' or planned_allocations = '[]'),
  constraint payment_settles_nothing_before_and_after check (allocated_amount = 0 or status in ('issued', 'cleared')),
  -- A recorded payment may be of documents that come to nothing or less; then it is theirs alone.
  constraint payment_allocates_no_more_than_it_has check (
    case when amount > 0 then allocated_amount between 0 and amount else method = 'recorded' and (allocated_amount = amount or status = 'voided') end),
  constraint payment_exchange_rate_is_positive check (exchange_rate > 0),
  constraint payment_rate_has_a_currency check ((exchange_rate is null) = (home_currency_id is null)),
  constraint payment_gain_is_exact_in_json check (realized_gain_amount between -9007199254740991 and 9007199254740991)
);
call keep_apart('payments');
grant select, insert, update, delete on payments to lading_app;
alter table payments add constraint payment_organization foreign key (org_id) references organizations;
alter table payments add constraint payment_currency foreign key (currency_id) references currencies;
alter table payments add constraint payment_statement foreign key (org_id, consolidated_bill_id) references consolidated_bills;
create index payments_newest on payments (org_id, created_at, id);
create index payments_paid on payments (org_id, paid_at, id);
create index payments_payee on payments (org_id, payee_id, created_at, id);
create index payments_unallocated on payments (org_id, payee_id, id) where status in ('issued', 'cleared') and allocated_amount <> amount;
create index payments_statement on payments (org_id, consolidated_bill_id) where consolidated_bill_id is not null;

-- How much of a payment, or of a credit, settles how much of a document. One that was taken back has ended and stays as history.
create table allocations (
  org_id uuid not null,
  id uuid not null,
  payment_id uuid,
  from_credit_id uuid,
  bill_id uuid,
  invoice_id uuid,
  to_credit_id uuid,
  currency_id text not null,
  payee_id uuid not null,
  amount amount not null,
  gain_amount bigint,
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  -- Null once it has ended: an ended one binds no document to its currency and payee.
  standing_currency_id text generated always as (case when ended_at is null then currency_id end) stored,
  standing_payee_id uuid generated always as (case when ended_at is null then payee_id end) stored,
  primary key (org_id, id),
  constraint allocation_has_one_source check (num_nonnulls(payment_id, from_credit_id) = 1),
  constraint allocation_has_one_target check (num_nonnulls(bill_id, invoice_id, to_credit_id) = 1),
  constraint allocation_of_a_credit_settles_a_document check (from_credit_id is null or to_credit_id is null),
  constraint allocation_is_of_something check (amount <> 0),
  constraint allocation_gain_is_exact_in_json check (gain_amount between -9007199254740991 and 9007199254740991)
);
call keep_apart('allocations');
grant select, insert, update on allocations to lading_app;
alter table allocations add constraint allocation_organization foreign key (org_id) references organizations;
alter table allocations add constraint allocation_payment foreign key (org_id, payment_id, currency_id, payee_id) references payments (org_id, id, currency_id, payee_id);
alter table allocations add constraint allocation_bill foreign key (org_id, bill_id, standing_currency_id, standing_payee_id) references bills (org_id, id, currency_id, payee_id);
alter table allocations add constraint allocation_invoice foreign key (org_id, invoice_id, standing_currency_id, standing_payee_id) references invoices (org_id, id, currency_id, party_id);
alter table allocations add constraint allocation_credit foreign key (org_id, to_credit_id, standing_currency_id, standing_payee_id) references credits (org_id, id, currency_id, party_id);
alter table allocations add constraint allocation_from_credit foreign key (org_id, from_credit_id, standing_currency_id, standing_payee_id) references credits (org_id, id, currency_id, party_id);
create index allocations_payment on allocations (org_id, payment_id) where payment_id is not null;
create index allocations_bill on allocations (org_id, bill_id) where bill_id is not null;
create index allocations_invoice on allocations (org_id, invoice_id) where invoice_id is not null;
create index allocations_credit on allocations (org_id, to_credit_id) where to_credit_id is not null;
create index allocations_from_credit on allocations (org_id, from_credit_id) where from_credit_id is not null;

-- What can be done with a payment next.
create function payment_actions(status text) returns jsonb language sql immutable parallel safe as $$
  select case when status = 'draft' then '["issue","delete"]' when status = 'issued' then '["allocate","clear","void"]'
    when status = 'cleared' then '["allocate","void"]' else '[]' end::jsonb
$$;

-- Without its allocations, which are other rows: where it is read, they are put behind it.
create view payments_wire with (security_invoker = true) as
select p.org_id, p.id, p.revision, p.created_at, p.external_id, p.status, p.planned_allocations, left(json_build_object(
  'id', p.id, 'number', 'PAY-' || lpad(p.number::text, greatest(6, length(p.number::text)), '0'), 'org_id', p.org_id, 'external_id', p.external_id,
  'direction', p.direction, 'partner_carrier_id', p.partner_carrier_id, 'customer_id', p.customer_id, 'currency_id', p.currency_id, 'amount', p.amount,
  'allocated_amount', p.allocated_amount, 'unallocated_amount', case when p.status = 'voided' then 0 else p.amount - p.allocated_amount end,
  'method', p.method, 'reference_number', p.reference_number, 'notes', p.notes, 'paid_at', wire_time(p.paid_at), 'status', p.status,
  'voided_at', wire_time(p.voided_at), 'void_reason', p.void_reason, 'exchange_rate', trim_scale(p.exchange_rate)::text, 'home_currency_id', p.home_currency_id,
  'realized_gain_amount', p.realized_gain_amount, 'consolidated_bill_id', p.consolidated_bill_id, 'available_actions', payment_actions(p.status),
  'revision', p.revision, 'created_by', p.created_by, 'created_at', wire_time(p.created_at), 'updated_at', wire_time(p.updated_at))::text, -1) as open_json
from payments p;
grant select on payments_wire to lading_app;

create view allocations_wire with (security_invoker = true) as
select a.org_id, a.id, a.payment_id, a.from_credit_id, a.bill_id, a.invoice_id, a.to_credit_id, a.created_at, a.ended_at, json_build_object(
  'id', a.id, 'bill_id', a.bill_id, 'invoice_id', a.invoice_id, 'credit_id', a.to_credit_id, 'amount', a.amount, 'gain_amount', a.gain_amount,
  'created_at', wire_time(a.created_at))::text as json
from allocations a;
grant select on allocations_wire to lading_app;

-- `not valid` spares a reading of the whole table under the lock; every row that is written from now on is checked. A bill that a server from before
-- payments has paid has no unpaid_status_id, and gets its payment later.
alter table bills add constraint bill_is_paid_no_more_than_its_total check (amount_paid between least(total_amount, 0) and greatest(total_amount, 0)) not valid;
alter table bills add constraint bill_is_paid_when_nothing_is_due check (total_amount = 0 or (status_id = 'paid' and unpaid_status_id is null)
    or (status_id = 'paid') = (amount_paid = total_amount)) not valid;
alter table bills add constraint bill_is_not_paid_as_a_draft_or_voided check (amount_paid = 0 or (status_id <> 'draft' and voided_at is null)) not valid;
alter table invoices add constraint invoice_is_paid_no_more_than_its_total check (amount_paid between least(total_amount, 0) and greatest(total_amount, 0)) not valid;
alter table invoices add constraint invoice_is_paid_when_nothing_is_due check (total_amount = 0 or (status_id = 'paid') = (amount_paid = total_amount)) not valid;
alter table invoices add constraint invoice_is_not_paid_as_a_draft_or_voided check (amount_paid = 0 or (status_id <> 'draft' and voided_at is null)) not valid;
alter table credits add constraint credit_is_applied_no_more_than_its_total check (amount_paid between least(total_amount, 0) and greatest(total_amount, 0)) not valid;
alter table credits add constraint credit_is_paid_when_nothing_is_left check (total_amount = 0 or (status_id = 'paid') = (amount_paid = total_amount)) not valid;
alter table credits add constraint credit_is_not_applied_as_a_draft_or_voided check (amount_paid = 0 or (status_id <> 'draft' and voided_at is null)) not valid;
