-- Accounting systems, and what partners do in the portal.

-- The accounting systems that an organization is connected with, one of each kind: mappings of pay terms are kept by
-- the kind alone. Secrets that people enter and tokens that the other side gives are encrypted with a key that is not
-- in the database. Tokens change by themselves, so they are no revision.
create table connections (
  org_id uuid not null constraint connection_organization references organizations,
  id uuid not null,
  connector_id text not null
    constraint connection_connector_is_sensible check (length(connector_id) between 1 and 60),
  name text not null constraint connection_name_is_sensible check (length(name) between 1 and 255),
  status text not null
    constraint connection_status check (status in ('connected', 'needs_sign_in', 'error', 'disconnected')),
  settings jsonb not null default '{}'
    constraint connection_settings_are_an_object check (jsonb_typeof(settings) = 'object'),
  secrets_sealed text,
  secret_names text[] not null default '{}',
  tokens_sealed text,
  -- Which company or tenant it is there, and what that is called.
  remote_id text,
  remote_name text,
  error text,
  connected_at timestamptz(3),
  -- Until when a process renews the tokens; no other does so meanwhile.
  renewing_until timestamptz(3),
  -- Until when the other side asked not to be called.
  waits_until timestamptz(3),
  -- Up to which moment of the other side payments were looked through.
  payments_until text,
  last_sync_at timestamptz(3),
  revision integer not null default 1,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint connection_of_a_connector unique (org_id, connector_id),
  constraint connection_secrets_are_named check ((secrets_sealed is null) = (secret_names = '{}'))
);
create index connections_newest on connections (org_id, created_at desc, id desc);
call keep_apart('connections');
grant select, insert, update, delete on connections to lading_app;

create view connections_wire with (security_invoker = true) as
select c.org_id, c.id, c.revision, c.created_at, c.connector_id, c.status, row_to_json(wire)::text as json
from connections c
cross join lateral (
  select c.id, c.org_id, c.connector_id, c.name, c.status, c.settings, c.secret_names as secrets_set, c.remote_id, c.remote_name, c.error,
    wire_time(c.connected_at) as connected_at, wire_time(c.last_sync_at) as last_sync_at, c.revision, c.created_by,
    wire_time(c.created_at) as created_at, wire_time(c.updated_at) as updated_at
) wire;
grant select on connections_wire to lading_app;

-- What a record of ours is called in the other system. Those of pay terms are in pay_term_connector_mappings.
create table connection_mappings (
  org_id uuid not null constraint connection_mapping_organization references organizations,
  connection_id uuid not null,
  kind text not null,
  record_id uuid not null,
  remote_id text not null
    constraint connection_mapping_remote_id_is_sensible check (length(remote_id) between 1 and 255),
  remote_name text
    constraint connection_mapping_remote_name_is_sensible check (length(remote_name) between 1 and 255),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, connection_id, kind, record_id),
  constraint connection_mapping_kind
    check (kind in ('bill_items', 'invoice_items', 'tax_rates', 'partner_carriers', 'customers', 'paying_accounts')),
  constraint connection_mapping_connection foreign key (org_id, connection_id) references connections on delete cascade
);
create index connection_mappings_remote on connection_mappings (org_id, connection_id, kind, remote_id);
call keep_apart('connection_mappings');
grant select, insert, update, delete on connection_mappings to lading_app;

-- What a record of ours is in the other system. `state` is `sending` from before a request is made until its answer is
-- saved: what is found so after a crash may or may not have arrived, and is looked for there before it is sent again.
-- `content` is what was sent last, `content_hash` its fingerprint.
create table connector_records (
  org_id uuid not null constraint connector_record_organization references organizations,
  connection_id uuid not null,
  record_type text not null constraint connector_record_type check (record_type in ('bill', 'invoice', 'payment')),
  record_id uuid not null,
  state text not null constraint connector_record_state check (state in ('sending', 'synced', 'refused', 'removed')),
  remote_id text,
  -- What the other side wants to see in a change, such as QuickBooks' SyncToken.
  remote_version text,
  content jsonb,
  content_hash text,
  -- Of the request that is under way, or was last. A request that is repeated carries it again.
  request_id text,
  -- How often the other side has refused this record: a request after a refusal is another request.
  refusals integer not null default 0,
  error text,
  synced_at timestamptz(3),
  updated_at timestamptz(3) not null default now(),
  -- Which revision of the record here is there. By its time a change that was made while the other side answered would
  -- have been taken for one that was sent.
  revision integer,
  primary key (org_id, connection_id, record_type, record_id),
  constraint connector_record_that_is_synced_is_known_there check (state <> 'synced' or remote_id is not null),
  constraint connector_record_connection foreign key (org_id, connection_id) references connections
);
-- Nothing of the other side becomes two records here.
create unique index connector_record_is_one_there
  on connector_records (org_id, connection_id, record_type, remote_id)
  where remote_id is not null and state <> 'removed';
