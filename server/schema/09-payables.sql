-- Carrier invoices as they arrive, and their audit.

-- What a carrier says it is owed, as it came. Its lines are a value: somebody else wrote them, and they are kept and
-- compared as a whole.
create table carrier_invoices (
  org_id uuid not null constraint carrier_invoice_organization references organizations,
  id uuid not null,
  external_id text,
  partner_carrier_id uuid,
  invoice_number text not null,
  invoice_date date,
  currency_id text not null constraint carrier_invoice_currency references currencies,
  reference_number text,
  lines jsonb not null,
  total_amount amount not null,
  notes text,
  source text not null
    constraint carrier_invoice_source check (source in ('api', 'upload', 'portal', 'email', 'edi')),
  -- What tells a second arrival of the same message: the hash of a file, the control number of an interchange.
  source_key text,
  manifest_ids uuid[] not null default '{}',
  state text not null default 'received',
  findings jsonb not null default '[]',
  -- Every comparison that the last audit made, inside of tolerance or not: what another tolerance would do is computed
  -- from it.
  comparison jsonb not null default '[]',
  audited_at timestamptz(3),
  -- What people decided, and why: who, when, a note, an amount; only added to.
  decisions jsonb not null default '[]',
  is_disputed boolean not null default false,
  approved_amount bigint,
  bill_id uuid,
  -- Which fields a message did not say beyond doubt. Somebody enters them before the invoice is audited; until then
  -- they hold a placeholder.
  missing_fields text[] not null default '{}'
    constraint carrier_invoice_missing_fields check (missing_fields <@ array['invoice_number', 'total_amount']),
  -- Whether the total is the sum of the lines because the sender stated none: then it changes with them.
  is_total_computed boolean not null default false,
  revision integer not null default 1,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  number_key text generated always as (carrier_number(invoice_number)) stored,
  primary key (org_id, id),
  constraint carrier_invoice_external_id unique (org_id, external_id),
  constraint carrier_invoice_arrives_once unique (org_id, source_key),
  constraint carrier_invoice_is_billed_once unique (org_id, bill_id),
  constraint carrier_invoice_state
    check (state in ('received', 'matched', 'exception', 'approved', 'rejected', 'billed')),
  constraint carrier_invoice_lines_are_a_list
    check (jsonb_typeof(lines) = 'array' and jsonb_typeof(findings) = 'array'
      and jsonb_typeof(comparison) = 'array' and jsonb_typeof(decisions) = 'array'),
  constraint carrier_invoice_decisions_have_notes
    check (not jsonb_path_exists(decisions, '$[*] ? (@.decision != "approve" && @.note == null)')),
  constraint carrier_invoice_has_its_bill_when_billed check ((state = 'billed') = (bill_id is not null)),
  constraint carrier_invoice_has_an_amount_once_approved
    check ((state in ('approved', 'billed')) = (approved_amount is not null)),
  constraint carrier_invoice_has_manifests_once_matched check (state <> 'matched' or manifest_ids <> '{}'),
  constraint carrier_invoice_approved_amount_is_exact_in_json
    check (approved_amount between -9007199254740991 and 9007199254740991),
  constraint carrier_invoice_is_whole_once_audited
    check (missing_fields = '{}' or (audited_at is null and state in ('received', 'matched', 'rejected'))),
  constraint carrier_invoice_bill foreign key (org_id, bill_id) references bills
);
create index carrier_invoices_newest on carrier_invoices (org_id, created_at, id);
create index carrier_invoices_state on carrier_invoices (org_id, state, created_at, id);
create index carrier_invoices_carrier on carrier_invoices (org_id, partner_carrier_id, created_at, id);
create index carrier_invoices_number_key on carrier_invoices (org_id, number_key, partner_carrier_id);
create index carrier_invoices_updated on carrier_invoices (org_id, updated_at);
call keep_apart('carrier_invoices');
grant select, insert, update, delete on carrier_invoices to lading_app;

