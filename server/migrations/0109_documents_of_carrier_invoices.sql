-- Documents of a carrier invoice end with it. The column is there since 0085; the table that it refers to came after.
alter table document_links add constraint document_link_carrier_invoice foreign key (org_id, carrier_invoice_id) references carrier_invoices on delete cascade not valid;
