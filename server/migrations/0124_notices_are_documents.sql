-- The notice of an assignment is a document that is there. Rows from before may name any id: they are checked when they change.
alter table payees add constraint payee_notice_document foreign key (org_id, notice_document_id) references document_files not valid;
-- The background work keeps documents that payees name, in all organizations.
create policy listed_by_owner on payees for select to current_user using (true);
create policy listed_by_owner on payee_changes for select to current_user using (true);
