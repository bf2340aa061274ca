-- A manifest shows the bill that pays for it wherever it is read. The books are looked into for manifests alone, and whatever a client sent under
-- these names before they had a meaning is not shown.
create or replace view objects_wire with (security_invoker = true) as
select o.org_id, o.id, o.object_key, o.version as revision, o.deleted_at,
  left(row_to_json(wire)::text, -1) || bill.text || case when own.fields = '{}' then '}' else ',' || substr(own.fields::text, 2) end as json
from objects o
join definitions d on d.org_id = o.org_id and d.object_key = o.object_key
cross join lateral (select coalesce(d.widgets, default_widgets(o.object_key)) as widgets) kind
cross join lateral (
  select o.json - d.hidden - case when o.object_key = 'manifest' then array['name', 'etaDelayNotifyEnabled', 'etaDelayNotifyLabel', 'billId', 'billStatusId', 'billNumber']
    else array['name', 'etaDelayNotifyEnabled', 'etaDelayNotifyLabel'] end as fields
) own
cross join lateral (
  select case when o.object_key = 'manifest' then coalesce((
    select ',"billId":"' || b.id || '","billStatusId":"' || b.status_id || '","billNumber":'
      || coalesce('"BILL-' || lpad(b.number::text, greatest(6, length(b.number::text)), '0') || '"', 'null')
    from manifest_bills m join bills b on b.org_id = m.org_id and b.id = m.bill_id where m.org_id = o.org_id and m.manifest_id = o.id
  ), ',"billId":null,"billStatusId":null,"billNumber":null') else '' end as text
) bill
cross join lateral (
  select o.id, o.object_key as "objectKey", o.org_id as "orgId", o.source, kind.widgets, kind.widgets -> 0 as "widgetToOpen", o.full_id as "fullId", o.name, o.status,
    case when o.map_markers = '[]' or d.hidden = '{}' then o.map_markers else (
      select coalesce(jsonb_agg(m), '[]') from jsonb_array_elements(o.map_markers) as m where split_part(m ->> 'id', '.', 1) <> all (d.hidden)) end as "mapMarkers",
    o.external_id as "externalId", wire_time(o.created_at) as "createdAt", o.created_by as "createdBy", wire_time(o.updated_at) as "updatedAt", o.updated_by as "updatedBy",
    o.version, coalesce((o.json ->> 'etaDelayNotifyEnabled')::boolean, false) as "etaDelayNotifyEnabled",
    coalesce(o.json ->> 'etaDelayNotifyLabel', 'ETA delay notification') as "etaDelayNotifyLabel"
) wire;
