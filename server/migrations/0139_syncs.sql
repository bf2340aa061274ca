-- What a record of ours is in the other system. `state` is `sending` from before a request is made until its answer is saved: what is found so after a
-- crash may or may not have arrived, and is looked for there before it is sent again. `content` is what was sent last, `content_hash` its fingerprint.
create table connector_records (
  org_id uuid not null,
  connection_id uuid not null,
  record_type text not null constraint connector_record_type check (record_type in ('bill', 'invoice', 'payment')),
  record_id uuid not null,
  state text not null constraint connector_record_state check (state in ('sending', 'synced', 'refused', 'removed')),
  remote_id text,
  -- What the other side wants to see in a change, such as QuickBooks' SyncToken.
  remote_version text,
  content jsonb,
  content_hash text,
  -- Of the request that is under way, or was last. A request that is repeated carries it again.
  request_id text,
  -- How often the other side has refused this record: a request after a refusal is another request.
  refusals integer not null default 0,
  error text,
  synced_at timestamptz(3),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, connection_id, record_type, record_id),
  constraint connector_record_that_is_synced_is_known_there check (state <> 'synced' or remote_id is not null)
);
-- Nothing of the other side becomes two records here.
create unique index connector_record_is_one_there on connector_records (org_id, connection_id, record_type, remote_id) where remote_id is not null and state <> 'removed';
call keep_apart('connector_records');
alter table connector_records add constraint connector_record_organization foreign key (org_id) references organizations;
alter table connector_records add constraint connector_record_connection foreign key (org_id, connection_id) references connections;
grant select, insert, update, delete on connector_records to lading_app;

-- A sync run. It is worked off in the background by one process at a time, which holds it until `leased_until`.
create table connector_syncs (
  org_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  state text not null default 'running' constraint connector_sync_state check (state in ('running', 'done', 'failed', 'cancelled')),
  what text[] not null constraint connector_sync_what check (what <@ array['bills', 'invoices', 'payments'] and what <> '{}'),
  retry_of uuid,
  has_more boolean not null default false,
  reason text,
  error text,
  document_id uuid,
  actor jsonb not null,
  leased_until timestamptz(3),
  waits_until timestamptz(3),
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  primary key (org_id, id),
  constraint connector_sync_is_finished check ((state = 'running') = (finished_at is null))
);
create index connector_syncs_newest on connector_syncs (org_id, connection_id, created_at desc, id desc);
create index connector_syncs_running on connector_syncs (org_id, connection_id, id) where state = 'running';
call keep_apart('connector_syncs');
alter table connector_syncs add constraint connector_sync_organization foreign key (org_id) references organizations;
alter table connector_syncs add constraint connector_sync_connection foreign key (org_id, connection_id) references connections;
grant select, insert, update on connector_syncs to lading_app;

-- What came of each record of a run. A row is made for each when the run begins, and is its own place in the work that is left.
create table connector_sync_results (
  org_id uuid not null,
  sync_id uuid not null,
  place integer not null,
  record_type text not null constraint connector_sync_result_type check (record_type in ('bill', 'invoice', 'payment')),
  record_id uuid,
  number text,
  outcome text not null default 'pending' constraint connector_sync_outcome
    check (outcome in ('pending', 'created', 'updated', 'removed', 'unchanged', 'skipped', 'failed')),
  remote_id text,
  reason text,
  error text,
  attempts integer not null default 0,
  -- The lines of a file, until the file is made.
  lines text,
  finished_at timestamptz(3),
  primary key (org_id, sync_id, place),
  constraint connector_sync_result_failed_for_a_reason check ((outcome = 'failed') = (error is not null) or outcome = 'skipped')
);
create index connector_sync_results_outcome on connector_sync_results (org_id, sync_id, outcome, place);
call keep_apart('connector_sync_results');
alter table connector_sync_results add constraint connector_sync_result_organization foreign key (org_id) references organizations;
alter table connector_sync_results add constraint connector_sync_result_sync foreign key (org_id, sync_id) references connector_syncs;
grant select, insert, update on connector_sync_results to lading_app;

-- The JSON is open: the counts of its results follow.
create view connector_syncs_wire with (security_invoker = true) as
select s.org_id, s.id, s.connection_id, s.created_at, s.state, left(json_build_object('id', s.id, 'org_id', s.org_id, 'connection_id', s.connection_id, 'state', s.state,
  'what', to_json(s.what), 'retry_of', s.retry_of, 'has_more', s.has_more, 'reason', s.reason, 'error', s.error, 'document_id', s.document_id,
  'waits_until', case when s.state = 'running' then wire_time(s.waits_until) end, 'created_by', s.created_by, 'created_at', wire_time(s.created_at),
  'finished_at', wire_time(s.finished_at))::text, -1) as open_json
from connector_syncs s;
grant select on connector_syncs_wire to lading_app;

create view connector_sync_results_wire with (security_invoker = true) as
select r.org_id, r.sync_id, r.place, r.outcome, json_build_object('record_type', r.record_type, 'record_id', r.record_id, 'number', r.number, 'outcome', r.outcome,
  'remote_id', r.remote_id, 'reason', r.reason, 'error', r.error, 'attempts', r.attempts, 'finished_at', wire_time(r.finished_at))::text as json
from connector_sync_results r;
grant select on connector_sync_results_wire to lading_app;
