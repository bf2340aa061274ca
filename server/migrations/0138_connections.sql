-- The accounting systems that an organization is connected with, one of each kind: mappings of pay terms are kept by the kind alone. Secrets that people
-- enter and tokens that the other side gives are encrypted with a key that is not in the database. Tokens change by themselves, so they are no revision.
create table connections (
  org_id uuid not null,
  id uuid not null,
  connector_id text not null constraint connection_connector_is_sensible check (length(connector_id) between 1 and 60),
  name text not null constraint connection_name_is_sensible check (length(name) between 1 and 255),
  status text not null constraint connection_status check (status in ('connected', 'needs_sign_in', 'error', 'disconnected')),
  settings jsonb not null default '{}' constraint connection_settings_are_an_object check (jsonb_typeof(settings) = 'object'),
  secrets_sealed text,
  secret_names text[] not null default '{}',
  tokens_sealed text,
  -- Which company or tenant it is there, and what that is called.
  remote_id text,
  remote_name text,
  error text,
  connected_at timestamptz(3),
  -- Until when a process renews the tokens; no other does so meanwhile.
  renewing_until timestamptz(3),
  -- Until when the other side asked not to be called.
  waits_until timestamptz(3),
  -- Up to which moment of the other side payments were looked through.
  payments_until text,
  last_sync_at timestamptz(3),
  revision integer not null default 1,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint connection_of_a_connector unique (org_id, connector_id),
  constraint connection_secrets_are_named check ((secrets_sealed is null) = (secret_names = '{}'))
);
create index connections_newest on connections (org_id, created_at desc, id desc);
call keep_apart('connections');
alter table connections add constraint connection_organization foreign key (org_id) references organizations;
grant select, insert, update, delete on connections to lading_app;

create view connections_wire with (security_invoker = true) as
select c.org_id, c.id, c.revision, c.created_at, c.connector_id, c.status, row_to_json(wire)::text as json
from connections c
cross join lateral (
  select c.id, c.org_id, c.connector_id, c.name, c.status, c.settings, c.secret_names as secrets_set, c.remote_id, c.remote_name, c.error,
    wire_time(c.connected_at) as connected_at, wire_time(c.last_sync_at) as last_sync_at, c.revision, c.created_by,
    wire_time(c.created_at) as created_at, wire_time(c.updated_at) as updated_at
) wire;
grant select on connections_wire to lading_app;

-- What a record of ours is called in the other system. Those of pay terms are in pay_term_connector_mappings.
create table connection_mappings (
  org_id uuid not null,
  connection_id uuid not null,
  kind text not null constraint connection_mapping_kind check (kind in ('bill_items', 'invoice_items', 'tax_rates', 'partner_carriers', 'customers')),
  record_id uuid not null,
  remote_id text not null constraint connection_mapping_remote_id_is_sensible check (length(remote_id) between 1 and 255),
  remote_name text constraint connection_mapping_remote_name_is_sensible check (length(remote_name) between 1 and 255),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, connection_id, kind, record_id)
);
create index connection_mappings_remote on connection_mappings (org_id, connection_id, kind, remote_id);
call keep_apart('connection_mappings');
alter table connection_mappings add constraint connection_mapping_organization foreign key (org_id) references organizations;
alter table connection_mappings add constraint connection_mapping_connection foreign key (org_id, connection_id) references connections on delete cascade;
grant select, insert, update, delete on connection_mappings to lading_app;
