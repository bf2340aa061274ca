-- The moment that a date-time of an object means, null for what is none: objects keep the text as it was sent, and older servers took offsets and fractions
-- that PostgreSQL cannot read. A cast would fail the whole statement for one of them, and asking first (pg_input_is_valid) needs PostgreSQL 16.
-- Stable, as the cast is: so it is put into the statements that use it.
create function moment_of(written text) returns timestamptz language sql stable parallel safe as $$
  select case when written ~ '^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-](0\d|1[0-5]):[0-5]\d)$'
    then case when substr(written, 9, 2)::int <= extract(day from make_date(left(written, 4)::int, substr(written, 6, 2)::int, 1) + interval '1 month - 1 day')
      then written::timestamptz end end
$$;
