-- Equality of plain values in an exclusion constraint. It comes with PostgreSQL, and the owner of a database may add it.
create extension if not exists btree_gist;

-- From one day to another, both included, in the time zone of the organization. Nothing dated in a closed one changes. Every write of money looks for
-- closed ones after it has begun to write, and closing waits for those that had begun by then: so a write is there before the closing, or sees it.
create table accounting_periods (
  org_id uuid not null,
  id uuid not null,
  starts_on date not null,
  ends_on date not null,
  status text not null default 'open' constraint accounting_period_is_open_or_closed check (status in ('open', 'closed')),
  closed_at timestamptz(3),
  closed_by text,
  revision integer not null default 1,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint accounting_period_runs_forward check (ends_on >= starts_on),
  constraint accounting_period_closed_at_a_time check ((status = 'closed') = (closed_at is not null) and (status = 'closed') = (closed_by is not null)),
  constraint accounting_periods_do_not_overlap exclude using gist (org_id with =, daterange(starts_on, ends_on, '[]') with &&)
);
create index accounting_periods_order on accounting_periods (org_id, starts_on desc, id desc);
call keep_apart('accounting_periods');
alter table accounting_periods add constraint accounting_period_organization foreign key (org_id) references organizations;
grant select, insert, update, delete on accounting_periods to lading_app;

create view accounting_periods_wire with (security_invoker = true) as
select p.org_id, p.id, p.revision, p.starts_on, p.ends_on, p.status, row_to_json(wire)::text as json
from accounting_periods p
cross join lateral (
  select p.id, p.org_id, p.starts_on::text as starts_on, p.ends_on::text as ends_on, p.status, wire_time(p.closed_at) as closed_at, p.closed_by, p.revision, p.created_by,
    wire_time(p.created_at) as created_at, wire_time(p.updated_at) as updated_at
) wire;
grant select on accounting_periods_wire to lading_app;
