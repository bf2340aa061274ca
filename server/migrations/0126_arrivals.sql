-- Which fields a message did not say beyond doubt. Somebody enters them before the invoice is audited; until then they hold a placeholder.
alter table carrier_invoices add column missing_fields text[] not null default '{}';
alter table carrier_invoices add constraint carrier_invoice_missing_fields check (missing_fields <@ array['invoice_number', 'total_amount']) not valid;
alter table carrier_invoices add constraint carrier_invoice_is_whole_once_audited
  check (missing_fields = '{}' or (audited_at is null and state in ('received', 'matched', 'rejected'))) not valid;

create or replace view carrier_invoices_wire with (security_invoker = true) as
select i.org_id, i.id, i.revision, i.created_at, i.external_id, json_build_object(
  'id', i.id, 'org_id', i.org_id, 'external_id', i.external_id, 'partner_carrier_id', i.partner_carrier_id, 'invoice_number', i.invoice_number,
  'invoice_date', i.invoice_date::text, 'currency_id', i.currency_id, 'reference_number', i.reference_number, 'lines', i.lines, 'total_amount', i.total_amount,
  'notes', i.notes, 'source', i.source, 'missing_fields', to_json(i.missing_fields), 'manifest_ids', to_json(i.manifest_ids), 'state', i.state, 'findings', i.findings,
  'audited_at', wire_time(i.audited_at), 'is_disputed', i.is_disputed, 'approved_amount', i.approved_amount, 'bill_id', i.bill_id,
  'decisions', i.decisions,
  'revision', i.revision, 'created_by', i.created_by, 'created_at', wire_time(i.created_at), 'updated_at', wire_time(i.updated_at))::text as json
from carrier_invoices i;
