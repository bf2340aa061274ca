-- The picture that an organization puts on its papers. Small, and read with every paper, so it is kept here.
create table organization_logos (
  org_id uuid not null,
  media_type text not null constraint logo_is_a_png_or_a_jpeg check (media_type in ('image/png', 'image/jpeg')),
  content bytea not null constraint logo_is_small check (length(content) between 1 and 1048576),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id)
);
call keep_apart('organization_logos');
grant select, insert, update, delete on organization_logos to lading_app;
alter table organization_logos add constraint logo_organization foreign key (org_id) references organizations;

-- Whether what has no address can be sent.
alter table organizations add column require_send_address boolean not null default false;

create or replace view organizations_wire with (security_invoker = true) as
select o.org_id, o.revision, row_to_json(wire)::text as json
from organizations o
cross join lateral (
  select o.org_id as id, o.name, wire_address(o.address) as address, o.home_currency_id, o.time_zone, o.require_exchange_rate, o.require_send_address, o.revision,
    wire_time(o.created_at) as created_at, wire_time(o.updated_at) as updated_at
) wire;
