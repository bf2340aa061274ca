-- Manifests that are offered to carriers. Whether an open one has expired is decided by the time of the statement that asks: `expired` is written only where
-- another one takes its place.
create table tenders (
  org_id uuid not null,
  id uuid not null,
  manifest_id uuid not null,
  partner_carrier_id uuid not null,
  state text not null default 'open' constraint tender_state check (state in ('open', 'countered', 'accepted', 'declined', 'cancelled', 'expired')),
  currency_id text,
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
  constraint tender_rates_have_a_currency check (currency_id is not null or num_nonnulls(rate, counter_rate, agreed_rate) = 0),
  constraint tender_countered_says_a_rate check (state <> 'countered' or counter_rate is not null),
  constraint tender_agreed_is_accepted check (state = 'accepted' or agreed_rate is null),
  constraint tender_ends_after_it_begins check (expires_at > created_at)
);
-- A carrier is asked once at a time about a manifest, and one carrier gets it.
create unique index tender_is_open_once on tenders (org_id, manifest_id, partner_carrier_id) where state in ('open', 'countered');
create unique index tender_is_accepted_once on tenders (org_id, manifest_id) where state = 'accepted';
create index tenders_newest on tenders (org_id, created_at desc, id desc);
create index tenders_manifest on tenders (org_id, manifest_id);
create index tenders_carrier on tenders (org_id, partner_carrier_id, created_at desc, id desc);
call keep_apart('tenders');
alter table tenders add constraint tender_organization foreign key (org_id) references organizations;
alter table tenders add constraint tender_currency foreign key (currency_id) references currencies (id);
alter table tenders add constraint tender_manifest foreign key (org_id, manifest_id) references objects (org_id, id);
alter table tenders add constraint tender_carrier foreign key (org_id, partner_carrier_id) references objects (org_id, id);
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
