-- How a payment was issued and what it said to pay, as it was then: the files of a run are made from this, whatever becomes of the payment and its bills. Both
-- are null for runs that were issued before. The columns are new and null, so nothing is rewritten.
alter table payment_run_payments add column method text, add column bill_references jsonb;
