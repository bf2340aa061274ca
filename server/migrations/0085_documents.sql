-- Files that people keep with records. A row of stored_files is there before its content is in the storage and until it is gone from it: whoever writes
-- or removes content holds the row meanwhile, so that neither happens behind the back of the other. held_at is when somebody last wanted it.
create table stored_files (
  org_id uuid not null,
  sha256 text not null constraint stored_file_sha256_is_a_hash check (sha256 ~ '^[0-9a-f]{64}$'),
  size bigint not null constraint stored_file_size_is_sensible check (size between 1 and 26214400),
  held_at timestamptz(3) not null default now(),
  primary key (org_id, sha256)
);
call keep_apart('stored_files');
alter table stored_files add constraint stored_file_organization foreign key (org_id) references organizations;
grant select, insert, update, delete on stored_files to lading_app;
-- The background work looks for content that no document has, and the doctor for all of it, in all organizations.
create policy listed_by_owner on stored_files for select to current_user using (true);

-- Not called documents: reports call so what they put together of bills, invoices and credits.
create table document_files (
  org_id uuid not null,
  id uuid not null,
  file_name text not null constraint document_file_name_is_sensible check (length(file_name) between 1 and 255),
  media_type text not null,
  size bigint not null,
  sha256 text not null,
  document_type text not null constraint document_type_is_known
    check (document_type in ('invoice', 'pod', 'bol', 'rate_confirmation', 'lumper_receipt', 'customs', 'other')),
  -- Once it was attached to something, it is deleted with the last thing that it is attached to.
  was_attached boolean not null default false,
  created_by uuid not null,
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, id)
);
create index document_files_order on document_files (org_id, created_at desc, id desc);
create index document_files_of_content on document_files (org_id, sha256);
call keep_apart('document_files');
alter table document_files add constraint document_organization foreign key (org_id) references organizations;
alter table document_files add constraint document_content foreign key (org_id, sha256) references stored_files;
grant select, insert, update, delete on document_files to lading_app;
create policy listed_by_owner on document_files for select to current_user using (true);

-- What documents are attached to. The columns behind record_id follow from it; each has a foreign key, which ends the link with its record.
create table document_links (
  org_id uuid not null,
  document_id uuid not null,
  -- The type of the record; of an object it is 'object', and its kind says which.
  record_type text not null,
  record_id uuid not null,
  -- The scope that the record takes, unless its direction decides.
  scope text not null,
  created_at timestamptz(3) not null default now(),
  bill_id uuid generated always as (case when record_type = 'bill' then record_id end) stored,
  invoice_id uuid generated always as (case when record_type = 'invoice' then record_id end) stored,
  credit_id uuid generated always as (case when record_type = 'credit' then record_id end) stored,
  payment_id uuid generated always as (case when record_type = 'payment' then record_id end) stored,
  consolidated_bill_id uuid generated always as (case when record_type = 'consolidated_bill' then record_id end) stored,
  carrier_invoice_id uuid generated always as (case when record_type = 'carrier_invoice' then record_id end) stored,
  object_id uuid generated always as (case when record_type = 'object' then record_id end) stored,
  primary key (org_id, document_id, record_type, record_id)
);
create index document_links_of_a_record on document_links (org_id, record_id);
create index document_links_of_a_bill on document_links (org_id, bill_id) where bill_id is not null;
create index document_links_of_an_invoice on document_links (org_id, invoice_id) where invoice_id is not null;
create index document_links_of_a_credit on document_links (org_id, credit_id) where credit_id is not null;
create index document_links_of_a_payment on document_links (org_id, payment_id) where payment_id is not null;
create index document_links_of_a_statement on document_links (org_id, consolidated_bill_id) where consolidated_bill_id is not null;
create index document_links_of_a_carrier_invoice on document_links (org_id, carrier_invoice_id) where carrier_invoice_id is not null;
create index document_links_of_an_object on document_links (org_id, object_id) where object_id is not null;
call keep_apart('document_links');
alter table document_links add constraint document_link_document foreign key (org_id, document_id) references document_files on delete cascade;
alter table document_links add constraint document_link_bill foreign key (org_id, bill_id) references bills on delete cascade;
alter table document_links add constraint document_link_invoice foreign key (org_id, invoice_id) references invoices on delete cascade;
alter table document_links add constraint document_link_credit foreign key (org_id, credit_id) references credits on delete cascade;
alter table document_links add constraint document_link_payment foreign key (org_id, payment_id) references payments on delete cascade;
alter table document_links add constraint document_link_statement foreign key (org_id, consolidated_bill_id) references consolidated_bills on delete cascade;
alter table document_links add constraint document_link_object foreign key (org_id, object_id) references objects on delete cascade;
grant select, insert, update, delete on document_links to lading_app;
create policy listed_by_owner on document_links for select to current_user using (true);

-- Payments and credits take the scope of their direction, which a draft may still change.
create view document_links_wire with (security_invoker = true) as
select l.org_id, l.document_id, l.record_type, l.record_id, l.created_at,
  case when coalesce(p.direction, c.direction) = 'in' then 'invoices' when coalesce(p.direction, c.direction) = 'out' then 'bills' else l.scope end as scope,
  json_build_object('type', case when o.object_key is null then l.record_type else lower(regexp_replace(o.object_key, '([A-Z])', '_\1', 'g')) end,
    'id', l.record_id)::text as json
from document_links l
left join payments p on p.org_id = l.org_id and p.id = l.payment_id
left join credits c on c.org_id = l.org_id and c.id = l.credit_id
left join objects o on o.org_id = l.org_id and o.id = l.object_id;
grant select on document_links_wire to lading_app;

-- The JSON is open: what the document is attached to follows.
create view document_files_wire with (security_invoker = true) as
select d.org_id, d.id, d.revision, d.created_at, d.file_name, d.media_type, d.size, d.sha256, d.document_type, d.was_attached, left(row_to_json(wire)::text, -1) as open_json
from document_files d
cross join lateral (
  select d.id, d.org_id, d.file_name, d.media_type, d.size, d.sha256, d.document_type, d.created_by, d.revision,
    wire_time(d.created_at) as created_at, wire_time(d.updated_at) as updated_at
) wire;
grant select on document_files_wire to lading_app;
