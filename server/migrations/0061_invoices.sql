-- What customers owe: a kind of document like bills, with the same columns, rules and indexes. It has all of them from the start, where bills got
-- theirs one after the other.
create function wire_of_invoice_item(
  id uuid, created_at timestamptz, updated_at timestamptz, invoice_id uuid, bill_item_type_id uuid, order_id uuid, order_charge_id uuid, unit_price bigint,
  quantity bigint, total_amount bigint, description text, "position" integer
) returns text language sql immutable parallel safe as $$
  select left(row_to_json(wire)::text, -1) from (
    select id, wire_time(created_at) as created_at, wire_time(updated_at) as updated_at, invoice_id, bill_item_type_id, order_id, order_charge_id, unit_price,
      quantity, total_amount, description, "position") as wire
$$;

create function wire_of_invoice(
  created_at timestamptz, updated_at timestamptz, id uuid, created_by text, org_id uuid, status_id text, currency_id text, pay_term_id uuid, customer_id uuid,
  full_id uuid, external_id text, qb_external_id text, qb_error_msg text, revision integer, invoice_date timestamptz, due_date timestamptz, sent_at timestamptz,
  paid_at timestamptz, qb_exported_at timestamptz, send_to_email text, cc_to_email text, bill_to jsonb, is_tax_on boolean, notes text, remit_to jsonb,
  reference_number text, sub_total_amount bigint, tax_amount bigint, total_amount bigint, number integer
) returns text language sql immutable parallel safe as $$
  select left(row_to_json(wire)::text, -1) from (
    select wire_time(created_at) as created_at, wire_time(updated_at) as updated_at, id, created_by, org_id, status_id, currency_id, pay_term_id, customer_id,
      full_id, external_id, qb_external_id, qb_error_msg, revision, wire_time(invoice_date) as invoice_date, wire_time(due_date) as due_date,
      wire_time(sent_at) as sent_at, wire_time(paid_at) as paid_at, wire_time(qb_exported_at) as qb_exported_at, send_to_email, cc_to_email,
      wire_address(bill_to) as bill_to, is_tax_on, notes, wire_address(remit_to) as remit_to, reference_number, sub_total_amount, tax_amount, total_amount,
      'INV-' || lpad(number::text, greatest(6, length(number::text)), '0') as number,
      available_actions(status_id, sent_at is not null, currency_id is not null, false) as available_actions) as wire
$$;

