-- A bill is read a hundred times for every time it is written, and making its JSON was most of what a read cost. So what a row alone says of itself
-- is made when the row is written and kept in it; the views add what other rows say. Being generated, it cannot differ from the row.
--
-- Where something may follow, the last brace is left off: to put it on costs nothing, to take it off means counting letters through the whole text.
--
-- These claim to be immutable, which the words inside do not: times are shown in UTC and nothing here looks at a setting, so they are.

create function wire_of_currency(id text, name text, description text, iso_4217 text, symbol text, minor_units smallint) returns text language sql immutable parallel safe as $$
  select row_to_json(wire)::text from (select id, name, description, iso_4217, symbol, minor_units) as wire
$$;

create function wire_of_bill_item_type(
  id uuid, external_id text, qb_external_id text, name text, class text, org_id uuid, revision integer, created_at timestamptz, updated_at timestamptz
) returns text language sql immutable parallel safe as $$
  select row_to_json(wire)::text from (
    select id, external_id, qb_external_id, name, class, org_id, revision, wire_time(created_at) as created_at, wire_time(updated_at) as updated_at) as wire
$$;

-- Without what a pay term is called elsewhere, which has a table of its own.
create function wire_of_pay_term(id uuid, created_at timestamptz, updated_at timestamptz, org_id uuid, number_of_days integer, name text) returns text
language sql immutable parallel safe as $$
  select left(row_to_json(wire)::text, -1) from (
    select id, wire_time(created_at) as created_at, wire_time(updated_at) as updated_at, org_id, number_of_days, name) as wire
$$;

-- Without the type, which may be renamed.
create function wire_of_bill_item(
  id uuid, created_at timestamptz, updated_at timestamptz, bill_id uuid, bill_item_type_id uuid, manifest_payment_item_id uuid, manifest_id uuid, unit_price bigint,
  quantity bigint, total_amount bigint, description text, "position" integer
) returns text language sql immutable parallel safe as $$
  select left(row_to_json(wire)::text, -1) from (
    select id, wire_time(created_at) as created_at, wire_time(updated_at) as updated_at, bill_id, bill_item_type_id, manifest_payment_item_id, manifest_id, unit_price,
      quantity, total_amount, description, "position") as wire
$$;

-- As if no statement held the bill once it is paid: what can be done with it comes last, where the view can take it back.
create function wire_of_bill(
  created_at timestamptz, updated_at timestamptz, id uuid, created_by text, org_id uuid, status_id text, currency_id text, pay_term_id uuid, master_trip_id uuid,
  partner_carrier_id uuid, full_id uuid, external_id text, qb_external_id text, qb_error_msg text, revision integer, bill_date timestamptz, due_date timestamptz,
  sent_at timestamptz, paid_at timestamptz, qb_exported_at timestamptz, send_to_email text, cc_to_email text, bill_to jsonb, is_tax_on boolean, notes text, remit_to jsonb,
  reference_number text, sub_total_amount bigint, tax_amount bigint, total_amount bigint, number integer, consolidated_bill_id uuid
) returns text language sql immutable parallel safe as $$
  select left(row_to_json(wire)::text, -1) from (
    select wire_time(created_at) as created_at, wire_time(updated_at) as updated_at, id, created_by, org_id, status_id, currency_id, pay_term_id, master_trip_id,
      partner_carrier_id, full_id, external_id, qb_external_id, qb_error_msg, revision, wire_time(bill_date) as bill_date, wire_time(due_date) as due_date,
      wire_time(sent_at) as sent_at, wire_time(paid_at) as paid_at, wire_time(qb_exported_at) as qb_exported_at, send_to_email, cc_to_email,
      wire_address(bill_to) as bill_to, is_tax_on, notes, wire_address(remit_to) as remit_to, reference_number, sub_total_amount, tax_amount, total_amount,
      'BILL-' || lpad(number::text, greatest(6, length(number::text)), '0') as number, consolidated_bill_id,
      available_actions(status_id, sent_at is not null, currency_id is not null, status_id = 'saved' and consolidated_bill_id is not null) as available_actions) as wire
$$;

alter table currencies add column wire text not null generated always as (wire_of_currency(id, name, name || ' (' || iso_4217 || ')', iso_4217, symbol, minor_units)) stored;
alter table bill_item_types add column wire text not null
  generated always as (wire_of_bill_item_type(id, external_id, qb_external_id, name, class, org_id, revision, created_at, updated_at)) stored;
alter table pay_terms add column wire text not null generated always as (wire_of_pay_term(id, created_at, updated_at, org_id, number_of_days, name)) stored;
alter table bill_items add column wire text not null generated always as (wire_of_bill_item(id, created_at, updated_at, bill_id, bill_item_type_id,
  manifest_payment_item_id, manifest_id, unit_price, quantity, total_amount, description, "position")) stored;
alter table bills add column wire text not null generated always as (wire_of_bill(created_at, updated_at, id, created_by, org_id, status_id, currency_id, pay_term_id,
  master_trip_id, partner_carrier_id, full_id, external_id, qb_external_id, qb_error_msg, revision, bill_date, due_date, sent_at, paid_at, qb_exported_at, send_to_email,
  cc_to_email, bill_to, is_tax_on, notes, remit_to, reference_number, sub_total_amount, tax_amount, total_amount, number, consolidated_bill_id)) stored;

create or replace view currencies_wire with (security_invoker = true) as
select c.id, c.wire as json from currencies c;

create or replace view bill_item_types_wire with (security_invoker = true) as
select t.org_id, t.id, t.revision, t.created_at, t.name, t.class, t.external_id, t.qb_external_id, t.wire as json, t.name_key from bill_item_types t;

create or replace view pay_terms_wire with (security_invoker = true) as
select t.org_id, t.id, t.revision, t.created_at, t.name, t.wire || ',"connector_mappings":' || coalesce((
    select json_object_agg(m.connector_id, row_to_json(mapping) order by m.connector_id)::text from pay_term_connector_mappings m
    cross join lateral (select m.connector_id, m.vendor_pay_term_id, m.pay_term_id, m.org_id) mapping
    where m.org_id = t.org_id and m.pay_term_id = t.id), '{}') || ',"revision":' || t.revision || '}' as json
from pay_terms t;

create or replace view bill_items_wire with (security_invoker = true) as
select i.org_id, i.id, i.bill_id, i.position, i.wire || ',"bill_item_type":' || coalesce((
    select t.wire from bill_item_types t where t.org_id = i.org_id and t.id = i.bill_item_type_id), 'null') || '}' as json
from bill_items i;

create or replace view bills_wire with (security_invoker = true) as
select b.org_id, b.id, b.revision, b.created_at, b.consolidated_bill_id, own.text || '}' as json, b.external_id, b.created_by, b.pay_term_id, b.currency_id, own.text as open_json
from bills b
cross join lateral (
  select case when b.status_id = 'paid' and b.consolidated_bill_id is not null and exists (
      select from consolidated_bills s where s.org_id = b.org_id and s.id = b.consolidated_bill_id and s.status_id = 'paid')
    then left(b.wire, -length('["reopen"]')) || '[]' else b.wire end as text
) own;
