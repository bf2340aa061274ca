-- What the stored text of a document says can be done with it, less what its number, its payments, its voiding or its statement keep from being done: what
-- has a number is not deleted, what is paid in part does not become a draft again. In one place for every kind; only columns are given, so it becomes part of
-- the statement that reads them.
create function wire_of_actions(wire text, status_id text, number integer, amount_paid bigint, voided_at timestamptz, is_held boolean) returns text
language sql immutable parallel safe as $$
  select case
    when voided_at is not null then regexp_replace(wire, '\[[^][]*\]$', '[]')
    when is_held then left(wire, -length('["reopen"]')) || '[]'
    when status_id = 'draft' and number is not null then regexp_replace(wire, ',?"delete"\]$', ']')
    when status_id = 'saved' and amount_paid <> 0 then regexp_replace(wire, ',"draft"\]$', ']')
    else wire end
$$;

create or replace view bills_wire with (security_invoker = true) as
select b.org_id, b.id, b.revision, b.created_at, b.consolidated_bill_id,
  wire_of_actions(b.wire, b.status_id, b.number, b.amount_paid, b.voided_at, s.id is not null) || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
    || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount) || '}' as json,
  b.external_id, b.created_by, b.pay_term_id, b.currency_id,
  wire_of_actions(b.wire, b.status_id, b.number, b.amount_paid, b.voided_at, s.id is not null) || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
    || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount) as open_json
from bills b
-- The statement that holds a paid bill. No other bill has one to look for.
left join consolidated_bills s on s.org_id = b.org_id and s.id = case when b.status_id = 'paid' then b.consolidated_bill_id end and s.status_id = 'paid';

create or replace view invoices_wire with (security_invoker = true) as
select b.org_id, b.id, b.revision, b.created_at,
  wire_of_actions(b.wire, b.status_id, b.number, b.amount_paid, b.voided_at, false) || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
    || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount) || '}' as json,
  b.external_id, b.created_by, b.pay_term_id, b.currency_id,
  wire_of_actions(b.wire, b.status_id, b.number, b.amount_paid, b.voided_at, false) || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
    || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount) as open_json
from invoices b;

create or replace view credits_wire with (security_invoker = true) as
select b.org_id, b.id, b.revision, b.created_at,
  wire_of_actions(b.wire, b.status_id, b.number, b.amount_paid, b.voided_at, false) || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
    || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount) || '}' as json,
  b.external_id, b.created_by, b.pay_term_id, b.currency_id, b.direction,
  wire_of_actions(b.wire, b.status_id, b.number, b.amount_paid, b.voided_at, false) || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
    || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount) as open_json
from credits b;