create table invoices (
  org_id uuid not null,
  id uuid not null,
  full_id uuid not null,
  number integer,
  external_id text constraint invoice_external_id_is_sensible check (length(external_id) between 1 and 255),
  status_id text not null default 'draft' constraint invoice_status_is_known check (status_id in ('draft', 'saved', 'sent', 'edited', 'paid')),
  currency_id text,
  pay_term_id uuid,
  customer_id uuid,
  qb_external_id text,
  qb_error_msg text,
  revision integer not null default 1,
  invoice_date timestamptz(3),
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
  -- Who owes it, never null, so that a foreign key can carry it.
  party_id uuid not null generated always as (coalesce(customer_id, '00000000-0000-0000-0000-000000000000')) stored,
  reference_key text generated always as (lower(reference_number)) stored,
  wire text not null generated always as (wire_of_invoice(created_at, updated_at, id, created_by, org_id, status_id, currency_id, pay_term_id, customer_id, full_id,
    external_id, qb_external_id, qb_error_msg, revision, invoice_date, due_date, sent_at, paid_at, qb_exported_at, send_to_email, cc_to_email, bill_to, is_tax_on, notes,
    remit_to, reference_number, sub_total_amount, tax_amount, total_amount, number)) stored,
  primary key (org_id, id),
  constraint invoice_external_id unique (org_id, external_id),
  constraint invoice_number unique (org_id, number),
  constraint invoice_total_is_the_sum check (total_amount = sub_total_amount + tax_amount),
  constraint invoice_without_tax_has_none check (is_tax_on or tax_amount = 0),
  constraint invoice_keeps_tax_while_it_is_off
    check (kept_tax_amount is null or (not is_tax_on and kept_tax_amount between -9007199254740991 and 9007199254740991)),
  constraint invoice_past_draft_has_number_and_currency check (status_id = 'draft' or (number is not null and currency_id is not null)),
  constraint invoice_sent_when_sent check (status_id <> 'sent' or sent_at is not null),
  constraint invoice_paid_when_paid check ((status_id = 'paid') = (paid_at is not null)),
  constraint invoice_is_changed_after_it_is_made check (updated_at >= created_at),
  constraint invoice_amount_paid_is_exact_in_json check (amount_paid between -9007199254740991 and 9007199254740991),
  constraint invoice_stood_somewhere_before_it_was_paid check (unpaid_status_id in ('saved', 'sent', 'edited')),
  constraint invoice_voided_has_a_reason check ((voided_at is null) = (void_reason is null)),
  constraint invoice_exchange_rate_is_positive check (exchange_rate > 0),
  constraint invoice_home_amount_has_rate_and_currency
    check ((exchange_rate is null) = (home_currency_id is null) and (exchange_rate is null) = (home_total_amount is null)),
  constraint invoice_home_amount_is_exact_in_json check (home_total_amount between -9007199254740991 and 9007199254740991)
);
create index invoices_order on invoices (org_id, created_at desc, id desc);
create index invoices_updated on invoices (org_id, updated_at desc, id desc);
create index invoices_status on invoices (org_id, status_id, created_at desc, id desc);
create index invoices_status_updated on invoices (org_id, status_id, updated_at desc, id desc);
create index invoices_customer on invoices (org_id, customer_id, created_at desc, id desc);
create index invoices_currency on invoices (org_id, currency_id, created_at desc, id desc);
create index invoices_pay_term on invoices (org_id, pay_term_id);
create index invoices_dated on invoices (org_id, invoice_date, id);
create index invoices_due on invoices (org_id, due_date, id);
create index invoices_open_due on invoices (org_id, due_date, id) where status_id in ('saved', 'sent', 'edited');
-- What a customer owes, for its statement.
create index invoices_open_of_customer on invoices (org_id, customer_id, due_date, id) where status_id in ('saved', 'sent', 'edited');
create index invoices_total on invoices (org_id, total_amount, id);
create index invoices_reference on invoices (org_id, reference_key);
create index invoices_unnumbered on invoices (org_id, id) where number is null;
create index invoices_exported on invoices (org_id, qb_exported_at, created_at desc, id desc);
call keep_apart('invoices');
grant select, insert, update, delete on invoices to lading_app;
alter table invoices add constraint invoice_organization foreign key (org_id) references organizations;
alter table invoices add constraint invoice_currency foreign key (currency_id) references currencies;
alter table invoices add constraint invoice_pay_term foreign key (org_id, pay_term_id) references pay_terms;

create table invoice_items (
  org_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  position integer not null constraint invoice_item_position_counts_from_one check (position >= 1),
  bill_item_type_id uuid,
  order_id uuid,
  order_charge_id uuid,
  unit_price amount not null,
  quantity amount not null,
  total_amount amount not null,
  description text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  wire text not null generated always as (wire_of_invoice_item(id, created_at, updated_at, invoice_id, bill_item_type_id, order_id, order_charge_id, unit_price,
    quantity, total_amount, description, "position")) stored,
  primary key (org_id, id),
  constraint invoice_item_position unique (org_id, invoice_id, position) deferrable,
  constraint invoice_item_total_is_the_product check (total_amount = unit_price::numeric * quantity::numeric)
);
create index invoice_items_type on invoice_items (org_id, bill_item_type_id);
create index invoice_items_order on invoice_items (org_id, order_id) where order_id is not null;
call keep_apart('invoice_items');
grant select, insert, update, delete on invoice_items to lading_app;
alter table invoice_items add constraint invoice_item_invoice foreign key (org_id, invoice_id) references invoices on delete cascade;
alter table invoice_items add constraint bill_item_type_in_use foreign key (org_id, bill_item_type_id) references bill_item_types;

create view invoice_items_wire with (security_invoker = true) as
select i.org_id, i.id, i.invoice_id, i.position, i.wire || ',"bill_item_type":' || coalesce(t.wire, 'null') || '}' as json
from invoice_items i left join bill_item_types t on t.org_id = i.org_id and t.id = i.bill_item_type_id;
grant select on invoice_items_wire to lading_app;

create view invoices_wire with (security_invoker = true) as
select b.org_id, b.id, b.revision, b.created_at,
  case when b.voided_at is not null then regexp_replace(b.wire, '\[[^][]*\]$', '[]') else b.wire end
    || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
    || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount) || '}' as json,
  b.external_id, b.created_by, b.pay_term_id, b.currency_id,
  case when b.voided_at is not null then regexp_replace(b.wire, '\[[^][]*\]$', '[]') else b.wire end
    || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
    || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount) as open_json
from invoices b;
grant select on invoices_wire to lading_app;
