-- Bills, invoices, credits and statements, with rates, terms and periods.

-- Without what a pay term is called elsewhere, which has a table of its own.
create function wire_of_pay_term(
  id uuid, created_at timestamptz, updated_at timestamptz, org_id uuid, number_of_days integer, name text
) returns text language sql immutable parallel safe
begin atomic
  select left(row_to_json(wire)::text, -1) from (
    select id, wire_time(created_at) as created_at, wire_time(updated_at) as updated_at, org_id, number_of_days, name) as wire;
end;

create table pay_terms (
  org_id uuid not null constraint pay_term_organization references organizations,
  id uuid not null,
  name text not null constraint pay_term_name_is_sensible check (length(name) between 1 and 255),
  number_of_days integer not null constraint pay_term_days_are_sensible check (number_of_days between 0 and 3650),
  -- What is taken off where a bill is paid early: percent of its total, within so many days of its date.
  discount_days integer constraint pay_term_discount_days check (discount_days between 0 and 3650),
  discount_percent numeric(9,6)
    constraint pay_term_discount_percent check (discount_percent > 0 and discount_percent < 100),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  wire text not null generated always as (wire_of_pay_term(id, created_at, updated_at, org_id, number_of_days, name))
    stored,
  primary key (org_id, id),
  constraint pay_term_discount_is_whole check ((discount_days is null) = (discount_percent is null))
);
create unique index pay_term_name on pay_terms (org_id, lower(name));
create index pay_terms_order on pay_terms (org_id, created_at desc, id desc);
call keep_apart('pay_terms');
grant select, insert, update, delete on pay_terms to lading_app;

-- The term of bills that are saved with neither a due date nor a term. A table of its own: a column would make
-- organizations and pay terms refer to each other, and neither could be restored first.
create table default_pay_terms (
  org_id uuid primary key constraint default_pay_term_organization references organizations,
  pay_term_id uuid not null,
  constraint default_pay_term_term foreign key (org_id, pay_term_id) references pay_terms
);
call keep_apart('default_pay_terms');
grant select, insert, update, delete on default_pay_terms to lading_app;

-- The settings of an organization with those of approvals. It reads the default pay term, so it stands here.
create view organizations_wire with (security_invoker = true) as
select o.org_id, o.revision, row_to_json(wire)::text as json
from organizations o
left join default_pay_terms d on d.org_id = o.org_id
cross join lateral (
  select o.org_id as id, o.name, wire_address(o.address) as address, o.home_currency_id, o.time_zone, d.pay_term_id as default_pay_term_id,
    o.require_exchange_rate, o.require_send_address, o.duplicates,
    o.approvals, o.approval_limit_amount, o.forbid_self_approval, o.separate_payer, o.approval_reminder_days, o.new_approver_days,
    o.eta_detour_factor, o.eta_average_speed_kmh, o.eta_delay_limit_minutes, o.double_booking,
    o.revision, wire_time(o.created_at) as created_at, wire_time(o.updated_at) as updated_at
) wire;
grant select on organizations_wire to lading_app;

-- The moves that can be made next with a document or a statement, each behind a comma. Only columns are given to this
-- function and the next, so they become part of the statement that reads; a simple `case` cannot be sent to other nodes.
create function next_moves(
  status_id text, approval_status text, is_complete boolean, may_become_draft boolean, may_be_reopened boolean
) returns text language sql immutable parallel safe
begin atomic
  select case
      when status_id = 'draft' then case when is_complete then ',"save"' else '' end
      when status_id = 'paid' then case when may_be_reopened then ',"reopen"' else '' end
      else case when status_id = 'sent' then '' else ',"send"' end
        || case when approval_status = 'pending' then ',"approve","reject"' when approval_status = 'rejected' then ',"approve"' else ',"pay"' end
    end || case when status_id = 'saved' and may_become_draft then ',"draft"' else '' end;
end;

-- All that can be done with a document, as JSON. Besides its moves: a draft without a number is deleted, and what has one
-- is voided and corrected while nothing of it is paid and it is on no statement. It is given the exchange rate of its date
-- again where the organization has a home currency, unless that would change nothing or something was paid at the rate
-- that it has; whether a rate is known for that date is not looked up with every read. Where amount_paid is null it
-- counts as paid.
create function document_actions(
  status_id text, number integer, sent_at timestamptz, currency_id text, amount_paid bigint, voided_at timestamptz,
  approval_status text, statement_id uuid, is_held boolean, exchange_rate numeric, home_currency_id text,
  home_currency_now text
) returns text language sql immutable parallel safe
begin atomic
  select case when voided_at is not null then '[]' else '[' || substr(
    next_moves(status_id, approval_status, currency_id is not null, sent_at is null and statement_id is null and coalesce(amount_paid, 0) = 0, not is_held)
      || case
        when status_id = 'draft' and number is null then ',"delete"'
        when status_id <> 'paid' and coalesce(amount_paid, 0) = 0 and statement_id is null then ',"void","correct"'
        else '' end
      || case
        when status_id = 'draft' or home_currency_now is null then ''
        when exchange_rate is not null and (coalesce(amount_paid, 1) <> 0 or currency_id = home_currency_now and home_currency_id = home_currency_now) then ''
        else ',"reprice"' end, 2) || ']' end;
end;

-- What a document of any kind says of its money, in one place.
create function wire_of_money(
  status_id text, total_amount bigint, amount_paid bigint, voided_at timestamptz, void_reason text,
  exchange_rate numeric, home_currency_id text, home_total_amount bigint
) returns text language sql stable parallel safe
begin atomic
  select ',"amount_paid":' || case when status_id = 'paid' then total_amount else coalesce(amount_paid, 0) end
    || ',"amount_due":' || case when voided_at is not null or status_id = 'paid' then 0 else total_amount - coalesce(amount_paid, 0) end
    || ',"payment_status":"' || case
      when status_id = 'paid' then 'paid'
      when coalesce(amount_paid, 0) = 0 then 'unpaid'
      when abs(amount_paid) > abs(total_amount) then 'overpaid'
      else 'partially_paid' end
    || '","voided_at":' || coalesce('"' || wire_time(voided_at) || '"', 'null') || ',"void_reason":' || coalesce(to_json(void_reason)::text, 'null')
    || ',"exchange_rate":' || coalesce('"' || trim_scale(exchange_rate) || '"', 'null') || ',"home_currency_id":' || coalesce('"' || home_currency_id || '"', 'null')
    || ',"home_total_amount":' || coalesce(home_total_amount::text, 'null');
end;

-- The number of a bill as people read it, for whoever looks for a part of it.
create function bill_number(number integer) returns text language sql immutable parallel safe as
$$ select 'BILL-' || lpad(number::text, greatest(6, length(number::text)), '0') $$;

create function invoice_number(number integer) returns text language sql immutable parallel safe as $$
  select 'INV-' || lpad(number::text, greatest(6, length(number::text)), '0')
$$;

create function credit_number(number integer) returns text language sql immutable parallel safe as $$
  select 'CR-' || lpad(number::text, greatest(6, length(number::text)), '0')
$$;

-- The stored text of a record is made by a function with a body of the SQL standard, in which names are looked up once:
-- pg_restore fills tables with an empty search_path.
create function wire_of_bill_item_type(
  id uuid, external_id text, qb_external_id text, name text, class text, org_id uuid, revision integer,
  created_at timestamptz, updated_at timestamptz
) returns text language sql immutable parallel safe
begin atomic
  select row_to_json(wire)::text from (
    select id, external_id, qb_external_id, name, class, org_id, revision, wire_time(created_at) as created_at, wire_time(updated_at) as updated_at) as wire;
end;

