-- As with bills (0020): what an object says of itself is made when it is written. The definition adds the widgets, and what it hides is taken out
-- where it hides anything; a manifest adds its bill.

create function wire_of_object(
  id uuid, object_key text, org_id uuid, source text, full_id text, name text, status text, map_markers jsonb, external_id text, created_at timestamptz, created_by uuid,
  updated_at timestamptz, updated_by uuid, version integer, content jsonb
) returns text language sql immutable parallel safe as $$
  select left(row_to_json(wire)::text, -1) || case when own.fields = '{}' then '' else ',' || left(substr(own.fields::text, 2), -1) end
  from (
    select content - array['name', 'etaDelayNotifyEnabled', 'etaDelayNotifyLabel']
      - case when object_key = 'manifest' then array['billId', 'billStatusId', 'billNumber'] else array[]::text[] end as fields
  ) own, (
    select id, object_key as "objectKey", org_id as "orgId", source, full_id as "fullId", name, status, map_markers as "mapMarkers", external_id as "externalId",
      wire_time(created_at) as "createdAt", created_by as "createdBy", wire_time(updated_at) as "updatedAt", updated_by as "updatedBy", version,
      coalesce((content ->> 'etaDelayNotifyEnabled')::boolean, false) as "etaDelayNotifyEnabled",
      coalesce(content ->> 'etaDelayNotifyLabel', 'ETA delay notification') as "etaDelayNotifyLabel"
  ) wire
$$;

alter table objects add column wire text not null generated always as (wire_of_object(id, object_key, org_id, source, full_id, name, status, map_markers, external_id,
  created_at, created_by, updated_at, updated_by, version, json)) stored;
alter table definitions add column widgets_wire text not null generated always as (
  ',"widgets":' || coalesce(widgets, default_widgets(object_key))::text || ',"widgetToOpen":' || (coalesce(widgets, default_widgets(object_key)) -> 0)::text) stored;

create or replace view objects_wire with (security_invoker = true) as
select o.org_id, o.id, o.object_key, o.version as revision, o.deleted_at, case when d.hidden = '{}' then o.wire else wire_of_object(
    o.id, o.object_key, o.org_id, o.source, o.full_id, o.name, o.status, case when o.map_markers = '[]' then o.map_markers else (
      select coalesce(jsonb_agg(m), '[]') from jsonb_array_elements(o.map_markers) as m where split_part(m ->> 'id', '.', 1) <> all (d.hidden)) end,
    o.external_id, o.created_at, o.created_by, o.updated_at, o.updated_by, o.version, o.json - d.hidden) end
  || d.widgets_wire || bill.text || '}' as json
from objects o
join definitions d on d.org_id = o.org_id and d.object_key = o.object_key
cross join lateral (
  select case when o.object_key = 'manifest' then coalesce((
    select ',"billId":"' || b.id || '","billStatusId":"' || b.status_id || '","billNumber":'
      || coalesce('"BILL-' || lpad(b.number::text, greatest(6, length(b.number::text)), '0') || '"', 'null')
    from manifest_bills m join bills b on b.org_id = m.org_id and b.id = m.bill_id where m.org_id = o.org_id and m.manifest_id = o.id
  ), ',"billId":null,"billStatusId":null,"billNumber":null') else '' end as text
) bill;
