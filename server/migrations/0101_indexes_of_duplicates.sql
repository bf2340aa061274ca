-- outside of a transaction
-- By the number first: a factoring company sends the same number as the carrier.
drop index concurrently if exists bills_carrier_number;
create index concurrently bills_carrier_number on bills (org_id, carrier_number(reference_number), partner_carrier_id) where reference_number is not null and voided_at is null;
drop index concurrently if exists bills_carrier_amount;
create index concurrently bills_carrier_amount on bills (org_id, partner_carrier_id, total_amount) where voided_at is null;
drop index concurrently if exists bills_held_number;
create unique index concurrently bills_held_number on bills (org_id, held_number) where held_number is not null and voided_at is null;
