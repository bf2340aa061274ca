-- outside of a transaction
-- Whether a line carries a tax rate is asked before the rate changes or goes.
drop index concurrently if exists bill_items_tax_rate;
create index concurrently bill_items_tax_rate on bill_items (org_id, tax_rate_id) where tax_rate_id is not null;
drop index concurrently if exists invoice_items_tax_rate;
create index concurrently invoice_items_tax_rate on invoice_items (org_id, tax_rate_id) where tax_rate_id is not null;
drop index concurrently if exists credit_items_tax_rate;
create index concurrently credit_items_tax_rate on credit_items (org_id, tax_rate_id) where tax_rate_id is not null;
-- Documents without a rate to the home currency, in the order of searches.
drop index concurrently if exists bills_missing_rate;
create index concurrently bills_missing_rate on bills (org_id, created_at desc, id desc) where exchange_rate is null and status_id <> 'draft' and voided_at is null;
drop index concurrently if exists invoices_missing_rate;
create index concurrently invoices_missing_rate on invoices (org_id, created_at desc, id desc) where exchange_rate is null and status_id <> 'draft' and voided_at is null;
drop index concurrently if exists credits_missing_rate;
create index concurrently credits_missing_rate on credits (org_id, created_at desc, id desc) where exchange_rate is null and status_id <> 'draft' and voided_at is null;
