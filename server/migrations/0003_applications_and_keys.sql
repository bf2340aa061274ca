create table applications (
  org_id uuid not null constraint application_organization references organizations,
  id uuid not null,
  client_id text not null,
  name text not null constraint application_name_is_sensible check (length(name) between 1 and 200),
  type text not null constraint application_type_is_known check (type in ('confidential', 'public')),
  redirect_uris text[] not null default '{}',
  scopes text[] not null,
  grant_types text[] not null constraint application_grant_types_are_known
    check (grant_types <@ array['authorization_code', 'refresh_token', 'client_credentials', 'password']),
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint application_client_id unique (org_id, client_id),
  constraint public_application_has_no_secret_flows
    check (type = 'confidential' or not grant_types && array['client_credentials', 'password'])
);
call keep_apart('applications');
grant select, insert, update, delete on applications to lading_app;

-- Two secrets are good at once while one is being rotated out.
create table application_secrets (
  org_id uuid not null,
  id uuid not null,
  application_id uuid not null,
  sha256 bytea not null constraint secret_is_hashed check (length(sha256) = 32),
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint secret_application foreign key (org_id, application_id) references applications on delete cascade
);
create index application_secrets_application on application_secrets (org_id, application_id);
call keep_apart('application_secrets');
grant select, insert, update, delete on application_secrets to lading_app;

-- The keys that sign access tokens belong to the service as a whole. The serving role has no grant on them.
create table signing_keys (
  kid text primary key,
  private_jwk jsonb not null,
  created_at timestamptz(3) not null default now(),
  retired_at timestamptz(3)
);