create view carrier_invoices_wire with (security_invoker = true) as
select i.org_id, i.id, i.revision, i.created_at, i.external_id, json_build_object(
  'id', i.id, 'org_id', i.org_id, 'external_id', i.external_id, 'partner_carrier_id', i.partner_carrier_id, 'invoice_number', i.invoice_number,
  'invoice_date', i.invoice_date::text, 'currency_id', i.currency_id, 'reference_number', i.reference_number, 'lines', i.lines, 'total_amount', i.total_amount,
  'is_total_computed', i.is_total_computed,
  'notes', i.notes, 'source', i.source, 'missing_fields', to_json(i.missing_fields), 'manifest_ids', to_json(i.manifest_ids), 'state', i.state, 'findings', i.findings,
  'audited_at', wire_time(i.audited_at), 'is_disputed', i.is_disputed, 'approved_amount', i.approved_amount, 'bill_id', i.bill_id,
  'decisions', i.decisions,
  'revision', i.revision, 'created_by', i.created_by, 'created_at', wire_time(i.created_at), 'updated_at', wire_time(i.updated_at))::text as json
from carrier_invoices i;
grant select on carrier_invoices_wire to lading_app;

-- The manifests that carrier invoices are matched with, the same as their manifest_ids.
create table carrier_invoice_manifests (
  org_id uuid not null,
  manifest_id uuid not null,
  carrier_invoice_id uuid not null,
  primary key (org_id, manifest_id, carrier_invoice_id),
  constraint carrier_invoice_manifest_invoice
    foreign key (org_id, carrier_invoice_id) references carrier_invoices on delete cascade
);
create index carrier_invoice_manifests_invoice on carrier_invoice_manifests (org_id, carrier_invoice_id);
call keep_apart('carrier_invoice_manifests');
grant select, insert, update, delete on carrier_invoice_manifests to lading_app;

-- How far an invoice may be from what was agreed. The narrowest that fits counts: of the carrier and the type, of the
-- carrier, of the type, of all.
create table audit_policies (
  org_id uuid not null constraint audit_policy_organization references organizations,
  id uuid not null,
  partner_carrier_id uuid,
  bill_item_type_id uuid,
  over_percent numeric,
  over_amount bigint,
  under_percent numeric,
  under_amount bigint,
  approve_automatically boolean not null default false,
  -- Whether a load has to be delivered, and its proof of delivery to be there, before the invoice for it is without
  -- findings.
  check_delivery boolean not null default true,
  check_pod boolean not null default true,
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint audit_policy_tolerates_no_less_than_nothing
    check (over_percent >= 0 and over_amount >= 0 and under_percent >= 0 and under_amount >= 0),
  constraint audit_policy_of_a_type_approves_no_invoice check (bill_item_type_id is null or not approve_automatically),
  constraint audit_policy_of_a_type_is_about_no_load check (bill_item_type_id is null or (check_delivery and check_pod)),
  constraint audit_policy_type foreign key (org_id, bill_item_type_id) references bill_item_types on delete cascade
);
create unique index audit_policies_of_whom
  on audit_policies (org_id, coalesce(partner_carrier_id, '00000000-0000-0000-0000-000000000000'), coalesce(bill_item_type_id, '00000000-0000-0000-0000-000000000000'));
create index audit_policies_newest on audit_policies (org_id, created_at, id);
call keep_apart('audit_policies');
grant select, insert, update, delete on audit_policies to lading_app;

create view audit_policies_wire with (security_invoker = true) as
select p.org_id, p.id, p.revision, p.created_at, p.partner_carrier_id, json_build_object(
  'id', p.id, 'org_id', p.org_id, 'partner_carrier_id', p.partner_carrier_id, 'bill_item_type_id', p.bill_item_type_id, 'over_percent', trim_scale(p.over_percent)::text,
  'over_amount', p.over_amount, 'under_percent', trim_scale(p.under_percent)::text, 'under_amount', p.under_amount, 'approve_automatically', p.approve_automatically,
  'check_delivery', p.check_delivery, 'check_pod', p.check_pod,
  'revision', p.revision, 'created_at', wire_time(p.created_at), 'updated_at', wire_time(p.updated_at))::text as json
