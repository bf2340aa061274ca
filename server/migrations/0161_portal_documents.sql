-- Which documents came through the partner portal, and from which carrier: of all documents of a record a carrier sees its own.
create table portal_documents (
  org_id uuid not null,
  document_id uuid not null,
  partner_carrier_id uuid not null,
  manifest_id uuid,
  carrier_invoice_id uuid,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, document_id),
  constraint portal_document_is_of_one_record check (num_nonnulls(manifest_id, carrier_invoice_id) = 1)
);
create index portal_documents_manifest on portal_documents (org_id, manifest_id) where manifest_id is not null;
create index portal_documents_invoice on portal_documents (org_id, carrier_invoice_id) where carrier_invoice_id is not null;
call keep_apart('portal_documents');
alter table portal_documents add constraint portal_document_organization foreign key (org_id) references organizations;
alter table portal_documents add constraint portal_document_document foreign key (org_id, document_id) references document_files (org_id, id) on delete cascade;
alter table portal_documents add constraint portal_document_carrier foreign key (org_id, partner_carrier_id) references objects (org_id, id);
grant select, insert, delete on portal_documents to lading_app;
