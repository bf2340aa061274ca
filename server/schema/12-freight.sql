-- Where freight is: positions, tracking and bookings.

-- The last position of a manifest, and of each order that was on it and not delivered yet: what the markers of objects
-- show.
create table last_positions (
  org_id uuid not null,
  object_id uuid not null,
  at timestamptz(3) not null,
  latitude double precision not null,
  longitude double precision not null,
  speed_kmh real,
  heading real,
  source text not null,
  place text,
  constraint last_position_of_an_object primary key (org_id, object_id),
  constraint last_position_object foreign key (org_id, object_id) references objects
);
call keep_apart('last_positions');
grant select, insert, update, delete on last_positions to lading_app;

-- The text of an object with what stands elsewhere: its bill or invoice, and the last position of manifests and orders
-- as a marker. It reads the books and the positions, so it stands here. The position is no part of the stored text, so
-- one does not rewrite the object.
create view objects_wire with (security_invoker = true) as
select o.org_id, o.id, o.object_key, o.version as revision, o.deleted_at, case when d.hidden = '{}' and lp.object_id is null then o.wire else wire_of_object(
    o.id, o.object_key, o.org_id, o.source, o.full_id, o.name, o.status, case when o.map_markers = '[]' or d.hidden = '{}' then o.map_markers else (
      select coalesce(jsonb_agg(m), '[]') from jsonb_array_elements(o.map_markers) as m where split_part(m ->> 'id', '.', 1) <> all (d.hidden)) end
      || case when lp.object_id is null then '[]' else jsonb_build_array(jsonb_build_object(
        'id', 'position', 'kind', 'position', 'label', coalesce(lp.place, 'Last position'), 'latitude', lp.latitude, 'longitude', lp.longitude)) end,
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
-- Nothing but a manifest has a bill to look for, nothing but an order an invoice, and nothing but these two a position.
left join manifest_bills mb on mb.org_id = o.org_id and mb.manifest_id = case when o.object_key = 'manifest' then o.id end
left join bills b on b.org_id = mb.org_id and b.id = mb.bill_id and b.voided_at is null
left join order_invoices oi on oi.org_id = o.org_id and oi.order_id = case when o.object_key = 'order' then o.id end
left join invoices i on i.org_id = oi.org_id and i.id = oi.invoice_id and i.voided_at is null
left join last_positions lp on lp.org_id = o.org_id and lp.object_id = case when o.object_key in ('manifest', 'order') then o.id end;
grant select on objects_wire to lading_app;

-- Where the vehicle of a manifest was, and what was said on check calls. What is sent again has the same key, and is
-- kept once. Rows are only ever added and, when they are old, deleted.
create table positions (
  org_id uuid not null,
  manifest_id uuid not null,
  at timestamptz(3) not null,
  source text not null
    constraint position_source_is_known check (source in ('api', 'portal', 'check_call', 'device')),
  latitude double precision constraint position_latitude check (latitude between -90 and 90),
  longitude double precision constraint position_longitude check (longitude between -180 and 180),
  speed_kmh real constraint position_speed check (speed_kmh >= 0),
  heading real constraint position_heading check (heading >= 0 and heading < 360),
  place text,
  note text,
  received_at timestamptz(3) not null,
  created_by uuid not null,
  constraint position_is_kept_once primary key (org_id, manifest_id, at, source),
  constraint position_has_both_coordinates check ((latitude is null) = (longitude is null)),
  constraint position_says_something check (latitude is not null or note is not null or place is not null),
  constraint position_manifest foreign key (org_id, manifest_id) references objects
);
create index positions_received on positions (org_id, received_at);
call keep_apart('positions');
grant select, insert, delete on positions to lading_app;

-- How many positions an organization has recorded on a day, by UTC: written with them, in their transaction, so that no
-- more are kept than may be.
create table position_days (
  org_id uuid not null constraint position_days_organization references organizations,
  day date not null,
  recorded bigint not null constraint position_days_recorded_is_a_count check (recorded >= 0),
  primary key (org_id, day)
);
call keep_apart('position_days');
grant select, insert, update, delete on position_days to lading_app;

-- When a manifest is expected where. `notified_delay_minutes` is the delay that was last announced, null while there is
-- none; the route is what a routing service last said about the rest of the way.
create table tracking (
  org_id uuid not null,
  manifest_id uuid not null,
  next_stop_id uuid,
  distance_left_km double precision,
  eta timestamptz(3),
  delay_minutes integer,
  eta_source text constraint tracking_eta_source_is_known check (eta_source in ('great_circle', 'routing')),
  stops jsonb not null default '[]',
  estimated_at timestamptz(3),
  notified_delay_minutes integer,
  route_factor double precision constraint tracking_route_factor check (route_factor > 0),
  route_speed_kmh double precision constraint tracking_route_speed check (route_speed_kmh > 0),
  routed_at timestamptz(3),
  -- How many positions were recorded of a manifest since this is counted: it can have so many and no more. Whoever
  -- records some has the row locked.
  positions_recorded integer not null default 0,
  constraint tracking_of_a_manifest primary key (org_id, manifest_id),
  constraint tracking_manifest foreign key (org_id, manifest_id) references objects
);
create index tracking_under_way on tracking (org_id, routed_at) where next_stop_id is not null;
call keep_apart('tracking');
grant select, insert, update, delete on tracking to lading_app;

-- For which time a unit of equipment or a driver is taken by a manifest, in organizations that refuse double bookings.
-- Written with the manifest.
create table bookings (
  org_id uuid not null,
  manifest_id uuid not null,
  resource text not null,
  during tstzrange not null constraint booking_takes_time check (not isempty(during)),
  constraint manifest_books_a_resource_once primary key (org_id, manifest_id, resource),
  constraint resource_is_booked_once exclude using gist (org_id with =, resource with =, during with &&),
  constraint booking_manifest foreign key (org_id, manifest_id) references objects
);
call keep_apart('bookings');
grant select, insert, update, delete on bookings to lading_app;
