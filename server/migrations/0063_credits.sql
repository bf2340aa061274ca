-- What carriers credit us and what we credit customers: a kind of document like bills and invoices, of one direction for good. `amount_paid` is what
-- was applied or refunded of it.
create function wire_of_credit_item(
  id uuid, created_at timestamptz, updated_at timestamptz, credit_id uuid, bill_item_type_id uuid, manifest_id uuid, order_id uuid, unit_price bigint,
  quantity bigint, total_amount bigint, description text, "position" integer
) returns text language sql immutable parallel safe as $$
  select left(row_to_json(wire)::text, -1) from (
    select id, wire_time(created_at) as created_at, wire_time(updated_at) as updated_at, credit_id, bill_item_type_id, manifest_id, order_id, unit_price,
      quantity, total_amount, description, "position") as wire
$$;

create function wire_of_credit(
  created_at timestamptz, updated_at timestamptz, id uuid, created_by text, org_id uuid, status_id text, direction text, currency_id text, pay_term_id uuid,
  partner_carrier_id uuid, customer_id uuid, full_id uuid, external_id text, qb_external_id text, qb_error_msg text, revision integer, credit_date timestamptz, due_date timestamptz, sent_at timestamptz,
  paid_at timestamptz, qb_exported_at timestamptz, send_to_email text, cc_to_email text, bill_to jsonb, is_tax_on boolean, notes text, remit_to jsonb,
  reference_number text, sub_total_amount bigint, tax_amount bigint, total_amount bigint, number integer
) returns text language sql immutable parallel safe as $$
  select left(row_to_json(wire)::text, -1) from (
    select wire_time(created_at) as created_at, wire_time(updated_at) as updated_at, id, created_by, org_id, status_id, direction, currency_id, pay_term_id, partner_carrier_id,
      customer_id, full_id, external_id, qb_external_id, qb_error_msg, revision, wire_time(credit_date) as credit_date, wire_time(due_date) as due_date,
      wire_time(sent_at) as sent_at, wire_time(paid_at) as paid_at, wire_time(qb_exported_at) as qb_exported_at, send_to_email, cc_to_email,
      wire_address(bill_to) as bill_to, is_tax_on, notes, wire_address(remit_to) as remit_to, reference_number, sub_total_amount, tax_amount, total_amount,
      'CR-' || lpad(number::text, greatest(6, length(number::text)), '0') as number,
      available_actions(status_id, sent_at is not null, currency_id is not null, false) as available_actions) as wire
$$;

