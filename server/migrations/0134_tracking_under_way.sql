-- outside of a transaction
-- The manifests that are under way, for the routing service, however many have arrived.
drop index concurrently if exists tracking_under_way;
create index concurrently tracking_under_way on tracking (org_id, routed_at) where next_stop_id is not null;
