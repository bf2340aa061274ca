-- Tenants are kept apart twice: every statement names its organization, and row-level security refuses the others.
-- The policy compares with a plain setting and nothing else, so that it also works on the workers of a Citus cluster.

grant usage on schema public to lading_app;

create procedure keep_apart(tenant_table regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format('alter table %s force row level security', tenant_table);
  execute format(
    'create policy own_organization on %s
       using (org_id = nullif(current_setting(''app.org_id'', true), '''')::uuid)
       with check (org_id = nullif(current_setting(''app.org_id'', true), '''')::uuid)',
    tenant_table);
end $$;

-- Times leave the service as RFC 3339 in UTC with milliseconds; columns hold exactly that precision,
-- so a time that a client has read finds the same row again.
create function wire_time(at timestamptz) returns text language sql immutable parallel safe as
$$ select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

create table organizations (
  org_id uuid primary key,
  name text not null constraint organization_name_is_sensible check (length(name) between 1 and 200),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
call keep_apart('organizations');
-- The owner of the schema may list organizations: the command line tool and the background work start from that list.
create policy listed_by_owner on organizations for select to current_user using (true);
grant select, insert, update on organizations to lading_app;
