-- outside of a transaction
-- The bills that wait for approval: few of all.
drop index concurrently if exists bills_waiting;
create index concurrently bills_waiting on bills (org_id, approval_requested_at) where approval_status = 'pending';
