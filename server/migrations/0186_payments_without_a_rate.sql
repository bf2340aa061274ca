-- outside of a transaction
-- Payments without a rate to the home currency, in the order of searches.
drop index concurrently if exists payments_missing_rate;
create index concurrently payments_missing_rate on payments (org_id, created_at desc, id desc) where exchange_rate is null and status in ('issued', 'cleared');
