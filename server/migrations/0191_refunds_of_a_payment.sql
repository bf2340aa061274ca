-- outside of a transaction
-- The refunds of a payment.
drop index concurrently if exists payments_refunds;
create index concurrently payments_refunds on payments (org_id, refund_of_id) where refund_of_id is not null;
