-- Events, the feed that they make, webhooks, and what requests leave behind.

-- One row for every change, written in the transaction of the change. Rows are only ever added: the serving role can do
-- no more.
create table events (
  org_id uuid not null constraint event_organization references organizations,
  id uuid not null,
  type text not null constraint event_type_is_noun_verb check (type ~ '^[a-z][a-z0-9_]*\.[a-z_]+$'),
  occurred_at timestamptz(3) not null default now(),
  actor jsonb not null,
  subject_type text not null,
  subject_id uuid not null,
  data jsonb not null,
  previous jsonb,
  request_id text,
  -- The place of an event in the feed of its organization. It is given after the commit, in the order of the changes of
  -- each record: null until then. Events from before there was a feed have the place 0: they are the history of their
  -- records, and in no feed.
  "position" bigint,
  -- What an event and everything before it come to: the SHA-256 of the hash before it, its place, and its content. It
  -- is given together with the place.
  hash bytea,
  revision integer,
  primary key (org_id, id)
);
create index events_subject on events (org_id, subject_type, subject_id, id);
create index events_unpublished on events (org_id, id) where position is null;
create unique index events_position on events (org_id, position) where position > 0;
create index events_request on events (org_id, request_id) where request_id is not null;
call keep_apart('events');
-- Whoever gives the places looks for the organizations that have events without one.
create policy unpublished_listed_by_owner on events for select to current_user using (position is null);
grant select, insert, update ("position", hash) on events to lading_app;

create view events_wire with (security_invoker = true) as
select e.org_id, e.id, e.subject_type, e.subject_id, row_to_json(wire)::text as json, e.type, e.position
from events e
cross join lateral (
  select e.id, e.type, e.org_id, wire_time(e.occurred_at) as occurred_at, e.actor, json_build_object('type', e.subject_type, 'id', e.subject_id) as subject,
    e.revision, e.data, e.previous, e.request_id, encode(e.hash, 'hex') as hash
) wire;
grant select on events_wire to lading_app;

-- The feed of an organization: places up to `last_position` are given; those up to `kept_from` cannot be asked for any
-- more. Only who gives places locks it.
create table feeds (
  org_id uuid primary key constraint feed_organization references organizations,
  last_position bigint not null default 0,
  kept_from bigint not null default 0,
  -- When the oldest event that can be asked for happened.
  oldest_at timestamptz(3),
  -- How far the chain of an organization has come, and its last hash. `chained_position` is null until all events of
  -- the place 0, which come first in the order of their ids, have their hashes; `chained_id` is the last of those that
  -- has one.
  chained_position bigint,
  chained_id uuid,
  chained_hash bytea,
  constraint feed_keeps_what_it_has check (kept_from between 0 and last_position)
);
call keep_apart('feeds');
create policy listed_by_owner on feeds for select to current_user using (true);
grant select, insert, update on feeds to lading_app;

-- Endpoints that are sent what happens. Up to `position` the events of the feed have their deliveries.
create table webhooks (
  org_id uuid not null constraint webhook_organization references organizations,
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
  "position" bigint not null,
  -- How deliveries have gone lately; no change of these is one of the revision.
  failing_since timestamptz(3),
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  last_error text,
  -- From this position of the feed on, every event that a webhook asks for has its delivery: where it was made or
  -- enabled, or its types were changed. Null until the webhook moves on for the first time.
  complete_after bigint,
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

create view webhooks_wire with (security_invoker = true) as
select w.org_id, w.id, w.created_at, w.revision, json_build_object(
  'id', w.id, 'url', w.url, 'description', w.description, 'event_types', w.event_types, 'enabled', w.enabled,
  'disabled_at', wire_time(w.disabled_at), 'disabled_reason', w.disabled_reason, 'revision', w.revision,
  'created_at', wire_time(w.created_at), 'updated_at', wire_time(w.updated_at))::text as json,
  w.failing_since, w.last_success_at, w.last_failure_at, w.last_error
from webhooks w
where w.deleted_at is null;
grant select on webhooks_wire to lading_app;

-- An event on its way to an endpoint: once for each, however often it is sent. It waits for as long as it has a next
-- attempt; whoever sends it holds it until `leased_until`, so that what a process left behind is sent by another.
create table webhook_deliveries (
  org_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  type text not null,
  state text not null default 'pending'
    constraint webhook_delivery_state_is_known check (state in ('pending', 'succeeded', 'failed', 'given_up')),
  attempt_count integer not null default 0,
  -- Since it was made, or sent again by hand: the wait for the next attempt follows from it.
  failure_count integer not null default 0,
  next_attempt_at timestamptz(3),
  leased_until timestamptz(3),
  -- How often it was asked to be sent again, by hand or by a replay. What came of an attempt that was under way then
  -- says nothing of what was asked for since.
  resend_count integer not null default 0,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint webhook_delivery_is_made_once unique (org_id, webhook_id, event_id),
  constraint webhook_delivery_waits_or_has_ended
    check ((next_attempt_at is not null) = (state in ('pending', 'failed'))),
  constraint webhook_delivery_webhook foreign key (org_id, webhook_id) references webhooks
) with (fillfactor = 70);
create index webhook_deliveries_waiting
  on webhook_deliveries (org_id, webhook_id, next_attempt_at) where next_attempt_at is not null;
call keep_apart('webhook_deliveries');
create policy listed_by_owner on webhook_deliveries for select to current_user using (true);
grant select, insert, update, delete on webhook_deliveries to lading_app;

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
  primary key (org_id, delivery_id, number),
  constraint webhook_attempt_delivery foreign key (org_id, delivery_id) references webhook_deliveries
);
call keep_apart('webhook_attempts');
grant select, insert, delete on webhook_attempts to lading_app;

