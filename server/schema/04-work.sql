-- Background work, transfers in the background, backups, and the counts behind totals and summaries.

-- One row for each job that one process at a time runs for all of them, and for each job that has failed. Who takes a
-- job holds a lease on its row and renews it while the job runs: a process that dies stops renewing, and another takes
-- the job once the lease has passed. Every time is the database's, so that the clocks of the processes need not agree.
-- It belongs to no organization; the serving role has no grant on it.
create table background_jobs (
  name text primary key,
  due_at timestamptz(3) not null default now(),
  runner text,
  leased_until timestamptz(3),
  started_at timestamptz(3),
  succeeded_at timestamptz(3),
  failed_at timestamptz(3),
  -- Failures since the last success; the error of the last one stays to be read.
  failures integer not null default 0,
  error text,
  constraint background_job_runs_under_a_lease check ((runner is null) = (leased_until is null)),
  constraint background_job_failure_has_its_error check ((failed_at is null) = (error is null))
);

-- Every process that checks access tokens by the revocations in its memory, and the snapshot that it last read them in.
-- Whoever revokes something waits until all of them have read it. It belongs to no organization; the serving role has
-- no grant on it.
create table serving_processes (
  id uuid primary key,
  renewed_at timestamptz(3) not null,
  -- Null: it has not read anything yet.
  seen pg_snapshot
);

-- The last backups, so that everyone can see how old the last good one is.
create table backups (
  made_at timestamptz(3) primary key,
  path text not null,
  row_count bigint not null,
  byte_count bigint not null
);

-- Imports and exports that are worked off in the background, lot by lot. What a lot writes and how far the transfer has
-- come are one transaction, so whoever goes on after a crash begins with the first row that was not written.
create table transfers (
  org_id uuid not null constraint transfer_organization references organizations,
  id uuid not null,
  direction text not null constraint transfer_direction_is_known check (direction in ('import', 'export')),
  -- What is transferred: `bills`, or `objects` of the kind `object_key`.
  resource text not null,
  object_key text,
  format text not null constraint transfer_format_is_known check (format in ('csv', 'ndjson')),
  dry_run boolean not null default false,
  -- The scope that callers need to see the transfer, and all scopes of the token that made it: rows may refer to other
  -- kinds.
  scope text not null,
  scopes text[] not null,
  actor jsonb not null,
  request_id text,
  state text not null,
  -- Of an import: whether the rows of its file are still kept, and its header.
  has_input boolean not null default false,
  column_names text[] not null default '{}',
  unknown_columns text[] not null default '{}',
  ignored_columns text[] not null default '{}',
  -- Of an export: what it searches for, the values of the last row that was read, and the definition that its columns
  -- were taken from.
  search jsonb not null default '{}',
  last_key jsonb,
  definition_revision integer,
  file_bytes bigint not null default 0,
  result_bytes bigint not null default 0,
  failures_bytes bigint not null default 0,
  rows_total integer,
  rows_done integer not null default 0,
  rows_created integer not null default 0,
  rows_updated integer not null default 0,
  rows_unchanged integer not null default 0,
  rows_failed integer not null default 0,
  -- How many rows the next lot takes: as many as are written in less than half a second.
  lot_rows integer not null default 50 constraint transfer_lot_has_rows check (lot_rows between 1 and 2000),
  -- The organization that has waited longest has the next lot.
  served_at timestamptz(3) not null default now(),
  attempts integer not null default 0,
  retry_at timestamptz(3),
  error_code text,
  error_message text,
  kept_days integer not null constraint transfer_is_kept check (kept_days > 0),
  started_at timestamptz(3),
  ended_at timestamptz(3),
  -- The rights of whoever started the transfer, next to the scopes. Null stands for those of admins and members.
  rights text[],
  created_by uuid not null,
  created_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  primary key (org_id, id),
  constraint transfer_state_is_known check (state in ('receiving', 'queued', 'running', 'done', 'failed', 'cancelled')),
  constraint transfer_counts_every_row
    check (direction = 'export' or rows_created + rows_updated + rows_unchanged + rows_failed = rows_done),
  constraint transfer_stays_within_its_file check (direction = 'export' or rows_done <= coalesce(rows_total, 0)),
  constraint transfer_is_done_with_its_last_row
    check (direction = 'export' or state <> 'done' or rows_done = rows_total),
  constraint transfer_has_ended_or_not check ((ended_at is not null) = (state in ('done', 'failed', 'cancelled'))),
  constraint transfer_says_why_it_failed
    check ((state = 'failed') = (error_code is not null and error_message is not null))
);
create index transfers_waiting on transfers (org_id, served_at) where state in ('queued', 'running');
call keep_apart('transfers');
-- The background work looks for what is to be done in all organizations, and for what has been kept long enough.
create policy listed_by_owner on transfers for select to current_user using (true);
grant select, insert, update, delete on transfers to lading_app;

