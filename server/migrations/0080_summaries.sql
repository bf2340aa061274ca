-- What the home page shows of an organization, kept so that it is read like a record. It is put together again after changes, in the background.
create table summaries (
  org_id uuid not null,
  -- Each part as JSON text: who reads it may not see all of them.
  payables text not null,
  receivables text not null,
  accruals text not null,
  weeks text not null,
  home_currency_id text,
  -- The day of the organization that it is of, the position of its feed up to which changes are certainly in it, and how long it took.
  day date not null,
  position bigint not null,
  computed_at timestamptz(3) not null,
  took_ms integer not null,
  primary key (org_id)
);
call keep_apart('summaries');
alter table summaries add constraint summary_organization foreign key (org_id) references organizations;
grant select, insert, update, delete on summaries to lading_app;
