-- How arrival times are estimated, from which delay on one is announced, and whether double bookings are refused. The columns are new and constant.
alter table organizations
  add column eta_detour_factor double precision not null default 1.25,
  add column eta_average_speed_kmh double precision not null default 70,
  add column eta_delay_limit_minutes integer not null default 30,
  add column double_booking text not null default 'off';
alter table organizations add constraint organization_eta_detour_factor check (eta_detour_factor between 1 and 5) not valid;
alter table organizations add constraint organization_eta_average_speed check (eta_average_speed_kmh between 1 and 200) not valid;
alter table organizations add constraint organization_eta_delay_limit check (eta_delay_limit_minutes between 1 and 10080) not valid;
alter table organizations add constraint organization_double_booking_is_known check (double_booking in ('off', 'refuse')) not valid;

create or replace view organizations_wire with (security_invoker = true) as
select o.org_id, o.revision, row_to_json(wire)::text as json
from organizations o
cross join lateral (
  select o.org_id as id, o.name, wire_address(o.address) as address, o.home_currency_id, o.time_zone, o.require_exchange_rate, o.require_send_address, o.duplicates,
    o.approvals, o.approval_limit_amount, o.forbid_self_approval, o.separate_payer, o.approval_reminder_days,
    o.eta_detour_factor, o.eta_average_speed_kmh, o.eta_delay_limit_minutes, o.double_booking,
    o.revision, wire_time(o.created_at) as created_at, wire_time(o.updated_at) as updated_at
) wire;
