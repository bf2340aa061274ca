-- Which documents must be there before something is done with a bill: with any carrier's, or with those of one. Every rule that applies must hold.
create table document_rules (
  org_id uuid not null,
  id uuid not null,
  before text not null constraint document_rule_is_about_a_known_step check (before in ('approve', 'pay')),
  partner_carrier_id uuid,
  document_types text[] not null constraint document_rule_asks_for_something check (cardinality(document_types) between 1 and 7),
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
alter table document_rules add constraint document_rule_organization foreign key (org_id) references organizations;
grant select, insert, update, delete on document_rules to lading_app;

create view document_rules_wire with (security_invoker = true) as
select r.org_id, r.id, r.revision, r.created_at, r.before, r.partner_carrier_id, row_to_json(wire)::text as json
from document_rules r
cross join lateral (
  select r.id, r.org_id, r.before, r.partner_carrier_id, r.document_types, r.created_by, r.revision,
    wire_time(r.created_at) as created_at, wire_time(r.updated_at) as updated_at
) wire;
grant select on document_rules_wire to lading_app;
