-- What can be done with a document besides its moves: voiding and correcting it, while it has a number, nothing of it is paid and it is on no statement; and
-- giving it the exchange rate of its date again, where the organization has a home currency, unless that would change nothing or something was paid at the
-- rate that it has. Whether a rate is known for that date is not looked up with every read. Only columns are given, so the function becomes part of the
-- statement that reads them. Nothing calls the one with fewer parameters any more. Where something is paid and nothing is known of its payments yet, amount_paid
-- is null: it counts as paid.
create function wire_of_actions(
  wire text, status_id text, number integer, amount_paid bigint, voided_at timestamptz, is_held boolean, statement_id uuid,
  currency_id text, exchange_rate numeric, home_currency_id text, home_currency_now text
) returns text language sql immutable parallel safe as $$
  select case
    when voided_at is not null then regexp_replace(wire, '\[[^][]*\]$', '[]')
    when status_id = 'draft' and number is null then wire
    when status_id = 'draft' then regexp_replace(wire, '"delete"\]$', '"void","correct"]')
    -- From here on the list is never empty: something can be sent, paid or reopened.
    else left(case when status_id = 'saved' and amount_paid <> 0 then regexp_replace(wire, ',"draft"\]$', ']') else wire end, case when is_held then -length('"reopen"]') else -1 end)
      || case when status_id <> 'paid' and coalesce(amount_paid, 0) = 0 and statement_id is null then ',"void","correct"' else '' end
      || case
        when home_currency_now is null then ''
        when exchange_rate is not null and (coalesce(amount_paid, 1) <> 0 or currency_id = home_currency_now and home_currency_id = home_currency_now) then ''
        when is_held then '"reprice"'
        else ',"reprice"' end
      || ']'
    end
$$;

create or replace view bills_wire with (security_invoker = true) as
select b.org_id, b.id, b.revision, b.created_at, b.consolidated_bill_id,
  wire_of_actions(b.wire, b.status_id, b.number, b.amount_paid, b.voided_at, s.id is not null, b.consolidated_bill_id, b.currency_id, b.exchange_rate, b.home_currency_id,
      o.home_currency_id) || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
    || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount) || '}' as json,
  b.external_id, b.created_by, b.pay_term_id, b.currency_id,
  wire_of_actions(b.wire, b.status_id, b.number, b.amount_paid, b.voided_at, s.id is not null, b.consolidated_bill_id, b.currency_id, b.exchange_rate, b.home_currency_id,
      o.home_currency_id) || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
    || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount) as open_json
from bills b
join organizations o on o.org_id = b.org_id
-- The statement that holds a paid bill. No other bill has one to look for.
left join consolidated_bills s on s.org_id = b.org_id and s.id = case when b.status_id = 'paid' then b.consolidated_bill_id end and s.status_id = 'paid';

create or replace view invoices_wire with (security_invoker = true) as
select b.org_id, b.id, b.revision, b.created_at,
  wire_of_actions(b.wire, b.status_id, b.number, b.amount_paid, b.voided_at, false, null, b.currency_id, b.exchange_rate, b.home_currency_id,
      o.home_currency_id) || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
    || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount) || '}' as json,
  b.external_id, b.created_by, b.pay_term_id, b.currency_id,
  wire_of_actions(b.wire, b.status_id, b.number, b.amount_paid, b.voided_at, false, null, b.currency_id, b.exchange_rate, b.home_currency_id,
      o.home_currency_id) || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
    || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount) as open_json
from invoices b
join organizations o on o.org_id = b.org_id;

create or replace view credits_wire with (security_invoker = true) as
select b.org_id, b.id, b.revision, b.created_at,
  wire_of_actions(b.wire, b.status_id, b.number, b.amount_paid, b.voided_at, false, null, b.currency_id, b.exchange_rate, b.home_currency_id,
      o.home_currency_id) || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
    || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount) || '}' as json,
  b.external_id, b.created_by, b.pay_term_id, b.currency_id, b.direction,
  wire_of_actions(b.wire, b.status_id, b.number, b.amount_paid, b.voided_at, false, null, b.currency_id, b.exchange_rate, b.home_currency_id,
      o.home_currency_id) || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
    || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount) as open_json
from credits b
join organizations o on o.org_id = b.org_id;
