-- What lets a piece of a word be found: every beginning but the word's own, as far as 24 letters, of at least three. A word has its ends once,
-- whichever object brought it first, so an ordinary write adds few. Two who bring a word at once both write it (the object in the key keeps them
-- from waiting for each other), and once there it stays: what is found by it is looked at anyway. No foreign key, for nothing reads the object.
create table object_word_ends (
  org_id uuid not null,
  object_key text collate "C" not null,
  ending text collate "C" not null,
  word text collate "C" not null,
  object_id uuid not null,
  primary key (org_id, object_key, ending, word, object_id)
);
call keep_apart('object_word_ends');
grant select, insert on object_word_ends to lading_app;

-- Longer words are no words: their texts are marked, and looked at one by one.
create function word_ends(word text) returns setof text language sql immutable parallel safe as
$$ select substr(word, place, 24) from generate_series(2, length(word) - 2) as place where length(word) <= 40 $$;

-- A text that is not found by the pieces of its words: it has a word that is too long, or very many of them.
alter table object_values add column unworded boolean not null default false;
create index object_values_unworded on object_values (org_id, object_key, field, object_id) where unworded;

create index objects_version on objects (org_id, object_key, version, id) where deleted_at is null;
create index objects_status_updated on objects (org_id, object_key, status, updated_at, id) where deleted_at is null;
create index objects_deleted on objects (org_id, object_key, deleted_at, id) where deleted_at is not null;

-- The objects that are there already: the ends of their words, and how many were last changed when. Nobody writes one meanwhile.
lock table objects in share row exclusive mode;
do $$
declare o record;
begin
  for o in select org_id from organizations loop
    perform set_config('app.org_id', o.org_id::text, true);
    update object_values set unworded = true where org_id = o.org_id and length(folded_value) > 40 and (
      length(coalesce(long_folded, folded_value)) > 10000 or coalesce(long_folded, folded_value) ~ '[^ -/:-@\[-`{-~]{41}');
    insert into object_word_ends (org_id, object_key, ending, word, object_id)
    select o.org_id, object_key, ending, word, object_id
    from (select distinct on (object_key, word) object_key, word, object_id from object_words where org_id = o.org_id) as known cross join word_ends(word) as ending
    on conflict do nothing;
    insert into tallies (org_id, tally, level, bucket, label, n)
    with seconds as (
      select 'object:' || object_key || '.updated_at' as tally, date_trunc('hour', updated_at, 'UTC') as hour, date_trunc('second', updated_at, 'UTC') as second, status as label, count(*) as n
      from objects where org_id = o.org_id and deleted_at is null group by 1, 2, 3, 4
    ), hours as (
      select tally, hour, label, sum(n) as n, sum(sum(n)) over (partition by tally, hour) > 2000 as dense from seconds group by tally, hour, label
    )
    select o.org_id, tally, level, bucket, label, sum(n) from hours
    cross join lateral (values (0, '-infinity'), (1, date_trunc('month', hour, 'UTC')), (2, date_trunc('day', hour, 'UTC')), (3, hour)) as within(level, bucket)
    group by tally, level, bucket, label
    union all
    select o.org_id, s.tally, level, bucket, s.label, sum(s.n) from seconds s join hours h on h.tally = s.tally and h.hour = s.hour and h.label = s.label and h.dense
    cross join lateral (values (4, date_trunc('minute', s.second, 'UTC')), (5, s.second)) as within(level, bucket)
    group by s.tally, level, bucket, s.label;
  end loop;
  perform set_config('app.org_id', '', true);
end $$;