create table bill_item_types (
  org_id uuid not null constraint bill_item_type_organization references organizations,
  id uuid not null,
  external_id text constraint bill_item_type_external_id_is_sensible check (length(external_id) between 1 and 255),
  qb_external_id text
    constraint bill_item_type_qb_external_id_is_sensible check (length(qb_external_id) between 1 and 255),
  name text not null constraint bill_item_type_name_is_sensible check (length(name) between 1 and 255),
  class text constraint bill_item_type_class_is_sensible check (length(class) between 1 and 255),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  name_key text generated always as (lower(name)) stored,
  wire text not null generated always as (wire_of_bill_item_type(id, external_id, qb_external_id, name, class, org_id,
    revision, created_at, updated_at)) stored,
  primary key (org_id, id),
  constraint bill_item_type_external_id unique (org_id, external_id)
);
create index bill_item_types_order on bill_item_types (org_id, created_at desc, id desc);
create index bill_item_types_name on bill_item_types (org_id, name_key);
call keep_apart('bill_item_types');
grant select, insert, update, delete on bill_item_types to lading_app;

-- The wire shape, defined once. The lateral row is what becomes JSON; the columns beside it are for filters and order.
create view bill_item_types_wire with (security_invoker = true) as
select t.org_id, t.id, t.revision, t.created_at, t.name, t.class, t.external_id, t.qb_external_id, t.wire as json, t.name_key from bill_item_types t;
grant select on bill_item_types_wire to lading_app;

-- A mapping under the name of its connector.
create function wire_of_mapping(
  connector_id text, vendor_pay_term_id text, pay_term_id uuid, org_id uuid
) returns text language sql immutable parallel safe
begin atomic
  select to_json(connector_id)::text || ':' || row_to_json(wire)::text from (
    select connector_id, vendor_pay_term_id, pay_term_id, org_id) as wire;
end;

create table pay_term_connector_mappings (
  org_id uuid not null,
  pay_term_id uuid not null,
  connector_id text not null
    constraint mapping_connector_id_is_sensible check (length(connector_id) between 1 and 255),
  vendor_pay_term_id text not null
    constraint mapping_vendor_pay_term_id_is_sensible check (length(vendor_pay_term_id) between 1 and 255),
  wire text not null generated always as (wire_of_mapping(connector_id, vendor_pay_term_id, pay_term_id, org_id)) stored,
  primary key (org_id, pay_term_id, connector_id),
  constraint mapping_pay_term foreign key (org_id, pay_term_id) references pay_terms on delete cascade
);
call keep_apart('pay_term_connector_mappings');
grant select, insert, update, delete on pay_term_connector_mappings to lading_app;

-- By a join: a view that selects from a second table for each row cannot be sent to the node of an organization.
create view pay_terms_wire with (security_invoker = true) as
select t.org_id, t.id, t.revision, t.created_at, t.name, t.wire || ',"connector_mappings":' || coalesce('{' || m.json || '}', '{}')
  || ',"discount_days":' || coalesce(t.discount_days::text, 'null') || ',"discount_percent":' || coalesce('"' || trim_scale(t.discount_percent)::text || '"', 'null')
  || ',"revision":' || t.revision || '}' as json
from pay_terms t
left join (
  select org_id, pay_term_id, string_agg(wire, ',' order by connector_id) as json
  from pay_term_connector_mappings group by org_id, pay_term_id) m on m.org_id = t.org_id and m.pay_term_id = t.id;
grant select on pay_terms_wire to lading_app;

-- So many units of one currency are one unit of another, from one day to another, both included; without an end it
-- holds on.
create table exchange_rates (
  org_id uuid not null constraint exchange_rate_organization references organizations,
  id uuid not null,
  from_currency_id text not null constraint exchange_rate_from_currency references currencies,
  to_currency_id text not null constraint exchange_rate_to_currency references currencies,
  rate numeric(22,10) not null constraint exchange_rate_is_positive check (rate > 0),
  starts_on date not null,
  ends_on date,
  source text constraint exchange_rate_source_is_sensible check (length(source) between 1 and 255),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint exchange_rates_do_not_overlap
    exclude using gist (org_id with =, from_currency_id with =, to_currency_id with =, daterange(starts_on, ends_on, '[]') with &&),
  constraint exchange_rate_has_two_currencies check (from_currency_id <> to_currency_id),
  constraint exchange_rate_runs_forward check (ends_on >= starts_on)
);
-- Ranges do not overlap, so that of a day is the last one that starts by then.
create unique index exchange_rates_of_a_day on exchange_rates (org_id, from_currency_id, to_currency_id, starts_on);
create index exchange_rates_order on exchange_rates (org_id, created_at desc, id desc);
call keep_apart('exchange_rates');
grant select, insert, update, delete on exchange_rates to lading_app;

create view exchange_rates_wire with (security_invoker = true) as
select r.org_id, r.id, r.revision, r.created_at, r.from_currency_id, r.to_currency_id, r.starts_on, r.ends_on, row_to_json(wire)::text as json
from exchange_rates r
cross join lateral (
  select r.id, r.from_currency_id, r.to_currency_id, trim_scale(r.rate)::text as rate, r.starts_on::text as starts_on, r.ends_on::text as ends_on, r.source, r.org_id, r.revision,
    wire_time(r.created_at) as created_at, wire_time(r.updated_at) as updated_at
) wire;
grant select on exchange_rates_wire to lading_app;

-- The percent that the components of a tax come to. Each is {"name", "percent"}, the percent a decimal number in a
-- text.
create function percent_of_components(components jsonb) returns numeric language sql immutable parallel safe as $$
  select sum((c ->> 'percent')::numeric) from jsonb_array_elements(components) as c
$$;

create table tax_rates (
  org_id uuid not null constraint tax_rate_organization references organizations,
  id uuid not null,
  name text not null constraint tax_rate_name_is_sensible check (length(name) between 1 and 255),
  percent numeric(9,6) not null constraint tax_rate_percent_is_sensible check (percent between 0 and 100),
  components jsonb not null default '[]',
  active boolean not null default true,
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint tax_rate_is_the_sum_of_its_components
    check (components = '[]' or percent = percent_of_components(components))
);
create unique index tax_rate_name on tax_rates (org_id, lower(name));
create index tax_rates_order on tax_rates (org_id, created_at desc, id desc);
call keep_apart('tax_rates');
grant select, insert, update, delete on tax_rates to lading_app;

create view tax_rates_wire with (security_invoker = true) as
select t.org_id, t.id, t.revision, t.created_at, t.name, t.active, row_to_json(wire)::text as json
from tax_rates t
cross join lateral (
  select t.id, t.name, trim_scale(t.percent)::text as percent, t.components, t.active, t.org_id, t.revision,
    wire_time(t.created_at) as created_at, wire_time(t.updated_at) as updated_at
) wire;
grant select on tax_rates_wire to lading_app;

-- From one day to another, both included, in the time zone of the organization. Nothing dated in a closed one changes.
-- Every write of money looks for closed ones after it has begun to write, and closing waits for those that had begun by
-- then: so a write is there before the closing, or sees it.
create table accounting_periods (
  org_id uuid not null constraint accounting_period_organization references organizations,
  id uuid not null,
  starts_on date not null,
  ends_on date not null,
  status text not null default 'open'
    constraint accounting_period_is_open_or_closed check (status in ('open', 'closed')),
  closed_at timestamptz(3),
  closed_by text,
  revision integer not null default 1,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint accounting_periods_do_not_overlap
    exclude using gist (org_id with =, daterange(starts_on, ends_on, '[]') with &&),
  constraint accounting_period_runs_forward check (ends_on >= starts_on),
  constraint accounting_period_closed_at_a_time
    check ((status = 'closed') = (closed_at is not null) and (status = 'closed') = (closed_by is not null))
);
create index accounting_periods_order on accounting_periods (org_id, starts_on desc, id desc);
call keep_apart('accounting_periods');
grant select, insert, update, delete on accounting_periods to lading_app;

create view accounting_periods_wire with (security_invoker = true) as
select p.org_id, p.id, p.revision, p.starts_on, p.ends_on, p.status, row_to_json(wire)::text as json
from accounting_periods p
cross join lateral (
  select p.id, p.org_id, p.starts_on::text as starts_on, p.ends_on::text as ends_on, p.status, wire_time(p.closed_at) as closed_at, p.closed_by, p.revision, p.created_by,
    wire_time(p.created_at) as created_at, wire_time(p.updated_at) as updated_at
) wire;
grant select on accounting_periods_wire to lading_app;

