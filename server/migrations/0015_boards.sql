-- Saved views of a kind of object, shared in the organization. What they say is held against the definition of the kind when they are written and
-- again when they are run: a definition may change meanwhile, and takes no notice of boards.
create table boards (
  org_id uuid not null constraint board_organization references organizations,
  id uuid not null,
  object_key text not null,
  name text not null constraint board_name_is_sensible check (length(name) between 1 and 255),
  description text constraint board_description_is_sensible check (length(description) <= 5000),
  filter jsonb constraint board_filter_is_an_object check (jsonb_typeof(filter) = 'object'),
  columns text[] not null default '{}',
  sort text,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  created_by uuid not null,
  updated_at timestamptz(3) not null,
  updated_by uuid not null,
  primary key (org_id, id)
);
create index boards_kind on boards (org_id, object_key, id);
call keep_apart('boards');
grant select, insert, update, delete on boards to lading_app;

create view boards_wire with (security_invoker = true) as
select b.org_id, b.id, b.object_key, b.version as revision, row_to_json(wire)::text as json
from boards b
cross join lateral (
  select b.id, b.org_id as "orgId", b.name, b.description, b.object_key as "objectKey", b.filter, b.columns, b.sort, b.version,
    wire_time(b.created_at) as "createdAt", b.created_by as "createdBy", wire_time(b.updated_at) as "updatedAt", b.updated_by as "updatedBy"
) wire;
grant select on boards_wire to lading_app;
