-- outside of a transaction
drop index concurrently if exists events_request;
create index concurrently events_request on events (org_id, request_id) where request_id is not null;