-- A statement gathers bills of one payee in one currency. Its sums are not stored: they are those of its bills,
-- whatever happens to them.
create table consolidated_bills (
  org_id uuid not null constraint consolidated_bill_organization references organizations,
  id uuid not null,
  full_id uuid not null,
  number integer,
  external_id text constraint consolidated_bill_external_id_is_sensible check (length(external_id) between 1 and 255),
  consolidated_bill_type_id text not null,
  partner_carrier_id uuid,
  driver_id uuid,
  bill_to jsonb,
  remit_to jsonb,
  pay_period_start timestamptz(3),
  pay_period_end timestamptz(3),
  bill_date timestamptz(3),
  due_date timestamptz(3),
  status_id text not null default 'draft'
    constraint consolidated_bill_status_is_known check (status_id in ('draft', 'saved', 'sent', 'edited', 'paid')),
  currency_id text not null constraint consolidated_bill_currency references currencies,
  pay_term_id uuid,
  reference_number text,
  notes text,
  sent_at timestamptz(3),
  paid_at timestamptz(3),
  send_to_email text,
  cc_to_email text,
  qb_external_id text,
  qb_error_msg text,
  qb_exported_at timestamptz(3),
  -- A statement that has a number is voided instead of deleted. Its bills are free then, so it keeps which they were
  -- and what they came to: the sums of any other statement are read from its bills.
  voided_at timestamptz(3),
  void_reason text,
  voided_bill_ids uuid[],
  voided_sub_total_amount bigint,
  voided_tax_amount bigint,
  voided_total_amount bigint,
  revision integer not null default 1,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  payee_id uuid not null generated always as (coalesce(partner_carrier_id, '00000000-0000-0000-0000-000000000000'))
    stored,
  primary key (org_id, id),
  -- What a bill must agree with to be on this statement: the foreign key of bills carries it.
  constraint consolidated_bill_identity unique (org_id, id, currency_id, payee_id),
  constraint consolidated_bill_external_id unique (org_id, external_id),
  constraint consolidated_bill_number unique (org_id, number),
  constraint consolidated_bill_type_is_known
    check (consolidated_bill_type_id in ('carrier_statement', 'driver_settlement')),
  constraint consolidated_bill_period_runs_forward check (pay_period_end >= pay_period_start),
  constraint consolidated_bill_past_draft_has_number check (status_id = 'draft' or number is not null),
  constraint consolidated_bill_sent_when_sent check (status_id <> 'sent' or sent_at is not null),
  constraint consolidated_bill_paid_when_paid check ((status_id = 'paid') = (paid_at is not null)),
  constraint consolidated_bill_voided_has_a_number check (voided_at is null or number is not null),
  constraint consolidated_bill_voided_is_not_paid check (voided_at is null or status_id <> 'paid'),
  constraint consolidated_bill_voided_keeps_its_content check (
      num_nonnulls(voided_at, void_reason, voided_bill_ids, voided_sub_total_amount, voided_tax_amount, voided_total_amount) in (0, 6)),
  constraint consolidated_bill_pay_term foreign key (org_id, pay_term_id) references pay_terms
);
create index consolidated_bills_order on consolidated_bills (org_id, created_at desc, id desc);
create index consolidated_bills_status on consolidated_bills (org_id, status_id, created_at desc, id desc);
create index consolidated_bills_partner on consolidated_bills (org_id, partner_carrier_id, created_at desc, id desc);
create index consolidated_bills_pay_term on consolidated_bills (org_id, pay_term_id);
create index consolidated_bills_type
  on consolidated_bills (org_id, consolidated_bill_type_id, created_at desc, id desc);
create index consolidated_bills_driver
  on consolidated_bills (org_id, driver_id, created_at desc, id desc) where driver_id is not null;
create index consolidated_bills_period on consolidated_bills (org_id, pay_period_end, pay_period_start);
create index consolidated_bills_updated on consolidated_bills (org_id, updated_at);
call keep_apart('consolidated_bills');
grant select, insert, update, delete on consolidated_bills to lading_app;

-- What is stored of the text of a bill: what few documents have is appended by the view, and so is what can be done with
-- it, which depends on others than the bill.
create function wire_of_bill(
  created_at timestamptz, updated_at timestamptz, id uuid, created_by text, org_id uuid, status_id text,
  currency_id text, pay_term_id uuid, master_trip_id uuid, partner_carrier_id uuid, full_id uuid, external_id text,
  qb_external_id text, qb_error_msg text, revision integer, bill_date timestamptz, due_date timestamptz,
  sent_at timestamptz, paid_at timestamptz, qb_exported_at timestamptz, send_to_email text, cc_to_email text,
  bill_to jsonb, is_tax_on boolean, notes text, remit_to jsonb, reference_number text, sub_total_amount bigint,
  tax_amount bigint, total_amount bigint, number integer, consolidated_bill_id uuid
) returns text language sql immutable parallel safe
begin atomic
  select left(row_to_json(wire)::text, -1) from (
    select wire_time(created_at) as created_at, wire_time(updated_at) as updated_at, id, created_by, org_id, status_id, currency_id, pay_term_id, master_trip_id,
      partner_carrier_id, full_id, external_id, qb_external_id, qb_error_msg, revision, wire_time(bill_date) as bill_date, wire_time(due_date) as due_date,
      wire_time(sent_at) as sent_at, wire_time(paid_at) as paid_at, wire_time(qb_exported_at) as qb_exported_at, send_to_email, cc_to_email,
      wire_address(bill_to) as bill_to, is_tax_on, notes, wire_address(remit_to) as remit_to, reference_number, sub_total_amount, tax_amount, total_amount,
      'BILL-' || lpad(number::text, greatest(6, length(number::text)), '0') as number, consolidated_bill_id) as wire;
end;

