-- outside of a transaction
-- An allocation names the document in its currency and of its payee, so that neither can change under it.
drop index concurrently if exists bills_identity;
create unique index concurrently bills_identity on bills (org_id, id, currency_id, payee_id);
drop index concurrently if exists invoices_identity;
create unique index concurrently invoices_identity on invoices (org_id, id, currency_id, party_id);
drop index concurrently if exists credits_identity;
create unique index concurrently credits_identity on credits (org_id, id, currency_id, party_id);
-- Paid before payments were recorded: the bills that have no payment yet.
drop index concurrently if exists bills_without_payment;
create index concurrently bills_without_payment on bills (org_id, id) where status_id = 'paid' and unpaid_status_id is null;
