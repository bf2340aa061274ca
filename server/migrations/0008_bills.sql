-- Amounts are whole numbers of the currency's minor unit, within what every JSON reader can hold exactly.
create domain amount as bigint constraint amount_is_exact_in_json check (value between -9007199254740991 and 9007199254740991);

create table pay_terms (
  org_id uuid not null constraint pay_term_organization references organizations,
  id uuid not null,
  name text not null constraint pay_term_name_is_sensible check (length(name) between 1 and 255),
  number_of_days integer not null constraint pay_term_days_are_sensible check (number_of_days between 0 and 3650),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id)
);
create unique index pay_term_name on pay_terms (org_id, lower(name));
create index pay_terms_order on pay_terms (org_id, created_at desc, id desc);
call keep_apart('pay_terms');
grant select, insert, update, delete on pay_terms to lading_app;

create table pay_term_connector_mappings (
  org_id uuid not null,
  pay_term_id uuid not null,
  connector_id text not null constraint mapping_connector_id_is_sensible check (length(connector_id) between 1 and 255),
  vendor_pay_term_id text not null constraint mapping_vendor_pay_term_id_is_sensible check (length(vendor_pay_term_id) between 1 and 255),
  primary key (org_id, pay_term_id, connector_id),
  constraint mapping_pay_term foreign key (org_id, pay_term_id) references pay_terms on delete cascade
);
call keep_apart('pay_term_connector_mappings');
grant select, insert, update, delete on pay_term_connector_mappings to lading_app;

-- Numbers that people read count up per organization and kind of record; a transaction that fails takes its number back.
create table counters (
  org_id uuid not null constraint counter_organization references organizations,
  name text not null,
  value integer not null,
  primary key (org_id, name)
);
call keep_apart('counters');
grant select, insert, update on counters to lading_app;

-- A statement gathers bills of one payee in one currency. Its sums are not stored: they are those of its bills, whatever happens to them.
create table consolidated_bills (
  org_id uuid not null constraint consolidated_bill_organization references organizations,
  id uuid not null,
  full_id uuid not null,
  number integer,
  external_id text constraint consolidated_bill_external_id_is_sensible check (length(external_id) between 1 and 255),
  consolidated_bill_type_id text not null constraint consolidated_bill_type_is_known check (consolidated_bill_type_id in ('carrier_statement', 'driver_settlement')),
  partner_carrier_id uuid,
  driver_id uuid,
  bill_to jsonb,
  remit_to jsonb,
  pay_period_start timestamptz(3),
  pay_period_end timestamptz(3),
  bill_date timestamptz(3),
  due_date timestamptz(3),
  status_id text not null default 'draft' constraint consolidated_bill_status_is_known check (status_id in ('draft', 'saved', 'sent', 'edited', 'paid')),
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
  revision integer not null default 1,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  payee_id uuid not null generated always as (coalesce(partner_carrier_id, '00000000-0000-0000-0000-000000000000')) stored,
  -- What a bill must agree with to be on this statement: the foreign key of bills carries it.
  constraint consolidated_bill_identity unique (org_id, id, currency_id, payee_id),
  constraint consolidated_bill_external_id unique (org_id, external_id),
  constraint consolidated_bill_number unique (org_id, number),
  constraint consolidated_bill_pay_term foreign key (org_id, pay_term_id) references pay_terms,
  constraint consolidated_bill_period_runs_forward check (pay_period_end >= pay_period_start),
  constraint consolidated_bill_past_draft_has_number check (status_id = 'draft' or number is not null),
  constraint consolidated_bill_sent_when_sent check (status_id <> 'sent' or sent_at is not null),
  constraint consolidated_bill_paid_when_paid check ((status_id = 'paid') = (paid_at is not null))
);
create index consolidated_bills_order on consolidated_bills (org_id, created_at desc, id desc);
create index consolidated_bills_status on consolidated_bills (org_id, status_id, created_at desc, id desc);
create index consolidated_bills_partner on consolidated_bills (org_id, partner_carrier_id, created_at desc, id desc);
create index consolidated_bills_pay_term on consolidated_bills (org_id, pay_term_id);
call keep_apart('consolidated_bills');
grant select, insert, update, delete on consolidated_bills to lading_app;

