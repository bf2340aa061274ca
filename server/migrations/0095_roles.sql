-- contracts for code before 0031_oldest_code.sql: the set of roles grows, so nothing that older code writes is refused; it treats a role that it does not know like a member.
-- locks: users and revocations are few, and the new constraints read them once.
alter table users drop constraint user_role_is_known;
alter table users add constraint user_role_is_known check (role in ('admin', 'member', 'clerk', 'approver', 'payer', 'read_only'));

-- A user who was given another role: what tokens say that were given before does not count any more.
alter table revocations drop constraint revocation_kind_is_known;
alter table revocations add constraint revocation_kind_is_known check (kind in ('token', 'grant', 'application', 'user', 'role'));

-- What the tokens of an application may do. Constant, so nothing is rewritten.
alter table applications add column access text not null default 'read_write';
alter table applications add constraint application_access_is_known check (access in ('read_write', 'read')) not valid;

create or replace view applications_wire with (security_invoker = true) as
select a.org_id, a.id, a.revision, a.created_at, row_to_json(wire)::text as json
from applications a
cross join lateral (
  select a.id, a.name, a.type, a.client_id, a.redirect_uris, a.scopes, a.grant_types,
    a.type = 'public' or a.require_pkce as require_pkce, a.access, a.revision,
    wire_time(a.created_at) as created_at, wire_time(a.updated_at) as updated_at, wire_time(a.last_used_at) as last_used_at,
    wire_time(a.disabled_at) as disabled_at
) wire;

-- The rights of whoever started a transfer, next to the scopes. Null where it was started before there were rights: those callers were admins or members.
alter table transfers add column rights text[];
