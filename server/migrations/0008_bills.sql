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
  qb_external_id text,
  qb_error_msg text,
  revision integer not null default 1,
  bill_date timestamptz(3) not null default now(),
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
  constraint bill_total_is_the_sum check (total_amount = sub_total_amount + tax_amount),
  constraint bill_without_tax_has_none check (is_tax_on or tax_amount = 0),
  constraint bill_past_draft_has_number_and_currency check (status_id = 'draft' or (number is not null and currency_id is not null)),
  constraint bill_sent_when_sent check (status_id <> 'sent' or sent_at is not null),
  constraint bill_paid_when_paid check ((status_id = 'paid') = (paid_at is not null))
);
create index bills_order on bills (org_id, created_at desc, id desc);
call keep_apart('bills');
grant select, insert, update, delete on bills to lading_app;

create table bill_items (
  org_id uuid not null,
  id uuid not null,
  bill_id uuid not null,
  position integer not null,
  bill_item_type_id uuid,
  manifest_payment_item_id uuid,
  unit_price amount not null,
  quantity amount not null,
  total_amount amount not null,
  description text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint bill_item_bill foreign key (org_id, bill_id) references bills on delete cascade,
  constraint bill_item_type_in_use foreign key (org_id, bill_item_type_id) references bill_item_types,
  constraint bill_item_total_is_the_product check (total_amount = unit_price::numeric * quantity::numeric)
);
create index bill_items_bill on bill_items (org_id, bill_id, position);
create index bill_items_type on bill_items (org_id, bill_item_type_id);
call keep_apart('bill_items');
grant select, insert, update, delete on bill_items to lading_app;
