-- A statement that has a number is voided instead of deleted. Its bills are free then, so it keeps which they were and what they came to: the sums of any
-- other statement are read from its bills.
alter table consolidated_bills
  add column voided_at timestamptz(3),
  add column void_reason text,
  add column voided_bill_ids uuid[],
  add column voided_sub_total_amount bigint,
  add column voided_tax_amount bigint,
  add column voided_total_amount bigint;
-- `not valid` spares a reading of the whole table: nothing could be voided before. One constraint in each statement, as Citus wants it.
alter table consolidated_bills add constraint consolidated_bill_voided_has_a_number check (voided_at is null or number is not null) not valid;
alter table consolidated_bills add constraint consolidated_bill_voided_is_not_paid check (voided_at is null or status_id <> 'paid') not valid;
alter table consolidated_bills add constraint consolidated_bill_voided_keeps_its_content check (
  num_nonnulls(voided_at, void_reason, voided_bill_ids, voided_sub_total_amount, voided_tax_amount, voided_total_amount) in (0, 6)) not valid;

create or replace view consolidated_bills_wire with (security_invoker = true) as
select s.org_id, s.id, s.revision, s.created_at, row_to_json(wire)::text as json from consolidated_bills s
left join (
  select b.org_id, b.consolidated_bill_id, sum(b.sub_total_amount)::bigint as sub_total_amount, sum(b.tax_amount)::bigint as tax_amount,
    sum(b.total_amount)::bigint as total_amount, count(*)::int as bill_count, json_agg(b.id order by b.created_at, b.id) as bill_ids
  from bills b where b.consolidated_bill_id is not null group by b.org_id, b.consolidated_bill_id) sums on sums.org_id = s.org_id and sums.consolidated_bill_id = s.id
cross join lateral (
  select s.id, s.full_id, 'STMT-' || lpad(s.number::text, greatest(6, length(s.number::text)), '0') as number, s.org_id, s.external_id, s.consolidated_bill_type_id,
    s.partner_carrier_id, s.driver_id, wire_address(s.bill_to) as bill_to, s.bill_to ->> 'company_name' as bill_to_company_name, wire_address(s.remit_to) as remit_to,
    wire_time(s.pay_period_start) as pay_period_start, wire_time(s.pay_period_end) as pay_period_end, wire_time(s.bill_date) as bill_date, wire_time(s.due_date) as due_date,
    s.status_id, s.currency_id, s.pay_term_id, s.reference_number, s.notes,
    coalesce(sums.bill_ids, to_json(s.voided_bill_ids), '[]'::json) as bill_ids, coalesce(sums.bill_count, cardinality(s.voided_bill_ids), 0) as bill_count,
    coalesce(sums.sub_total_amount, s.voided_sub_total_amount, 0) as sub_total_amount, coalesce(sums.tax_amount, s.voided_tax_amount, 0) as tax_amount,
    coalesce(sums.total_amount, s.voided_total_amount, 0) as total_amount,
    wire_time(s.sent_at) as sent_at, wire_time(s.paid_at) as paid_at, s.send_to_email, s.cc_to_email, s.qb_external_id, s.qb_error_msg,
    wire_time(s.qb_exported_at) as qb_exported_at, s.revision, wire_time(s.created_at) as created_at, wire_time(s.updated_at) as updated_at, s.created_by,
    case
      when s.voided_at is not null then array[]::text[]
      when s.number is null or s.status_id = 'paid' then available_actions(s.status_id, s.sent_at is not null, coalesce(sums.bill_count, 0) > 0, false)
      -- What has a number is voided, not deleted.
      else array_remove(available_actions(s.status_id, s.sent_at is not null, coalesce(sums.bill_count, 0) > 0, false), 'delete') || array['void']
    end as available_actions,
    wire_time(s.voided_at) as voided_at, s.void_reason
) wire;
