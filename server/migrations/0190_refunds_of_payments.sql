-- What was paid and settles nothing can be paid back: by a payment that goes the other way and names the first. How much of a payment was paid back stands
-- with it, so that a constraint can say that it is never more than is left; `lading doctor` proves that it is the sum of its refunds.
alter table payments add column refund_of_id uuid, add column refunded_amount bigint not null default 0;
alter table payments add constraint payment_refund_is_of_the_same_party_and_currency
  foreign key (org_id, refund_of_id, currency_id, payee_id) references payments (org_id, id, currency_id, payee_id) not valid;
alter table payments add constraint payment_refunds_no_more_than_is_left
  check (refunded_amount = 0 or (refunded_amount > 0 and allocated_amount >= 0 and allocated_amount + refunded_amount <= amount)) not valid;
alter table payments add constraint payment_is_not_voided_while_refunded check (refunded_amount = 0 or status in ('issued', 'cleared')) not valid;
alter table payments add constraint payment_that_refunds_settles_nothing_else
  check (refund_of_id is null or (refund_of_id <> id and amount > 0 and allocated_amount = 0 and refunded_amount = 0 and status <> 'draft')) not valid;

create or replace view payments_wire with (security_invoker = true) as
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