-- A span of the feed that is sent again, worked off in lots: up to `position` it is done.
create table webhook_replays (
  org_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  "position" bigint not null,
  until_position bigint not null,
  from_at timestamptz(3),
  to_at timestamptz(3),
  event_types text[] not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint webhook_replay_webhook foreign key (org_id, webhook_id) references webhooks
);
call keep_apart('webhook_replays');
create policy listed_by_owner on webhook_replays for select to current_user using (true);
grant select, insert, update, delete on webhook_replays to lading_app;

-- What was answered to a write that carried an Idempotency-Key: written in the write's own transaction, so either both
-- are there or neither.
create table idempotency_keys (
  org_id uuid not null constraint idempotency_key_organization references organizations,
  client_id text not null,
  key text not null,
  fingerprint text not null,
  status smallint not null,
  headers jsonb not null,
  body text,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, client_id, key)
);
create index idempotency_keys_expiry on idempotency_keys (org_id, expires_at);
call keep_apart('idempotency_keys');
grant select, insert, delete on idempotency_keys to lading_app;

-- How much of a minute's allowance has been handed out to processes; they spend what they were handed without coming
-- back here.
create table rate_limits (
  org_id uuid not null constraint rate_limit_organization references organizations,
  bucket text not null,
  window_start timestamptz(0) not null,
  most integer not null,
  granted integer not null,
  last_share integer not null,
  primary key (org_id, bucket)
);
call keep_apart('rate_limits');
grant select, insert, update, delete on rate_limits to lading_app;

-- The API requests of the last days, for whoever looks for what an integration did. Processes write them in batches
-- after they were answered. An entry without a status is a summary: so many more requests of that minute were not kept.
-- Neither the user nor the application is a reference, because the log outlives both; the organization is none, because
-- looking it up for each row would cost more than the row.
create table request_log (
  org_id uuid not null,
  -- Version 7, made when the request was answered: the order and the time of an entry are in its key.
  id uuid not null,
  occurred_at timestamptz(3) not null,
  method text,
  path text,
  query text,
  status smallint,
  duration_ms double precision,
  request_id text,
  client_id text,
  user_id uuid,
  idempotency_key text,
  error_code text,
  body text,
  body_cut boolean not null default false,
  body_type text,
  body_bytes bigint,
  not_kept integer,
  -- What was preferred, what was answered, and the words of a refusal. The body and the answer are for those only who
  -- could have sent and been given them themselves: they are kept with the scopes of the token that asked.
  prefer text,
  dry_run boolean not null default false,
  error_message text,
  answer_body text,
  answer_cut boolean not null default false,
  answer_type text,
  answer_scopes text[] not null default '{}',
  primary key (org_id, id),
  constraint request_log_entry_is_a_request_or_a_summary check ((status is null) = (not_kept is not null))
);
create index request_log_request on request_log (org_id, request_id);
-- Failures are what is looked for, and few: those that succeeded cost nothing here.
create index request_log_failures on request_log (org_id, status, id) where status >= 400;
call keep_apart('request_log');
create policy listed_by_owner on request_log for select to current_user using (true);
create policy deleted_by_owner on request_log for delete to current_user using (true);
grant select, insert, update (not_kept) on request_log to lading_app;

create view request_log_wire with (security_invoker = true) as
select l.org_id, l.id, l.status, l.method, l.path, l.request_id, l.client_id, l.user_id, l.error_code, row_to_json(wire)::text as json,
  l.answer_body, l.answer_cut, l.answer_type, l.answer_scopes
from request_log l
left join users u on u.org_id = l.org_id and u.id = l.user_id
left join applications a on a.org_id = l.org_id and a.client_id = l.client_id
cross join lateral (
  select l.id, wire_time(l.occurred_at) as occurred_at, l.method, l.path, l.query, l.status, l.duration_ms, l.request_id,
    case when l.client_id is not null then json_build_object('id', a.id, 'client_id', l.client_id,
      'name', case when l.client_id = 'lading-console' then 'Lading console' else a.name end) end as application,
    case when l.user_id is not null then json_build_object('id', l.user_id, 'name', u.name, 'email', u.email) end as user,
    l.idempotency_key, l.prefer, l.dry_run, l.error_code, l.error_message, l.body, l.body_cut, l.body_type, l.body_bytes, l.not_kept
) wire;
grant select on request_log_wire to lading_app;
