-- outside of a transaction
drop index concurrently if exists payees_by_notice;
create index concurrently payees_by_notice on payees (org_id, notice_document_id) where notice_document_id is not null;
