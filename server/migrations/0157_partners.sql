-- contracts for code before 0031_oldest_code.sql: the set of roles grows, so nothing that older code writes is refused. It lets a role that it does not know read, so partners are invited once every server is of this version.
-- locks: users are few, and the new constraints read them once.
alter table users add column partner_carrier_id uuid;
alter table users drop constraint user_role_is_known;
alter table users add constraint user_role_is_known check (role in ('admin', 'member', 'clerk', 'approver', 'payer', 'read_only', 'partner'));
-- A partner belongs to one carrier, and nobody else to any.
alter table users add constraint user_partner_has_a_carrier check ((role = 'partner') = (partner_carrier_id is not null));
-- Without a condition on what is deleted: a carrier that is deleted stays as a row, and its people are refused where they ask.
alter table users add constraint user_partner_carrier foreign key (org_id, partner_carrier_id) references objects (org_id, id);
create index users_of_a_carrier on users (org_id, partner_carrier_id) where partner_carrier_id is not null;

create or replace view users_wire with (security_invoker = true) as
select u.org_id, u.id, u.revision, u.created_at, u.email, u.name, u.role, u.disabled_at, row_to_json(wire)::text as json, u.partner_carrier_id
from users u
cross join lateral (
  select u.id, u.email, u.name, u.role, u.partner_carrier_id, wire_time(u.disabled_at) as disabled_at, u.revision,
    wire_time(u.created_at) as created_at, wire_time(u.updated_at) as updated_at, wire_time(u.joined_at) as joined_at, wire_time(u.last_login_at) as last_login_at
) wire;
