-- What carriers reported of stops through the partner portal, and when: for a while they may take it back. `at` is the time that the stop has since, so that
-- nobody takes back what somebody else wrote afterwards.
create table portal_stop_reports (
  org_id uuid not null,
  manifest_id uuid not null,
  stop_id uuid not null,
  report text not null constraint portal_stop_report_is_known check (report in ('arrival', 'departure')),
  partner_carrier_id uuid not null,
  at text not null,
  reported_at timestamptz(3) not null default statement_timestamp(),
  primary key (org_id, manifest_id, stop_id, report)
);
call keep_apart('portal_stop_reports');
alter table portal_stop_reports add constraint portal_stop_report_organization foreign key (org_id) references organizations;
alter table portal_stop_reports add constraint portal_stop_report_manifest foreign key (org_id, manifest_id) references objects (org_id, id) on delete cascade;
alter table portal_stop_reports add constraint portal_stop_report_carrier foreign key (org_id, partner_carrier_id) references objects (org_id, id) on delete cascade;
grant select, insert, update, delete on portal_stop_reports to lading_app;
