create table bill_item_types (
  org_id uuid not null constraint bill_item_type_organization references organizations,
  id uuid not null,
  external_id text constraint bill_item_type_external_id_is_sensible check (length(external_id) between 1 and 255),
  qb_external_id text constraint bill_item_type_qb_external_id_is_sensible check (length(qb_external_id) between 1 and 255),
  name text not null constraint bill_item_type_name_is_sensible check (length(name) between 1 and 255),
  class text constraint bill_item_type_class_is_sensible check (length(class) between 1 and 255),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint bill_item_type_external_id unique (org_id, external_id)
);
create index bill_item_types_order on bill_item_types (org_id, created_at desc, id desc);
create index bill_item_types_name on bill_item_types (org_id, lower(name));
call keep_apart('bill_item_types');
grant select, insert, update, delete on bill_item_types to lading_app;

-- The wire shape, defined once. The lateral row is what becomes JSON; the columns beside it are for filters and order.
create view bill_item_types_wire with (security_invoker = true) as
select t.org_id, t.id, t.revision, t.created_at, t.name, t.class, t.external_id, t.qb_external_id, row_to_json(wire)::text as json
from bill_item_types t
cross join lateral (
  select t.id, t.external_id, t.qb_external_id, t.name, t.class, t.org_id, t.revision,
    wire_time(t.created_at) as created_at, wire_time(t.updated_at) as updated_at
) wire;
grant select on bill_item_types_wire to lading_app;
