-- The borders that manifests have crossed: a row when a border stop was departed from, with what customs had accepted at that moment. One that is flagged
-- was announced, and is announced once.
create table border_crossings (
  org_id uuid not null,
  manifest_id uuid not null,
  stop_id uuid not null,
  border text constraint border_crossing_border check (border in ('ace', 'aci')),
  emanifest_id uuid,
  flagged boolean not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, manifest_id, stop_id)
);
call keep_apart('border_crossings');
alter table border_crossings add constraint border_crossing_organization foreign key (org_id) references organizations;
alter table border_crossings add constraint border_crossing_manifest foreign key (org_id, manifest_id) references objects (org_id, id);
alter table border_crossings add constraint border_crossing_emanifest foreign key (org_id, emanifest_id) references emanifests (org_id, id);
grant select, insert, delete on border_crossings to lading_app;
