-- E-manifests, their filings, and border crossings.

-- What customs is told before a truck crosses into the United States (ACE) or Canada (ACI), made from a manifest. Its
-- parts are JSON of the forms that the API checks. `submission` counts how often it was filed, `purpose` is what for
-- the last time; `accepted_at` says since when customs has an accepted one, which stays while a change of it is
-- prepared or refused.
create table emanifests (
  org_id uuid not null constraint emanifest_organization references organizations,
  id uuid not null,
  manifest_id uuid not null,
  -- The stop of the manifest at which the border is crossed.
  stop_id uuid,
  border text not null constraint emanifest_border check (border in ('ace', 'aci')),
  state text not null default 'draft',
  carrier_code text constraint emanifest_carrier_code_is_sensible check (carrier_code ~ '^[A-Z0-9]{2,4}$'),
  trip_number text constraint emanifest_trip_number_is_sensible check (trip_number ~ '^[A-Z0-9]{1,25}$'),
  port text constraint emanifest_port_is_sensible check (port ~ '^[0-9]{3,4}$'),
  crossing_at timestamptz(3),
  is_empty boolean not null default false,
  driver jsonb constraint emanifest_driver_is_an_object check (jsonb_typeof(driver) = 'object'),
  tractor jsonb constraint emanifest_tractor_is_an_object check (jsonb_typeof(tractor) = 'object'),
  trailers jsonb not null default '[]'
    constraint emanifest_trailers_are_a_list check (jsonb_typeof(trailers) = 'array'),
  shipments jsonb not null default '[]'
    constraint emanifest_shipments_are_a_list check (jsonb_typeof(shipments) = 'array'),
  shipment_statuses jsonb not null default '[]'
    constraint emanifest_statuses_are_a_list check (jsonb_typeof(shipment_statuses) = 'array'),
  -- What customs found wrong with what was filed last.
  problems jsonb not null default '[]'
    constraint emanifest_problems_are_a_list check (jsonb_typeof(problems) = 'array'),
  amendment_number integer not null default 0 constraint emanifest_amendment_number check (amendment_number >= 0),
  submission integer not null default 0 constraint emanifest_submission check (submission >= 0),
  purpose text constraint emanifest_purpose check (purpose in ('original', 'amendment', 'cancellation')),
  submitted_at timestamptz(3),
  accepted_at timestamptz(3),
  cancelled_at timestamptz(3),
  revision integer not null default 1,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint emanifest_state check (state in ('draft', 'validated', 'submitted', 'accepted', 'rejected', 'cancelled')),
  -- A cancellation says again what was filed before, whatever was changed since.
  constraint emanifest_that_is_filed_is_complete check (
      state in ('draft', 'cancelled') or (state <> 'validated' and purpose = 'cancellation') or (
      carrier_code is not null and trip_number is not null and port is not null and crossing_at is not null and driver is not null and tractor is not null
      and is_empty = (shipments = '[]'))),
  constraint emanifest_that_is_submitted_was_filed check (
      state not in ('submitted', 'accepted', 'rejected') or (submission > 0 and purpose is not null and submitted_at is not null)),
  constraint emanifest_that_is_accepted_has_a_time check (state <> 'accepted' or accepted_at is not null),
  constraint emanifest_that_is_cancelled_has_a_time check ((state = 'cancelled') = (cancelled_at is not null)),
  constraint emanifest_manifest foreign key (org_id, manifest_id) references objects
);
-- Customs knows a trip by its number.
create unique index emanifest_trip_number on emanifests (org_id, border, trip_number) where state <> 'cancelled';
create index emanifests_by_trip_number on emanifests (org_id, trip_number);
create index emanifests_newest on emanifests (org_id, created_at desc, id desc);
create index emanifests_of_manifests on emanifests (org_id, manifest_id);
create index emanifests_updated on emanifests (org_id, updated_at);
call keep_apart('emanifests');
grant select, insert, update on emanifests to lading_app;

