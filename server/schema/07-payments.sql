-- Payments and what they settle.

-- Money that goes out to carriers and partners, or comes in from customers. What of it settles which document are its
-- allocations.
create table payments (
  org_id uuid not null constraint payment_organization references organizations,
  id uuid not null,
  number integer,
  external_id text,
  direction text not null constraint payment_direction check (direction in ('out', 'in')),
  partner_carrier_id uuid,
  customer_id uuid,
  currency_id text not null constraint payment_currency references currencies,
  amount amount not null,
  allocated_amount amount not null default 0,
  -- What a draft is meant for. It settles nothing before the payment is issued.
  planned_allocations jsonb not null default '[]',
  method text not null
    constraint payment_method check (method in ('ach', 'wire', 'check', 'card', 'cash', 'recorded', 'other')),
  reference_number text,
  notes text,
  paid_at timestamptz(3) not null,
  status text not null constraint payment_status check (status in ('draft', 'issued', 'cleared', 'voided')),
  voided_at timestamptz(3),
  void_reason text,
  exchange_rate numeric constraint payment_exchange_rate_is_positive check (exchange_rate > 0),
  home_currency_id text,
  realized_gain_amount bigint,
  consolidated_bill_id uuid,
  -- A payment of a run is changed through its run alone.
  payment_run_id uuid,
  -- What was paid and settles nothing can be paid back: by a payment that goes the other way and names the first. How
  -- much of a payment was paid back stands with it, so that a constraint can say that it is never more than is left;
  -- `lading doctor` proves that it is the sum of its refunds.
  refund_of_id uuid,
  refunded_amount bigint not null default 0,
  revision integer not null default 1,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  payee_id uuid not null generated always as (coalesce(partner_carrier_id, customer_id,
    '00000000-0000-0000-0000-000000000000')) stored,
  primary key (org_id, id),
  constraint payment_external_id unique (org_id, external_id),
  constraint payment_number unique (org_id, number),
  constraint payment_identity unique (org_id, id, currency_id, payee_id),
  constraint payment_has_one_party check (num_nonnulls(partner_carrier_id, customer_id) <= 1),
  constraint payment_has_a_number_once_issued check (status = 'draft' or number is not null),
  constraint payment_voided_has_a_reason
    check ((status = 'voided') = (voided_at is not null) and (voided_at is null) = (void_reason is null)),
  constraint payment_plans_while_it_is_a_draft check (status = 'draft' or planned_allocations = '[]'),
  constraint payment_settles_nothing_before_and_after check (allocated_amount = 0 or status in ('issued', 'cleared')),
  -- A recorded payment may be of documents that come to nothing or less; then it is theirs alone.
  constraint payment_allocates_no_more_than_it_has check (
      case when amount > 0 then allocated_amount between 0 and amount else method = 'recorded' and (allocated_amount = amount or status = 'voided') end),
  constraint payment_rate_has_a_currency check ((exchange_rate is null) = (home_currency_id is null)),
  constraint payment_gain_is_exact_in_json check (realized_gain_amount between -9007199254740991 and 9007199254740991),
  constraint payment_refunds_no_more_than_is_left
    check (refunded_amount = 0 or (refunded_amount > 0 and allocated_amount >= 0
      and allocated_amount + refunded_amount <= amount)),
  constraint payment_is_not_voided_while_refunded check (refunded_amount = 0 or status in ('issued', 'cleared')),
  constraint payment_that_refunds_settles_nothing_else
    check (refund_of_id is null or (refund_of_id <> id and amount > 0 and allocated_amount = 0
      and refunded_amount = 0 and status <> 'draft')),
  constraint payment_statement foreign key (org_id, consolidated_bill_id) references consolidated_bills,
  constraint payment_refund_is_of_the_same_party_and_currency
    foreign key (org_id, refund_of_id, currency_id, payee_id) references payments (org_id, id, currency_id, payee_id)
);
create index payments_newest on payments (org_id, created_at, id);
create index payments_paid on payments (org_id, paid_at, id);
create index payments_payee on payments (org_id, payee_id, created_at, id);
create index payments_unallocated
  on payments (org_id, payee_id, id) where status in ('issued', 'cleared') and allocated_amount <> amount;
create index payments_statement on payments (org_id, consolidated_bill_id) where consolidated_bill_id is not null;
create index payments_missing_rate
  on payments (org_id, created_at desc, id desc) where exchange_rate is null and status in ('issued', 'cleared');
create index payments_refunds on payments (org_id, refund_of_id) where refund_of_id is not null;
create index payments_updated on payments (org_id, updated_at);
call keep_apart('payments');
grant select, insert, update, delete on payments to lading_app;

-- What can be done with a payment next.
create function payment_actions(status text) returns jsonb language sql immutable parallel safe as $$
  select case when status = 'draft' then '["issue","delete"]' when status = 'issued' then '["allocate","clear","void"]'
    when status = 'cleared' then '["allocate","void"]' else '[]' end::jsonb
$$;

