-- The number of a carrier's invoice in the form in which two are compared: without spaces and punctuation, upper and lower case the same, without a
-- leading "invoice" or "no", the letters O, I and L as the digits they are mistaken for, no leading zeros. An index is made of it, so it never changes:
-- another form is another function. billing/bills/duplicates/numbers.ts has the same in TypeScript.
create function carrier_number(number text) returns text language sql immutable strict parallel safe as $$
  select nullif(regexp_replace(translate(
    regexp_replace(
      regexp_replace(translate(number, 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'), '[^0-9A-Z\u00c0-\u1fff\u2c00-\uffff]+', '', 'g'),
      '^(INVOICE|INV|NUMBER|NUM|NO|NR)+(?=[0-9])', ''),
    'OIL', '011'), '(^|[^0-9])0+(?=[0-9])', '\1', 'g'), '')
$$;

-- The carrier and the number of a bill that no other bill may have: set where the organization refuses duplicates and nobody allowed this one.
alter table bills add column held_number text;

alter table organizations add column duplicates text not null default 'warn';
alter table organizations add constraint organization_duplicates check (duplicates in ('off', 'warn', 'refuse')) not valid;

create or replace view organizations_wire with (security_invoker = true) as
select o.org_id, o.revision, row_to_json(wire)::text as json
from organizations o
cross join lateral (
  select o.org_id as id, o.name, wire_address(o.address) as address, o.home_currency_id, o.time_zone, o.require_exchange_rate, o.require_send_address,
    o.duplicates, o.revision, wire_time(o.created_at) as created_at, wire_time(o.updated_at) as updated_at
) wire;
