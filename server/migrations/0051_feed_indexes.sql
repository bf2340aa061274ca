-- outside of a transaction
drop index concurrently if exists events_unpublished;
create index concurrently events_unpublished on events (org_id, id) where position is null;
drop index concurrently if exists events_position;
create unique index concurrently events_position on events (org_id, position) where position > 0;
