-- outside of a transaction
drop index concurrently if exists allocations_of_runs;
create index concurrently allocations_of_runs on allocations (org_id, payment_run_id) where payment_run_id is not null;
drop index concurrently if exists credits_open_of_partner;
create index concurrently credits_open_of_partner on credits (org_id, partner_carrier_id) where status_id in ('saved', 'sent', 'edited');
