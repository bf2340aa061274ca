-- What an organization says of itself, and the rules that it chose. The columns are new and constant or null, so nothing is rewritten.
alter table organizations
  add column address jsonb,
  add column home_currency_id text,
  add column time_zone text not null default 'UTC',
  add column require_exchange_rate boolean not null default false,
  add column revision integer not null default 1;
alter table organizations add constraint organization_home_currency foreign key (home_currency_id) references currencies not valid;
alter table organizations add constraint organization_that_requires_rates_has_a_home_currency
  check (not require_exchange_rate or home_currency_id is not null) not valid;
-- A name that PostgreSQL does not know is an error of this expression.
alter table organizations add constraint organization_time_zone_is_known check ((timestamptz 'epoch' at time zone time_zone) is not null) not valid;

create view organizations_wire with (security_invoker = true) as
select o.org_id, o.revision, row_to_json(wire)::text as json
from organizations o
cross join lateral (
  select o.org_id as id, o.name, wire_address(o.address) as address, o.home_currency_id, o.time_zone, o.require_exchange_rate, o.revision,
    wire_time(o.created_at) as created_at, wire_time(o.updated_at) as updated_at
) wire;
grant select on organizations_wire to lading_app;

-- The day that a date of a document means. A bare date is kept as its first moment in UTC, and means that day everywhere; any other moment means the
-- day on which it falls in the time zone of the organization.
create function day_of(at timestamptz, time_zone text) returns date language sql immutable parallel safe as $$
  select case when (at at time zone 'UTC')::time = time '00:00' then (at at time zone 'UTC')::date else (at at time zone time_zone)::date end
$$;
