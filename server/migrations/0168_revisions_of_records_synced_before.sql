-- in lots for each organization
-- Of records from before 0167: payments have it in their content; a document that was not changed since it was sent is there as it is.
update connector_records r set revision = known.revision
from (
  select s.connection_id, s.record_type, s.record_id,
    coalesce(b.revision, i.revision, case when s.record_type = 'payment' then (s.content ->> 'revision')::integer end) as revision
  from connector_records s
  left join bills b on b.org_id = s.org_id and b.id = s.record_id and s.record_type = 'bill' and s.state = 'synced' and b.updated_at <= s.synced_at
  left join invoices i on i.org_id = s.org_id and i.id = s.record_id and s.record_type = 'invoice' and s.state = 'synced' and i.updated_at <= s.synced_at
  where s.org_id = current_setting('app.org_id')::uuid and s.revision is null
    and (b.id is not null or i.id is not null or (s.record_type = 'payment' and s.content ->> 'revision' is not null))
  limit 1000) as known
where r.org_id = current_setting('app.org_id')::uuid and r.connection_id = known.connection_id and r.record_type = known.record_type
  and r.record_id = known.record_id
returning 1;
