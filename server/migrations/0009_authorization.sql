-- What the authorization server remembers of sessions, interactions, codes, refresh tokens and grants. It belongs to no organization: a person
-- signs in before one is chosen. Ids are bearer secrets, so a row is found by the hash of its id and does not contain it.
create table oidc_records (
  kind text not null,
  id_sha256 bytea not null,
  payload jsonb not null,
  grant_id text,
  uid text,
  person_id uuid,
  user_agent text,
  address text,
  consumed_at timestamptz(3),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  primary key (kind, id_sha256)
);
create index oidc_records_grant on oidc_records (grant_id) where grant_id is not null;
create index oidc_records_uid on oidc_records (kind, uid) where uid is not null;
create index oidc_records_person on oidc_records (person_id, kind) where person_id is not null;
create index oidc_records_expiry on oidc_records (expires_at);

-- Which application acts for which user in which organization. Every token of a person hangs on one of these, and dies with it.
-- An id carries its organization, so that a grant is always looked up inside one.
create table grants (
  org_id uuid not null,
  id text not null,
  user_id uuid not null,
  client_id text not null,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint grant_user foreign key (org_id, user_id) references users
);
create index grants_user on grants (org_id, user_id);
create index grants_client on grants (org_id, client_id);
call keep_apart('grants');
grant select, insert, update, delete on grants to lading_app;

-- Signing in looks for the organizations of a person, so the schema's owner may read users across organizations; the serving role may not.
create policy listed_by_owner on users for select to current_user using (true);

-- Access tokens are checked without asking anyone, so what is revoked before its time is listed here until that time has passed.
-- Every process keeps this list in memory: it hears of a new row at once and reads the rows again every second.
create table revocations (
  org_id uuid not null constraint revocation_organization references organizations,
  kind text not null constraint revocation_kind_is_known check (kind in ('token', 'grant', 'application', 'user')),
  subject text not null,
  -- Tokens issued up to this moment are dead; a user who is enabled again gets new ones.
  issued_until timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (org_id, kind, subject)
);
create index revocations_time on revocations (issued_until);
call keep_apart('revocations');
create policy listed_by_owner on revocations for select to current_user using (true);
grant select, insert, update, delete on revocations to lading_app;

-- Failed attempts to sign in, by the hash of what they were counted for: an account, an address, an application.
create table sign_in_failures (
  subject_sha256 bytea primary key,
  failures integer not null,
  refused boolean not null default false,
  blocked_until timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index sign_in_failures_expiry on sign_in_failures (expires_at);

-- Secrets of the service as a whole, such as the key that signs its cookies. The serving role has no grant on them.
create table service_secrets (
  name text primary key,
  value bytea not null,
  created_at timestamptz(3) not null default now()
);

-- A new key is published before it signs, so that every process and every client that keeps the key set knows it in time.
alter table signing_keys add column active_from timestamptz(3) not null default now();

alter table applications add column revision integer not null default 1;

create view applications_wire with (security_invoker = true) as
select a.org_id, a.id, a.revision, a.created_at, row_to_json(wire)::text as json
from applications a
cross join lateral (
  select a.id, a.name, a.type, a.client_id, a.redirect_uris, a.scopes, a.grant_types, a.revision,
    wire_time(a.created_at) as created_at, wire_time(a.updated_at) as updated_at, wire_time(a.last_used_at) as last_used_at
) wire;
grant select on applications_wire to lading_app;

-- A user who has not joined yet was invited and has not accepted.
alter table users add column revision integer not null default 1, add column joined_at timestamptz(3);

-- The link that lets an invited person in, by its hash. A person who has an account already must sign in with it to accept, so that no organization
-- can pull another's user over, nor set their password.
create table invitations (
  org_id uuid not null,
  token_sha256 bytea not null,
  user_id uuid not null,
  expires_at timestamptz(3) not null,
  primary key (org_id, token_sha256),
  constraint invitation_user foreign key (org_id, user_id) references users on delete cascade
);
create index invitations_user on invitations (org_id, user_id);
call keep_apart('invitations');
grant select, insert, delete on invitations to lading_app;

create index users_order on users (org_id, created_at desc, id desc);

create view users_wire with (security_invoker = true) as
select u.org_id, u.id, u.revision, u.created_at, p.email, u.name, u.role, u.disabled_at, row_to_json(wire)::text as json
from users u
join people p on p.id = u.id
cross join lateral (
  select u.id, p.email, u.name, u.role, wire_time(u.disabled_at) as disabled_at, u.revision,
    wire_time(u.created_at) as created_at, wire_time(u.updated_at) as updated_at, wire_time(u.joined_at) as joined_at, wire_time(u.last_login_at) as last_login_at
) wire;
grant select on users_wire to lading_app;
