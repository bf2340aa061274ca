-- How many positions an organization has recorded on a day, by UTC: written with them, in their transaction, so that no more are kept than may be.
create table position_days (
  org_id uuid not null,
  day date not null,
  recorded bigint not null constraint position_days_recorded_is_a_count check (recorded >= 0),
  primary key (org_id, day)
);
call keep_apart('position_days');
alter table position_days add constraint position_days_organization foreign key (org_id) references organizations;
grant select, insert, update, delete on position_days to lading_app;
