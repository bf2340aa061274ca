-- The bill that pays for a manifest: at most one, however many ask at once. It goes with the bill, so a manifest whose draft was deleted can be
-- billed again. A manifest that has one can be deleted as little as anything that others refer to.
create table manifest_bills (
  org_id uuid not null,
  manifest_id uuid not null,
  manifest_key text not null default 'manifest' constraint manifest_bill_is_of_a_manifest check (manifest_key = 'manifest'),
  manifest_live boolean not null default true constraint manifest_bill_is_of_a_live_one check (manifest_live),
  bill_id uuid not null,
  created_at timestamptz(3) not null default now(),
  constraint manifest_is_billed_once primary key (org_id, manifest_id),
  constraint manifest_bill_manifest foreign key (org_id, manifest_id, manifest_key, manifest_live) references objects (org_id, id, object_key, live),
  constraint manifest_bill_bill foreign key (org_id, bill_id) references bills on delete cascade
);
create unique index manifest_bills_bill on manifest_bills (org_id, bill_id);
call keep_apart('manifest_bills');
grant select, insert, delete on manifest_bills to lading_app;
