-- Whether the total is the sum of the lines because the sender stated none: then it changes with them.
alter table carrier_invoices add column is_total_computed boolean not null default false;

create or replace view carrier_invoices_wire with (security_invoker = true) as
select i.org_id, i.id, i.revision, i.created_at, i.external_id, json_build_object(
  'id', i.id, 'org_id', i.org_id, 'external_id', i.external_id, 'partner_carrier_id', i.partner_carrier_id, 'invoice_number', i.invoice_number,
  'invoice_date', i.invoice_date::text, 'currency_id', i.currency_id, 'reference_number', i.reference_number, 'lines', i.lines, 'total_amount', i.total_amount,
  'is_total_computed', i.is_total_computed,
  'notes', i.notes, 'source', i.source, 'missing_fields', to_json(i.missing_fields), 'manifest_ids', to_json(i.manifest_ids), 'state', i.state, 'findings', i.findings,
  'audited_at', wire_time(i.audited_at), 'is_disputed', i.is_disputed, 'approved_amount', i.approved_amount, 'bill_id', i.bill_id,
  'decisions', i.decisions,
  'revision', i.revision, 'created_by', i.created_by, 'created_at', wire_time(i.created_at), 'updated_at', wire_time(i.updated_at))::text as json
from carrier_invoices i;

-- Whether a load has to be delivered, and its proof of delivery to be there, before the invoice for it is without findings.
alter table audit_policies
  add column check_delivery boolean not null default true,
  add column check_pod boolean not null default true;
alter table audit_policies add constraint audit_policy_of_a_type_is_about_no_load check (bill_item_type_id is null or (check_delivery and check_pod)) not valid;

create or replace view audit_policies_wire with (security_invoker = true) as
select p.org_id, p.id, p.revision, p.created_at, p.partner_carrier_id, json_build_object(
  'id', p.id, 'org_id', p.org_id, 'partner_carrier_id', p.partner_carrier_id, 'bill_item_type_id', p.bill_item_type_id, 'over_percent', trim_scale(p.over_percent)::text,
  'over_amount', p.over_amount, 'under_percent', trim_scale(p.under_percent)::text, 'under_amount', p.under_amount, 'approve_automatically', p.approve_automatically,
  'check_delivery', p.check_delivery, 'check_pod', p.check_pod,
  'revision', p.revision, 'created_at', wire_time(p.created_at), 'updated_at', wire_time(p.updated_at))::text as json
from audit_policies p;

-- The term of bills that are saved with neither a due date nor a term. A table of its own: a column would make organizations and pay terms refer to each
-- other, and neither could be restored first.
create table default_pay_terms (
  org_id uuid not null,
  pay_term_id uuid not null,
  primary key (org_id)
);
call keep_apart('default_pay_terms');
alter table default_pay_terms add constraint default_pay_term_organization foreign key (org_id) references organizations;
alter table default_pay_terms add constraint default_pay_term_term foreign key (org_id, pay_term_id) references pay_terms;
grant select, insert, update, delete on default_pay_terms to lading_app;

create or replace view organizations_wire with (security_invoker = true) as
select o.org_id, o.revision, row_to_json(wire)::text as json
from organizations o
left join default_pay_terms d on d.org_id = o.org_id
cross join lateral (
  select o.org_id as id, o.name, wire_address(o.address) as address, o.home_currency_id, o.time_zone, d.pay_term_id as default_pay_term_id,
    o.require_exchange_rate, o.require_send_address, o.duplicates,
    o.approvals, o.approval_limit_amount, o.forbid_self_approval, o.separate_payer, o.approval_reminder_days,
    o.eta_detour_factor, o.eta_average_speed_kmh, o.eta_delay_limit_minutes, o.double_booking,
    o.revision, wire_time(o.created_at) as created_at, wire_time(o.updated_at) as updated_at
) wire;
