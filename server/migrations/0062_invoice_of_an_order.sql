-- The invoice that charges for an order: at most one that stands, however many ask at once. It goes with the invoice, so an order whose draft was
-- deleted can be invoiced again. An order that has one can be deleted as little as anything that others refer to.
create table order_invoices (
  org_id uuid not null,
  order_id uuid not null,
  order_key text not null default 'order' constraint order_invoice_is_of_an_order check (order_key = 'order'),
  order_live boolean not null default true constraint order_invoice_is_of_a_live_one check (order_live),
  invoice_id uuid not null,
  created_at timestamptz(3) not null default now(),
  constraint order_is_invoiced_once primary key (org_id, order_id)
);
create index order_invoices_invoice on order_invoices (org_id, invoice_id);
call keep_apart('order_invoices');
grant select, insert, update, delete on order_invoices to lading_app;
alter table order_invoices add constraint order_invoice_order foreign key (org_id, order_id, order_key, order_live) references objects (org_id, id, object_key, live);
alter table order_invoices add constraint order_invoice_invoice foreign key (org_id, invoice_id) references invoices on delete cascade;
-- Where a bill or an invoice was voided, another takes its place.
grant update on manifest_bills to lading_app;

create function invoice_number(number integer) returns text language sql immutable parallel safe as $$
  select 'INV-' || lpad(number::text, greatest(6, length(number::text)), '0')
$$;

-- The same as before, and of an order what a client sent under the names of its invoice before they had a meaning is not shown either. The text of an
-- order that is there has it until the order is next written; what the view puts behind it counts.
create or replace function wire_of_object(id uuid, object_key text, org_id uuid, source text, full_id text, name text, status text, map_markers jsonb, external_id text, created_at timestamp with time zone, created_by uuid, updated_at timestamp with time zone, updated_by uuid, version integer, content jsonb) returns text language sql immutable parallel safe
begin atomic
  select left(row_to_json(wire)::text, -1) || case when own.fields = '{}' then '' else ',' || left(substr(own.fields::text, 2), -1) end
  from (
    select content - array['name', 'etaDelayNotifyEnabled', 'etaDelayNotifyLabel'] - case
      when object_key = 'manifest' then array['billId', 'billStatusId', 'billNumber']
      when object_key = 'order' then array['invoiceId', 'invoiceStatusId', 'invoiceNumber']
      else array[]::text[] end as fields
  ) own, (
    select id, object_key as "objectKey", org_id as "orgId", source, full_id as "fullId", name, status, map_markers as "mapMarkers", external_id as "externalId",
      wire_time(created_at) as "createdAt", created_by as "createdBy", wire_time(updated_at) as "updatedAt", updated_by as "updatedBy", version,
      coalesce((content ->> 'etaDelayNotifyEnabled')::boolean, false) as "etaDelayNotifyEnabled",
      coalesce(content ->> 'etaDelayNotifyLabel', 'ETA delay notification') as "etaDelayNotifyLabel"
  ) wire;
end;
-- A manifest shows the bill that pays for it, and an order the invoice that charges for it, unless that is voided.
create or replace view objects_wire with (security_invoker = true) as
select o.org_id, o.id, o.object_key, o.version as revision, o.deleted_at, case when d.hidden = '{}' then o.wire else wire_of_object(
    o.id, o.object_key, o.org_id, o.source, o.full_id, o.name, o.status, case when o.map_markers = '[]' then o.map_markers else (
      select coalesce(jsonb_agg(m), '[]') from jsonb_array_elements(o.map_markers) as m where split_part(m ->> 'id', '.', 1) <> all (d.hidden)) end,
    o.external_id, o.created_at, o.created_by, o.updated_at, o.updated_by, o.version, o.json - d.hidden) end
  || d.widgets_wire || case
    when o.object_key = 'order' then case
      when i.id is null then ',"invoiceId":null,"invoiceStatusId":null,"invoiceNumber":null'
      else ',"invoiceId":"' || i.id || '","invoiceStatusId":"' || i.status_id || '","invoiceNumber":' || coalesce('"' || invoice_number(i.number) || '"', 'null') end
    when o.object_key <> 'manifest' then ''
    when b.id is null then ',"billId":null,"billStatusId":null,"billNumber":null'
    else ',"billId":"' || b.id || '","billStatusId":"' || b.status_id || '","billNumber":' || coalesce('"' || bill_number(b.number) || '"', 'null') end
  || '}' as json
from objects o
join definitions d on d.org_id = o.org_id and d.object_key = o.object_key
-- Nothing but a manifest has a bill to look for, and nothing but an order an invoice.
left join manifest_bills mb on mb.org_id = o.org_id and mb.manifest_id = case when o.object_key = 'manifest' then o.id end
left join bills b on b.org_id = mb.org_id and b.id = mb.bill_id and b.voided_at is null
left join order_invoices oi on oi.org_id = o.org_id and oi.order_id = case when o.object_key = 'order' then o.id end
left join invoices i on i.org_id = oi.org_id and i.id = oi.invoice_id and i.voided_at is null;
