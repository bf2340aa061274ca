-- outside of a transaction
-- The bill of a carrier's invoice pays for all manifests of the invoice. Each of them is still billed once, by the primary key.
drop index concurrently if exists manifest_bills_of_a_bill;
create index concurrently manifest_bills_of_a_bill on manifest_bills (org_id, bill_id);
drop index concurrently if exists manifest_bills_bill;
