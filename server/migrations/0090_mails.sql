-- Mails of an organization: what was sent to whom, and how that went. One that waits has a next attempt; whoever sends it holds it until `leased_until`,
-- so that what a process left behind is sent by another.
create table mails (
  org_id uuid not null,
  id uuid not null,
  kind text not null constraint mail_kind_is_known check (kind in ('document', 'remittance', 'statement', 'invitation', 'password_reset', 'notice')),
  -- The scope that a token needs to see it.
  scope text not null,
  status text not null default 'queued' constraint mail_status_is_known check (status in ('queued', 'sent', 'kept', 'failed', 'bounced')),
  to_addresses text[] not null constraint mail_has_a_recipient check (cardinality(to_addresses) > 0),
  cc_addresses text[] not null default '{}',
  reply_to text,
  subject text not null,
  -- Where it holds a secret, such as the link of an invitation, it is there only until the mail was sent.
  body_text text,
  has_secret boolean not null default false,
  -- Name, type and size of each.
  attachments jsonb not null default '[]',
  record_type text,
  record_id uuid,
  -- The whole message, byte for byte as it is sent in every attempt. Put together before the first one.
  content bytea,
  message_id text,
  -- The addresses whose server took it, and those whose server refused it for good with the reasons.
  accepted_addresses text[] not null default '{}',
  refused jsonb not null default '[]',
  attempt_count integer not null default 0,
  -- Since it was made, or sent again by hand: the wait for the next attempt follows from it.
  failure_count integer not null default 0,
  next_attempt_at timestamptz(3),
  leased_until timestamptz(3),
  last_error text,
  sent_at timestamptz(3),
  bounced_at timestamptz(3),
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  primary key (org_id, id),
  constraint mail_waits_or_has_ended check ((next_attempt_at is not null) = (status = 'queued')),
  constraint mail_names_its_record_wholly check ((record_type is null) = (record_id is null)),
  constraint mail_bounced_at_some_time check ((status = 'bounced') = (bounced_at is not null))
) with (fillfactor = 70);
create index mails_waiting on mails (org_id, next_attempt_at) where next_attempt_at is not null;
create index mails_of_records on mails (org_id, record_id, id) where record_id is not null;
call keep_apart('mails');
-- The background work looks for what is to be done in all organizations.
create policy listed_by_owner on mails for select to current_user using (true);
grant select, insert, update, delete on mails to lading_app;
alter table mails add constraint mail_organization foreign key (org_id) references organizations;

-- What is attached to a mail, until the message is put together, which has it then.
create table mail_attachments (
  org_id uuid not null,
  mail_id uuid not null,
  position integer not null,
  file_name text not null,
  media_type text not null,
  content bytea not null,
  primary key (org_id, mail_id, position)
);
call keep_apart('mail_attachments');
grant select, insert, update, delete on mail_attachments to lading_app;
alter table mail_attachments add constraint mail_attachment_mail foreign key (org_id, mail_id) references mails;

create view mails_wire with (security_invoker = true) as
select m.org_id, m.id, m.created_at, m.revision, m.scope, m.status, m.kind, m.record_type, m.record_id, m.has_secret, json_build_object(
  'id', m.id, 'kind', m.kind, 'status', m.status, 'to', m.to_addresses, 'cc', m.cc_addresses, 'reply_to', m.reply_to, 'subject', m.subject,
  'body_text', case when not m.has_secret then m.body_text end, 'record_type', m.record_type, 'record_id', m.record_id,
  'attachments', m.attachments,
  'message_id', m.message_id, 'accepted', m.accepted_addresses, 'refused', m.refused, 'attempt_count', m.attempt_count,
  'next_attempt_at', wire_time(m.next_attempt_at), 'last_error', m.last_error, 'sent_at', wire_time(m.sent_at), 'bounced_at', wire_time(m.bounced_at),
  'revision', m.revision, 'created_by', m.created_by, 'created_at', wire_time(m.created_at), 'updated_at', wire_time(m.updated_at))::text as json
from mails m;
grant select on mails_wire to lading_app;
