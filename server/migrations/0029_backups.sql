-- A backup and the doctor read the rows of all organizations: the owner of the tables may, in a transaction that asks for it by this setting. Requests
-- are served by another role, to which the policy does not apply.
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
end $$;

do $$
declare tenant_table regclass;
begin
  for tenant_table in select oid from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' and relforcerowsecurity loop
    execute format('create policy read_by_owner on %s for select to current_user using (current_setting(''app.all_organizations'', true) = ''on'')', tenant_table);
  end loop;
end $$;

-- The last backups, so that everyone can see how old the last good one is.
create table backups (
  made_at timestamptz(3) primary key,
  path text not null,
  row_count bigint not null,
  byte_count bigint not null
);

-- pg_restore fills tables with an empty search_path, in which these functions did not find each other. With a body of the SQL standard they are
-- looked up here, once.
create or replace function wire_of_bill_item_type(id uuid, external_id text, qb_external_id text, name text, class text, org_id uuid, revision integer, created_at timestamp with time zone, updated_at timestamp with time zone) returns text language sql immutable parallel safe
begin atomic
  select row_to_json(wire)::text from (
    select id, external_id, qb_external_id, name, class, org_id, revision, wire_time(created_at) as created_at, wire_time(updated_at) as updated_at) as wire;
end;

create or replace function wire_of_pay_term(id uuid, created_at timestamp with time zone, updated_at timestamp with time zone, org_id uuid, number_of_days integer, name text) returns text language sql immutable parallel safe
begin atomic
  select left(row_to_json(wire)::text, -1) from (
    select id, wire_time(created_at) as created_at, wire_time(updated_at) as updated_at, org_id, number_of_days, name) as wire;
end;

create or replace function wire_of_bill_item(id uuid, created_at timestamp with time zone, updated_at timestamp with time zone, bill_id uuid, bill_item_type_id uuid, manifest_payment_item_id uuid, manifest_id uuid, unit_price bigint, quantity bigint, total_amount bigint, description text, "position" integer) returns text language sql immutable parallel safe
begin atomic
  select left(row_to_json(wire)::text, -1) from (
    select id, wire_time(created_at) as created_at, wire_time(updated_at) as updated_at, bill_id, bill_item_type_id, manifest_payment_item_id, manifest_id, unit_price,
      quantity, total_amount, description, "position") as wire;
end;

create or replace function wire_of_bill(created_at timestamp with time zone, updated_at timestamp with time zone, id uuid, created_by text, org_id uuid, status_id text, currency_id text, pay_term_id uuid, master_trip_id uuid, partner_carrier_id uuid, full_id uuid, external_id text, qb_external_id text, qb_error_msg text, revision integer, bill_date timestamp with time zone, due_date timestamp with time zone, sent_at timestamp with time zone, paid_at timestamp with time zone, qb_exported_at timestamp with time zone, send_to_email text, cc_to_email text, bill_to jsonb, is_tax_on boolean, notes text, remit_to jsonb, reference_number text, sub_total_amount bigint, tax_amount bigint, total_amount bigint, number integer, consolidated_bill_id uuid) returns text language sql immutable parallel safe
begin atomic
  select left(row_to_json(wire)::text, -1) from (
    select wire_time(created_at) as created_at, wire_time(updated_at) as updated_at, id, created_by, org_id, status_id, currency_id, pay_term_id, master_trip_id,
      partner_carrier_id, full_id, external_id, qb_external_id, qb_error_msg, revision, wire_time(bill_date) as bill_date, wire_time(due_date) as due_date,
      wire_time(sent_at) as sent_at, wire_time(paid_at) as paid_at, wire_time(qb_exported_at) as qb_exported_at, send_to_email, cc_to_email,
      wire_address(bill_to) as bill_to, is_tax_on, notes, wire_address(remit_to) as remit_to, reference_number, sub_total_amount, tax_amount, total_amount,
      'BILL-' || lpad(number::text, greatest(6, length(number::text)), '0') as number, consolidated_bill_id,
      available_actions(status_id, sent_at is not null, currency_id is not null, status_id = 'saved' and consolidated_bill_id is not null) as available_actions) as wire;
end;

create or replace function wire_of_object(id uuid, object_key text, org_id uuid, source text, full_id text, name text, status text, map_markers jsonb, external_id text, created_at timestamp with time zone, created_by uuid, updated_at timestamp with time zone, updated_by uuid, version integer, content jsonb) returns text language sql immutable parallel safe
begin atomic
  select left(row_to_json(wire)::text, -1) || case when own.fields = '{}' then '' else ',' || left(substr(own.fields::text, 2), -1) end
  from (
    select content - array['name', 'etaDelayNotifyEnabled', 'etaDelayNotifyLabel']
      - case when object_key = 'manifest' then array['billId', 'billStatusId', 'billNumber'] else array[]::text[] end as fields
  ) own, (
    select id, object_key as "objectKey", org_id as "orgId", source, full_id as "fullId", name, status, map_markers as "mapMarkers", external_id as "externalId",
      wire_time(created_at) as "createdAt", created_by as "createdBy", wire_time(updated_at) as "updatedAt", updated_by as "updatedBy", version,
      coalesce((content ->> 'etaDelayNotifyEnabled')::boolean, false) as "etaDelayNotifyEnabled",
      coalesce(content ->> 'etaDelayNotifyLabel', 'ETA delay notification') as "etaDelayNotifyLabel"
  ) wire;
end;
