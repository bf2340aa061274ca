-- An application that an admin has disabled. The authorization server treats it like one that it does not know until it is enabled again.
alter table applications add column disabled_at timestamptz(3);

create or replace view applications_wire with (security_invoker = true) as
select a.org_id, a.id, a.revision, a.created_at, row_to_json(wire)::text as json
from applications a
cross join lateral (
  select a.id, a.name, a.type, a.client_id, a.redirect_uris, a.scopes, a.grant_types,
    a.type = 'public' or a.require_pkce as require_pkce, a.revision,
    wire_time(a.created_at) as created_at, wire_time(a.updated_at) as updated_at, wire_time(a.last_used_at) as last_used_at,
    wire_time(a.disabled_at) as disabled_at
) wire;
