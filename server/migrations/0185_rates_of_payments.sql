-- A payment says whether it has no rate to the home currency yet, and that it can be given one: where the organization has a home currency, unless the
-- payment is in it and knows that already.
create or replace view payments_wire with (security_invoker = true) as
select p.org_id, p.id, p.revision, p.created_at, p.external_id, p.status, p.planned_allocations, left(json_build_object(
  'id', p.id, 'number', 'PAY-' || lpad(p.number::text, greatest(6, length(p.number::text)), '0'), 'org_id', p.org_id, 'external_id', p.external_id,
  'direction', p.direction, 'partner_carrier_id', p.partner_carrier_id, 'customer_id', p.customer_id, 'currency_id', p.currency_id, 'amount', p.amount,
  'allocated_amount', p.allocated_amount, 'unallocated_amount', case when p.status = 'voided' then 0 else p.amount - p.allocated_amount end,
  'method', p.method, 'reference_number', p.reference_number, 'notes', p.notes, 'paid_at', wire_time(p.paid_at), 'status', p.status,
  'voided_at', wire_time(p.voided_at), 'void_reason', p.void_reason, 'exchange_rate', trim_scale(p.exchange_rate)::text, 'home_currency_id', p.home_currency_id,
  'missing_rate', p.exchange_rate is null and p.status in ('issued', 'cleared'),
  'realized_gain_amount', p.realized_gain_amount, 'consolidated_bill_id', p.consolidated_bill_id, 'payment_run_id', p.payment_run_id,
  'available_actions', case when p.payment_run_id is null then payment_actions(p.status) when p.status = 'issued' then '["clear","return"]'
    when p.status = 'cleared' then '["return"]' else '[]' end::jsonb
    || case when p.status in ('issued', 'cleared') and o.home_currency_id is not null
        and (p.exchange_rate is null or p.currency_id <> o.home_currency_id or p.home_currency_id <> o.home_currency_id) then '["reprice"]' else '[]' end::jsonb,
  'revision', p.revision, 'created_by', p.created_by, 'created_at', wire_time(p.created_at), 'updated_at', wire_time(p.updated_at))::text, -1) as open_json
from payments p join organizations o on o.org_id = p.org_id;
