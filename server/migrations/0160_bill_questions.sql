-- What carriers ask about their bills, one thread for each bill and carrier. Who reads `open` has to answer.
create table bill_questions (
  org_id uuid not null,
  id uuid not null,
  bill_id uuid not null,
  partner_carrier_id uuid not null,
  state text not null default 'open' constraint bill_question_state check (state in ('open', 'answered', 'closed')),
  last_message_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint bill_question_is_one_thread unique (org_id, bill_id, partner_carrier_id)
);
create index bill_questions_newest on bill_questions (org_id, created_at desc, id desc);
call keep_apart('bill_questions');
alter table bill_questions add constraint bill_question_organization foreign key (org_id) references organizations;
alter table bill_questions add constraint bill_question_bill foreign key (org_id, bill_id) references bills (org_id, id) on delete cascade;
alter table bill_questions add constraint bill_question_carrier foreign key (org_id, partner_carrier_id) references objects (org_id, id);
grant select, insert, update, delete on bill_questions to lading_app;

create table bill_question_messages (
  org_id uuid not null,
  question_id uuid not null,
  place integer not null constraint bill_question_message_place check (place >= 1),
  side text not null constraint bill_question_message_side check (side in ('partner', 'organization')),
  author_id text not null,
  author_name text not null,
  text text not null constraint bill_question_message_is_sensible check (length(text) between 1 and 4000),
  created_at timestamptz(3) not null default now(),
  primary key (org_id, question_id, place)
);
call keep_apart('bill_question_messages');
alter table bill_question_messages add constraint bill_question_message_organization foreign key (org_id) references organizations;
alter table bill_question_messages add constraint bill_question_message_thread foreign key (org_id, question_id) references bill_questions (org_id, id) on delete cascade;
grant select, insert on bill_question_messages to lading_app;

-- The JSON is open: the messages follow.
create view bill_questions_wire with (security_invoker = true) as
select q.org_id, q.id, q.revision, q.created_at, q.bill_id, q.partner_carrier_id, q.state, left(json_build_object('id', q.id, 'org_id', q.org_id, 'bill_id', q.bill_id,
  'partner_carrier_id', q.partner_carrier_id, 'state', q.state, 'last_message_at', wire_time(q.last_message_at), 'revision', q.revision,
  'created_at', wire_time(q.created_at), 'updated_at', wire_time(q.updated_at))::text, -1) as open_json
from bill_questions q;
grant select on bill_questions_wire to lading_app;
