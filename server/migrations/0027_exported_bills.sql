-- outside of a transaction
-- What is not in the accounting package yet is looked for every night among all that is; in the order of creation, as searches are ordered.
drop index concurrently if exists bills_exported;
create index concurrently bills_exported on bills (org_id, qb_exported_at, created_at desc, id desc);
