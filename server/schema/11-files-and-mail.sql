-- Files, what they belong to, and mails.

-- Files that people keep with records. A row of stored_files is there before its content is in the storage and until it
-- is gone from it: whoever writes or removes content holds the row meanwhile, so that neither happens behind the back
-- of the other. held_at is when somebody last wanted it.
create table stored_files (
  org_id uuid not null constraint stored_file_organization references organizations,
  sha256 text not null constraint stored_file_sha256_is_a_hash check (sha256 ~ '^[0-9a-f]{64}$'),
  size bigint not null constraint stored_file_size_is_sensible check (size between 1 and 26214400),
  held_at timestamptz(3) not null default now(),
  primary key (org_id, sha256)
);
call keep_apart('stored_files');
-- The background work looks for content that no document has, and the doctor for all of it, in all organizations.
create policy listed_by_owner on stored_files for select to current_user using (true);
grant select, insert, update, delete on stored_files to lading_app;

-- What the files of an organization come to, and those that each carrier and each signed link has sent: written with
-- every file, in its transaction, so that none is kept beyond what may be. Of an organization `files` are its documents
-- and `bytes` what the storage has; of a carrier its documents; of a link all that was ever sent with it.
create table file_usage (
  org_id uuid not null constraint file_usage_organization references organizations,
  whose text not null constraint file_usage_is_of_somebody check (whose in ('organization', 'carrier', 'link')),
  whose_id uuid not null,
  files bigint not null default 0 constraint file_usage_files_is_a_count check (files >= 0),
  bytes bigint not null default 0 constraint file_usage_bytes_is_a_count check (bytes >= 0),
  primary key (org_id, whose, whose_id)
);
call keep_apart('file_usage');
grant select, insert, update, delete on file_usage to lading_app;

-- Not called documents: reports call so what they put together of bills, invoices and credits.
create table document_files (
  org_id uuid not null constraint document_organization references organizations,
  id uuid not null,
  file_name text not null constraint document_file_name_is_sensible check (length(file_name) between 1 and 255),
  media_type text not null,
  size bigint not null,
  sha256 text not null,
  document_type text not null,
  -- Once it was attached to something, it is deleted with the last thing that it is attached to.
  was_attached boolean not null default false,
  created_by uuid not null,
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint document_type_is_known
    check (document_type in ('invoice', 'pod', 'bol', 'rate_confirmation', 'lumper_receipt', 'customs', 'other')),
  constraint document_content foreign key (org_id, sha256) references stored_files
);
create index document_files_order on document_files (org_id, created_at desc, id desc);
create index document_files_of_content on document_files (org_id, sha256);
create index document_files_updated on document_files (org_id, updated_at);
call keep_apart('document_files');
create policy listed_by_owner on document_files for select to current_user using (true);
grant select, insert, update, delete on document_files to lading_app;
-- The notice of an assignment is a document that is there.
alter table payees add constraint payee_notice_document foreign key (org_id, notice_document_id) references document_files;

-- The JSON is open: what the document is attached to follows.
create view document_files_wire with (security_invoker = true) as
select d.org_id, d.id, d.revision, d.created_at, d.file_name, d.media_type, d.size, d.sha256, d.document_type, d.was_attached, left(row_to_json(wire)::text, -1) as open_json
from document_files d
cross join lateral (
  select d.id, d.org_id, d.file_name, d.media_type, d.size, d.sha256, d.document_type, d.created_by, d.revision,
    wire_time(d.created_at) as created_at, wire_time(d.updated_at) as updated_at
) wire;
grant select on document_files_wire to lading_app;

