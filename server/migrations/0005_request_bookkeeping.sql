-- What was answered to a write that carried an Idempotency-Key: written in the write's own transaction, so either both are there or neither.
create table idempotency_keys (
  org_id uuid not null constraint idempotency_key_organization references organizations,
  client_id text not null,
  key text not null,
  fingerprint text not null,
  status smallint not null,
  headers jsonb not null,
  body text,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, client_id, key)
);
create index idempotency_keys_expiry on idempotency_keys (org_id, expires_at);
call keep_apart('idempotency_keys');
grant select, insert, delete on idempotency_keys to lading_app;

-- How much of a minute's allowance has been handed out to processes; they spend what they were handed without coming back here.
create table rate_limits (
  org_id uuid not null constraint rate_limit_organization references organizations,
  bucket text not null,
  window_start timestamptz(0) not null,
  most integer not null,
  granted integer not null,
  last_share integer not null,
  primary key (org_id, bucket)
);
call keep_apart('rate_limits');
grant select, insert, update, delete on rate_limits to lading_app;