create view transfers_wire with (security_invoker = true) as
select t.org_id, t.id, t.state, t.scope, t.direction, t.revision, json_build_object(
  'id', t.id, 'direction', t.direction, 'resource', t.resource, 'object_key', t.object_key, 'format', t.format, 'dry_run', t.dry_run, 'state', t.state,
  'rows_total', t.rows_total, 'rows_done', t.rows_done,
  'counts', case when t.direction = 'import' then json_build_object('created', t.rows_created, 'updated', t.rows_updated, 'unchanged', t.rows_unchanged, 'failed', t.rows_failed) end,
  'unknown_columns', t.unknown_columns, 'ignored_columns', t.ignored_columns,
  'file_bytes', case when t.direction = 'import' then t.file_bytes end, 'result_bytes', t.result_bytes, 'failures_bytes', t.failures_bytes,
  'failure_code', t.error_code, 'failure_message', t.error_message,
  'created_by', t.created_by, 'created_by_name', coalesce(u.name, a.name),
  'created_at', wire_time(t.created_at), 'started_at', wire_time(t.started_at), 'ended_at', wire_time(t.ended_at),
  'expires_at', wire_time(t.ended_at + t.kept_days * interval '1 day'), 'revision', t.revision)::text as json
from transfers t
left join users u on u.org_id = t.org_id and u.id = t.created_by
left join applications a on a.org_id = t.org_id and a.id = t.created_by
where t.state <> 'receiving';
grant select on transfers_wire to lading_app;

-- The files of a transfer in parts of some hundred kilobytes. `rows` are the records of the file that came, as JSON;
-- `result` and `failures` are what is downloaded. `first_row` counts the rows of the transfer before the part: no lot
-- can be written twice.
create table transfer_parts (
  org_id uuid not null,
  transfer_id uuid not null,
  file text not null constraint transfer_part_file_is_known check (file in ('rows', 'result', 'failures')),
  first_row integer not null,
  row_count integer not null,
  first_byte bigint not null,
  byte_count integer not null,
  content bytea not null,
  primary key (org_id, transfer_id, file, first_row),
  constraint transfer_part_has_its_length check (octet_length(content) = byte_count),
  constraint transfer_part_transfer foreign key (org_id, transfer_id) references transfers
);
call keep_apart('transfer_parts');
grant select, insert, delete on transfer_parts to lading_app;

-- On which line a file names a record first: a second row about the same record is refused, in whichever lot it is. The
-- key is a hash of the name.
create table transfer_keys (
  org_id uuid not null,
  transfer_id uuid not null,
  key uuid not null,
  line integer not null,
  primary key (org_id, transfer_id, key),
  constraint transfer_key_transfer foreign key (org_id, transfer_id) references transfers
);
call keep_apart('transfer_keys');
grant select, insert, delete on transfer_keys to lading_app;

-- How many records there are, without counting them. A write adds the changes it makes to the counts, in its own
-- transaction and never touching a row that another writer touches, so nobody waits for anybody. Now and then the
-- changes are folded into the counts. Whoever asks adds up both in one snapshot, so the answer is exact at any moment.
-- A tally is named after the kind of record and one of its times: 'bill.created_at'.
create table tally_changes (
  org_id uuid not null,
  tally text not null,
  id uuid not null default gen_random_uuid(),
  label text not null,
  at timestamptz(3) not null,
  n integer not null,
  primary key (org_id, tally, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000, vacuum_truncate = off);
call keep_apart('tally_changes');
-- The background work looks for organizations that have many changes to fold.
create policy looked_over_by_owner on tally_changes for select to current_user using (true);
grant select, insert, delete on tally_changes to lading_app;

-- Levels: 0 all time, 1 month, 2 day, 3 hour, always; 4 minute and 5 second only within hours that hold very many.
-- Buckets are of UTC and named by their first instant. Within an hour that has level 4, the levels above it agree with
-- it label by label, so its being there is all one needs to know.
create table tallies (
  org_id uuid not null,
  tally text not null,
  level smallint not null constraint tally_level_is_known check (level between 0 and 5),
  bucket timestamptz not null,
  label text not null,
  n bigint not null,
  primary key (org_id, tally, level, bucket, label)
) with (fillfactor = 80);
call keep_apart('tallies');
grant select, insert, update, delete on tallies to lading_app;

-- What the home page shows of an organization, kept so that it is read like a record. It is put together again after
-- changes, in the background.
create table summaries (
  org_id uuid primary key constraint summary_organization references organizations,
  -- Each part as JSON text: who reads it may not see all of them.
  payables text not null,
  receivables text not null,
  accruals text not null,
  weeks text not null,
  home_currency_id text,
  -- The day of the organization that it is of, the position of its feed up to which changes are certainly in it, and
  -- how long it took.
  day date not null,
  "position" bigint not null,
  computed_at timestamptz(3) not null,
  took_ms integer not null
);
call keep_apart('summaries');
grant select, insert, update, delete on summaries to lading_app;