create table bills (
  org_id uuid not null constraint bill_organization references organizations,
  id uuid not null,
  full_id uuid not null,
  number integer,
  external_id text constraint bill_external_id_is_sensible check (length(external_id) between 1 and 255),
  status_id text not null default 'draft'
    constraint bill_status_is_known check (status_id in ('draft', 'saved', 'sent', 'edited', 'paid')),
  currency_id text constraint bill_currency references currencies,
  pay_term_id uuid,
  master_trip_id uuid,
  partner_carrier_id uuid,
  consolidated_bill_id uuid,
  qb_external_id text,
  qb_error_msg text,
  bill_date timestamptz(3),
  due_date timestamptz(3),
  sent_at timestamptz(3),
  paid_at timestamptz(3),
  qb_exported_at timestamptz(3),
  send_to_email text,
  cc_to_email text,
  bill_to jsonb,
  remit_to jsonb,
  is_tax_on boolean not null default false,
  notes text,
  reference_number text,
  sub_total_amount amount not null default 0,
  tax_amount amount not null default 0,
  total_amount amount not null default 0,
  -- The tax that was set on a bill stays while tax is switched off, and comes back with it. Null while tax is on, and
  -- where none was set.
  kept_tax_amount bigint,
  -- What a bill has been paid, where it stood before, whether it was voided, and what it comes to in the home currency
  -- of its organization.
  amount_paid bigint default 0
    constraint bill_amount_paid_is_exact_in_json check (amount_paid between -9007199254740991 and 9007199254740991),
  unpaid_status_id text
    constraint bill_stood_somewhere_before_it_was_paid check (unpaid_status_id in ('saved', 'sent', 'edited')),
  voided_at timestamptz(3),
  void_reason text,
  exchange_rate numeric constraint bill_exchange_rate_is_positive check (exchange_rate > 0),
  home_currency_id text,
  home_total_amount bigint,
  approval_status text not null default 'not_needed',
  approval_requested_at timestamptz(3),
  approved_by uuid,
  approved_at timestamptz(3),
  -- The carrier and the number of a bill that no other bill may have: set where the organization refuses duplicates and
  -- nobody allowed this one.
  held_number text,
  revision integer not null default 1,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  payee_id uuid not null generated always as (coalesce(partner_carrier_id, '00000000-0000-0000-0000-000000000000'))
    stored,
  -- Row-level security lets no index be used through a function that is not known to keep secrets, and lower() is not.
  -- So what is looked for without regard to case is kept in a column.
  reference_key text generated always as (lower(reference_number)) stored,
  wire text not null generated always as (wire_of_bill(created_at, updated_at, id, created_by, org_id, status_id,
    currency_id, pay_term_id, master_trip_id, partner_carrier_id, full_id, external_id, qb_external_id, qb_error_msg,
    revision, bill_date, due_date, sent_at, paid_at, qb_exported_at, send_to_email, cc_to_email, bill_to, is_tax_on,
    notes, remit_to, reference_number, sub_total_amount::bigint, tax_amount::bigint, total_amount::bigint, number,
    consolidated_bill_id)) stored,
  primary key (org_id, id),
  constraint bill_external_id unique (org_id, external_id),
  constraint bill_number unique (org_id, number),
  constraint bill_on_a_statement_has_a_currency check (consolidated_bill_id is null or currency_id is not null),
  constraint bill_total_is_the_sum check (total_amount = sub_total_amount + tax_amount),
  constraint bill_without_tax_has_none check (is_tax_on or tax_amount = 0),
  constraint bill_past_draft_has_number_and_currency
    check (status_id = 'draft' or (number is not null and currency_id is not null)),
  constraint bill_sent_when_sent check (status_id <> 'sent' or sent_at is not null),
  constraint bill_paid_when_paid check ((status_id = 'paid') = (paid_at is not null)),
  constraint bill_is_changed_after_it_is_made check (updated_at >= created_at),
  constraint bill_voided_has_a_reason check ((voided_at is null) = (void_reason is null)),
  constraint bill_home_amount_has_rate_and_currency
    check ((exchange_rate is null) = (home_currency_id is null)
      and (exchange_rate is null) = (home_total_amount is null)),
  constraint bill_home_amount_is_exact_in_json check (home_total_amount between -9007199254740991 and 9007199254740991),
  constraint bill_is_paid_no_more_than_its_total
    check (amount_paid between least(total_amount, 0) and greatest(total_amount, 0)),
  constraint bill_is_paid_when_nothing_is_due check (total_amount = 0 or (status_id = 'paid' and unpaid_status_id is null)
      or (status_id = 'paid') = (amount_paid = total_amount)),
  constraint bill_is_not_paid_as_a_draft_or_voided
    check (amount_paid = 0 or (status_id <> 'draft' and voided_at is null)),
  constraint bill_kept_tax_is_exact_in_json check (kept_tax_amount between -9007199254740991 and 9007199254740991),
  -- A voided document keeps its number and its content. What has no number is deleted instead, what is paid has
  -- payments that stand against it, and what is on a statement is taken off first.
  constraint bill_voided_has_a_number check (voided_at is null or number is not null),
  constraint bill_voided_is_not_paid check (voided_at is null or status_id <> 'paid'),
  constraint bill_voided_is_on_no_statement check (voided_at is null or consolidated_bill_id is null),
  constraint bill_approval_status_is_known check (approval_status in ('not_needed', 'pending', 'approved', 'rejected')),
  constraint bill_paid_is_approved check (status_id <> 'paid' or approval_status in ('not_needed', 'approved')),
  constraint bill_pay_term foreign key (org_id, pay_term_id) references pay_terms,
  -- A bill is on at most one statement, in its currency and of its payee.
  constraint bill_statement
    foreign key (org_id, consolidated_bill_id, currency_id, payee_id)
      references consolidated_bills (org_id, id, currency_id, payee_id)
);
create index bills_order on bills (org_id, created_at desc, id desc);
create index bills_updated on bills (org_id, updated_at desc, id desc);
create index bills_status on bills (org_id, status_id, created_at desc, id desc);
create index bills_partner on bills (org_id, partner_carrier_id, created_at desc, id desc);
create index bills_trip on bills (org_id, master_trip_id) where master_trip_id is not null;
create index bills_statement on bills (org_id, consolidated_bill_id) where consolidated_bill_id is not null;
create index bills_pay_term on bills (org_id, pay_term_id);
create index bills_reference on bills (org_id, reference_key);
create index bills_due on bills (org_id, due_date, id);
create index bills_dated on bills (org_id, bill_date, id);
create index bills_total on bills (org_id, total_amount, id);
create index bills_unnumbered on bills (org_id, id) where number is null;
create index bills_open_due on bills (org_id, due_date, id) where status_id in ('saved', 'sent', 'edited');
create index bills_status_updated on bills (org_id, status_id, updated_at desc, id desc);
create index bills_currency on bills (org_id, currency_id, created_at desc, id desc);
create index bills_exported on bills (org_id, qb_exported_at, created_at desc, id desc);
create unique index bills_identity on bills (org_id, id, currency_id, payee_id);
create index bills_missing_rate
  on bills (org_id, created_at desc, id desc)
  where exchange_rate is null and status_id <> 'draft' and voided_at is null;
create index bills_waiting on bills (org_id, approval_requested_at) where approval_status = 'pending';
create index bills_carrier_amount on bills (org_id, partner_carrier_id, total_amount) where voided_at is null;
create unique index bills_held_number
  on bills (org_id, held_number) where held_number is not null and voided_at is null;
call keep_apart('bills');
grant select, insert, update, delete on bills to lading_app;

create view consolidated_bills_wire with (security_invoker = true) as
select s.org_id, s.id, s.revision, s.created_at, row_to_json(wire)::text as json from consolidated_bills s
left join (
  select b.org_id, b.consolidated_bill_id, sum(b.sub_total_amount)::bigint as sub_total_amount, sum(b.tax_amount)::bigint as tax_amount,
    sum(b.total_amount)::bigint as total_amount, count(*)::int as bill_count, json_agg(b.id order by b.created_at, b.id) as bill_ids
  from bills b where b.consolidated_bill_id is not null group by b.org_id, b.consolidated_bill_id) sums on sums.org_id = s.org_id and sums.consolidated_bill_id = s.id
cross join lateral (
  select s.id, s.full_id, 'STMT-' || lpad(s.number::text, greatest(6, length(s.number::text)), '0') as number, s.org_id, s.external_id, s.consolidated_bill_type_id,
    s.partner_carrier_id, s.driver_id, wire_address(s.bill_to) as bill_to, s.bill_to ->> 'company_name' as bill_to_company_name, wire_address(s.remit_to) as remit_to,
    wire_time(s.pay_period_start) as pay_period_start, wire_time(s.pay_period_end) as pay_period_end, wire_time(s.bill_date) as bill_date, wire_time(s.due_date) as due_date,
    s.status_id, s.currency_id, s.pay_term_id, s.reference_number, s.notes,
    coalesce(sums.bill_ids, to_json(s.voided_bill_ids), '[]'::json) as bill_ids, coalesce(sums.bill_count, cardinality(s.voided_bill_ids), 0) as bill_count,
    coalesce(sums.sub_total_amount, s.voided_sub_total_amount, 0) as sub_total_amount, coalesce(sums.tax_amount, s.voided_tax_amount, 0) as tax_amount,
    coalesce(sums.total_amount, s.voided_total_amount, 0) as total_amount,
    wire_time(s.sent_at) as sent_at, wire_time(s.paid_at) as paid_at, s.send_to_email, s.cc_to_email, s.qb_external_id, s.qb_error_msg,
    wire_time(s.qb_exported_at) as qb_exported_at, s.revision, wire_time(s.created_at) as created_at, wire_time(s.updated_at) as updated_at, s.created_by,
    case when s.voided_at is not null then '[]' else '[' || substr(
      next_moves(s.status_id, 'not_needed', coalesce(sums.bill_count, 0) > 0, s.sent_at is null, true)
      -- What has a number is voided, not deleted.
      || case when s.status_id = 'paid' then '' when s.number is null then ',"delete"' else ',"void"' end, 2) || ']' end::json as available_actions,
    wire_time(s.voided_at) as voided_at, s.void_reason
) wire;
grant select on consolidated_bills_wire to lading_app;

