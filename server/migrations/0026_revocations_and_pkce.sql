-- The transaction that wrote a revocation. A process asks for those that its last snapshot did not show, whatever time they are stamped with: rows
-- become visible in another order than they are stamped.
alter table revocations add column written_by xid8 not null default '0';
alter table revocations alter column written_by set default pg_current_xact_id();
create index revocations_written_by on revocations (written_by);

-- Every process that checks access tokens by the revocations in its memory, and the snapshot that it last read them in. Whoever revokes something
-- waits until all of them have read it (docs/decisions/0033-revocations-are-confirmed.md). It belongs to no organization; the serving role has no
-- grant on it.
create table serving_processes (
  id uuid primary key,
  renewed_at timestamptz(3) not null,
  -- Null: it has not read anything yet.
  seen pg_snapshot
);

-- Whether an application must use PKCE when people sign in through it. A public one always must, whatever is stored: it has no secret to show with
-- a code.
alter table applications add column require_pkce boolean not null default false;

create or replace view applications_wire with (security_invoker = true) as
select a.org_id, a.id, a.revision, a.created_at, row_to_json(wire)::text as json
from applications a
cross join lateral (
  select a.id, a.name, a.type, a.client_id, a.redirect_uris, a.scopes, a.grant_types,
    a.type = 'public' or a.require_pkce as require_pkce, a.revision,
    wire_time(a.created_at) as created_at, wire_time(a.updated_at) as updated_at, wire_time(a.last_used_at) as last_used_at
) wire;
