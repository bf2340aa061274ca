-- People, users, applications, and what the sign-in server keeps.

-- A person signs in; a user is that person in one organization. One person in two organizations has one password and
-- two users.
create table people (
  id uuid primary key,
  email text not null
    constraint person_email_is_sensible check (email ~ '^[^\s@]+@[^\s@]+$' and length(email) <= 254),
  password_hash text,
  -- In which organizations a person is a user. The users themselves say so, and are asked first: this is for signing in
  -- while a node of a cluster is away, when not all users can be asked.
  org_ids uuid[] not null default '{}',
  -- How often all access of a person was ended. Signing in before that counts no more, even where it is not finished
  -- yet.
  access_ends integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index people_email on people (lower(email));
grant select (id, email), insert (id, email, password_hash, created_at, updated_at, org_ids, access_ends)
  on people to lading_app;

create table users (
  org_id uuid not null constraint user_organization references organizations,
  id uuid not null,
  name text not null constraint user_name_is_sensible check (length(name) between 1 and 200),
  role text not null,
  disabled_at timestamptz(3),
  last_login_at timestamptz(3),
  -- Null while a user was invited and has not accepted.
  joined_at timestamptz(3),
  -- The user is known in the organization by this address. Who signs in as them is a person, and that is known once
  -- somebody has accepted. Before that nobody owns the address: several organizations can invite it, and what one of
  -- them does decides nothing for the others.
  email text not null constraint user_email_is_sensible check (email ~ '^[^\s@]+@[^\s@]+$' and length(email) <= 254),
  person_id uuid constraint user_signs_in_as references people,
  partner_carrier_id uuid,
  -- One admin alone must not send money elsewhere: not as somebody invented, and not as the only user once the others
  -- are shut out. So it is kept since when a user can sign in with a role that approves, and when one who could act in
  -- the organization could no more.
  approves_since timestamptz(3),
  left_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  -- Row-level security lets no index be used through lower(), so what is looked for without regard to case is a column.
  email_key text not null generated always as (lower(email)) stored,
  primary key (org_id, id),
  constraint user_email_is_unique unique (org_id, email_key),
  constraint user_person_is_unique unique (org_id, person_id),
  constraint user_joins_as_a_person check ((joined_at is null) = (person_id is null)),
  constraint user_role_is_known
    check (role in ('admin', 'member', 'clerk', 'approver', 'payer', 'read_only', 'partner')),
  -- A partner belongs to one carrier, and nobody else to any.
  constraint user_partner_has_a_carrier check ((role = 'partner') = (partner_carrier_id is not null))
);
create index users_order on users (org_id, created_at desc, id desc);
create index users_person on users (person_id);
create index users_invited on users (email_key) where joined_at is null;
create index users_of_a_carrier on users (org_id, partner_carrier_id) where partner_carrier_id is not null;
call keep_apart('users');
-- Signing in looks for the organizations of a person, so the schema's owner may read users across organizations; the
-- serving role may not.
create policy listed_by_owner on users for select to current_user using (true);
grant select, insert, update, delete on users to lading_app;

create view users_wire with (security_invoker = true) as
select u.org_id, u.id, u.revision, u.created_at, u.email, u.name, u.role, u.disabled_at, row_to_json(wire)::text as json, u.partner_carrier_id
from users u
cross join lateral (
  select u.id, u.email, u.name, u.role, u.partner_carrier_id, wire_time(u.disabled_at) as disabled_at, u.revision,
    wire_time(u.created_at) as created_at, wire_time(u.updated_at) as updated_at, wire_time(u.joined_at) as joined_at, wire_time(u.last_login_at) as last_login_at,
    wire_time(u.approves_since) as approves_since
) wire;
grant select on users_wire to lading_app;

-- The link that lets an invited person in, by its hash. A person who has an account already must sign in with it to
-- accept, so that no organization can pull another's user over, nor set their password.
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

-- A password that an admin made up for someone who has not joined yet. It opens nothing but the page on which they
-- choose their own.
create table first_passwords (
  org_id uuid not null,
  user_id uuid not null,
  id uuid not null,
  password_hash text not null,
  expires_at timestamptz(3) not null,
  primary key (org_id, user_id),
  constraint first_password_user foreign key (org_id, user_id) references users on delete cascade
);
call keep_apart('first_passwords');
-- Someone who signs in with one names no organization, so the schema's owner may look for it in all of them; the
-- serving role may not read it at all.
create policy listed_by_owner on first_passwords for select to current_user using (true);
grant select (org_id, user_id, id, expires_at), insert, delete on first_passwords to lading_app;

-- The passwords that admins made up, also when they are void: whoever made one up knows it, so nobody may choose it as
-- their own.
create table given_passwords (
  org_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  password_hash text not null,
  given_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint given_password_user foreign key (org_id, user_id) references users on delete cascade
);
create index given_passwords_of_a_user on given_passwords (org_id, user_id);
call keep_apart('given_passwords');
-- Who accepts an invitation may have been given one in any organization; the serving role may not read them at all.
create policy listed_by_owner on given_passwords for select to current_user using (true);
grant select (org_id, id, user_id, given_at), insert on given_passwords to lading_app;

create table applications (
  org_id uuid not null constraint application_organization references organizations,
  id uuid not null,
  client_id text not null,
  name text not null constraint application_name_is_sensible check (length(name) between 1 and 200),
  type text not null constraint application_type_is_known check (type in ('confidential', 'public')),
  redirect_uris text[] not null default '{}',
  scopes text[] not null,
  grant_types text[] not null,
  last_used_at timestamptz(3),
  -- Whether an application must use PKCE when people sign in through it. A public one always must, whatever is stored:
  -- it has no secret to show with a code.
  require_pkce boolean not null default false,
  -- An application that an admin has disabled. The authorization server treats it like one that it does not know until
  -- it is enabled again.
  disabled_at timestamptz(3),
  -- What the tokens of an application may do.
  access text not null default 'read_write'
    constraint application_access_is_known check (access in ('read_write', 'read')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  primary key (org_id, id),
  constraint application_client_id unique (org_id, client_id),
  constraint application_grant_types_are_known
    check (grant_types <@ array['authorization_code', 'refresh_token', 'client_credentials', 'password']),
  constraint public_application_has_no_secret_flows
    check (type = 'confidential' or not grant_types && array['client_credentials', 'password'])
);
call keep_apart('applications');
grant select, insert, update, delete on applications to lading_app;

create view applications_wire with (security_invoker = true) as
select a.org_id, a.id, a.revision, a.created_at, row_to_json(wire)::text as json
from applications a
cross join lateral (
  select a.id, a.name, a.type, a.client_id, a.redirect_uris, a.scopes, a.grant_types,
    a.type = 'public' or a.require_pkce as require_pkce, a.access, a.revision,
    wire_time(a.created_at) as created_at, wire_time(a.updated_at) as updated_at, wire_time(a.last_used_at) as last_used_at,
    wire_time(a.disabled_at) as disabled_at
) wire;
grant select on applications_wire to lading_app;

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
  retired_at timestamptz(3),
  -- A new key is published before it signs, so that every process and every client that keeps the key set knows it in
  -- time.
  active_from timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now()
);
create unique index signing_keys_one_without_end on signing_keys ((retired_at is null)) where retired_at is null;

-- Secrets of the service as a whole, such as the key that signs its cookies. The serving role has no grant on them.
create table service_secrets (
  name text primary key,
  value bytea not null,
  created_at timestamptz(3) not null default now()
);

-- What the authorization server remembers of sessions, interactions, codes, refresh tokens and grants. It belongs to no
-- organization: a person signs in before one is chosen. Ids are bearer secrets, so a row is found by the hash of its id
-- and does not contain it.
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

-- Which application acts for which user in which organization. Every token of a person hangs on one of these, and dies
-- with it. An id carries its organization, so that a grant is always looked up inside one.
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

-- Access tokens are checked without asking anyone, so what is revoked before its time is listed here until that time
-- has passed. Every process keeps this list in memory: it hears of a new row at once and reads the rows again every
-- second.
create table revocations (
  org_id uuid not null,
  kind text not null
    constraint revocation_kind_is_known check (kind in ('token', 'grant', 'application', 'user', 'role')),
  subject text not null,
  -- Tokens issued up to this moment are dead; a user who is enabled again gets new ones.
  issued_until timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  -- The transaction that wrote a revocation. A process asks for those that its last snapshot did not show, whatever
  -- time they are stamped with: rows become visible in another order than they are stamped.
  written_by xid8 not null default pg_current_xact_id(),
  primary key (org_id, kind, subject)
);
create index revocations_time on revocations (issued_until);
create index revocations_written_by on revocations (written_by);
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

-- What an admin has to know of: who signed in or failed to, and changes of users, roles, applications, secrets and
-- grants. Rows are only ever added by requests; the schema's owner deletes those that are older than the operator
-- wants.
create table security_events (
  org_id uuid not null constraint security_event_organization references organizations,
  id uuid not null,
  type text not null constraint security_event_type_is_noun_verb check (type ~ '^[a-z_]+\.[a-z_]+$'),
  occurred_at timestamptz(3) not null default now(),
  -- Null where nobody has proved who they are.
  actor jsonb,
  -- Whom it concerns, and which application; neither is a reference, because the log outlives both.
  user_id uuid,
  client_id text,
  summary text not null,
  address text,
  user_agent text,
  request_id text,
  primary key (org_id, id)
);
create index security_events_type on security_events (org_id, type, id);
create index security_events_user on security_events (org_id, user_id, id);
create index security_events_time on security_events (org_id, occurred_at);
call keep_apart('security_events');
create policy listed_by_owner on security_events for select to current_user using (true);
create policy deleted_by_owner on security_events for delete to current_user using (true);
grant select, insert on security_events to lading_app;

create view security_events_wire with (security_invoker = true) as
select e.org_id, e.id, e.type, e.user_id, e.occurred_at, row_to_json(wire)::text as json
from security_events e
left join users u on u.org_id = e.org_id and u.id = e.user_id
left join applications a on a.org_id = e.org_id and a.client_id = e.client_id
cross join lateral (
  select e.id, e.type, wire_time(e.occurred_at) as occurred_at, e.summary, e.actor,
    case when e.user_id is not null then json_build_object('id', e.user_id, 'name', u.name, 'email', u.email) end as user,
    case when e.client_id is not null then json_build_object('client_id', e.client_id, 'name', a.name) end as application,
    e.address, e.user_agent, e.request_id
) wire;
grant select on security_events_wire to lading_app;
