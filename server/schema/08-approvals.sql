-- Who approves which bills.

-- Who has to approve which bills. A condition that is null is met by every bill, approvers that are null are all who
-- may approve.
create table approval_rules (
  org_id uuid not null constraint approval_rule_organization references organizations,
  id uuid not null,
  name text not null constraint approval_rule_name_is_sensible check (length(name) between 1 and 200),
  is_active boolean not null default true,
  min_amount bigint constraint approval_rule_amount_is_positive check (min_amount between 0 and 9007199254740991),
  currency_id text constraint approval_rule_currency references currencies,
  partner_carrier_id uuid,
  bill_item_type_id uuid,
  approver_user_ids uuid[] constraint approval_rule_names_somebody check (cardinality(approver_user_ids) > 0),
  approver_role text,
  needed_approvals integer not null default 1
    constraint approval_rule_needs_one_or_two check (needed_approvals in (1, 2)),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint approval_rule_name unique (org_id, name),
  constraint approval_rule_amount_has_a_currency check ((min_amount is null) = (currency_id is null)),
  constraint approval_rule_has_one_kind_of_approver check (approver_user_ids is null or approver_role is null),
  constraint approval_rule_bill_item_type foreign key (org_id, bill_item_type_id) references bill_item_types
);
call keep_apart('approval_rules');
grant select, insert, update, delete on approval_rules to lading_app;

create view approval_rules_wire with (security_invoker = true) as
select r.org_id, r.id, r.revision, r.created_at, r.name, r.is_active, row_to_json(wire)::text as json
from approval_rules r
cross join lateral (
  select r.id, r.name, r.is_active, r.min_amount, r.currency_id, r.partner_carrier_id, r.bill_item_type_id, r.approver_user_ids, r.approver_role, r.needed_approvals,
    r.revision, wire_time(r.created_at) as created_at, wire_time(r.updated_at) as updated_at
) wire;
grant select on approval_rules_wire to lading_app;

-- Somebody approves in the place of somebody else for a while.
create table approval_delegations (
  org_id uuid not null constraint approval_delegation_organization references organizations,
  id uuid not null,
  from_user_id uuid not null,
  to_user_id uuid not null,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  created_by text not null,
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint approval_delegation_runs_forward check (ends_at > starts_at),
  constraint approval_delegation_is_to_another check (from_user_id <> to_user_id),
  constraint approval_delegation_from foreign key (org_id, from_user_id) references users,
  constraint approval_delegation_to foreign key (org_id, to_user_id) references users
);
create index approval_delegations_to on approval_delegations (org_id, to_user_id);
call keep_apart('approval_delegations');
grant select, insert, update, delete on approval_delegations to lading_app;

create view approval_delegations_wire with (security_invoker = true) as
select d.org_id, d.id, d.revision, d.created_at, d.from_user_id, d.to_user_id, d.ends_at, row_to_json(wire)::text as json
from approval_delegations d
join users f on f.org_id = d.org_id and f.id = d.from_user_id
join users t on t.org_id = d.org_id and t.id = d.to_user_id
cross join lateral (
  select d.id, d.from_user_id, f.name as from_user_name, d.to_user_id, t.name as to_user_name, wire_time(d.starts_at) as starts_at, wire_time(d.ends_at) as ends_at, d.created_by, d.revision, wire_time(d.created_at) as created_at
) wire;
grant select on approval_delegations_wire to lading_app;

-- What somebody decided about a bill as it was then: `content` is a hash of what makes up a bill. A decision has ended
-- where the bill has changed since, or another took its place.
create table bill_approvals (
  org_id uuid not null constraint bill_approval_organization references organizations,
  id uuid not null,
  bill_id uuid not null,
  content text not null,
  decision text not null constraint bill_approval_decision_is_known check (decision in ('approve', 'reject')),
  user_id uuid not null,
  on_behalf_of uuid,
  note text,
  -- The rules for which it counts.
  rule_ids uuid[] not null,
  ended_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint bill_rejection_has_a_reason check (decision <> 'reject' or note is not null),
  constraint bill_approval_bill foreign key (org_id, bill_id) references bills on delete cascade
);
create index bill_approvals_bill on bill_approvals (org_id, bill_id);
call keep_apart('bill_approvals');
grant select, insert, update, delete on bill_approvals to lading_app;

-- Until when a bill that waits needs no reminder.
create table approval_reminders (
  org_id uuid not null,
  bill_id uuid not null,
  reminded_at timestamptz(3) not null,
  primary key (org_id, bill_id),
  constraint approval_reminder_bill foreign key (org_id, bill_id) references bills on delete cascade
);
call keep_apart('approval_reminders');
grant select, insert, update, delete on approval_reminders to lading_app;
