-- A user is known in an organization by an e-mail address. Who signs in as them is a person, and that is known once somebody has accepted. Before
-- that nobody owns the address: several organizations can invite it, and what one of them does decides nothing for the others.
alter table users
  add column email text,
  add column person_id uuid constraint user_signs_in_as references people;
do $$
declare o record;
begin
  for o in select org_id from organizations loop
    perform set_config('app.org_id', o.org_id::text, true);
    update users u set email = p.email, person_id = case when u.joined_at is not null then u.id end from people p where u.org_id = o.org_id and p.id = u.id;
  end loop;
end $$;
alter table users
  alter column email set not null,
  -- Row-level security lets no index be used through lower(), so what is looked for without regard to case is a column.
  add column email_key text not null generated always as (lower(email)) stored,
  add constraint user_email_is_sensible check (email ~ '^[^\s@]+@[^\s@]+$' and length(email) <= 254),
  add constraint user_email_is_unique unique (org_id, email_key),
  add constraint user_person_is_unique unique (org_id, person_id),
  add constraint user_joins_as_a_person check ((joined_at is null) = (person_id is null)),
  drop constraint user_person;
drop index users_person;
create index users_person on users (person_id);
create index users_invited on users (email_key) where joined_at is null;

create or replace view users_wire with (security_invoker = true) as
select u.org_id, u.id, u.revision, u.created_at, u.email, u.name, u.role, u.disabled_at, row_to_json(wire)::text as json
from users u
cross join lateral (
  select u.id, u.email, u.name, u.role, wire_time(u.disabled_at) as disabled_at, u.revision,
    wire_time(u.created_at) as created_at, wire_time(u.updated_at) as updated_at, wire_time(u.joined_at) as joined_at, wire_time(u.last_login_at) as last_login_at
) wire;

-- A person is made when somebody accepts. Two people may have the same address: whoever cannot show that an account is theirs gets one of their own.
delete from people p where p.password_hash is null and not exists (select from users u where u.person_id = p.id);
drop index people_email;
create index people_email on people (lower(email));

-- A password that an admin made up for someone who has not joined yet. It opens nothing but the page on which they choose their own.
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
-- Someone who signs in with one names no organization, so the schema's owner may look for it in all of them; the serving role may not read it at all.
create policy listed_by_owner on first_passwords for select to current_user using (true);
grant select (org_id, user_id, id, expires_at), insert, delete on first_passwords to lading_app;

-- What an admin has to know of: who signed in or failed to, and changes of users, roles, applications, secrets and grants. Rows are only ever
-- added by requests; the schema's owner deletes those that are older than the operator wants.
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