-- A payment says whether it has no rate to the home currency yet, and that it can be given one: where the organization
-- has a home currency, unless the payment is in it and knows that already.
create view payments_wire with (security_invoker = true) as
select p.org_id, p.id, p.revision, p.created_at, p.external_id, p.status, p.planned_allocations, left(json_build_object(
  'id', p.id, 'number', 'PAY-' || lpad(p.number::text, greatest(6, length(p.number::text)), '0'), 'org_id', p.org_id, 'external_id', p.external_id,
  'direction', p.direction, 'partner_carrier_id', p.partner_carrier_id, 'customer_id', p.customer_id, 'currency_id', p.currency_id, 'amount', p.amount,
  'allocated_amount', p.allocated_amount, 'refunded_amount', p.refunded_amount,
  'unallocated_amount', case when p.status = 'voided' or p.refund_of_id is not null then 0 else p.amount - p.allocated_amount - p.refunded_amount end,
  'refund_of_id', p.refund_of_id,
  'method', p.method, 'reference_number', p.reference_number, 'notes', p.notes, 'paid_at', wire_time(p.paid_at), 'status', p.status,
  'voided_at', wire_time(p.voided_at), 'void_reason', p.void_reason, 'exchange_rate', trim_scale(p.exchange_rate)::text, 'home_currency_id', p.home_currency_id,
  'missing_rate', p.exchange_rate is null and p.status in ('issued', 'cleared'),
  'realized_gain_amount', p.realized_gain_amount, 'consolidated_bill_id', p.consolidated_bill_id, 'payment_run_id', p.payment_run_id,
  'available_actions', case when p.payment_run_id is not null then case p.status when 'issued' then '["clear","return"]' when 'cleared' then '["return"]' else '[]' end::jsonb
    when p.refund_of_id is not null then payment_actions(p.status) - 'allocate'
    when p.status not in ('issued', 'cleared') then payment_actions(p.status)
    else case when p.refunded_amount > 0 then payment_actions(p.status) - 'void' else payment_actions(p.status) end
      || case when p.amount > p.allocated_amount + p.refunded_amount then '["refund"]' else '[]' end::jsonb end
    || case when p.status in ('issued', 'cleared') and o.home_currency_id is not null
        and (p.exchange_rate is null or p.currency_id <> o.home_currency_id or p.home_currency_id <> o.home_currency_id) then '["reprice"]' else '[]' end::jsonb,
  'revision', p.revision, 'created_by', p.created_by, 'created_at', wire_time(p.created_at), 'updated_at', wire_time(p.updated_at))::text, -1) as open_json
from payments p join organizations o on o.org_id = p.org_id;
grant select on payments_wire to lading_app;

-- How much of a payment, or of a credit, settles how much of a document. One that was taken back has ended and stays as
-- history.
create table allocations (
  org_id uuid not null constraint allocation_organization references organizations,
  id uuid not null,
  payment_id uuid,
  from_credit_id uuid,
  bill_id uuid,
  invoice_id uuid,
  to_credit_id uuid,
  currency_id text not null,
  payee_id uuid not null,
  amount amount not null constraint allocation_is_of_something check (amount <> 0),
  gain_amount bigint
    constraint allocation_gain_is_exact_in_json check (gain_amount between -9007199254740991 and 9007199254740991),
  ended_at timestamptz(3),
  -- The run that has applied it: it is taken back with the payment of the run and in no other way.
  payment_run_id uuid,
  created_at timestamptz(3) not null default now(),
  -- Null once it has ended: an ended one binds no document to its currency and payee.
  standing_currency_id text generated always as (case when ended_at is null then currency_id end) stored,
  standing_payee_id uuid generated always as (case when ended_at is null then payee_id end) stored,
  primary key (org_id, id),
  constraint allocation_has_one_source check (num_nonnulls(payment_id, from_credit_id) = 1),
  constraint allocation_has_one_target check (num_nonnulls(bill_id, invoice_id, to_credit_id) = 1),
  constraint allocation_of_a_credit_settles_a_document check (from_credit_id is null or to_credit_id is null),
  constraint allocation_payment
    foreign key (org_id, payment_id, currency_id, payee_id) references payments (org_id, id, currency_id, payee_id),
  constraint allocation_bill
    foreign key (org_id, bill_id, standing_currency_id, standing_payee_id)
      references bills (org_id, id, currency_id, payee_id),
  constraint allocation_invoice
    foreign key (org_id, invoice_id, standing_currency_id, standing_payee_id)
      references invoices (org_id, id, currency_id, party_id),
  constraint allocation_credit
    foreign key (org_id, to_credit_id, standing_currency_id, standing_payee_id)
      references credits (org_id, id, currency_id, party_id),
  constraint allocation_from_credit
    foreign key (org_id, from_credit_id, standing_currency_id, standing_payee_id)
      references credits (org_id, id, currency_id, party_id)
);
create index allocations_payment on allocations (org_id, payment_id) where payment_id is not null;
create index allocations_bill on allocations (org_id, bill_id) where bill_id is not null;
create index allocations_invoice on allocations (org_id, invoice_id) where invoice_id is not null;
create index allocations_credit on allocations (org_id, to_credit_id) where to_credit_id is not null;
create index allocations_from_credit on allocations (org_id, from_credit_id) where from_credit_id is not null;
create index allocations_of_runs on allocations (org_id, payment_run_id) where payment_run_id is not null;
call keep_apart('allocations');
grant select, insert, update on allocations to lading_app;

create view allocations_wire with (security_invoker = true) as
select a.org_id, a.id, a.payment_id, a.from_credit_id, a.bill_id, a.invoice_id, a.to_credit_id, a.created_at, a.ended_at, json_build_object(
  'id', a.id, 'bill_id', a.bill_id, 'invoice_id', a.invoice_id, 'credit_id', a.to_credit_id, 'amount', a.amount, 'gain_amount', a.gain_amount,
  'created_at', wire_time(a.created_at))::text as json, a.payment_run_id
from allocations a;
grant select on allocations_wire to lading_app;
