-- What an event and everything before it come to: the SHA-256 of the hash before it, its place, and its content. It is given together with the place.
-- Null until then, and, of events from before this migration, until the background work has come to them.
alter table events add column hash bytea;
grant update (hash) on events to lading_app;

-- How far the chain of an organization has come, and its last hash. `chained_position` is null until all events from before the feed, which have the
-- place 0 and come first in the order of their ids, have their hashes; `chained_id` is the last of those that has one.
alter table feeds add column chained_position bigint, add column chained_id uuid, add column chained_hash bytea;

create or replace view events_wire with (security_invoker = true) as
select e.org_id, e.id, e.subject_type, e.subject_id, row_to_json(wire)::text as json, e.type, e.position
from events e
cross join lateral (
  select e.id, e.type, e.org_id, wire_time(e.occurred_at) as occurred_at, e.actor, json_build_object('type', e.subject_type, 'id', e.subject_id) as subject,
    e.revision, e.data, e.previous, e.request_id, encode(e.hash, 'hex') as hash
) wire;