-- What documents are attached to. The columns behind record_id follow from it; each has a foreign key, which ends the
-- link with its record.
create table document_links (
  org_id uuid not null,
  document_id uuid not null,
  -- The type of the record; of an object it is 'object', and its kind says which.
  record_type text not null,
  record_id uuid not null,
  -- The scope that the record takes, unless its direction decides.
  scope text not null,
  created_at timestamptz(3) not null default now(),
  bill_id uuid generated always as (case when record_type = 'bill' then record_id end) stored,
  invoice_id uuid generated always as (case when record_type = 'invoice' then record_id end) stored,
  credit_id uuid generated always as (case when record_type = 'credit' then record_id end) stored,
  payment_id uuid generated always as (case when record_type = 'payment' then record_id end) stored,
  consolidated_bill_id uuid generated always as (case when record_type = 'consolidated_bill' then record_id end) stored,
  carrier_invoice_id uuid generated always as (case when record_type = 'carrier_invoice' then record_id end) stored,
  object_id uuid generated always as (case when record_type = 'object' then record_id end) stored,
  primary key (org_id, document_id, record_type, record_id),
  constraint document_link_document foreign key (org_id, document_id) references document_files on delete cascade,
  constraint document_link_bill foreign key (org_id, bill_id) references bills on delete cascade,
  constraint document_link_invoice foreign key (org_id, invoice_id) references invoices on delete cascade,
  constraint document_link_credit foreign key (org_id, credit_id) references credits on delete cascade,
  constraint document_link_payment foreign key (org_id, payment_id) references payments on delete cascade,
  constraint document_link_statement
    foreign key (org_id, consolidated_bill_id) references consolidated_bills on delete cascade,
  constraint document_link_object foreign key (org_id, object_id) references objects on delete cascade,
  -- Documents of a carrier invoice end with it.
  constraint document_link_carrier_invoice
    foreign key (org_id, carrier_invoice_id) references carrier_invoices on delete cascade
);
create index document_links_of_a_record on document_links (org_id, record_id);
create index document_links_of_a_bill on document_links (org_id, bill_id) where bill_id is not null;
create index document_links_of_an_invoice on document_links (org_id, invoice_id) where invoice_id is not null;
create index document_links_of_a_credit on document_links (org_id, credit_id) where credit_id is not null;
create index document_links_of_a_payment on document_links (org_id, payment_id) where payment_id is not null;
create index document_links_of_a_statement
  on document_links (org_id, consolidated_bill_id) where consolidated_bill_id is not null;
create index document_links_of_a_carrier_invoice
  on document_links (org_id, carrier_invoice_id) where carrier_invoice_id is not null;
create index document_links_of_an_object on document_links (org_id, object_id) where object_id is not null;
call keep_apart('document_links');
create policy listed_by_owner on document_links for select to current_user using (true);
grant select, insert, update, delete on document_links to lading_app;

-- Payments and credits take the scope of their direction, which a draft may still change.
create view document_links_wire with (security_invoker = true) as
select l.org_id, l.document_id, l.record_type, l.record_id, l.created_at,
  case when coalesce(p.direction, c.direction) = 'in' then 'invoices' when coalesce(p.direction, c.direction) = 'out' then 'bills' else l.scope end as scope,
  json_build_object('type', case when o.object_key is null then l.record_type else lower(regexp_replace(o.object_key, '([A-Z])', '_\1', 'g')) end,
    'id', l.record_id)::text as json
from document_links l
left join payments p on p.org_id = l.org_id and p.id = l.payment_id
left join credits c on c.org_id = l.org_id and c.id = l.credit_id
left join objects o on o.org_id = l.org_id and o.id = l.object_id;
grant select on document_links_wire to lading_app;

-- Which documents must be there before something is done with a bill: with any carrier's, or with those of one. Every
-- rule that applies must hold.
create table document_rules (
  org_id uuid not null constraint document_rule_organization references organizations,
  id uuid not null,
  before text not null constraint document_rule_is_about_a_known_step check (before in ('approve', 'pay')),
  partner_carrier_id uuid,
  document_types text[] not null
    constraint document_rule_asks_for_something check (cardinality(document_types) between 1 and 7),
  revision integer not null default 1,
  created_by uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint document_rule_asks_for_known_documents
    check (document_types <@ array['invoice', 'pod', 'bol', 'rate_confirmation', 'lumper_receipt', 'customs', 'other'])
);
create index document_rules_order on document_rules (org_id, created_at desc, id desc);
call keep_apart('document_rules');
grant select, insert, update, delete on document_rules to lading_app;

create view document_rules_wire with (security_invoker = true) as
select r.org_id, r.id, r.revision, r.created_at, r.before, r.partner_carrier_id, row_to_json(wire)::text as json
from document_rules r
cross join lateral (
  select r.id, r.org_id, r.before, r.partner_carrier_id, r.document_types, r.created_by, r.revision,
    wire_time(r.created_at) as created_at, wire_time(r.updated_at) as updated_at
) wire;
grant select on document_rules_wire to lading_app;

