create extension if not exists btree_gist;

-- For which time a unit of equipment or a driver is taken by a manifest, in organizations that refuse double bookings. Written with the manifest.
create table bookings (
  org_id uuid not null,
  manifest_id uuid not null,
  resource text not null,
  during tstzrange not null constraint booking_takes_time check (not isempty(during)),
  constraint manifest_books_a_resource_once primary key (org_id, manifest_id, resource),
  constraint resource_is_booked_once exclude using gist (org_id with =, resource with =, during with &&)
);
call keep_apart('bookings');
grant select, insert, update, delete on bookings to lading_app;
alter table bookings add constraint booking_manifest foreign key (org_id, manifest_id) references objects (org_id, id);