create table credits (
  org_id uuid not null,
  id uuid not null,
  full_id uuid not null,
  number integer,
  external_id text constraint credit_external_id_is_sensible check (length(external_id) between 1 and 255),
  status_id text not null default 'draft' constraint credit_status_is_known check (status_id in ('draft', 'saved', 'sent', 'edited', 'paid')),
  direction text not null constraint credit_direction_is_known check (direction in ('out', 'in')),
  currency_id text,
  pay_term_id uuid,
  partner_carrier_id uuid,
  customer_id uuid,
  qb_external_id text,
  qb_error_msg text,
  revision integer not null default 1,
  credit_date timestamptz(3),
  due_date timestamptz(3),
  sent_at timestamptz(3),
  paid_at timestamptz(3),
  qb_exported_at timestamptz(3),
  send_to_email text,
  cc_to_email text,
  bill_to jsonb,
  remit_to jsonb,
  is_tax_on boolean not null default false,
  notes text,
  reference_number text,
  sub_total_amount amount not null default 0,
  tax_amount amount not null default 0,
  total_amount amount not null default 0,
  kept_tax_amount bigint,
  amount_paid bigint default 0,
  unpaid_status_id text,
  voided_at timestamptz(3),
  void_reason text,
  exchange_rate numeric,
  home_currency_id text,
  home_total_amount bigint,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- Who gives or gets it, never null, so that a foreign key can carry it.
  party_id uuid not null generated always as (coalesce(partner_carrier_id, customer_id, '00000000-0000-0000-0000-000000000000')) stored,
  reference_key text generated always as (lower(reference_number)) stored,
  wire text not null generated always as (wire_of_credit(created_at, updated_at, id, created_by, org_id, status_id, direction, currency_id, pay_term_id, partner_carrier_id,
    customer_id, full_id, external_id, qb_external_id, qb_error_msg, revision, credit_date, due_date, sent_at, paid_at, qb_exported_at, send_to_email, cc_to_email, bill_to, is_tax_on, notes,
    remit_to, reference_number, sub_total_amount, tax_amount, total_amount, number)) stored,
  primary key (org_id, id),
  constraint credit_external_id unique (org_id, external_id),
  constraint credit_number unique (org_id, number),
  constraint credit_party_fits_its_direction check (direction = 'out' and customer_id is null or direction = 'in' and partner_carrier_id is null),
  constraint credit_total_is_the_sum check (total_amount = sub_total_amount + tax_amount),
  constraint credit_without_tax_has_none check (is_tax_on or tax_amount = 0),
  constraint credit_keeps_tax_while_it_is_off
    check (kept_tax_amount is null or (not is_tax_on and kept_tax_amount between -9007199254740991 and 9007199254740991)),
  constraint credit_past_draft_has_number_and_currency check (status_id = 'draft' or (number is not null and currency_id is not null)),
  constraint credit_sent_when_sent check (status_id <> 'sent' or sent_at is not null),
  constraint credit_paid_when_paid check ((status_id = 'paid') = (paid_at is not null)),
  constraint credit_is_changed_after_it_is_made check (updated_at >= created_at),
  constraint credit_amount_paid_is_exact_in_json check (amount_paid between -9007199254740991 and 9007199254740991),
  constraint credit_stood_somewhere_before_it_was_paid check (unpaid_status_id in ('saved', 'sent', 'edited')),
  constraint credit_voided_has_a_reason check ((voided_at is null) = (void_reason is null)),
  constraint credit_exchange_rate_is_positive check (exchange_rate > 0),
  constraint credit_home_amount_has_rate_and_currency
    check ((exchange_rate is null) = (home_currency_id is null) and (exchange_rate is null) = (home_total_amount is null)),
  constraint credit_home_amount_is_exact_in_json check (home_total_amount between -9007199254740991 and 9007199254740991)
);
create index credits_order on credits (org_id, created_at desc, id desc);
create index credits_updated on credits (org_id, updated_at desc, id desc);
create index credits_status on credits (org_id, status_id, created_at desc, id desc);
create index credits_status_updated on credits (org_id, status_id, updated_at desc, id desc);
create index credits_direction on credits (org_id, direction, created_at desc, id desc);
create index credits_partner on credits (org_id, partner_carrier_id, created_at desc, id desc) where partner_carrier_id is not null;
create index credits_customer on credits (org_id, customer_id, created_at desc, id desc) where customer_id is not null;
create index credits_currency on credits (org_id, currency_id, created_at desc, id desc);
create index credits_pay_term on credits (org_id, pay_term_id);
create index credits_dated on credits (org_id, credit_date, id);
create index credits_due on credits (org_id, due_date, id);
create index credits_open_due on credits (org_id, due_date, id) where status_id in ('saved', 'sent', 'edited');
-- What is left of a customer's credits, for its statement.
create index credits_open_of_customer on credits (org_id, customer_id) where status_id in ('saved', 'sent', 'edited');
create index credits_total on credits (org_id, total_amount, id);
create index credits_reference on credits (org_id, reference_key);
create index credits_unnumbered on credits (org_id, id) where number is null;
create index credits_exported on credits (org_id, qb_exported_at, created_at desc, id desc);
call keep_apart('credits');
grant select, insert, update, delete on credits to lading_app;
alter table credits add constraint credit_organization foreign key (org_id) references organizations;
alter table credits add constraint credit_currency foreign key (currency_id) references currencies;
alter table credits add constraint credit_pay_term foreign key (org_id, pay_term_id) references pay_terms;

create table credit_items (
  org_id uuid not null,
  id uuid not null,
  credit_id uuid not null,
  position integer not null constraint credit_item_position_counts_from_one check (position >= 1),
  bill_item_type_id uuid,
  manifest_id uuid,
  order_id uuid,
  unit_price amount not null,
  quantity amount not null,
  total_amount amount not null,
  description text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  wire text not null generated always as (wire_of_credit_item(id, created_at, updated_at, credit_id, bill_item_type_id, manifest_id, order_id, unit_price,
    quantity, total_amount, description, "position")) stored,
  primary key (org_id, id),
  constraint credit_item_position unique (org_id, credit_id, position) deferrable,
  constraint credit_item_total_is_the_product check (total_amount = unit_price::numeric * quantity::numeric)
);
create index credit_items_type on credit_items (org_id, bill_item_type_id);
create index credit_items_manifest on credit_items (org_id, manifest_id) where manifest_id is not null;
create index credit_items_order on credit_items (org_id, order_id) where order_id is not null;
call keep_apart('credit_items');
grant select, insert, update, delete on credit_items to lading_app;
alter table credit_items add constraint credit_item_credit foreign key (org_id, credit_id) references credits on delete cascade;
alter table credit_items add constraint bill_item_type_in_use foreign key (org_id, bill_item_type_id) references bill_item_types;

create view credit_items_wire with (security_invoker = true) as
select i.org_id, i.id, i.credit_id, i.position, i.wire || ',"bill_item_type":' || coalesce(t.wire, 'null') || '}' as json
from credit_items i left join bill_item_types t on t.org_id = i.org_id and t.id = i.bill_item_type_id;
grant select on credit_items_wire to lading_app;

create view credits_wire with (security_invoker = true) as
select b.org_id, b.id, b.revision, b.created_at,
  case when b.voided_at is not null then regexp_replace(b.wire, '\[[^][]*\]$', '[]') else b.wire end
    || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
    || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount) || '}' as json,
  b.external_id, b.created_by, b.pay_term_id, b.currency_id, b.direction,
  case when b.voided_at is not null then regexp_replace(b.wire, '\[[^][]*\]$', '[]') else b.wire end
    || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
    || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount) as open_json
from credits b;
grant select on credits_wire to lading_app;

create function credit_number(number integer) returns text language sql immutable parallel safe as $$
  select 'CR-' || lpad(number::text, greatest(6, length(number::text)), '0')
$$;
