-- outside of a transaction
-- What was changed since a moment, on the lists that can be long.
drop index concurrently if exists payments_updated;
create index concurrently payments_updated on payments (org_id, updated_at);
drop index concurrently if exists carrier_invoices_updated;
create index concurrently carrier_invoices_updated on carrier_invoices (org_id, updated_at);
drop index concurrently if exists document_files_updated;
create index concurrently document_files_updated on document_files (org_id, updated_at);
drop index concurrently if exists mails_updated;
create index concurrently mails_updated on mails (org_id, updated_at);
drop index concurrently if exists consolidated_bills_updated;
create index concurrently consolidated_bills_updated on consolidated_bills (org_id, updated_at);
drop index concurrently if exists tenders_updated;
create index concurrently tenders_updated on tenders (org_id, updated_at);
drop index concurrently if exists emanifests_updated;
create index concurrently emanifests_updated on emanifests (org_id, updated_at);
drop index concurrently if exists bill_questions_updated;
create index concurrently bill_questions_updated on bill_questions (org_id, updated_at);
drop index concurrently if exists payees_updated;
create index concurrently payees_updated on payees (org_id, updated_at);
drop index concurrently if exists portal_links_updated;
create index concurrently portal_links_updated on portal_links (org_id, updated_at);