-- The JSON is open: what was filed follows.
create view emanifests_wire with (security_invoker = true) as
select e.org_id, e.id, e.revision, e.created_at, e.manifest_id, e.border, e.state, e.trip_number, left(row_to_json(shown)::text, -1) as open_json
from emanifests e
left join objects o on o.org_id = e.org_id and o.id = e.manifest_id
cross join lateral (
  select e.id, e.org_id, e.manifest_id, o.full_id as manifest_number, e.stop_id, e.border, e.state, e.carrier_code, e.trip_number, e.port,
    wire_time(e.crossing_at) as crossing_at, e.is_empty, e.driver, e.tractor, e.trailers, e.shipments, e.shipment_statuses, e.problems, e.amendment_number, e.purpose,
    wire_time(e.submitted_at) as submitted_at, wire_time(e.accepted_at) as accepted_at, wire_time(e.cancelled_at) as cancelled_at, e.revision, e.created_by,
    wire_time(e.created_at) as created_at, wire_time(e.updated_at) as updated_at
) shown;
grant select on emanifests_wire to lading_app;

-- Each interchange that is handed over, byte for byte. It is written with the e-manifest that it files, and sent after
-- that.
create table emanifest_filings (
  org_id uuid not null constraint emanifest_filing_organization references organizations,
  id uuid not null,
  emanifest_id uuid not null,
  submission integer not null,
  control_number integer not null
    constraint emanifest_filing_control_number_is_sensible check (control_number between 1 and 999999999),
  transaction_set text not null constraint emanifest_filing_transaction_set check (transaction_set in ('309', '358')),
  purpose text not null
    constraint emanifest_filing_purpose check (purpose in ('original', 'amendment', 'cancellation')),
  content text not null,
  state text not null default 'waiting',
  attempts integer not null default 0,
  next_attempt_at timestamptz(3),
  -- Until when one process is at it.
  leased_until timestamptz(3),
  error text,
  sent_at timestamptz(3),
  answered_at timestamptz(3),
  -- Whether an attempt to hand it over ended without an answer that says that it was not taken: customs may have it,
  -- whatever a later attempt was told.
  may_have_arrived boolean not null default false,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint emanifest_filing_control_number unique (org_id, control_number),
  constraint emanifest_is_filed_once unique (org_id, emanifest_id, submission, transaction_set),
  constraint emanifest_filing_state check (state in ('waiting', 'sent', 'received', 'accepted', 'rejected', 'failed')),
  constraint emanifest_filing_failed_for_a_reason check (state <> 'failed' or error is not null),
  constraint emanifest_filing_emanifest foreign key (org_id, emanifest_id) references emanifests
);
create index emanifest_filings_waiting
  on emanifest_filings (org_id, emanifest_id, control_number) where state = 'waiting';
call keep_apart('emanifest_filings');
grant select, insert, update (state, attempts, next_attempt_at, leased_until, error, sent_at, answered_at, may_have_arrived)
  on emanifest_filings to lading_app;

-- What came back. The key is made of the control numbers of its sender: the same one a second time changes nothing.
create table emanifest_acknowledgements (
  org_id uuid not null constraint emanifest_acknowledgement_organization references organizations,
  key text not null constraint emanifest_acknowledgement_key_is_sensible check (length(key) between 1 and 255),
  emanifest_id uuid not null,
  filing_id uuid,
  kind text not null constraint emanifest_acknowledgement_kind check (kind in ('TA1', '997', '355', '350')),
  outcome text not null
    constraint emanifest_acknowledgement_outcome check (outcome in ('accepted', 'rejected', 'status')),
  messages jsonb not null default '[]'
    constraint emanifest_acknowledgement_messages_are_a_list check (jsonb_typeof(messages) = 'array'),
  received_at timestamptz(3) not null default now(),
  primary key (org_id, key),
  constraint emanifest_acknowledgement_emanifest foreign key (org_id, emanifest_id) references emanifests,
  constraint emanifest_acknowledgement_filing foreign key (org_id, filing_id) references emanifest_filings
);
create index emanifest_acknowledgements_of_emanifests on emanifest_acknowledgements (org_id, emanifest_id, received_at);
call keep_apart('emanifest_acknowledgements');
grant select, insert on emanifest_acknowledgements to lading_app;

-- The borders that manifests have crossed: a row when a border stop was departed from, with what customs had accepted
-- at that moment. One that is flagged was announced, and is announced once.
create table border_crossings (
  org_id uuid not null constraint border_crossing_organization references organizations,
  manifest_id uuid not null,
  stop_id uuid not null,
  border text constraint border_crossing_border check (border in ('ace', 'aci')),
  emanifest_id uuid,
  flagged boolean not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, manifest_id, stop_id),
  constraint border_crossing_manifest foreign key (org_id, manifest_id) references objects,
  constraint border_crossing_emanifest foreign key (org_id, emanifest_id) references emanifests
);
call keep_apart('border_crossings');
grant select, insert, delete on border_crossings to lading_app;
