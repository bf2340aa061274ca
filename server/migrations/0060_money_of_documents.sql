-- What a document has been paid, where it stood before, whether it was voided, and what it comes to in the home currency of its organization.
-- Plain columns without a value for the rows that are there, so that no table is rewritten: null in amount_paid means that nothing was recorded of the
-- payments of a document yet; it counts as paid whole where it is paid. New documents begin with 0.
alter table bills
  add column amount_paid bigint,
  add column unpaid_status_id text,
  add column voided_at timestamptz(3),
  add column void_reason text,
  add column exchange_rate numeric,
  add column home_currency_id text,
  add column home_total_amount bigint;
alter table bills alter column amount_paid set default 0;

-- `not valid` spares a reading of the whole table under the lock: the columns are new, and every row that is written from now on is checked.
-- One constraint in each statement, as Citus wants it.
alter table bills add constraint bill_amount_paid_is_exact_in_json check (amount_paid between -9007199254740991 and 9007199254740991) not valid;
alter table bills add constraint bill_stood_somewhere_before_it_was_paid check (unpaid_status_id in ('saved', 'sent', 'edited')) not valid;
alter table bills add constraint bill_voided_has_a_reason check ((voided_at is null) = (void_reason is null)) not valid;
alter table bills add constraint bill_exchange_rate_is_positive check (exchange_rate > 0) not valid;
alter table bills add constraint bill_home_amount_has_rate_and_currency
    check ((exchange_rate is null) = (home_currency_id is null) and (exchange_rate is null) = (home_total_amount is null)) not valid;
alter table bills add constraint bill_home_amount_is_exact_in_json check (home_total_amount between -9007199254740991 and 9007199254740991) not valid;

-- The end of the text of a document of any kind, in one place. Of the parameters only columns are given, so it becomes part of the statement that reads them.
create function wire_of_money(
  status_id text, total_amount bigint, amount_paid bigint, voided_at timestamptz, void_reason text, exchange_rate numeric, home_currency_id text, home_total_amount bigint
) returns text language sql stable parallel safe as $$
  select ',"amount_paid":' || case when status_id = 'paid' then total_amount else coalesce(amount_paid, 0) end
    || ',"amount_due":' || case when voided_at is not null or status_id = 'paid' then 0 else total_amount - coalesce(amount_paid, 0) end
    || ',"payment_status":"' || case
      when status_id = 'paid' then 'paid'
      when coalesce(amount_paid, 0) = 0 then 'unpaid'
      when abs(amount_paid) > abs(total_amount) then 'overpaid'
      else 'partially_paid' end
    || '","voided_at":' || coalesce('"' || wire_time(voided_at) || '"', 'null') || ',"void_reason":' || coalesce(to_json(void_reason)::text, 'null')
    || ',"exchange_rate":' || coalesce('"' || trim_scale(exchange_rate) || '"', 'null') || ',"home_currency_id":' || coalesce('"' || home_currency_id || '"', 'null')
    || ',"home_total_amount":' || coalesce(home_total_amount::text, 'null')
$$;

create or replace view bills_wire with (security_invoker = true) as
select b.org_id, b.id, b.revision, b.created_at, b.consolidated_bill_id,
  case when b.voided_at is not null then regexp_replace(b.wire, '\[[^][]*\]$', '[]') when s.id is not null then left(b.wire, -length('["reopen"]')) || '[]' else b.wire end
    || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
    || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount) || '}' as json,
  b.external_id, b.created_by, b.pay_term_id, b.currency_id,
  case when b.voided_at is not null then regexp_replace(b.wire, '\[[^][]*\]$', '[]') when s.id is not null then left(b.wire, -length('["reopen"]')) || '[]' else b.wire end
    || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
    || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount) as open_json
from bills b
-- The statement that holds a paid bill. No other bill has one to look for.
left join consolidated_bills s on s.org_id = b.org_id and s.id = case when b.status_id = 'paid' then b.consolidated_bill_id end and s.status_id = 'paid';
