-- in lots for each organization
-- Carrier invoices whose bill was voided before that took them along can be decided about again; who voided it is in the history of the bill.
update carrier_invoices i set bill_id = null, state = case when i.manifest_ids = '{}' then 'received' else 'matched' end, approved_amount = null, findings = '[]',
  comparison = '[]', audited_at = null, is_disputed = false, decisions = i.decisions || found.decided, revision = i.revision + 1, updated_at = statement_timestamp()
from (
  select s.id, jsonb_build_array(jsonb_build_object(
    'decision', 'void', 'note', coalesce(v.void_reason, ''), 'amount', null, 'decided_by', '', 'decided_at', wire_time(v.voided_at))) as decided
  from carrier_invoices s join bills v on v.org_id = s.org_id and v.id = s.bill_id and v.voided_at is not null
  where s.org_id = current_setting('app.org_id')::uuid and s.state = 'billed'
  limit 1000) as found
where i.org_id = current_setting('app.org_id')::uuid and i.id = found.id
returning 1;