call keep_apart('connector_records');
grant select, insert, update, delete on connector_records to lading_app;

-- A sync run. It is worked off in the background by one process at a time, which holds it until `leased_until`.
create table connector_syncs (
  org_id uuid not null constraint connector_sync_organization references organizations,
  id uuid not null,
  connection_id uuid not null,
  state text not null default 'running'
    constraint connector_sync_state check (state in ('running', 'done', 'failed', 'cancelled')),
  what text[] not null
    constraint connector_sync_what check (what <@ array['bills', 'invoices', 'payments'] and what <> '{}'),
  retry_of uuid,
  has_more boolean not null default false,
  reason text,
  error text,
  document_id uuid,
  actor jsonb not null,
  leased_until timestamptz(3),
  waits_until timestamptz(3),
  finished_at timestamptz(3),
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint connector_sync_is_finished check ((state = 'running') = (finished_at is null)),
  constraint connector_sync_connection foreign key (org_id, connection_id) references connections
);
create index connector_syncs_newest on connector_syncs (org_id, connection_id, created_at desc, id desc);
create index connector_syncs_running on connector_syncs (org_id, connection_id, id) where state = 'running';
call keep_apart('connector_syncs');
grant select, insert, update on connector_syncs to lading_app;

-- The JSON is open: the counts of its results follow.
create view connector_syncs_wire with (security_invoker = true) as
select s.org_id, s.id, s.connection_id, s.created_at, s.state, left(json_build_object('id', s.id, 'org_id', s.org_id, 'connection_id', s.connection_id, 'state', s.state,
  'what', to_json(s.what), 'retry_of', s.retry_of, 'has_more', s.has_more, 'reason', s.reason, 'error', s.error, 'document_id', s.document_id,
  'waits_until', case when s.state = 'running' then wire_time(s.waits_until) end, 'created_by', s.created_by, 'created_at', wire_time(s.created_at),
  'finished_at', wire_time(s.finished_at))::text, -1) as open_json
from connector_syncs s;
grant select on connector_syncs_wire to lading_app;

-- What came of each record of a run. A row is made for each when the run begins, and is its own place in the work that
-- is left.
create table connector_sync_results (
  org_id uuid not null constraint connector_sync_result_organization references organizations,
  sync_id uuid not null,
  place integer not null,
  record_type text not null
    constraint connector_sync_result_type check (record_type in ('bill', 'invoice', 'payment')),
  record_id uuid,
  number text,
  outcome text not null default 'pending',
  remote_id text,
  reason text,
  error text,
  attempts integer not null default 0,
  -- The lines of a file, until the file is made.
  lines text,
  finished_at timestamptz(3),
  primary key (org_id, sync_id, place),
  constraint connector_sync_outcome
    check (outcome in ('pending', 'created', 'updated', 'removed', 'unchanged', 'skipped', 'failed')),
  constraint connector_sync_result_failed_for_a_reason check (outcome <> 'failed' or error is not null),
  constraint connector_sync_result_sync foreign key (org_id, sync_id) references connector_syncs
);
create index connector_sync_results_outcome on connector_sync_results (org_id, sync_id, outcome, place);
call keep_apart('connector_sync_results');
grant select, insert, update on connector_sync_results to lading_app;

create view connector_sync_results_wire with (security_invoker = true) as
select r.org_id, r.sync_id, r.place, r.outcome, json_build_object('record_type', r.record_type, 'record_id', r.record_id, 'number', r.number, 'outcome', r.outcome,
  'remote_id', r.remote_id, 'reason', r.reason, 'error', r.error, 'attempts', r.attempts, 'finished_at', wire_time(r.finished_at))::text as json
from connector_sync_results r;
grant select on connector_sync_results_wire to lading_app;