from audit_policies p;
grant select on audit_policies_wire to lading_app;

-- A batch of audits that is worked off in the background, in the order of the ids.
create table audit_runs (
  org_id uuid not null constraint audit_run_organization references organizations,
  id uuid not null,
  state text not null default 'running' constraint audit_run_state check (state in ('running', 'done', 'failed')),
  partner_carrier_ids uuid[],
  -- Invoices that came later are of the next run.
  until_id uuid not null,
  last_id uuid,
  invoices_done integer not null default 0,
  counts jsonb not null default '{}',
  actor jsonb not null,
  error text,
  finished_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint audit_run_ends_at_a_time check ((state = 'running') = (finished_at is null))
);
create index audit_runs_running on audit_runs (org_id, id) where state = 'running';
call keep_apart('audit_runs');
grant select, insert, update on audit_runs to lading_app;

create view audit_runs_wire with (security_invoker = true) as
select r.org_id, r.id, json_build_object('id', r.id, 'state', r.state, 'partner_carrier_ids', to_json(r.partner_carrier_ids), 'invoices_done', r.invoices_done,
  'counts', r.counts, 'error', r.error, 'created_at', wire_time(r.created_at), 'finished_at', wire_time(r.finished_at))::text as json
from audit_runs r;
grant select on audit_runs_wire to lading_app;

-- An EDI interchange that arrived, whether it was taken or refused, with the functional acknowledgement (997) that was
-- made for it. It never changes.
create table edi_interchanges (
  org_id uuid not null constraint edi_interchange_organization references organizations,
  id uuid not null,
  -- The control number of the acknowledgement, counted by the organization.
  number integer not null,
  sender text not null,
  receiver text not null,
  sent_on text not null,
  control_number text not null,
  source text not null constraint edi_interchange_source check (source in ('api', 'directory', 'email')),
  status text not null
    constraint edi_interchange_status check (status in ('accepted', 'accepted_with_errors', 'rejected')),
  problems jsonb not null default '[]',
  carrier_invoice_ids uuid[] not null default '{}',
  acknowledgement text not null,
  -- When the acknowledgement was put into the outgoing directory.
  written_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint edi_interchange_number unique (org_id, number),
  constraint edi_interchange_rejected_has_no_invoices check (status <> 'rejected' or carrier_invoice_ids = '{}')
);
create index edi_interchanges_named on edi_interchanges (org_id, control_number, sender, sent_on);
create index edi_interchanges_newest on edi_interchanges (org_id, created_at desc, id desc);
create index edi_interchanges_unwritten on edi_interchanges (org_id, created_at) where written_at is null;
call keep_apart('edi_interchanges');
-- The background work looks for what is to be written in all organizations.
create policy listed_by_owner on edi_interchanges for select to current_user using (true);
grant select, insert, update on edi_interchanges to lading_app;

create view edi_interchanges_wire with (security_invoker = true) as
select e.org_id, e.id, e.created_at, e.status, e.control_number, json_build_object(
  'id', e.id, 'org_id', e.org_id, 'sender', e.sender, 'receiver', e.receiver, 'sent_on', e.sent_on, 'control_number', e.control_number, 'source', e.source,
  'status', e.status, 'problems', e.problems, 'carrier_invoice_ids', to_json(e.carrier_invoice_ids), 'acknowledgement_number', lpad(e.number::text, 9, '0'),
  'created_at', wire_time(e.created_at))::text as json
from edi_interchanges e;
grant select on edi_interchanges_wire to lading_app;
