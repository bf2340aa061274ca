-- What was preferred, what was answered, and the words of a refusal. The beginning of an answer is for those only who could have been given it
-- themselves: it is kept with the scopes of the token that asked.
alter table request_log
  add column prefer text,
  add column dry_run boolean not null default false,
  add column error_message text,
  add column answer_body text,
  add column answer_cut boolean not null default false,
  add column answer_type text,
  add column answer_scopes text[] not null default '{}';

create or replace view request_log_wire with (security_invoker = true) as
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