-- Signed links of the partner portal: whoever holds one sees one record, as its carrier. Of the secret in the link only
-- the hash is kept.
create table portal_links (
  org_id uuid not null constraint portal_link_organization references organizations,
  id uuid not null,
  token_sha256 bytea not null constraint portal_link_hash_is_whole check (length(token_sha256) = 32),
  partner_carrier_id uuid not null,
  manifest_id uuid,
  bill_id uuid,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  revoked_by text,
  -- When it was last exchanged for an access token. Like the last sign-in of a user it is no revision.
  last_opened_at timestamptz(3),
  revision integer not null default 1,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint portal_link_secret unique (org_id, token_sha256),
  constraint portal_link_is_for_one_record check (num_nonnulls(manifest_id, bill_id) = 1),
  constraint portal_link_is_revoked_by_someone check ((revoked_at is null) = (revoked_by is null)),
  constraint portal_link_ends_after_it_begins check (expires_at > created_at),
  constraint portal_link_manifest foreign key (org_id, manifest_id) references objects,
  constraint portal_link_carrier foreign key (org_id, partner_carrier_id) references objects,
  constraint portal_link_bill foreign key (org_id, bill_id) references bills on delete cascade
);
create index portal_links_newest on portal_links (org_id, created_at desc, id desc);
create index portal_links_manifest on portal_links (org_id, manifest_id) where manifest_id is not null;
create index portal_links_bill on portal_links (org_id, bill_id) where bill_id is not null;
create index portal_links_updated on portal_links (org_id, updated_at);
call keep_apart('portal_links');
grant select, insert, update, delete on portal_links to lading_app;

create view portal_links_wire with (security_invoker = true) as
select l.org_id, l.id, l.revision, l.created_at, l.manifest_id, l.bill_id, l.partner_carrier_id, wire.state, row_to_json(wire)::text as json
from portal_links l
cross join lateral (
  select l.id, l.org_id, l.manifest_id, l.bill_id, l.partner_carrier_id,
    case when l.revoked_at is not null then 'revoked' when l.expires_at <= statement_timestamp() then 'expired' else 'open' end as state,
    wire_time(l.expires_at) as expires_at, wire_time(l.revoked_at) as revoked_at, wire_time(l.last_opened_at) as last_opened_at,
    l.revision, l.created_by, wire_time(l.created_at) as created_at, wire_time(l.updated_at) as updated_at
) wire;
grant select on portal_links_wire to lading_app;

-- Manifests that are offered to carriers. Whether an open one has expired is decided by the time of the statement that
-- asks: `expired` is written only where another one takes its place.
create table tenders (
  org_id uuid not null constraint tender_organization references organizations,
  id uuid not null,
  manifest_id uuid not null,
  partner_carrier_id uuid not null,
  state text not null default 'open'
    constraint tender_state check (state in ('open', 'countered', 'accepted', 'declined', 'cancelled', 'expired')),
  currency_id text constraint tender_currency references currencies,
  rate bigint constraint tender_rate_is_an_amount check (rate between 0 and 9007199254740991),
  counter_rate bigint constraint tender_counter_rate_is_an_amount check (counter_rate between 0 and 9007199254740991),
  agreed_rate bigint constraint tender_agreed_rate_is_an_amount check (agreed_rate between 0 and 9007199254740991),
  message text constraint tender_message_is_sensible check (length(message) between 1 and 2000),
  answer text constraint tender_answer_is_sensible check (length(answer) between 1 and 2000),
  expires_at timestamptz(3) not null,
  answered_at timestamptz(3),
  answered_by text,
  revision integer not null default 1,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint tender_rates_have_a_currency
    check (currency_id is not null or num_nonnulls(rate, counter_rate, agreed_rate) = 0),
  constraint tender_countered_says_a_rate check (state <> 'countered' or counter_rate is not null),
  constraint tender_agreed_is_accepted check (state = 'accepted' or agreed_rate is null),
  constraint tender_ends_after_it_begins check (expires_at > created_at),
  constraint tender_manifest foreign key (org_id, manifest_id) references objects,
  constraint tender_carrier foreign key (org_id, partner_carrier_id) references objects
);
-- A carrier is asked once at a time about a manifest, and one carrier gets it.
create unique index tender_is_open_once
  on tenders (org_id, manifest_id, partner_carrier_id) where state in ('open', 'countered');
create unique index tender_is_accepted_once on tenders (org_id, manifest_id) where state = 'accepted';
create index tenders_newest on tenders (org_id, created_at desc, id desc);
create index tenders_manifest on tenders (org_id, manifest_id);
create index tenders_carrier on tenders (org_id, partner_carrier_id, created_at desc, id desc);
create index tenders_updated on tenders (org_id, updated_at);
call keep_apart('tenders');
grant select, insert, update on tenders to lading_app;

