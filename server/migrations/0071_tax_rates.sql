-- The percent that the components of a tax come to. Each is {"name", "percent"}, the percent a decimal number in a text.
create function percent_of_components(components jsonb) returns numeric language sql immutable parallel safe as $$
  select sum((c ->> 'percent')::numeric) from jsonb_array_elements(components) as c
$$;

create table tax_rates (
  org_id uuid not null,
  id uuid not null,
  name text not null constraint tax_rate_name_is_sensible check (length(name) between 1 and 255),
  percent numeric(9, 6) not null constraint tax_rate_percent_is_sensible check (percent between 0 and 100),
  components jsonb not null default '[]',
  active boolean not null default true,
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint tax_rate_is_the_sum_of_its_components check (components = '[]' or percent = percent_of_components(components))
);
create unique index tax_rate_name on tax_rates (org_id, lower(name));
create index tax_rates_order on tax_rates (org_id, created_at desc, id desc);
call keep_apart('tax_rates');
alter table tax_rates add constraint tax_rate_organization foreign key (org_id) references organizations;
grant select, insert, update, delete on tax_rates to lading_app;

create view tax_rates_wire with (security_invoker = true) as
select t.org_id, t.id, t.revision, t.created_at, t.name, t.active, row_to_json(wire)::text as json
from tax_rates t
cross join lateral (
  select t.id, t.name, trim_scale(t.percent)::text as percent, t.components, t.active, t.org_id, t.revision,
    wire_time(t.created_at) as created_at, wire_time(t.updated_at) as updated_at
) wire;
grant select on tax_rates_wire to lading_app;

-- The tax rate of a line, and the tax that it has under it. New columns without a value of their own for each row, so nothing is rewritten.
alter table bill_items add column tax_rate_id uuid, add column tax_amount bigint not null default 0;
alter table bill_items add constraint bill_item_tax_rate foreign key (org_id, tax_rate_id) references tax_rates not valid;
alter table bill_items add constraint bill_item_without_a_rate_has_no_tax check (tax_rate_id is not null or tax_amount = 0) not valid;
alter table invoice_items add column tax_rate_id uuid, add column tax_amount bigint not null default 0;
alter table invoice_items add constraint invoice_item_tax_rate foreign key (org_id, tax_rate_id) references tax_rates not valid;
alter table invoice_items add constraint invoice_item_without_a_rate_has_no_tax check (tax_rate_id is not null or tax_amount = 0) not valid;
alter table credit_items add column tax_rate_id uuid, add column tax_amount bigint not null default 0;
alter table credit_items add constraint credit_item_tax_rate foreign key (org_id, tax_rate_id) references tax_rates not valid;
alter table credit_items add constraint credit_item_without_a_rate_has_no_tax check (tax_rate_id is not null or tax_amount = 0) not valid;

-- What was set by hand is kept also while lines carry rates, whose taxes then count instead.
-- contracts for code before 0031_oldest_code.sql: the constraints refused only what no code wrote.
alter table bills drop constraint bill_keeps_tax_while_it_is_off;
alter table bills add constraint bill_kept_tax_is_exact_in_json check (kept_tax_amount between -9007199254740991 and 9007199254740991) not valid;
alter table invoices drop constraint invoice_keeps_tax_while_it_is_off;
alter table invoices add constraint invoice_kept_tax_is_exact_in_json check (kept_tax_amount between -9007199254740991 and 9007199254740991) not valid;
alter table credits drop constraint credit_keeps_tax_while_it_is_off;
alter table credits add constraint credit_kept_tax_is_exact_in_json check (kept_tax_amount between -9007199254740991 and 9007199254740991) not valid;

create or replace view bill_items_wire with (security_invoker = true) as
select i.org_id, i.id, i.bill_id, i.position,
  i.wire || ',"tax_rate_id":' || coalesce('"' || i.tax_rate_id || '"', 'null') || ',"tax_amount":' || i.tax_amount || ',"bill_item_type":' || coalesce(t.wire, 'null') || '}' as json
from bill_items i left join bill_item_types t on t.org_id = i.org_id and t.id = i.bill_item_type_id;

create or replace view invoice_items_wire with (security_invoker = true) as
select i.org_id, i.id, i.invoice_id, i.position,
  i.wire || ',"tax_rate_id":' || coalesce('"' || i.tax_rate_id || '"', 'null') || ',"tax_amount":' || i.tax_amount || ',"bill_item_type":' || coalesce(t.wire, 'null') || '}' as json
from invoice_items i left join bill_item_types t on t.org_id = i.org_id and t.id = i.bill_item_type_id;

create or replace view credit_items_wire with (security_invoker = true) as
select i.org_id, i.id, i.credit_id, i.position,
  i.wire || ',"tax_rate_id":' || coalesce('"' || i.tax_rate_id || '"', 'null') || ',"tax_amount":' || i.tax_amount || ',"bill_item_type":' || coalesce(t.wire, 'null') || '}' as json
from credit_items i left join bill_item_types t on t.org_id = i.org_id and t.id = i.bill_item_type_id;
