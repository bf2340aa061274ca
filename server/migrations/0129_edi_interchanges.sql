-- An EDI interchange that arrived, whether it was taken or refused, with the functional acknowledgement (997) that was made for it. It never changes.
create table edi_interchanges (
  org_id uuid not null,
  id uuid not null,
  -- The control number of the acknowledgement, counted by the organization.
  number integer not null,
  sender text not null,
  receiver text not null,
  sent_on text not null,
  control_number text not null,
  source text not null constraint edi_interchange_source check (source in ('api', 'directory', 'email')),
  status text not null constraint edi_interchange_status check (status in ('accepted', 'accepted_with_errors', 'rejected')),
  problems jsonb not null default '[]',
  carrier_invoice_ids uuid[] not null default '{}',
  acknowledgement text not null,
  -- When the acknowledgement was put into the outgoing directory.
  written_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint edi_interchange_number unique (org_id, number),
  constraint edi_interchange_rejected_has_no_invoices check (status <> 'rejected' or carrier_invoice_ids = '{}')
);
create index edi_interchanges_named on edi_interchanges (org_id, control_number, sender, sent_on);
create index edi_interchanges_newest on edi_interchanges (org_id, created_at desc, id desc);
create index edi_interchanges_unwritten on edi_interchanges (org_id, created_at) where written_at is null;
call keep_apart('edi_interchanges');
-- The background work looks for what is to be written in all organizations.
create policy listed_by_owner on edi_interchanges for select to current_user using (true);
alter table edi_interchanges add constraint edi_interchange_organization foreign key (org_id) references organizations;
grant select, insert, update on edi_interchanges to lading_app;

create view edi_interchanges_wire with (security_invoker = true) as
select e.org_id, e.id, e.created_at, e.status, e.control_number, json_build_object(
  'id', e.id, 'org_id', e.org_id, 'sender', e.sender, 'receiver', e.receiver, 'sent_on', e.sent_on, 'control_number', e.control_number, 'source', e.source,
  'status', e.status, 'problems', e.problems, 'carrier_invoice_ids', to_json(e.carrier_invoice_ids), 'acknowledgement_number', lpad(e.number::text, 9, '0'),
  'created_at', wire_time(e.created_at))::text as json
from edi_interchanges e;
grant select on edi_interchanges_wire to lading_app;
