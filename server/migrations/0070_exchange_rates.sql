-- Equality of plain values in an exclusion constraint. It comes with PostgreSQL, and the owner of a database may add it.
create extension if not exists btree_gist;

-- So many units of one currency are one unit of another, from one day to another, both included; without an end it holds on.
create table exchange_rates (
  org_id uuid not null,
  id uuid not null,
  from_currency_id text not null,
  to_currency_id text not null,
  rate numeric(22, 10) not null constraint exchange_rate_is_positive check (rate > 0),
  starts_on date not null,
  ends_on date,
  source text constraint exchange_rate_source_is_sensible check (length(source) between 1 and 255),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint exchange_rate_has_two_currencies check (from_currency_id <> to_currency_id),
  constraint exchange_rate_runs_forward check (ends_on >= starts_on),
  constraint exchange_rates_do_not_overlap exclude using gist (org_id with =, from_currency_id with =, to_currency_id with =, daterange(starts_on, ends_on, '[]') with &&)
);
-- Ranges do not overlap, so that of a day is the last one that starts by then.
create unique index exchange_rates_of_a_day on exchange_rates (org_id, from_currency_id, to_currency_id, starts_on);
create index exchange_rates_order on exchange_rates (org_id, created_at desc, id desc);
call keep_apart('exchange_rates');
alter table exchange_rates add constraint exchange_rate_organization foreign key (org_id) references organizations;
alter table exchange_rates add constraint exchange_rate_from_currency foreign key (from_currency_id) references currencies;
alter table exchange_rates add constraint exchange_rate_to_currency foreign key (to_currency_id) references currencies;
grant select, insert, update, delete on exchange_rates to lading_app;

create view exchange_rates_wire with (security_invoker = true) as
select r.org_id, r.id, r.revision, r.created_at, r.from_currency_id, r.to_currency_id, r.starts_on, r.ends_on, row_to_json(wire)::text as json
from exchange_rates r
cross join lateral (
  select r.id, r.from_currency_id, r.to_currency_id, trim_scale(r.rate)::text as rate, r.starts_on::text as starts_on, r.ends_on::text as ends_on, r.source, r.org_id, r.revision,
    wire_time(r.created_at) as created_at, wire_time(r.updated_at) as updated_at
) wire;
grant select on exchange_rates_wire to lading_app;
