-- in lots for each organization
-- Of users from before 0210: who can approve could since they joined, and who cannot act may have been able to until they were last changed.
update users u set
  approves_since = case when u.disabled_at is null and u.role in ('admin', 'member', 'approver') then u.joined_at end,
  left_at = case when u.disabled_at is not null or u.role = 'partner' then coalesce(u.disabled_at, u.updated_at) end
from (
  select id from users where org_id = current_setting('app.org_id')::uuid and joined_at is not null and approves_since is null and left_at is null
    and (disabled_at is not null or role in ('admin', 'member', 'approver', 'partner')) limit 1000) as before
where u.org_id = current_setting('app.org_id')::uuid and u.id = before.id
returning 1;
