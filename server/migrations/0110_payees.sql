-- Where money goes: one record for each carrier, and one for each factoring company, which belongs to no carrier. Bank details are encrypted with a key
-- that is not in the database; next to them is what may be shown.
create table payees (
  org_id uuid not null,
  id uuid not null,
  external_id text,
  partner_carrier_id uuid,
  name text not null constraint payee_name_is_sensible check (length(name) between 1 and 255),
  method text not null constraint payee_method check (method in ('ach', 'wire', 'check', 'other')),
  bank_details_sealed text,
  bank_details_masked jsonb,
  address jsonb,
  remittance_email text,
  factor_payee_id uuid,
  notice_of_assignment_on date,
  notice_document_id uuid,
  quick_pay_days integer constraint payee_quick_pay_days check (quick_pay_days between 0 and 365),
  quick_pay_percent numeric(9, 6) constraint payee_quick_pay_percent check (quick_pay_percent > 0 and quick_pay_percent < 100),
  notes text,
  status text not null constraint payee_status check (status in ('waiting', 'active')),
  is_factor boolean not null generated always as (partner_carrier_id is null) stored,
  has_factor boolean generated always as (case when factor_payee_id is not null then true end) stored,
  revision integer not null default 1,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint payee_external_id unique (org_id, external_id),
  constraint payee_of_a_carrier unique (org_id, partner_carrier_id),
  constraint payee_kind unique (org_id, id, is_factor),
  constraint payee_bank_details_can_be_shown_masked check ((bank_details_sealed is null) = (bank_details_masked is null)),
  constraint payee_assignment_has_its_notice check ((factor_payee_id is null) = (notice_of_assignment_on is null)),
  constraint payee_document_is_of_a_notice check (notice_document_id is null or factor_payee_id is not null),
  constraint payee_assigned_is_a_carrier check (factor_payee_id is null or partner_carrier_id is not null),
  constraint payee_quick_pay_is_whole check ((quick_pay_days is null) = (quick_pay_percent is null))
);
create index payees_newest on payees (org_id, created_at desc, id desc);
create index payees_of_a_factor on payees (org_id, factor_payee_id) where factor_payee_id is not null;
call keep_apart('payees');
alter table payees add constraint payee_organization foreign key (org_id) references organizations;
-- The payee of an assignment is a factoring company, so assignments never form a chain.
alter table payees add constraint payee_factor foreign key (org_id, factor_payee_id, has_factor) references payees (org_id, id, is_factor);
grant select, insert, update, delete on payees to lading_app;

-- A change of where money goes. It waits until a second person has decided. `fields` are the new values, bank details masked; `previous` what they replace.
create table payee_changes (
  org_id uuid not null,
  id uuid not null,
  payee_id uuid not null,
  status text not null default 'waiting' constraint payee_change_status check (status in ('waiting', 'approved', 'rejected')),
  fields jsonb not null,
  previous jsonb not null,
  bank_details_sealed text,
  requested_by text not null,
  decided_by text,
  decided_at timestamptz(3),
  note text,
  -- Approved by who asked for it, because the organization has no other user.
  by_the_only_user boolean not null default false,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint payee_change_is_decided_by_someone check ((status = 'waiting') = (decided_by is null) and (decided_by is null) = (decided_at is null)),
  constraint payee_change_needs_a_second_person check (status <> 'approved' or decided_by <> requested_by or by_the_only_user),
  constraint payee_change_of_before_keeps_no_bank_details check (status = 'waiting' or bank_details_sealed is null)
);
create unique index payee_change_waits_alone on payee_changes (org_id, payee_id) where status = 'waiting';
create index payee_changes_newest on payee_changes (org_id, payee_id, created_at desc, id desc);
call keep_apart('payee_changes');
alter table payee_changes add constraint payee_change_organization foreign key (org_id) references organizations;
alter table payee_changes add constraint payee_change_payee foreign key (org_id, payee_id) references payees on delete cascade;
grant select, insert, update, delete on payee_changes to lading_app;

create view payee_changes_wire with (security_invoker = true) as
select c.org_id, c.id, c.payee_id, c.status, c.created_at, row_to_json(wire)::text as json
from payee_changes c
cross join lateral (
  select c.id, c.payee_id, c.status, c.fields, c.previous, c.requested_by, wire_time(c.created_at) as requested_at, c.decided_by, wire_time(c.decided_at) as decided_at,
    c.note, c.by_the_only_user
) wire;
grant select on payee_changes_wire to lading_app;

create view payees_wire with (security_invoker = true) as
select p.org_id, p.id, p.revision, p.created_at, p.external_id, p.partner_carrier_id, p.name, p.method, p.status, p.is_factor, p.factor_payee_id, w.id as waiting_change_id,
  row_to_json(wire)::text as json
from payees p
left join payee_changes w on w.org_id = p.org_id and w.payee_id = p.id and w.status = 'waiting'
cross join lateral (
  select p.id, p.org_id, p.external_id, p.partner_carrier_id, p.name, p.method, p.bank_details_masked as bank_details, wire_address(p.address) as address, p.remittance_email,
    p.factor_payee_id, p.notice_of_assignment_on::text as notice_of_assignment_on, p.notice_document_id, p.quick_pay_days, trim_scale(p.quick_pay_percent)::text as quick_pay_percent,
    p.notes, p.status,
    case when w.id is not null then json_build_object('id', w.id, 'fields', w.fields, 'requested_by', w.requested_by, 'requested_at', wire_time(w.created_at)) end as waiting_change,
    p.revision, p.created_by, wire_time(p.created_at) as created_at, wire_time(p.updated_at) as updated_at
) wire;
grant select on payees_wire to lading_app;

-- The account from which an organization pays in a currency, as its bank knows it. Encrypted like the details of payees.
create table paying_accounts (
  org_id uuid not null,
  currency_id text not null,
  name text not null constraint paying_account_name_is_sensible check (length(name) between 1 and 255),
  bank_details_sealed text not null,
  bank_details_masked jsonb not null,
  company_id text,
  ach_file text not null constraint paying_account_ach_file check (ach_file in ('nacha', 'pain001')),
  revision integer not null default 1,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, currency_id)
);
call keep_apart('paying_accounts');
alter table paying_accounts add constraint paying_account_organization foreign key (org_id) references organizations;
alter table paying_accounts add constraint paying_account_currency foreign key (currency_id) references currencies;
grant select, insert, update, delete on paying_accounts to lading_app;

create view paying_accounts_wire with (security_invoker = true) as
select a.org_id, a.currency_id, a.revision, row_to_json(wire)::text as json
from paying_accounts a
cross join lateral (
  select a.org_id, a.currency_id, a.name, a.bank_details_masked as bank_details, a.company_id, a.ach_file, a.revision, a.created_by,
    wire_time(a.created_at) as created_at, wire_time(a.updated_at) as updated_at
) wire;
grant select on paying_accounts_wire to lading_app;
