-- in lots for each organization
-- A field that was removed took the words with it that the `fullId` of its object has too, so the object was not found by them any more. Kinds whose
-- definition was ever changed are reindexed once, at the next start.
insert into object_renewals (org_id, object_key)
select org_id, object_key from definitions where org_id = current_setting('app.org_id')::uuid and deleted_at is null and revision > 1
limit 1000
on conflict do nothing
returning 1;
