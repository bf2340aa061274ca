-- Row-level security lets an index serve only conditions that cannot leak what they compare. Equality of plain columns cannot; `carrier_number(…)` and `@>` of
-- arrays might, so an index on them is never used by the serving role. What is looked up by them is kept in plain columns.

-- The numbers that carriers gave their bills, in the form in which two are compared. A table of its own: bills are wide, and a column would rewrite them all.
create table bill_numbers (
  org_id uuid not null,
  bill_id uuid not null,
  partner_carrier_id uuid not null,
  number text not null,
  primary key (org_id, bill_id)
);
create index bill_numbers_number on bill_numbers (org_id, number, partner_carrier_id);
call keep_apart('bill_numbers');
alter table bill_numbers add constraint bill_number_bill foreign key (org_id, bill_id) references bills on delete cascade;
grant select, insert, update, delete on bill_numbers to lading_app;

insert into bill_numbers (org_id, bill_id, partner_carrier_id, number)
select b.org_id, b.id, b.partner_carrier_id, carrier_number(b.reference_number) from bills b
where b.partner_carrier_id is not null and carrier_number(b.reference_number) is not null;

-- locks: carrier invoices came with the version before this one, so there are few.
alter table carrier_invoices add column number_key text generated always as (carrier_number(invoice_number)) stored;
create index carrier_invoices_number_key on carrier_invoices (org_id, number_key, partner_carrier_id);

-- The manifests that carrier invoices are matched with, the same as their manifest_ids.
create table carrier_invoice_manifests (
  org_id uuid not null,
  manifest_id uuid not null,
  carrier_invoice_id uuid not null,
  primary key (org_id, manifest_id, carrier_invoice_id)
);
create index carrier_invoice_manifests_invoice on carrier_invoice_manifests (org_id, carrier_invoice_id);
call keep_apart('carrier_invoice_manifests');
alter table carrier_invoice_manifests add constraint carrier_invoice_manifest_invoice
  foreign key (org_id, carrier_invoice_id) references carrier_invoices on delete cascade;
grant select, insert, update, delete on carrier_invoice_manifests to lading_app;
insert into carrier_invoice_manifests (org_id, manifest_id, carrier_invoice_id)
select distinct i.org_id, m.id, i.id from carrier_invoices i cross join unnest(i.manifest_ids) as m(id);

-- contracts for code before 0102_carrier_invoices.sql: row-level security keeps every server from using them, see above.
drop index carrier_invoices_number;
drop index carrier_invoices_manifests;
