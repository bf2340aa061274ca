-- What a customer will not pay any more is written off by a credit of its own, which is applied to the invoice. This says which credits are such.
create table write_offs (
  org_id uuid not null,
  credit_id uuid not null,
  invoice_id uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, credit_id)
);
create index write_offs_invoice on write_offs (org_id, invoice_id);
call keep_apart('write_offs');
alter table write_offs add constraint write_off_organization foreign key (org_id) references organizations;
alter table write_offs add constraint write_off_credit foreign key (org_id, credit_id) references credits;
alter table write_offs add constraint write_off_invoice foreign key (org_id, invoice_id) references invoices;
grant select, insert on write_offs to lading_app;
