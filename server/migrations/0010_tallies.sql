-- How many records there are, without counting them. A write adds the changes it makes to the counts, in its own transaction and never touching
-- a row that another writer touches, so nobody waits for anybody. Now and then the changes are folded into the counts. Whoever asks adds up both
-- in one snapshot, so the answer is exact at any moment. A tally is named after the kind of record and one of its times: 'bill.created_at'.
create table tally_changes (
  org_id uuid not null,
  tally text not null,
  id uuid not null default gen_random_uuid(),
  label text not null,
  at timestamptz(3) not null,
  n integer not null,
  -- No foreign key to organizations: the record that is counted has one.
  primary key (org_id, tally, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000,
  -- Empty most of the time, it would be given back to the disk, and a plan made then would read it from end to end.
  vacuum_truncate = off);
call keep_apart('tally_changes');
grant select, insert, delete on tally_changes to lading_app;
-- The background work looks for organizations that have many changes to fold.
create policy looked_over_by_owner on tally_changes for select to current_user using (true);

-- Levels: 0 all time, 1 month, 2 day, 3 hour, always; 4 minute and 5 second only within hours that hold very many. Buckets are of UTC and named
-- by their first instant. Within an hour that has level 4, the levels above it agree with it label by label, so its being there is all one needs to know.
create table tallies (
  org_id uuid not null,
  tally text not null,
  level smallint not null constraint tally_level_is_known check (level between 0 and 5),
  bucket timestamptz not null,
  label text not null,
  n bigint not null,
  primary key (org_id, tally, level, bucket, label)
) with (fillfactor = 80);
call keep_apart('tallies');
grant select, insert, update, delete on tallies to lading_app;

-- A bill is not changed before it is made, whatever the clock does: searches that ask for the bills changed until some day need not look at those
-- made after it.
do $$
declare o record;
begin
  for o in select org_id from organizations loop
    perform set_config('app.org_id', o.org_id::text, true);
    update bills set updated_at = created_at where org_id = o.org_id and updated_at < created_at;
  end loop;
end $$;
alter table bills add constraint bill_is_changed_after_it_is_made check (updated_at >= created_at);

-- Row-level security lets no index be used through a function that is not known to keep secrets, and lower() is not. So what is looked for
-- without regard to case is kept in a column.
alter table bills add column reference_key text generated always as (lower(reference_number)) stored;
alter table bill_item_types add column name_key text generated always as (lower(name)) stored;
create or replace view bill_item_types_wire with (security_invoker = true) as
select t.org_id, t.id, t.revision, t.created_at, t.name, t.class, t.external_id, t.qb_external_id, row_to_json(wire)::text as json, t.name_key
from bill_item_types t
cross join lateral (
  select t.id, t.external_id, t.qb_external_id, t.name, t.class, t.org_id, t.revision,
    wire_time(t.created_at) as created_at, wire_time(t.updated_at) as updated_at
) wire;

-- Every filter and every order of the searches has an index that begins with the organization. Those of the orders end with the id, so that one
-- serves both directions.
drop index bills_reference;
create index bills_reference on bills (org_id, reference_key);
drop index bills_due;
create index bills_due on bills (org_id, due_date, id);
create index bills_dated on bills (org_id, bill_date, id);
drop index bills_total;
create index bills_total on bills (org_id, total_amount, id);
create index bills_unnumbered on bills (org_id, id) where number is null;
create index bills_open_due on bills (org_id, due_date, id) where status_id in ('saved', 'sent', 'edited');
create index bills_status_updated on bills (org_id, status_id, updated_at desc, id desc);
create index bills_currency on bills (org_id, currency_id, created_at desc, id desc);
drop index bill_item_types_name;
create index bill_item_types_name on bill_item_types (org_id, name_key);
create index consolidated_bills_type on consolidated_bills (org_id, consolidated_bill_type_id, created_at desc, id desc);
create index consolidated_bills_driver on consolidated_bills (org_id, driver_id, created_at desc, id desc) where driver_id is not null;
create index consolidated_bills_period on consolidated_bills (org_id, pay_period_end, pay_period_start);

-- PostgreSQL puts the body of a function into the query only where the function claims no more than its body keeps, and the bodies of these are no
-- more than stable. Called one by one they took half the time of a page.
alter function wire_time(timestamptz) stable;
alter function wire_address(jsonb) stable;

-- For the same reason no argument here may hold a sub-select: what holds a paid bill is asked where it matters.
create or replace view bills_wire with (security_invoker = true) as
select b.org_id, b.id, b.revision, b.created_at, b.consolidated_bill_id, row_to_json(wire)::text as json from bills b
cross join lateral (
  select wire_time(b.created_at) as created_at, wire_time(b.updated_at) as updated_at, b.id, b.created_by, b.org_id, b.status_id, b.currency_id, b.pay_term_id,
    b.master_trip_id, b.partner_carrier_id, b.full_id, b.external_id, b.qb_external_id, b.qb_error_msg, b.revision,
    wire_time(b.bill_date) as bill_date, wire_time(b.due_date) as due_date, wire_time(b.sent_at) as sent_at, wire_time(b.paid_at) as paid_at,
    wire_time(b.qb_exported_at) as qb_exported_at, b.send_to_email, b.cc_to_email, wire_address(b.bill_to) as bill_to, b.is_tax_on, b.notes,
    wire_address(b.remit_to) as remit_to, b.reference_number, b.sub_total_amount, b.tax_amount, b.total_amount,
    'BILL-' || lpad(b.number::text, greatest(6, length(b.number::text)), '0') as number, b.consolidated_bill_id,
    case when b.status_id = 'paid' and b.consolidated_bill_id is not null and exists (
        select from consolidated_bills s where s.org_id = b.org_id and s.id = b.consolidated_bill_id and s.status_id = 'paid') then array[]::text[]
      else available_actions(b.status_id, b.sent_at is not null, b.currency_id is not null, b.status_id = 'saved' and b.consolidated_bill_id is not null)
    end as available_actions
) wire;

-- The bills that are there already. Nobody writes one meanwhile: what was written between the count and the commit would never be counted.
lock table bills in share row exclusive mode;
do $$
declare o record;
begin
  for o in select org_id from organizations loop
    perform set_config('app.org_id', o.org_id::text, true);
    insert into tallies (org_id, tally, level, bucket, label, n)
    with seconds as (
      select 'bill.' || time as tally, date_trunc('hour', at, 'UTC') as hour, date_trunc('second', at, 'UTC') as second, status_id as label, count(*) as n
      from bills cross join lateral (values ('created_at', created_at), ('updated_at', updated_at)) as along(time, at)
      where org_id = o.org_id group by 1, 2, 3, 4
    ), hours as (
      select tally, hour, label, sum(n) as n, sum(sum(n)) over (partition by tally, hour) > 2000 as dense from seconds group by tally, hour, label
    )
    select o.org_id, tally, level, bucket, label, sum(n) from hours
    cross join lateral (values (0, '-infinity'), (1, date_trunc('month', hour, 'UTC')), (2, date_trunc('day', hour, 'UTC')), (3, hour)) as within(level, bucket)
    group by tally, level, bucket, label
    union all
    select o.org_id, s.tally, level, bucket, s.label, sum(s.n) from seconds s join hours h on h.tally = s.tally and h.hour = s.hour and h.label = s.label and h.dense
    cross join lateral (values (4, date_trunc('minute', s.second, 'UTC')), (5, s.second)) as within(level, bucket)
    group by s.tally, level, bucket, s.label;
  end loop;
  perform set_config('app.org_id', '', true);
end $$;