-- The picture that an organization puts on its papers. Small, and read with every paper, so it is kept here.
create table organization_logos (
  org_id uuid primary key constraint logo_organization references organizations,
  media_type text not null constraint logo_is_a_png_or_a_jpeg check (media_type in ('image/png', 'image/jpeg')),
  content bytea not null constraint logo_is_small check (length(content) between 1 and 1048576),
  updated_at timestamptz(3) not null default now()
);
call keep_apart('organization_logos');
grant select, insert, update, delete on organization_logos to lading_app;

-- Mails of an organization: what was sent to whom, and how that went. One that waits has a next attempt; whoever sends
-- it holds it until `leased_until`, so that what a process left behind is sent by another.
create table mails (
  org_id uuid not null constraint mail_organization references organizations,
  id uuid not null,
  kind text not null,
  -- The scope that a token needs to see it.
  scope text not null,
  status text not null default 'queued'
    constraint mail_status_is_known check (status in ('queued', 'sent', 'kept', 'failed', 'bounced')),
  to_addresses text[] not null constraint mail_has_a_recipient check (cardinality(to_addresses) > 0),
  cc_addresses text[] not null default '{}',
  reply_to text,
  subject text not null,
  -- Where it holds a secret, such as the link of an invitation, it is there only until the mail was sent.
  body_text text,
  has_secret boolean not null default false,
  -- Name, type and size of each.
  attachments jsonb not null default '[]',
  record_type text,
  record_id uuid,
  -- The whole message, byte for byte as it is sent in every attempt. Put together before the first one.
  content bytea,
  message_id text,
  -- The addresses whose server took it, and those whose server refused it for good with the reasons.
  accepted_addresses text[] not null default '{}',
  refused jsonb not null default '[]',
  attempt_count integer not null default 0,
  -- Since it was made, or sent again by hand: the wait for the next attempt follows from it.
  failure_count integer not null default 0,
  next_attempt_at timestamptz(3),
  leased_until timestamptz(3),
  last_error text,
  sent_at timestamptz(3),
  bounced_at timestamptz(3),
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  primary key (org_id, id),
  constraint mail_kind_is_known
    check (kind in ('document', 'remittance', 'statement', 'invitation', 'password_reset', 'notice')),
  constraint mail_waits_or_has_ended check ((next_attempt_at is not null) = (status = 'queued')),
  constraint mail_names_its_record_wholly check ((record_type is null) = (record_id is null)),
  constraint mail_bounced_at_some_time check ((status = 'bounced') = (bounced_at is not null))
) with (fillfactor = 70);
create index mails_waiting on mails (org_id, next_attempt_at) where next_attempt_at is not null;
create index mails_of_records on mails (org_id, record_id, id) where record_id is not null;
create index mails_updated on mails (org_id, updated_at);
call keep_apart('mails');
-- The background work looks for what is to be done in all organizations.
create policy listed_by_owner on mails for select to current_user using (true);
grant select, insert, update, delete on mails to lading_app;

create view mails_wire with (security_invoker = true) as
select m.org_id, m.id, m.created_at, m.revision, m.scope, m.status, m.kind, m.record_type, m.record_id, m.has_secret, json_build_object(
  'id', m.id, 'kind', m.kind, 'status', m.status, 'to', m.to_addresses, 'cc', m.cc_addresses, 'reply_to', m.reply_to, 'subject', m.subject,
  'body_text', case when not m.has_secret then m.body_text end, 'record_type', m.record_type, 'record_id', m.record_id,
  'attachments', m.attachments,
  'message_id', m.message_id, 'accepted', m.accepted_addresses, 'refused', m.refused, 'attempt_count', m.attempt_count,
  'next_attempt_at', wire_time(m.next_attempt_at), 'last_error', m.last_error, 'sent_at', wire_time(m.sent_at), 'bounced_at', wire_time(m.bounced_at),
  'revision', m.revision, 'created_by', m.created_by, 'created_at', wire_time(m.created_at), 'updated_at', wire_time(m.updated_at))::text as json
from mails m;
grant select on mails_wire to lading_app;

-- What is attached to a mail, until the message is put together, which has it then.
create table mail_attachments (
  org_id uuid not null,
  mail_id uuid not null,
  "position" integer not null,
  file_name text not null,
  media_type text not null,
  content bytea not null,
  primary key (org_id, mail_id, position),
  constraint mail_attachment_mail foreign key (org_id, mail_id) references mails
);
call keep_apart('mail_attachments');
grant select, insert, update, delete on mail_attachments to lading_app;