create function wire_of_approver(
  approval_status text, requested_at timestamptz, approved_by uuid, approved_at timestamptz
) returns text language sql stable parallel safe
begin atomic
  select ',"approval_status":"' || approval_status || '","approval_requested_at":' || coalesce('"' || wire_time(requested_at) || '"', 'null')
    || ',"approved_by":' || coalesce('"' || approved_by || '"', 'null') || ',"approved_at":' || coalesce('"' || wire_time(approved_at) || '"', 'null');
end;

-- No argument here may hold a sub-select, because PostgreSQL then calls the function: what holds a paid bill is asked
-- where it matters.
create view bills_wire with (security_invoker = true) as
select b.org_id, b.id, b.revision, b.created_at, b.consolidated_bill_id,
  b.wire || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
    || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount)
    || wire_of_approver(b.approval_status, b.approval_requested_at, b.approved_by, b.approved_at) || ',"available_actions":'
    || document_actions(b.status_id, b.number, b.sent_at, b.currency_id, b.amount_paid, b.voided_at, b.approval_status, b.consolidated_bill_id, s.id is not null,
      b.exchange_rate, b.home_currency_id, o.home_currency_id) || '}' as json,
  b.external_id, b.created_by, b.pay_term_id, b.currency_id,
  b.wire || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
    || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount)
    || wire_of_approver(b.approval_status, b.approval_requested_at, b.approved_by, b.approved_at) || ',"available_actions":'
    || document_actions(b.status_id, b.number, b.sent_at, b.currency_id, b.amount_paid, b.voided_at, b.approval_status, b.consolidated_bill_id, s.id is not null,
      b.exchange_rate, b.home_currency_id, o.home_currency_id) as open_json
from bills b
join organizations o on o.org_id = b.org_id
-- The statement that holds a paid bill. No other bill has one to look for.
left join consolidated_bills s on s.org_id = b.org_id and s.id = case when b.status_id = 'paid' then b.consolidated_bill_id end and s.status_id = 'paid';
grant select on bills_wire to lading_app;

-- Without the type, which may be renamed.
create function wire_of_bill_item(
  id uuid, created_at timestamptz, updated_at timestamptz, bill_id uuid, bill_item_type_id uuid,
  manifest_payment_item_id uuid, manifest_id uuid, unit_price bigint, quantity bigint, total_amount bigint,
  description text, "position" integer
) returns text language sql immutable parallel safe
begin atomic
  select left(row_to_json(wire)::text, -1) from (
    select id, wire_time(created_at) as created_at, wire_time(updated_at) as updated_at, bill_id, bill_item_type_id, manifest_payment_item_id, manifest_id, unit_price,
      quantity, total_amount, description, "position") as wire;
end;

create table bill_items (
  org_id uuid not null,
  id uuid not null,
  bill_id uuid not null,
  "position" integer not null constraint bill_item_position_counts_from_one check (position >= 1),
  bill_item_type_id uuid,
  manifest_id uuid,
  manifest_payment_item_id uuid,
  unit_price amount not null,
  quantity amount not null,
  total_amount amount not null,
  description text,
  -- The tax rate of a line, and the tax that it has under it.
  tax_rate_id uuid,
  tax_amount bigint not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  wire text not null generated always as (wire_of_bill_item(id, created_at, updated_at, bill_id, bill_item_type_id,
    manifest_payment_item_id, manifest_id, unit_price::bigint, quantity::bigint, total_amount::bigint, description,
    "position")) stored,
  primary key (org_id, id),
  -- Checked when a statement is done, so that lines can trade places in one.
  constraint bill_item_position unique (org_id, bill_id, "position") deferrable,
  constraint bill_item_total_is_the_product check (total_amount = unit_price::numeric * quantity::numeric),
  constraint bill_item_without_a_rate_has_no_tax check (tax_rate_id is not null or tax_amount = 0),
  constraint bill_item_bill foreign key (org_id, bill_id) references bills on delete cascade,
  constraint bill_item_type_in_use foreign key (org_id, bill_item_type_id) references bill_item_types,
  constraint bill_item_tax_rate foreign key (org_id, tax_rate_id) references tax_rates
);
create index bill_items_type on bill_items (org_id, bill_item_type_id);
create index bill_items_manifest on bill_items (org_id, manifest_id) where manifest_id is not null;
create index bill_items_payment
  on bill_items (org_id, manifest_payment_item_id) where manifest_payment_item_id is not null;
create index bill_items_tax_rate on bill_items (org_id, tax_rate_id) where tax_rate_id is not null;
call keep_apart('bill_items');
grant select, insert, update, delete on bill_items to lading_app;

create view bill_items_wire with (security_invoker = true) as
select i.org_id, i.id, i.bill_id, i.position,
  i.wire || ',"tax_rate_id":' || coalesce('"' || i.tax_rate_id || '"', 'null') || ',"tax_amount":' || i.tax_amount || ',"bill_item_type":' || coalesce(t.wire, 'null') || '}' as json
from bill_items i left join bill_item_types t on t.org_id = i.org_id and t.id = i.bill_item_type_id;
grant select on bill_items_wire to lading_app;

-- The numbers that carriers gave their bills, in the form in which two are compared. It is a table of its own because
-- bills are wide, and rewritten with every change.
create table bill_numbers (
  org_id uuid not null,
  bill_id uuid not null,
  partner_carrier_id uuid not null,
  number text not null,
  primary key (org_id, bill_id),
  constraint bill_number_bill foreign key (org_id, bill_id) references bills on delete cascade
);
create index bill_numbers_number on bill_numbers (org_id, number, partner_carrier_id);
call keep_apart('bill_numbers');
grant select, insert, update, delete on bill_numbers to lading_app;

create function wire_of_invoice(
  created_at timestamptz, updated_at timestamptz, id uuid, created_by text, org_id uuid, status_id text,
  currency_id text, pay_term_id uuid, customer_id uuid, full_id uuid, external_id text, qb_external_id text,
  qb_error_msg text, revision integer, invoice_date timestamptz, due_date timestamptz, sent_at timestamptz,
  paid_at timestamptz, qb_exported_at timestamptz, send_to_email text, cc_to_email text, bill_to jsonb,
  is_tax_on boolean, notes text, remit_to jsonb, reference_number text, sub_total_amount bigint, tax_amount bigint,
  total_amount bigint, number integer
) returns text language sql immutable parallel safe
begin atomic
  select left(row_to_json(wire)::text, -1) from (
    select wire_time(created_at) as created_at, wire_time(updated_at) as updated_at, id, created_by, org_id, status_id, currency_id, pay_term_id, customer_id,
      full_id, external_id, qb_external_id, qb_error_msg, revision, wire_time(invoice_date) as invoice_date, wire_time(due_date) as due_date,
      wire_time(sent_at) as sent_at, wire_time(paid_at) as paid_at, wire_time(qb_exported_at) as qb_exported_at, send_to_email, cc_to_email,
      wire_address(bill_to) as bill_to, is_tax_on, notes, wire_address(remit_to) as remit_to, reference_number, sub_total_amount, tax_amount, total_amount,
      'INV-' || lpad(number::text, greatest(6, length(number::text)), '0') as number) as wire;
end;

