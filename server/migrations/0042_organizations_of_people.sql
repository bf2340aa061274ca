-- In which organizations a person is a user. The users themselves say so, and are asked first: this is for signing in while a node of a cluster is away,
-- when not all users can be asked.
-- locks: there is one row for each person who signs in.
alter table people add column org_ids uuid[] not null default '{}';
update people p set org_ids = u.org_ids from (select person_id, array_agg(org_id order by org_id) as org_ids from users where person_id is not null group by person_id) u
where u.person_id = p.id;
-- A cluster writes a new row with its defaults in it, so the serving role must be allowed those columns too.
grant insert (created_at, updated_at, org_ids) on people to lading_app;
