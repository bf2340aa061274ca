-- Where a table is on a cluster of Citus is said by the migration that makes it, with one of these; on plain PostgreSQL they change nothing about that.
-- A table that is spread must be so before it refers to another: its foreign keys are added after keep_apart, each by a statement
-- of its own.
create function is_distributed() returns boolean language plpgsql stable as $$
begin
  if to_regclass('pg_catalog.pg_dist_partition') is null then return false; end if;
  return exists (select from pg_dist_partition where logicalrelid = to_regclass('organizations'));
end $$;

-- A table of an organization: spread by org_id.
create or replace procedure keep_apart(tenant_table regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format('alter table %s force row level security', tenant_table);
  execute format(
    'create policy own_organization on %s
       using (org_id = nullif(current_setting(''app.org_id'', true), '''')::uuid)
       with check (org_id = nullif(current_setting(''app.org_id'', true), '''')::uuid)',
    tenant_table);
  execute format('create policy read_by_owner on %s for select to current_user using (current_setting(''app.all_organizations'', true) = ''on'')', tenant_table);
  if is_distributed() then perform create_distributed_table(tenant_table::text, 'org_id', colocate_with => 'organizations'); end if;
end $$;

-- A shared table that is read everywhere and seldom written, or that others refer to: every node has a copy.
create procedure keep_on_every_node(shared_table regclass) language plpgsql as $$
begin
  if is_distributed() then perform create_reference_table(shared_table::text); end if;
end $$;

-- Any other shared table: the first node has it.
create procedure keep_on_first_node(shared_table regclass) language plpgsql as $$
begin
  if is_distributed() then perform citus_add_local_table_to_metadata(shared_table); end if;
end $$;
