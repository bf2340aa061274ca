-- `stops` of orders and manifests are built in from here on. Objects that have something of that name already are indexed again at the next start.
-- locks: it reads the objects without a lock, and writes two rows for an organization at most.
insert into object_renewals (org_id, object_key)
select distinct org_id, object_key from objects where object_key in ('order', 'manifest') and json ? 'stops' and deleted_at is null
on conflict (org_id, object_key) do update set after_id = excluded.after_id;
