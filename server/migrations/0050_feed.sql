-- The place of an event in the feed of its organization. It is given after the commit, in the order of the changes of each record: null until then. Events
-- from before the feed have the place 0: they are the history of their records, and in no feed. Servers from before this migration write null, too.
alter table events add column position bigint default 0;
alter table events alter column position set default null;
-- What was recorded stays as it was: the serving role may give an event its place, and change nothing else of it.
grant update (position) on events to lading_app;
-- Whoever gives the places looks for the organizations that have events without one.
create policy unpublished_listed_by_owner on events for select to current_user using (position is null);

-- The feed of an organization: places up to `last_position` are given; those up to `kept_from` cannot be asked for any more. Only who gives places locks it.
create table feeds (
  org_id uuid primary key,
  last_position bigint not null default 0,
  kept_from bigint not null default 0,
  -- When the oldest event that can be asked for happened.
  oldest_at timestamptz(3),
  constraint feed_keeps_what_it_has check (kept_from between 0 and last_position)
);
call keep_apart('feeds');
alter table feeds add constraint feed_organization foreign key (org_id) references organizations;
create policy listed_by_owner on feeds for select to current_user using (true);
grant select, insert, update on feeds to lading_app;

create or replace view events_wire with (security_invoker = true) as
select e.org_id, e.id, e.subject_type, e.subject_id, row_to_json(wire)::text as json, e.type, e.position
from events e
cross join lateral (
  select e.id, e.type, e.org_id, wire_time(e.occurred_at) as occurred_at, e.actor, json_build_object('type', e.subject_type, 'id', e.subject_id) as subject,
    e.revision, e.data, e.previous, e.request_id
) wire;
