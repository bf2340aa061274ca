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
