-- A voided document keeps its number and its content. What has no number is deleted instead, what is paid has payments that stand against it, and what is
-- on a statement is taken off first. `not valid` spares a reading of the whole table: nothing could be voided before. One constraint in each statement, as
-- Citus wants it.
alter table bills add constraint bill_voided_has_a_number check (voided_at is null or number is not null) not valid;
alter table bills add constraint bill_voided_is_not_paid check (voided_at is null or status_id <> 'paid') not valid;
alter table bills add constraint bill_voided_is_on_no_statement check (voided_at is null or consolidated_bill_id is null) not valid;
alter table invoices add constraint invoice_voided_has_a_number check (voided_at is null or number is not null) not valid;
alter table invoices add constraint invoice_voided_is_not_paid check (voided_at is null or status_id <> 'paid') not valid;
alter table credits add constraint credit_voided_has_a_number check (voided_at is null or number is not null) not valid;
alter table credits add constraint credit_voided_is_not_paid check (voided_at is null or status_id <> 'paid') not valid;
