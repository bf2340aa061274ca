-- Of the signing keys one alone has no end: processes that start at the same time on a new database, also on different nodes of a cluster, make one
-- together, where a lock on one node would not be seen on another.
-- locks: there are a handful of keys.
update signing_keys set retired_at = now() + interval '2 hours'
where retired_at is null and kid <> (select kid from signing_keys where retired_at is null order by active_from desc, kid limit 1);
create unique index signing_keys_one_without_end on signing_keys ((retired_at is null)) where retired_at is null;
