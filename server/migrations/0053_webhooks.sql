-- Endpoints that are sent what happens. Up to `position` the events of the feed have their deliveries.
create table webhooks (
  org_id uuid not null,
  id uuid not null,
  url text not null,
  description text,
  event_types text[] not null constraint webhook_has_event_types check (cardinality(event_types) > 0),
  enabled boolean not null default true,
  disabled_at timestamptz(3),
  disabled_reason text,
  -- Not hashed: it signs. After a rotation the one before it signs, too, for a while.
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz(3),
  position bigint not null,
  -- How deliveries have gone lately; no change of these is one of the revision.
  failing_since timestamptz(3),
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  last_error text,
  -- Nobody sees it any more; its deliveries are deleted in lots, and then it is, too.
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  primary key (org_id, id),
  constraint webhook_is_enabled_or_disabled check (enabled = (disabled_at is null)),
  constraint webhook_previous_secret_ends check ((previous_secret is null) = (previous_secret_until is null)),
  constraint webhook_is_disabled_when_deleted check (deleted_at is null or not enabled)
) with (fillfactor = 70);
call keep_apart('webhooks');
-- The background work looks for what is to be done in all organizations.
create policy listed_by_owner on webhooks for select to current_user using (true);
grant select, insert, update, delete on webhooks to lading_app;
alter table webhooks add constraint webhook_organization foreign key (org_id) references organizations;

-- An event on its way to an endpoint: once for each, however often it is sent. It waits for as long as it has a next attempt; whoever sends it holds it
-- until `leased_until`, so that what a process left behind is sent by another.
create table webhook_deliveries (
  org_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  type text not null,
  state text not null default 'pending' constraint webhook_delivery_state_is_known check (state in ('pending', 'succeeded', 'failed', 'given_up')),
  attempt_count integer not null default 0,
  -- Since it was made, or sent again by hand: the wait for the next attempt follows from it.
  failure_count integer not null default 0,
  next_attempt_at timestamptz(3),
  leased_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint webhook_delivery_is_made_once unique (org_id, webhook_id, event_id),
  constraint webhook_delivery_waits_or_has_ended check ((next_attempt_at is not null) = (state in ('pending', 'failed')))
) with (fillfactor = 70);
create index webhook_deliveries_waiting on webhook_deliveries (org_id, webhook_id, next_attempt_at) where next_attempt_at is not null;
call keep_apart('webhook_deliveries');
create policy listed_by_owner on webhook_deliveries for select to current_user using (true);
grant select, insert, update, delete on webhook_deliveries to lading_app;
alter table webhook_deliveries add constraint webhook_delivery_webhook foreign key (org_id, webhook_id) references webhooks;

-- Each time that a delivery was sent: where to, with which signature, and what came back.
create table webhook_attempts (
  org_id uuid not null,
  delivery_id uuid not null,
  number integer not null,
  at timestamptz(3) not null,
  url text not null,
  signature text not null,
  status integer,
  duration_ms integer not null,
  error text,
  response_excerpt text,
  primary key (org_id, delivery_id, number)
);
call keep_apart('webhook_attempts');
grant select, insert, delete on webhook_attempts to lading_app;
alter table webhook_attempts add constraint webhook_attempt_delivery foreign key (org_id, delivery_id) references webhook_deliveries;

-- A span of the feed that is sent again, worked off in lots: up to `position` it is done.
create table webhook_replays (
  org_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  position bigint not null,
  until_position bigint not null,
  from_at timestamptz(3),
  to_at timestamptz(3),
  event_types text[] not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, id)
);
call keep_apart('webhook_replays');
create policy listed_by_owner on webhook_replays for select to current_user using (true);
grant select, insert, update, delete on webhook_replays to lading_app;
alter table webhook_replays add constraint webhook_replay_webhook foreign key (org_id, webhook_id) references webhooks;

create view webhooks_wire with (security_invoker = true) as
select w.org_id, w.id, w.created_at, w.revision, json_build_object(
  'id', w.id, 'url', w.url, 'description', w.description, 'event_types', w.event_types, 'enabled', w.enabled,
  'disabled_at', wire_time(w.disabled_at), 'disabled_reason', w.disabled_reason, 'revision', w.revision,
  'created_at', wire_time(w.created_at), 'updated_at', wire_time(w.updated_at))::text as json,
  w.failing_since, w.last_success_at, w.last_failure_at, w.last_error
from webhooks w
where w.deleted_at is null;
grant select on webhooks_wire to lading_app;
