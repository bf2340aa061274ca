-- From this position of the feed on, every event that a webhook asks for has its delivery: where it was made or enabled, or its types were changed.
-- Null until the webhook moves on for the first time.
alter table webhooks add column complete_after bigint;
