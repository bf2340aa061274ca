-- One row for every change, written in the transaction of the change. Rows are only ever added: the serving role can do no more.
create table events (
  org_id uuid not null constraint event_organization references organizations,
  id uuid not null,
  type text not null constraint event_type_is_noun_verb check (type ~ '^[a-z_]+\.[a-z_]+$'),
  occurred_at timestamptz(3) not null default now(),
  actor jsonb not null,
  subject_type text not null,
  subject_id uuid not null,
  revision integer,
  data jsonb not null,
  previous jsonb,
  request_id text,
  primary key (org_id, id)
);
create index events_subject on events (org_id, subject_type, subject_id, id);
call keep_apart('events');
grant select, insert on events to lading_app;

create view events_wire with (security_invoker = true) as
select e.org_id, e.id, e.subject_type, e.subject_id, row_to_json(wire)::text as json
from events e
cross join lateral (
  select e.id, e.type, e.org_id, wire_time(e.occurred_at) as occurred_at, e.actor, json_build_object('type', e.subject_type, 'id', e.subject_id) as subject,
    e.revision, e.data, e.previous, e.request_id
) wire;
grant select on events_wire to lading_app;