-- What customers owe: a kind of document like bills, with the same columns, rules and indexes.
create table invoices (
  org_id uuid not null constraint invoice_organization references organizations,
  id uuid not null,
  full_id uuid not null,
  number integer,
  external_id text constraint invoice_external_id_is_sensible check (length(external_id) between 1 and 255),
  status_id text not null default 'draft'
    constraint invoice_status_is_known check (status_id in ('draft', 'saved', 'sent', 'edited', 'paid')),
  currency_id text constraint invoice_currency references currencies,
  pay_term_id uuid,
  customer_id uuid,
  qb_external_id text,
  qb_error_msg text,
  invoice_date timestamptz(3),
  due_date timestamptz(3),
  sent_at timestamptz(3),
  paid_at timestamptz(3),
  qb_exported_at timestamptz(3),
  send_to_email text,
  cc_to_email text,
  bill_to jsonb,
  remit_to jsonb,
  is_tax_on boolean not null default false,
  notes text,
  reference_number text,
  sub_total_amount amount not null default 0,
  tax_amount amount not null default 0,
  total_amount amount not null default 0,
  kept_tax_amount bigint,
  amount_paid bigint default 0,
  unpaid_status_id text
    constraint invoice_stood_somewhere_before_it_was_paid check (unpaid_status_id in ('saved', 'sent', 'edited')),
  voided_at timestamptz(3),
  void_reason text,
  exchange_rate numeric constraint invoice_exchange_rate_is_positive check (exchange_rate > 0),
  home_currency_id text,
  home_total_amount bigint,
  revision integer not null default 1,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- Who owes it, never null, so that a foreign key can carry it.
  party_id uuid not null generated always as (coalesce(customer_id, '00000000-0000-0000-0000-000000000000')) stored,
  reference_key text generated always as (lower(reference_number)) stored,
  wire text not null generated always as (wire_of_invoice(created_at, updated_at, id, created_by, org_id, status_id,
    currency_id, pay_term_id, customer_id, full_id, external_id, qb_external_id, qb_error_msg, revision, invoice_date,
    due_date, sent_at, paid_at, qb_exported_at, send_to_email, cc_to_email, bill_to, is_tax_on, notes, remit_to,
    reference_number, sub_total_amount::bigint, tax_amount::bigint, total_amount::bigint, number)) stored,
  primary key (org_id, id),
  constraint invoice_external_id unique (org_id, external_id),
  constraint invoice_number unique (org_id, number),
  constraint invoice_total_is_the_sum check (total_amount = sub_total_amount + tax_amount),
  constraint invoice_without_tax_has_none check (is_tax_on or tax_amount = 0),
  constraint invoice_past_draft_has_number_and_currency
    check (status_id = 'draft' or (number is not null and currency_id is not null)),
  constraint invoice_sent_when_sent check (status_id <> 'sent' or sent_at is not null),
  constraint invoice_paid_when_paid check ((status_id = 'paid') = (paid_at is not null)),
  constraint invoice_is_changed_after_it_is_made check (updated_at >= created_at),
  constraint invoice_amount_paid_is_exact_in_json check (amount_paid between -9007199254740991 and 9007199254740991),
  constraint invoice_voided_has_a_reason check ((voided_at is null) = (void_reason is null)),
  constraint invoice_home_amount_has_rate_and_currency
    check ((exchange_rate is null) = (home_currency_id is null)
      and (exchange_rate is null) = (home_total_amount is null)),
  constraint invoice_home_amount_is_exact_in_json
    check (home_total_amount between -9007199254740991 and 9007199254740991),
  constraint invoice_is_paid_no_more_than_its_total
    check (amount_paid between least(total_amount, 0) and greatest(total_amount, 0)),
  constraint invoice_is_paid_when_nothing_is_due
    check (total_amount = 0 or (status_id = 'paid') = (amount_paid = total_amount)),
  constraint invoice_is_not_paid_as_a_draft_or_voided
    check (amount_paid = 0 or (status_id <> 'draft' and voided_at is null)),
  constraint invoice_kept_tax_is_exact_in_json check (kept_tax_amount between -9007199254740991 and 9007199254740991),
  constraint invoice_voided_has_a_number check (voided_at is null or number is not null),
  constraint invoice_voided_is_not_paid check (voided_at is null or status_id <> 'paid'),
  constraint invoice_pay_term foreign key (org_id, pay_term_id) references pay_terms
);
create index invoices_order on invoices (org_id, created_at desc, id desc);
create index invoices_updated on invoices (org_id, updated_at desc, id desc);
create index invoices_status on invoices (org_id, status_id, created_at desc, id desc);
create index invoices_status_updated on invoices (org_id, status_id, updated_at desc, id desc);
create index invoices_customer on invoices (org_id, customer_id, created_at desc, id desc);
create index invoices_currency on invoices (org_id, currency_id, created_at desc, id desc);
create index invoices_pay_term on invoices (org_id, pay_term_id);
create index invoices_dated on invoices (org_id, invoice_date, id);
create index invoices_due on invoices (org_id, due_date, id);
create index invoices_open_due on invoices (org_id, due_date, id) where status_id in ('saved', 'sent', 'edited');
-- What a customer owes, for its statement.
create index invoices_open_of_customer
  on invoices (org_id, customer_id, due_date, id) where status_id in ('saved', 'sent', 'edited');
create index invoices_total on invoices (org_id, total_amount, id);
create index invoices_reference on invoices (org_id, reference_key);
create index invoices_unnumbered on invoices (org_id, id) where number is null;
create index invoices_exported on invoices (org_id, qb_exported_at, created_at desc, id desc);
create unique index invoices_identity on invoices (org_id, id, currency_id, party_id);
create index invoices_missing_rate
  on invoices (org_id, created_at desc, id desc)
  where exchange_rate is null and status_id <> 'draft' and voided_at is null;
call keep_apart('invoices');
grant select, insert, update, delete on invoices to lading_app;

create view invoices_wire with (security_invoker = true) as
select b.org_id, b.id, b.revision, b.created_at,
  b.wire || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
    || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount)
    || ',"available_actions":' || document_actions(b.status_id, b.number, b.sent_at, b.currency_id, b.amount_paid, b.voided_at, 'not_needed', null, false,
      b.exchange_rate, b.home_currency_id, o.home_currency_id) || '}' as json,
  b.external_id, b.created_by, b.pay_term_id, b.currency_id,
  b.wire || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
    || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount)
    || ',"available_actions":' || document_actions(b.status_id, b.number, b.sent_at, b.currency_id, b.amount_paid, b.voided_at, 'not_needed', null, false,
      b.exchange_rate, b.home_currency_id, o.home_currency_id) as open_json
from invoices b
join organizations o on o.org_id = b.org_id;
grant select on invoices_wire to lading_app;

create function wire_of_invoice_item(
  id uuid, created_at timestamptz, updated_at timestamptz, invoice_id uuid, bill_item_type_id uuid, order_id uuid,
  order_charge_id uuid, unit_price bigint, quantity bigint, total_amount bigint, description text, "position" integer
) returns text language sql immutable parallel safe
begin atomic
  select left(row_to_json(wire)::text, -1) from (
    select id, wire_time(created_at) as created_at, wire_time(updated_at) as updated_at, invoice_id, bill_item_type_id, order_id, order_charge_id, unit_price,
      quantity, total_amount, description, "position") as wire;
end;

create table invoice_items (
  org_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  "position" integer not null constraint invoice_item_position_counts_from_one check (position >= 1),
  bill_item_type_id uuid,
  order_id uuid,
  order_charge_id uuid,
  unit_price amount not null,
  quantity amount not null,
  total_amount amount not null,
  description text,
  tax_rate_id uuid,
  tax_amount bigint not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  wire text not null generated always as (wire_of_invoice_item(id, created_at, updated_at, invoice_id,
    bill_item_type_id, order_id, order_charge_id, unit_price::bigint, quantity::bigint, total_amount::bigint,
    description, "position")) stored,
  primary key (org_id, id),
  constraint invoice_item_position unique (org_id, invoice_id, "position") deferrable,
  constraint invoice_item_total_is_the_product check (total_amount = unit_price::numeric * quantity::numeric),
  constraint invoice_item_without_a_rate_has_no_tax check (tax_rate_id is not null or tax_amount = 0),
  constraint invoice_item_invoice foreign key (org_id, invoice_id) references invoices on delete cascade,
  constraint bill_item_type_in_use foreign key (org_id, bill_item_type_id) references bill_item_types,
  constraint invoice_item_tax_rate foreign key (org_id, tax_rate_id) references tax_rates
);
create index invoice_items_type on invoice_items (org_id, bill_item_type_id);
create index invoice_items_order on invoice_items (org_id, order_id) where order_id is not null;
create index invoice_items_tax_rate on invoice_items (org_id, tax_rate_id) where tax_rate_id is not null;
call keep_apart('invoice_items');
grant select, insert, update, delete on invoice_items to lading_app;

create view invoice_items_wire with (security_invoker = true) as
select i.org_id, i.id, i.invoice_id, i.position,
  i.wire || ',"tax_rate_id":' || coalesce('"' || i.tax_rate_id || '"', 'null') || ',"tax_amount":' || i.tax_amount || ',"bill_item_type":' || coalesce(t.wire, 'null') || '}' as json
