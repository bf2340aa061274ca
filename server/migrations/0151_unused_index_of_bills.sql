-- outside of a transaction
-- contracts for code before 0101_indexes_of_duplicates.sql: row-level security keeps every server from using it, see 0150.
drop index concurrently if exists bills_carrier_number;