create view tenders_wire with (security_invoker = true) as
select t.org_id, t.id, t.revision, t.created_at, t.manifest_id, t.partner_carrier_id, wire.state, row_to_json(wire)::text as json
from tenders t
cross join lateral (
  select t.id, t.org_id, t.manifest_id, t.partner_carrier_id,
    case when t.state = 'open' and t.expires_at <= statement_timestamp() then 'expired' else t.state end as state,
    t.currency_id, t.rate, t.counter_rate, t.agreed_rate, t.message, t.answer, wire_time(t.expires_at) as expires_at,
    wire_time(t.answered_at) as answered_at, t.answered_by, t.revision, t.created_by, wire_time(t.created_at) as created_at, wire_time(t.updated_at) as updated_at
) wire;
grant select on tenders_wire to lading_app;

-- What carriers ask about their bills, one thread for each bill and carrier. Who reads `open` has to answer.
create table bill_questions (
  org_id uuid not null constraint bill_question_organization references organizations,
  id uuid not null,
  bill_id uuid not null,
  partner_carrier_id uuid not null,
  state text not null default 'open' constraint bill_question_state check (state in ('open', 'answered', 'closed')),
  last_message_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint bill_question_is_one_thread unique (org_id, bill_id, partner_carrier_id),
  constraint bill_question_bill foreign key (org_id, bill_id) references bills on delete cascade,
  constraint bill_question_carrier foreign key (org_id, partner_carrier_id) references objects
);
create index bill_questions_newest on bill_questions (org_id, created_at desc, id desc);
create index bill_questions_updated on bill_questions (org_id, updated_at);
call keep_apart('bill_questions');
grant select, insert, update, delete on bill_questions to lading_app;

-- The JSON is open: the messages follow.
create view bill_questions_wire with (security_invoker = true) as
select q.org_id, q.id, q.revision, q.created_at, q.bill_id, q.partner_carrier_id, q.state, left(json_build_object('id', q.id, 'org_id', q.org_id, 'bill_id', q.bill_id,
  'partner_carrier_id', q.partner_carrier_id, 'state', q.state, 'last_message_at', wire_time(q.last_message_at), 'revision', q.revision,
  'created_at', wire_time(q.created_at), 'updated_at', wire_time(q.updated_at))::text, -1) as open_json
from bill_questions q;
grant select on bill_questions_wire to lading_app;

create table bill_question_messages (
  org_id uuid not null constraint bill_question_message_organization references organizations,
  question_id uuid not null,
  place integer not null constraint bill_question_message_place check (place >= 1),
  side text not null constraint bill_question_message_side check (side in ('partner', 'organization')),
  author_id text not null,
  author_name text not null,
  text text not null constraint bill_question_message_is_sensible check (length(text) between 1 and 4000),
  created_at timestamptz(3) not null default now(),
  primary key (org_id, question_id, place),
  constraint bill_question_message_thread foreign key (org_id, question_id) references bill_questions on delete cascade
);
call keep_apart('bill_question_messages');
grant select, insert on bill_question_messages to lading_app;

-- Which documents came through the partner portal, and from which carrier: of all documents of a record a carrier sees
-- its own.
create table portal_documents (
  org_id uuid not null constraint portal_document_organization references organizations,
  document_id uuid not null,
  partner_carrier_id uuid not null,
  manifest_id uuid,
  carrier_invoice_id uuid,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, document_id),
  constraint portal_document_is_of_one_record check (num_nonnulls(manifest_id, carrier_invoice_id) = 1),
  constraint portal_document_document foreign key (org_id, document_id) references document_files on delete cascade,
  constraint portal_document_carrier foreign key (org_id, partner_carrier_id) references objects
);
create index portal_documents_manifest on portal_documents (org_id, manifest_id) where manifest_id is not null;
create index portal_documents_invoice
  on portal_documents (org_id, carrier_invoice_id) where carrier_invoice_id is not null;
call keep_apart('portal_documents');
grant select, insert, delete on portal_documents to lading_app;

-- What carriers reported of stops through the partner portal, and when: for a while they may take it back. `at` is the
-- time that the stop has since, so that nobody takes back what somebody else wrote afterwards.
create table portal_stop_reports (
  org_id uuid not null constraint portal_stop_report_organization references organizations,
  manifest_id uuid not null,
  stop_id uuid not null,
  report text not null constraint portal_stop_report_is_known check (report in ('arrival', 'departure')),
  partner_carrier_id uuid not null,
  at text not null,
  reported_at timestamptz(3) not null default statement_timestamp(),
  primary key (org_id, manifest_id, stop_id, report),
  constraint portal_stop_report_manifest foreign key (org_id, manifest_id) references objects on delete cascade,
  constraint portal_stop_report_carrier foreign key (org_id, partner_carrier_id) references objects on delete cascade
);
call keep_apart('portal_stop_reports');
grant select, insert, update, delete on portal_stop_reports to lading_app;