create table bills (
  org_id uuid not null constraint bill_organization references organizations,
  id uuid not null,
  full_id uuid not null,
  number integer,
  external_id text constraint bill_external_id_is_sensible check (length(external_id) between 1 and 255),
  status_id text not null default 'draft' constraint bill_status_is_known check (status_id in ('draft', 'saved', 'sent', 'edited', 'paid')),
  currency_id text constraint bill_currency references currencies,
  pay_term_id uuid,
  master_trip_id uuid,
  partner_carrier_id uuid,
  consolidated_bill_id uuid,
  qb_external_id text,
  qb_error_msg text,
  revision integer not null default 1,
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
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint bill_external_id unique (org_id, external_id),
  constraint bill_number unique (org_id, number),
  constraint bill_pay_term foreign key (org_id, pay_term_id) references pay_terms,
  payee_id uuid not null generated always as (coalesce(partner_carrier_id, '00000000-0000-0000-0000-000000000000')) stored,
  -- A bill is on at most one statement, in its currency and of its payee.
  constraint bill_statement foreign key (org_id, consolidated_bill_id, currency_id, payee_id) references consolidated_bills (org_id, id, currency_id, payee_id),
  constraint bill_on_a_statement_has_a_currency check (consolidated_bill_id is null or currency_id is not null),
  constraint bill_total_is_the_sum check (total_amount = sub_total_amount + tax_amount),
  constraint bill_without_tax_has_none check (is_tax_on or tax_amount = 0),
  constraint bill_past_draft_has_number_and_currency check (status_id = 'draft' or (number is not null and currency_id is not null)),
  constraint bill_sent_when_sent check (status_id <> 'sent' or sent_at is not null),
  constraint bill_paid_when_paid check ((status_id = 'paid') = (paid_at is not null))
);
create index bills_order on bills (org_id, created_at desc, id desc);
create index bills_updated on bills (org_id, updated_at desc, id desc);
create index bills_status on bills (org_id, status_id, created_at desc, id desc);
create index bills_partner on bills (org_id, partner_carrier_id, created_at desc, id desc);
create index bills_trip on bills (org_id, master_trip_id) where master_trip_id is not null;
create index bills_statement on bills (org_id, consolidated_bill_id) where consolidated_bill_id is not null;
create index bills_pay_term on bills (org_id, pay_term_id);
create index bills_due on bills (org_id, due_date);
create index bills_total on bills (org_id, total_amount);
create index bills_reference on bills (org_id, lower(reference_number));
call keep_apart('bills');
grant select, insert, update, delete on bills to lading_app;

create table bill_items (
  org_id uuid not null,
  id uuid not null,
  bill_id uuid not null,
  position integer not null constraint bill_item_position_counts_from_one check (position >= 1),
  bill_item_type_id uuid,
  manifest_id uuid,
  manifest_payment_item_id uuid,
  unit_price amount not null,
  quantity amount not null,
  total_amount amount not null,
  description text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  -- Checked when a statement is done, so that lines can trade places in one.
  constraint bill_item_position unique (org_id, bill_id, position) deferrable,
  constraint bill_item_bill foreign key (org_id, bill_id) references bills on delete cascade,
  constraint bill_item_type_in_use foreign key (org_id, bill_item_type_id) references bill_item_types,
  constraint bill_item_total_is_the_product check (total_amount = unit_price::numeric * quantity::numeric)
);
create index bill_items_type on bill_items (org_id, bill_item_type_id);
create index bill_items_manifest on bill_items (org_id, manifest_id) where manifest_id is not null;
create index bill_items_payment on bill_items (org_id, manifest_payment_item_id) where manifest_payment_item_id is not null;
call keep_apart('bill_items');
grant select, insert, update, delete on bill_items to lading_app;

-- The wire shapes, each defined once.

create function wire_address(address jsonb) returns json language sql immutable parallel safe as $$
  select case when address is null then null else json_build_object(
    'company_name', address -> 'company_name', 'contact_name', address -> 'contact_name', 'address_1', address -> 'address_1', 'address_2', address -> 'address_2',
    'city', address -> 'city', 'state', address -> 'state', 'postal', address -> 'postal', 'country', address -> 'country') end
$$;

-- What can be done next with a bill or a statement; the model's table of moves is held against this by a test. A draft is complete when
-- nothing is missing that saving needs; a bill is held when the statement it is on does not let it go back.
create function available_actions(status_id text, ever_sent boolean, complete boolean, held boolean) returns text[] language sql immutable parallel safe as $$
  select case status_id
    when 'draft' then case when complete then array['save', 'delete'] else array['delete'] end
    when 'saved' then case when ever_sent or held then array['send', 'pay'] else array['send', 'pay', 'draft'] end
    when 'sent' then array['pay']
    when 'edited' then array['send', 'pay']
    when 'paid' then case when held then array[]::text[] else array['reopen'] end
  end
$$;

create view currencies_wire with (security_invoker = true) as
select c.id, row_to_json(wire)::text as json from currencies c
cross join lateral (select c.id, c.name, c.description, c.iso_4217, c.symbol, c.minor_units) wire;
grant select on currencies_wire to lading_app;

