-- in lots for each organization
-- Those from before 0212 that are still good.
insert into given_passwords (org_id, id, user_id, password_hash)
select f.org_id, f.id, f.user_id, f.password_hash from first_passwords f
where f.org_id = current_setting('app.org_id')::uuid
  and not exists (select from given_passwords g where g.org_id = current_setting('app.org_id')::uuid and g.id = f.id)
limit 1000
returning 1;