from invoice_items i left join bill_item_types t on t.org_id = i.org_id and t.id = i.bill_item_type_id;
grant select on invoice_items_wire to lading_app;

create function wire_of_credit(
  created_at timestamptz, updated_at timestamptz, id uuid, created_by text, org_id uuid, status_id text, direction text,
  currency_id text, pay_term_id uuid, partner_carrier_id uuid, customer_id uuid, full_id uuid, external_id text,
  qb_external_id text, qb_error_msg text, revision integer, credit_date timestamptz, due_date timestamptz,
  sent_at timestamptz, paid_at timestamptz, qb_exported_at timestamptz, send_to_email text, cc_to_email text,
  bill_to jsonb, is_tax_on boolean, notes text, remit_to jsonb, reference_number text, sub_total_amount bigint,
  tax_amount bigint, total_amount bigint, number integer
) returns text language sql immutable parallel safe
begin atomic
  select left(row_to_json(wire)::text, -1) from (
    select wire_time(created_at) as created_at, wire_time(updated_at) as updated_at, id, created_by, org_id, status_id, direction, currency_id, pay_term_id, partner_carrier_id,
      customer_id, full_id, external_id, qb_external_id, qb_error_msg, revision, wire_time(credit_date) as credit_date, wire_time(due_date) as due_date,
      wire_time(sent_at) as sent_at, wire_time(paid_at) as paid_at, wire_time(qb_exported_at) as qb_exported_at, send_to_email, cc_to_email,
      wire_address(bill_to) as bill_to, is_tax_on, notes, wire_address(remit_to) as remit_to, reference_number, sub_total_amount, tax_amount, total_amount,
      'CR-' || lpad(number::text, greatest(6, length(number::text)), '0') as number) as wire;
end;

-- What carriers credit us and what we credit customers: a kind of document like bills and invoices, of one direction
-- for good. `amount_paid` is what was applied or refunded of it.
create table credits (
  org_id uuid not null constraint credit_organization references organizations,
  id uuid not null,
  full_id uuid not null,
  number integer,
  external_id text constraint credit_external_id_is_sensible check (length(external_id) between 1 and 255),
  status_id text not null default 'draft'
    constraint credit_status_is_known check (status_id in ('draft', 'saved', 'sent', 'edited', 'paid')),
  direction text not null constraint credit_direction_is_known check (direction in ('out', 'in')),
  currency_id text constraint credit_currency references currencies,
  pay_term_id uuid,
  partner_carrier_id uuid,
  customer_id uuid,
  qb_external_id text,
  qb_error_msg text,
  credit_date timestamptz(3),
  due_date timestamptz(3),
  sent_at timestamptz(3),
  paid_at timestamptz(3),
  qb_exported_at timestamptz(3),
  send_to_email text,
  cc_to_email text,
  bill_to jsonb,
  remit_to jsonb,
  is_tax_on boolean not null default false,
  notes text,
  reference_number text,
  sub_total_amount amount not null default 0,
  tax_amount amount not null default 0,
  total_amount amount not null default 0,
  kept_tax_amount bigint,
  amount_paid bigint default 0,
  unpaid_status_id text
    constraint credit_stood_somewhere_before_it_was_paid check (unpaid_status_id in ('saved', 'sent', 'edited')),
  voided_at timestamptz(3),
  void_reason text,
  exchange_rate numeric constraint credit_exchange_rate_is_positive check (exchange_rate > 0),
  home_currency_id text,
  home_total_amount bigint,
  revision integer not null default 1,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- Who gives or gets it, never null, so that a foreign key can carry it.
  party_id uuid not null generated always as (coalesce(partner_carrier_id, customer_id,
    '00000000-0000-0000-0000-000000000000')) stored,
  reference_key text generated always as (lower(reference_number)) stored,
  wire text not null generated always as (wire_of_credit(created_at, updated_at, id, created_by, org_id, status_id,
    direction, currency_id, pay_term_id, partner_carrier_id, customer_id, full_id, external_id, qb_external_id,
    qb_error_msg, revision, credit_date, due_date, sent_at, paid_at, qb_exported_at, send_to_email, cc_to_email,
    bill_to, is_tax_on, notes, remit_to, reference_number, sub_total_amount::bigint, tax_amount::bigint,
    total_amount::bigint, number)) stored,
  primary key (org_id, id),
  constraint credit_external_id unique (org_id, external_id),
  constraint credit_number unique (org_id, number),
  constraint credit_party_fits_its_direction
    check (direction = 'out' and customer_id is null or direction = 'in' and partner_carrier_id is null),
  constraint credit_total_is_the_sum check (total_amount = sub_total_amount + tax_amount),
  constraint credit_without_tax_has_none check (is_tax_on or tax_amount = 0),
  constraint credit_past_draft_has_number_and_currency
    check (status_id = 'draft' or (number is not null and currency_id is not null)),
  constraint credit_sent_when_sent check (status_id <> 'sent' or sent_at is not null),
  constraint credit_paid_when_paid check ((status_id = 'paid') = (paid_at is not null)),
  constraint credit_is_changed_after_it_is_made check (updated_at >= created_at),
  constraint credit_amount_paid_is_exact_in_json check (amount_paid between -9007199254740991 and 9007199254740991),
  constraint credit_voided_has_a_reason check ((voided_at is null) = (void_reason is null)),
  constraint credit_home_amount_has_rate_and_currency
    check ((exchange_rate is null) = (home_currency_id is null)
      and (exchange_rate is null) = (home_total_amount is null)),
  constraint credit_home_amount_is_exact_in_json
    check (home_total_amount between -9007199254740991 and 9007199254740991),
  constraint credit_is_applied_no_more_than_its_total
    check (amount_paid between least(total_amount, 0) and greatest(total_amount, 0)),
  constraint credit_is_paid_when_nothing_is_left
    check (total_amount = 0 or (status_id = 'paid') = (amount_paid = total_amount)),
  constraint credit_is_not_applied_as_a_draft_or_voided
    check (amount_paid = 0 or (status_id <> 'draft' and voided_at is null)),
  constraint credit_kept_tax_is_exact_in_json check (kept_tax_amount between -9007199254740991 and 9007199254740991),
  constraint credit_voided_has_a_number check (voided_at is null or number is not null),
  constraint credit_voided_is_not_paid check (voided_at is null or status_id <> 'paid'),
  constraint credit_pay_term foreign key (org_id, pay_term_id) references pay_terms
);
create index credits_order on credits (org_id, created_at desc, id desc);
create index credits_updated on credits (org_id, updated_at desc, id desc);
create index credits_status on credits (org_id, status_id, created_at desc, id desc);
create index credits_status_updated on credits (org_id, status_id, updated_at desc, id desc);
create index credits_direction on credits (org_id, direction, created_at desc, id desc);
create index credits_partner
  on credits (org_id, partner_carrier_id, created_at desc, id desc) where partner_carrier_id is not null;
create index credits_customer on credits (org_id, customer_id, created_at desc, id desc) where customer_id is not null;
create index credits_currency on credits (org_id, currency_id, created_at desc, id desc);
create index credits_pay_term on credits (org_id, pay_term_id);
create index credits_dated on credits (org_id, credit_date, id);
create index credits_due on credits (org_id, due_date, id);
create index credits_open_due on credits (org_id, due_date, id) where status_id in ('saved', 'sent', 'edited');
-- What is left of a customer's credits, for its statement.
create index credits_open_of_customer on credits (org_id, customer_id) where status_id in ('saved', 'sent', 'edited');
create index credits_total on credits (org_id, total_amount, id);
create index credits_reference on credits (org_id, reference_key);
create index credits_unnumbered on credits (org_id, id) where number is null;
create index credits_exported on credits (org_id, qb_exported_at, created_at desc, id desc);
create unique index credits_identity on credits (org_id, id, currency_id, party_id);
create index credits_missing_rate
  on credits (org_id, created_at desc, id desc)
  where exchange_rate is null and status_id <> 'draft' and voided_at is null;
