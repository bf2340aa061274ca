-- The API requests of the last days, for whoever looks for what an integration did. Processes write them in batches after they were answered. An entry
-- without a status is a summary: so many more requests of that minute were not kept. Neither the user nor the application is a reference, because the
-- log outlives both; the organization is none, because looking it up for each row would cost more than the row.
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
  primary key (org_id, id),
  constraint request_log_entry_is_a_request_or_a_summary check ((status is null) = (not_kept is not null))
);
call keep_apart('request_log');
create index request_log_request on request_log (org_id, request_id);
-- Failures are what is looked for, and few: those that succeeded cost nothing here.
create index request_log_failures on request_log (org_id, status, id) where status >= 400;
create policy listed_by_owner on request_log for select to current_user using (true);
create policy deleted_by_owner on request_log for delete to current_user using (true);
grant select, insert on request_log to lading_app;
-- A summary is counted on until its minute is over.
grant update (not_kept) on request_log to lading_app;

create view request_log_wire with (security_invoker = true) as
select l.org_id, l.id, l.status, l.method, l.path, l.request_id, l.client_id, l.user_id, l.error_code, row_to_json(wire)::text as json
from request_log l
left join users u on u.org_id = l.org_id and u.id = l.user_id
left join applications a on a.org_id = l.org_id and a.client_id = l.client_id
cross join lateral (
  select l.id, wire_time(l.occurred_at) as occurred_at, l.method, l.path, l.query, l.status, l.duration_ms, l.request_id,
    case when l.client_id is not null then json_build_object('id', a.id, 'client_id', l.client_id,
      'name', case when l.client_id = 'lading-console' then 'Lading console' else a.name end) end as application,
    case when l.user_id is not null then json_build_object('id', l.user_id, 'name', u.name, 'email', u.email) end as user,
    l.idempotency_key, l.error_code, l.body, l.body_cut, l.body_type, l.body_bytes, l.not_kept
) wire;
grant select on request_log_wire to lading_app;
