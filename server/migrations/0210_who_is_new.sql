-- One admin alone must not send money elsewhere: not as somebody invented, and not as the only user once the others are shut out.
-- Since when a user can sign in with a role that approves, and when one who could act in the organization could no more.
alter table users add column approves_since timestamp(3) with time zone, add column left_at timestamp(3) with time zone;

-- For how many days who is new approves no payee and no payment run. A smaller number counts when as many days have passed as it was before.
alter table organizations
  add column new_approver_days integer not null default 3,
  add column new_approver_days_before integer,
  add column new_approver_days_set_at timestamp(3) with time zone;
alter table organizations add constraint organization_new_approver_days check (new_approver_days between 0 and 30) not valid;

create or replace view organizations_wire with (security_invoker = true) as
select o.org_id, o.revision, row_to_json(wire)::text as json
from organizations o
left join default_pay_terms d on d.org_id = o.org_id
cross join lateral (
  select o.org_id as id, o.name, wire_address(o.address) as address, o.home_currency_id, o.time_zone, d.pay_term_id as default_pay_term_id,
    o.require_exchange_rate, o.require_send_address, o.duplicates,
    o.approvals, o.approval_limit_amount, o.forbid_self_approval, o.separate_payer, o.approval_reminder_days, o.new_approver_days,
    o.eta_detour_factor, o.eta_average_speed_kmh, o.eta_delay_limit_minutes, o.double_booking,
    o.revision, wire_time(o.created_at) as created_at, wire_time(o.updated_at) as updated_at
) wire;

create or replace view users_wire with (security_invoker = true) as
select u.org_id, u.id, u.revision, u.created_at, u.email, u.name, u.role, u.disabled_at, row_to_json(wire)::text as json, u.partner_carrier_id
from users u
cross join lateral (
  select u.id, u.email, u.name, u.role, u.partner_carrier_id, wire_time(u.disabled_at) as disabled_at, u.revision,
    wire_time(u.created_at) as created_at, wire_time(u.updated_at) as updated_at, wire_time(u.joined_at) as joined_at, wire_time(u.last_login_at) as last_login_at,
    wire_time(u.approves_since) as approves_since
) wire;