create index credits_open_of_partner
  on credits (org_id, partner_carrier_id) where status_id in ('saved', 'sent', 'edited');
call keep_apart('credits');
grant select, insert, update, delete on credits to lading_app;

create view credits_wire with (security_invoker = true) as
select b.org_id, b.id, b.revision, b.created_at,
  b.wire || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
    || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount)
    || ',"available_actions":' || document_actions(b.status_id, b.number, b.sent_at, b.currency_id, b.amount_paid, b.voided_at, 'not_needed', null, false,
      b.exchange_rate, b.home_currency_id, o.home_currency_id) || '}' as json,
  b.external_id, b.created_by, b.pay_term_id, b.currency_id, b.direction,
  b.wire || ',"kept_tax_amount":' || coalesce(b.kept_tax_amount::text, 'null')
    || wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount)
    || ',"available_actions":' || document_actions(b.status_id, b.number, b.sent_at, b.currency_id, b.amount_paid, b.voided_at, 'not_needed', null, false,
      b.exchange_rate, b.home_currency_id, o.home_currency_id) as open_json
from credits b
join organizations o on o.org_id = b.org_id;
grant select on credits_wire to lading_app;

create function wire_of_credit_item(
  id uuid, created_at timestamptz, updated_at timestamptz, credit_id uuid, bill_item_type_id uuid, manifest_id uuid,
  order_id uuid, unit_price bigint, quantity bigint, total_amount bigint, description text, "position" integer
) returns text language sql immutable parallel safe
begin atomic
  select left(row_to_json(wire)::text, -1) from (
    select id, wire_time(created_at) as created_at, wire_time(updated_at) as updated_at, credit_id, bill_item_type_id, manifest_id, order_id, unit_price,
      quantity, total_amount, description, "position") as wire;
end;

create table credit_items (
  org_id uuid not null,
  id uuid not null,
  credit_id uuid not null,
  "position" integer not null constraint credit_item_position_counts_from_one check (position >= 1),
  bill_item_type_id uuid,
  manifest_id uuid,
  order_id uuid,
  unit_price amount not null,
  quantity amount not null,
  total_amount amount not null,
  description text,
  tax_rate_id uuid,
  tax_amount bigint not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  wire text not null generated always as (wire_of_credit_item(id, created_at, updated_at, credit_id, bill_item_type_id,
    manifest_id, order_id, unit_price::bigint, quantity::bigint, total_amount::bigint, description, "position")) stored,
  primary key (org_id, id),
  constraint credit_item_position unique (org_id, credit_id, "position") deferrable,
  constraint credit_item_total_is_the_product check (total_amount = unit_price::numeric * quantity::numeric),
  constraint credit_item_without_a_rate_has_no_tax check (tax_rate_id is not null or tax_amount = 0),
  constraint credit_item_credit foreign key (org_id, credit_id) references credits on delete cascade,
  constraint bill_item_type_in_use foreign key (org_id, bill_item_type_id) references bill_item_types,
  constraint credit_item_tax_rate foreign key (org_id, tax_rate_id) references tax_rates
);
create index credit_items_type on credit_items (org_id, bill_item_type_id);
create index credit_items_manifest on credit_items (org_id, manifest_id) where manifest_id is not null;
create index credit_items_order on credit_items (org_id, order_id) where order_id is not null;
create index credit_items_tax_rate on credit_items (org_id, tax_rate_id) where tax_rate_id is not null;
call keep_apart('credit_items');
grant select, insert, update, delete on credit_items to lading_app;

create view credit_items_wire with (security_invoker = true) as
select i.org_id, i.id, i.credit_id, i.position,
  i.wire || ',"tax_rate_id":' || coalesce('"' || i.tax_rate_id || '"', 'null') || ',"tax_amount":' || i.tax_amount || ',"bill_item_type":' || coalesce(t.wire, 'null') || '}' as json
from credit_items i left join bill_item_types t on t.org_id = i.org_id and t.id = i.bill_item_type_id;
grant select on credit_items_wire to lading_app;

-- What `search_term` looks through: the number, the reference and the payee of each document, in lower case, one line
-- for each. Row-level security keeps `like` from using any index, so a search reads these rows of its organization,
-- which are a tenth as wide as the documents themselves. The name of the partner is not copied: it is read from the
-- partner, who may be renamed.
create table document_texts (
  org_id uuid not null constraint document_text_organization references organizations,
  kind text not null,
  id uuid not null,
  text text not null,
  partner_id uuid,
  primary key (org_id, kind, id)
);
call keep_apart('document_texts');
grant select, insert, update, delete on document_texts to lading_app;

-- The bill that pays for a manifest: at most one, however many ask at once. It goes with the bill, so a manifest whose
-- draft was deleted can be billed again. A manifest that has one can be deleted as little as anything that others refer
-- to.
create table manifest_bills (
  org_id uuid not null,
  manifest_id uuid not null,
  manifest_key text not null default 'manifest'
    constraint manifest_bill_is_of_a_manifest check (manifest_key = 'manifest'),
  manifest_live boolean not null default true constraint manifest_bill_is_of_a_live_one check (manifest_live),
  bill_id uuid not null,
  created_at timestamptz(3) not null default now(),
  constraint manifest_is_billed_once primary key (org_id, manifest_id),
  constraint manifest_bill_manifest
    foreign key (org_id, manifest_id, manifest_key, manifest_live) references objects (org_id, id, object_key, live),
  constraint manifest_bill_bill foreign key (org_id, bill_id) references bills on delete cascade
);
create index manifest_bills_of_a_bill on manifest_bills (org_id, bill_id);
call keep_apart('manifest_bills');
grant select, insert, update, delete on manifest_bills to lading_app;

-- The invoice that charges for an order: at most one that stands, however many ask at once. It goes with the invoice,
-- so an order whose draft was deleted can be invoiced again. An order that has one can be deleted as little as anything
-- that others refer to.
create table order_invoices (
  org_id uuid not null,
  order_id uuid not null,
  order_key text not null default 'order' constraint order_invoice_is_of_an_order check (order_key = 'order'),
  order_live boolean not null default true constraint order_invoice_is_of_a_live_one check (order_live),
  invoice_id uuid not null,
  created_at timestamptz(3) not null default now(),
  constraint order_is_invoiced_once primary key (org_id, order_id),
  constraint order_invoice_order
    foreign key (org_id, order_id, order_key, order_live) references objects (org_id, id, object_key, live),
  constraint order_invoice_invoice foreign key (org_id, invoice_id) references invoices on delete cascade
);
create index order_invoices_invoice on order_invoices (org_id, invoice_id);
call keep_apart('order_invoices');
grant select, insert, update, delete on order_invoices to lading_app;

-- What a customer will not pay any more is written off by a credit of its own, which is applied to the invoice. This
-- says which credits are such.
create table write_offs (
  org_id uuid not null constraint write_off_organization references organizations,
  credit_id uuid not null,
  invoice_id uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, credit_id),
  constraint write_off_credit foreign key (org_id, credit_id) references credits,
  constraint write_off_invoice foreign key (org_id, invoice_id) references invoices
);
create index write_offs_invoice on write_offs (org_id, invoice_id);
call keep_apart('write_offs');
grant select, insert on write_offs to lading_app;

-- The number of a carrier's invoice in the form in which two are compared: without spaces and punctuation, upper and
-- lower case the same, without a leading "invoice" or "no", the letters O, I and L as the digits they are mistaken for,
-- no leading zeros. An index is made of it, so it never changes: another form is another function.
-- The program has the same in TypeScript.
create function carrier_number(number text) returns text language sql immutable strict parallel safe as $$
  select nullif(regexp_replace(translate(
    regexp_replace(
      regexp_replace(translate(number, 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'), '[^0-9A-Z\u00c0-\u1fff\u2c00-\uffff]+', '', 'g'),
      '^(INVOICE|INV|NUMBER|NUM|NO|NR)+(?=[0-9])', ''),
    'OIL', '011'), '(^|[^0-9])0+(?=[0-9])', '\1', 'g'), '')
$$;
