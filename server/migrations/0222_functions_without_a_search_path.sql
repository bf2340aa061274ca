-- pg_restore makes and fills tables with an empty search_path, in which these functions did not find the ones that they call: columns that are computed by
-- them failed, and with them whole tables. With a body of the SQL standard they are looked up here, once (as in 0029).

create or replace function wire_of_approver(approval_status text, requested_at timestamp with time zone, approved_by uuid, approved_at timestamp with time zone) returns text language sql stable parallel safe
begin atomic
  select ',"approval_status":"' || approval_status || '","approval_requested_at":' || coalesce('"' || wire_time(requested_at) || '"', 'null')
    || ',"approved_by":' || coalesce('"' || approved_by || '"', 'null') || ',"approved_at":' || coalesce('"' || wire_time(approved_at) || '"', 'null');
end;

create or replace function wire_of_credit(created_at timestamp with time zone, updated_at timestamp with time zone, id uuid, created_by text, org_id uuid, status_id text, direction text, currency_id text, pay_term_id uuid, partner_carrier_id uuid, customer_id uuid, full_id uuid, external_id text, qb_external_id text, qb_error_msg text, revision integer, credit_date timestamp with time zone, due_date timestamp with time zone, sent_at timestamp with time zone, paid_at timestamp with time zone, qb_exported_at timestamp with time zone, send_to_email text, cc_to_email text, bill_to jsonb, is_tax_on boolean, notes text, remit_to jsonb, reference_number text, sub_total_amount bigint, tax_amount bigint, total_amount bigint, number integer) returns text language sql immutable parallel safe
begin atomic
  select left(row_to_json(wire)::text, -1) from (
    select wire_time(created_at) as created_at, wire_time(updated_at) as updated_at, id, created_by, org_id, status_id, direction, currency_id, pay_term_id, partner_carrier_id,
      customer_id, full_id, external_id, qb_external_id, qb_error_msg, revision, wire_time(credit_date) as credit_date, wire_time(due_date) as due_date,
      wire_time(sent_at) as sent_at, wire_time(paid_at) as paid_at, wire_time(qb_exported_at) as qb_exported_at, send_to_email, cc_to_email,
      wire_address(bill_to) as bill_to, is_tax_on, notes, wire_address(remit_to) as remit_to, reference_number, sub_total_amount, tax_amount, total_amount,
      'CR-' || lpad(number::text, greatest(6, length(number::text)), '0') as number,
      available_actions(status_id, sent_at is not null, currency_id is not null, false) as available_actions) as wire;
end;

create or replace function wire_of_credit_item(id uuid, created_at timestamp with time zone, updated_at timestamp with time zone, credit_id uuid, bill_item_type_id uuid, manifest_id uuid, order_id uuid, unit_price bigint, quantity bigint, total_amount bigint, description text, "position" integer) returns text language sql immutable parallel safe
begin atomic
  select left(row_to_json(wire)::text, -1) from (
    select id, wire_time(created_at) as created_at, wire_time(updated_at) as updated_at, credit_id, bill_item_type_id, manifest_id, order_id, unit_price,
      quantity, total_amount, description, "position") as wire;
end;

create or replace function wire_of_invoice(created_at timestamp with time zone, updated_at timestamp with time zone, id uuid, created_by text, org_id uuid, status_id text, currency_id text, pay_term_id uuid, customer_id uuid, full_id uuid, external_id text, qb_external_id text, qb_error_msg text, revision integer, invoice_date timestamp with time zone, due_date timestamp with time zone, sent_at timestamp with time zone, paid_at timestamp with time zone, qb_exported_at timestamp with time zone, send_to_email text, cc_to_email text, bill_to jsonb, is_tax_on boolean, notes text, remit_to jsonb, reference_number text, sub_total_amount bigint, tax_amount bigint, total_amount bigint, number integer) returns text language sql immutable parallel safe
begin atomic
  select left(row_to_json(wire)::text, -1) from (
    select wire_time(created_at) as created_at, wire_time(updated_at) as updated_at, id, created_by, org_id, status_id, currency_id, pay_term_id, customer_id,
      full_id, external_id, qb_external_id, qb_error_msg, revision, wire_time(invoice_date) as invoice_date, wire_time(due_date) as due_date,
      wire_time(sent_at) as sent_at, wire_time(paid_at) as paid_at, wire_time(qb_exported_at) as qb_exported_at, send_to_email, cc_to_email,
      wire_address(bill_to) as bill_to, is_tax_on, notes, wire_address(remit_to) as remit_to, reference_number, sub_total_amount, tax_amount, total_amount,
      'INV-' || lpad(number::text, greatest(6, length(number::text)), '0') as number,
      available_actions(status_id, sent_at is not null, currency_id is not null, false) as available_actions) as wire;
end;

create or replace function wire_of_invoice_item(id uuid, created_at timestamp with time zone, updated_at timestamp with time zone, invoice_id uuid, bill_item_type_id uuid, order_id uuid, order_charge_id uuid, unit_price bigint, quantity bigint, total_amount bigint, description text, "position" integer) returns text language sql immutable parallel safe
begin atomic
  select left(row_to_json(wire)::text, -1) from (
    select id, wire_time(created_at) as created_at, wire_time(updated_at) as updated_at, invoice_id, bill_item_type_id, order_id, order_charge_id, unit_price,
      quantity, total_amount, description, "position") as wire;
end;

create or replace function wire_of_money(status_id text, total_amount bigint, amount_paid bigint, voided_at timestamp with time zone, void_reason text, exchange_rate numeric, home_currency_id text, home_total_amount bigint) returns text language sql stable parallel safe
begin atomic
  select ',"amount_paid":' || case when status_id = 'paid' then total_amount else coalesce(amount_paid, 0) end
    || ',"amount_due":' || case when voided_at is not null or status_id = 'paid' then 0 else total_amount - coalesce(amount_paid, 0) end
    || ',"payment_status":"' || case
      when status_id = 'paid' then 'paid'
      when coalesce(amount_paid, 0) = 0 then 'unpaid'
      when abs(amount_paid) > abs(total_amount) then 'overpaid'
      else 'partially_paid' end
    || '","voided_at":' || coalesce('"' || wire_time(voided_at) || '"', 'null') || ',"void_reason":' || coalesce(to_json(void_reason)::text, 'null')
    || ',"exchange_rate":' || coalesce('"' || trim_scale(exchange_rate) || '"', 'null') || ',"home_currency_id":' || coalesce('"' || home_currency_id || '"', 'null')
    || ',"home_total_amount":' || coalesce(home_total_amount::text, 'null');
end;
