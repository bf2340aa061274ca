-- Signed links of the partner portal: whoever holds one sees one record, as its carrier. Of the secret in the link only the hash is kept.
create table portal_links (
  org_id uuid not null,
  id uuid not null,
  token_sha256 bytea not null constraint portal_link_hash_is_whole check (length(token_sha256) = 32),
  partner_carrier_id uuid not null,
  manifest_id uuid,
  bill_id uuid,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  revoked_by text,
  -- When it was last exchanged for an access token. Like the last sign-in of a user it is no revision.
  last_opened_at timestamptz(3),
  revision integer not null default 1,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint portal_link_secret unique (org_id, token_sha256),
  constraint portal_link_is_for_one_record check (num_nonnulls(manifest_id, bill_id) = 1),
  constraint portal_link_is_revoked_by_someone check ((revoked_at is null) = (revoked_by is null)),
  constraint portal_link_ends_after_it_begins check (expires_at > created_at)
);
create index portal_links_newest on portal_links (org_id, created_at desc, id desc);
create index portal_links_manifest on portal_links (org_id, manifest_id) where manifest_id is not null;
create index portal_links_bill on portal_links (org_id, bill_id) where bill_id is not null;
call keep_apart('portal_links');
alter table portal_links add constraint portal_link_organization foreign key (org_id) references organizations;
alter table portal_links add constraint portal_link_manifest foreign key (org_id, manifest_id) references objects (org_id, id);
alter table portal_links add constraint portal_link_carrier foreign key (org_id, partner_carrier_id) references objects (org_id, id);
alter table portal_links add constraint portal_link_bill foreign key (org_id, bill_id) references bills (org_id, id) on delete cascade;
grant select, insert, update, delete on portal_links to lading_app;

create view portal_links_wire with (security_invoker = true) as
select l.org_id, l.id, l.revision, l.created_at, l.manifest_id, l.bill_id, l.partner_carrier_id, wire.state, row_to_json(wire)::text as json
from portal_links l
cross join lateral (
  select l.id, l.org_id, l.manifest_id, l.bill_id, l.partner_carrier_id,
    case when l.revoked_at is not null then 'revoked' when l.expires_at <= statement_timestamp() then 'expired' else 'open' end as state,
    wire_time(l.expires_at) as expires_at, wire_time(l.revoked_at) as revoked_at, wire_time(l.last_opened_at) as last_opened_at,
    l.revision, l.created_by, wire_time(l.created_at) as created_at, wire_time(l.updated_at) as updated_at
) wire;
grant select on portal_links_wire to lading_app;
