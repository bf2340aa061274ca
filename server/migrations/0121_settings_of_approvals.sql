-- The settings of an organization with those of approvals: after all other definitions of the view, whose numbers are higher than that of the columns.
create or replace view organizations_wire with (security_invoker = true) as
select o.org_id, o.revision, row_to_json(wire)::text as json
from organizations o
cross join lateral (
  select o.org_id as id, o.name, wire_address(o.address) as address, o.home_currency_id, o.time_zone, o.require_exchange_rate, o.require_send_address, o.duplicates,
    o.approvals, o.approval_limit_amount, o.forbid_self_approval, o.separate_payer, o.approval_reminder_days, o.revision, wire_time(o.created_at) as created_at,
    wire_time(o.updated_at) as updated_at
) wire;
