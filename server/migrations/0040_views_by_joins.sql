-- On a cluster of Citus a statement goes to the machine of its organization only if the organization of every table in it is known from the statement
-- itself. What a view reads from a second table is therefore joined by its key, not selected for each row. The columns are those from before.

-- A statement that calls a function of SQL is sent with the function's body in it, and a simple `case` cannot be sent so.
create or replace function available_actions(status_id text, ever_sent boolean, complete boolean, held boolean) returns text[] language sql immutable parallel safe as $$
  select case
    when status_id = 'draft' then case when complete then array['save', 'delete'] else array['delete'] end
    when status_id = 'saved' then case when ever_sent or held then array['send', 'pay'] else array['send', 'pay', 'draft'] end
    when status_id = 'sent' then array['pay']
    when status_id = 'edited' then array['send', 'pay']
    when status_id = 'paid' then case when held then array[]::text[] else array['reopen'] end
  end
$$;

create or replace function default_widgets(object_key text) returns jsonb language sql immutable parallel safe as $$
  select case
    when object_key = 'customer' then '[{"key":"details","name":"Details","version":1},{"key":"contacts","name":"Contacts","version":1},{"key":"orders","name":"Orders","version":1},{"key":"history","name":"History","version":1}]'::jsonb
    when object_key = 'partner' then '[{"key":"details","name":"Details","version":1},{"key":"contacts","name":"Contacts","version":1},{"key":"bills","name":"Bills","version":1},{"key":"history","name":"History","version":1}]'::jsonb
    when object_key = 'order' then '[{"key":"details","name":"Details","version":1},{"key":"stops","name":"Stops","version":1},{"key":"manifests","name":"Manifests","version":1},{"key":"history","name":"History","version":1}]'::jsonb
    when object_key = 'quote' then '[{"key":"details","name":"Details","version":1},{"key":"history","name":"History","version":1}]'::jsonb
    when object_key = 'manifest' then '[{"key":"details","name":"Details","version":1},{"key":"legs","name":"Legs","version":1},{"key":"payments","name":"Payments","version":1},{"key":"history","name":"History","version":1}]'::jsonb
    else '[{"key":"details","name":"Details","version":1},{"key":"history","name":"History","version":1}]'::jsonb
  end
$$;

create or replace view pay_terms_wire with (security_invoker = true) as
select t.org_id, t.id, t.revision, t.created_at, t.name, t.wire || ',"connector_mappings":' || coalesce(m.json, '{}') || ',"revision":' || t.revision || '}' as json
from pay_terms t
left join (
  select org_id, pay_term_id, json_object_agg(connector_id,
    json_build_object('connector_id', connector_id, 'vendor_pay_term_id', vendor_pay_term_id, 'pay_term_id', pay_term_id, 'org_id', org_id) order by connector_id)::text as json
  from pay_term_connector_mappings group by org_id, pay_term_id) m on m.org_id = t.org_id and m.pay_term_id = t.id;

create or replace view bill_items_wire with (security_invoker = true) as
select i.org_id, i.id, i.bill_id, i.position, i.wire || ',"bill_item_type":' || coalesce(t.wire, 'null') || '}' as json
from bill_items i left join bill_item_types t on t.org_id = i.org_id and t.id = i.bill_item_type_id;

create or replace view bills_wire with (security_invoker = true) as
select b.org_id, b.id, b.revision, b.created_at, b.consolidated_bill_id,
  case when s.id is not null then left(b.wire, -length('["reopen"]')) || '[]' else b.wire end || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null') || '}' as json,
  b.external_id, b.created_by, b.pay_term_id, b.currency_id,
  case when s.id is not null then left(b.wire, -length('["reopen"]')) || '[]' else b.wire end || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null') as open_json
from bills b
-- The statement that holds a paid bill. No other bill has one to look for.
left join consolidated_bills s on s.org_id = b.org_id and s.id = case when b.status_id = 'paid' then b.consolidated_bill_id end and s.status_id = 'paid';

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
    s.status_id, s.currency_id, s.pay_term_id, s.reference_number, s.notes, coalesce(sums.bill_ids, '[]'::json) as bill_ids, coalesce(sums.bill_count, 0) as bill_count,
    coalesce(sums.sub_total_amount, 0) as sub_total_amount, coalesce(sums.tax_amount, 0) as tax_amount, coalesce(sums.total_amount, 0) as total_amount,
    wire_time(s.sent_at) as sent_at, wire_time(s.paid_at) as paid_at, s.send_to_email, s.cc_to_email, s.qb_external_id, s.qb_error_msg,
    wire_time(s.qb_exported_at) as qb_exported_at, s.revision, wire_time(s.created_at) as created_at, wire_time(s.updated_at) as updated_at, s.created_by,
    available_actions(s.status_id, s.sent_at is not null, coalesce(sums.bill_count, 0) > 0, false) as available_actions
) wire;

create or replace view objects_wire with (security_invoker = true) as
select o.org_id, o.id, o.object_key, o.version as revision, o.deleted_at, case when d.hidden = '{}' then o.wire else wire_of_object(
    o.id, o.object_key, o.org_id, o.source, o.full_id, o.name, o.status, case when o.map_markers = '[]' then o.map_markers else (
      select coalesce(jsonb_agg(m), '[]') from jsonb_array_elements(o.map_markers) as m where split_part(m ->> 'id', '.', 1) <> all (d.hidden)) end,
    o.external_id, o.created_at, o.created_by, o.updated_at, o.updated_by, o.version, o.json - d.hidden) end
  || d.widgets_wire || case
    when o.object_key <> 'manifest' then ''
    when b.id is null then ',"billId":null,"billStatusId":null,"billNumber":null'
    else ',"billId":"' || b.id || '","billStatusId":"' || b.status_id || '","billNumber":'
      || coalesce('"BILL-' || lpad(b.number::text, greatest(6, length(b.number::text)), '0') || '"', 'null') end
  || '}' as json
from objects o
join definitions d on d.org_id = o.org_id and d.object_key = o.object_key
-- Nothing but a manifest has one to look for.
left join manifest_bills mb on mb.org_id = o.org_id and mb.manifest_id = case when o.object_key = 'manifest' then o.id end
left join bills b on b.org_id = mb.org_id and b.id = mb.bill_id;

-- All revocations stay in one place, where every process reads them; a table in one place cannot refer to one that is spread over machines.
-- contracts for code before 0030_disabled_applications.sql: a constraint that only refused what no code writes.
alter table revocations drop constraint revocation_organization;
