-- A person signs in; a user is that person in one organization. One person in two organizations has one password and two users.
create table people (
  id uuid primary key,
  email text not null constraint person_email_is_sensible check (email ~ '^[^\s@]+@[^\s@]+$' and length(email) <= 254),
  password_hash text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index people_email on people (lower(email));

create table users (
  org_id uuid not null constraint user_organization references organizations,
  id uuid not null constraint user_person references people,
  name text not null constraint user_name_is_sensible check (length(name) between 1 and 200),
  role text not null constraint user_role_is_known check (role in ('admin', 'member')),
  disabled_at timestamptz(3),
  last_login_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id)
);
create index users_person on users (id);
call keep_apart('users');
grant select, insert, update, delete on users to lading_app;
-- The name people sign in with belongs to the person; their password is nobody's to read.
grant select (id, email), insert (id, email, password_hash) on people to lading_app;