create view pay_terms_wire with (security_invoker = true) as
select t.org_id, t.id, t.revision, t.created_at, t.name, row_to_json(wire)::text as json from pay_terms t
cross join lateral (
  select t.id, wire_time(t.created_at) as created_at, wire_time(t.updated_at) as updated_at, t.org_id, t.number_of_days, t.name,
    (select coalesce(json_object_agg(m.connector_id, row_to_json(mapping) order by m.connector_id), '{}'::json) from pay_term_connector_mappings m
      cross join lateral (select m.connector_id, m.vendor_pay_term_id, m.pay_term_id, m.org_id) mapping
      where m.org_id = t.org_id and m.pay_term_id = t.id) as connector_mappings,
    t.revision
) wire;
grant select on pay_terms_wire to lading_app;

create view bill_items_wire with (security_invoker = true) as
select i.org_id, i.id, i.bill_id, i.position, row_to_json(wire)::text as json from bill_items i
cross join lateral (
  select i.id, wire_time(i.created_at) as created_at, wire_time(i.updated_at) as updated_at, i.bill_id, i.bill_item_type_id, i.manifest_payment_item_id, i.manifest_id,
    i.unit_price, i.quantity, i.total_amount, i.description, i.position,
    (select t.json::json from bill_item_types_wire t where t.org_id = i.org_id and t.id = i.bill_item_type_id) as bill_item_type
) wire;
grant select on bill_items_wire to lading_app;

create view bills_wire with (security_invoker = true) as
select b.org_id, b.id, b.revision, b.created_at, b.consolidated_bill_id, row_to_json(wire)::text as json from bills b
cross join lateral (
  select wire_time(b.created_at) as created_at, wire_time(b.updated_at) as updated_at, b.id, b.created_by, b.org_id, b.status_id, b.currency_id, b.pay_term_id,
    b.master_trip_id, b.partner_carrier_id, b.full_id, b.external_id, b.qb_external_id, b.qb_error_msg, b.revision,
    wire_time(b.bill_date) as bill_date, wire_time(b.due_date) as due_date, wire_time(b.sent_at) as sent_at, wire_time(b.paid_at) as paid_at,
    wire_time(b.qb_exported_at) as qb_exported_at, b.send_to_email, b.cc_to_email, wire_address(b.bill_to) as bill_to, b.is_tax_on, b.notes,
    wire_address(b.remit_to) as remit_to, b.reference_number, b.sub_total_amount, b.tax_amount, b.total_amount,
    'BILL-' || lpad(b.number::text, greatest(6, length(b.number::text)), '0') as number, b.consolidated_bill_id,
    available_actions(b.status_id, b.sent_at is not null, b.currency_id is not null, b.consolidated_bill_id is not null and (
      b.status_id = 'saved' or b.status_id = 'paid' and exists (
        select from consolidated_bills s where s.org_id = b.org_id and s.id = b.consolidated_bill_id and s.status_id = 'paid'))) as available_actions
) wire;
grant select on bills_wire to lading_app;

create view consolidated_bills_wire with (security_invoker = true) as
select s.org_id, s.id, s.revision, s.created_at, row_to_json(wire)::text as json from consolidated_bills s
cross join lateral (
  select coalesce(sum(b.sub_total_amount), 0)::bigint as sub_total_amount, coalesce(sum(b.tax_amount), 0)::bigint as tax_amount,
    coalesce(sum(b.total_amount), 0)::bigint as total_amount, count(*)::int as bill_count,
    coalesce(json_agg(b.id order by b.created_at, b.id), '[]'::json) as bill_ids
  from bills b where b.org_id = s.org_id and b.consolidated_bill_id = s.id
) sums
cross join lateral (
  select s.id, s.full_id, 'STMT-' || lpad(s.number::text, greatest(6, length(s.number::text)), '0') as number, s.org_id, s.external_id, s.consolidated_bill_type_id,
    s.partner_carrier_id, s.driver_id, wire_address(s.bill_to) as bill_to, s.bill_to ->> 'company_name' as bill_to_company_name, wire_address(s.remit_to) as remit_to,
    wire_time(s.pay_period_start) as pay_period_start, wire_time(s.pay_period_end) as pay_period_end, wire_time(s.bill_date) as bill_date, wire_time(s.due_date) as due_date,
    s.status_id, s.currency_id, s.pay_term_id, s.reference_number, s.notes, sums.bill_ids, sums.bill_count, sums.sub_total_amount, sums.tax_amount, sums.total_amount,
    wire_time(s.sent_at) as sent_at, wire_time(s.paid_at) as paid_at, s.send_to_email, s.cc_to_email, s.qb_external_id, s.qb_error_msg,
    wire_time(s.qb_exported_at) as qb_exported_at, s.revision, wire_time(s.created_at) as created_at, wire_time(s.updated_at) as updated_at, s.created_by,
    available_actions(s.status_id, s.sent_at is not null, sums.bill_count > 0, false) as available_actions
) wire;
grant select on consolidated_bills_wire to lading_app;
