-- The passwords that admins made up, also when they are void: whoever made one up knows it, so nobody may choose it as their own.
create table given_passwords (
  org_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  password_hash text not null,
  given_at timestamptz(3) not null default now(),
  primary key (org_id, id)
);
create index given_passwords_of_a_user on given_passwords (org_id, user_id);
call keep_apart('given_passwords');
alter table given_passwords add constraint given_password_user foreign key (org_id, user_id) references users (org_id, id) on delete cascade;
-- Who accepts an invitation may have been given one in any organization; the serving role may not read them at all.
create policy listed_by_owner on given_passwords for select to current_user using (true);
grant select (org_id, user_id, id, given_at), insert on given_passwords to lading_app;
