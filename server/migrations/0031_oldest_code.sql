-- Code from before a migration goes on serving beside code that knows it, unless the migration takes away what the older code needs. Then this is
-- the migration that the oldest code which can still serve knows (docs/decisions/0037-upgrades.md); null: older code can serve.
alter table schema_migrations add column oldest_code text;
