-- in lots for each organization
-- Of those from before 0176 it is not known how each attempt ended; one that was tried again had no clear answer before.
update emanifest_filings f set may_have_arrived = true
from (
  select id from emanifest_filings
  where org_id = current_setting('app.org_id')::uuid and state in ('waiting', 'failed') and attempts > 1 and not may_have_arrived limit 1000) as tried
where f.org_id = current_setting('app.org_id')::uuid and f.id = tried.id
returning 1;
