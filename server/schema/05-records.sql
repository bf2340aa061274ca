-- The object model: definitions, objects, and the index that finds them.

-- The widgets of the built-in kinds; a test holds them against the kinds themselves.
create function default_widgets(object_key text) returns jsonb language sql immutable parallel safe as $$
  select case
    when object_key = 'customer' then '[{"key":"details","name":"Details","version":1},{"key":"contacts","name":"Contacts","version":1},{"key":"orders","name":"Orders","version":1},{"key":"history","name":"History","version":1}]'::jsonb
    when object_key = 'partner' then '[{"key":"details","name":"Details","version":1},{"key":"contacts","name":"Contacts","version":1},{"key":"bills","name":"Bills","version":1},{"key":"history","name":"History","version":1}]'::jsonb
    when object_key = 'order' then '[{"key":"details","name":"Details","version":1},{"key":"stops","name":"Stops","version":1},{"key":"manifests","name":"Manifests","version":1},{"key":"history","name":"History","version":1}]'::jsonb
    when object_key = 'quote' then '[{"key":"details","name":"Details","version":1},{"key":"history","name":"History","version":1}]'::jsonb
    when object_key = 'manifest' then '[{"key":"details","name":"Details","version":1},{"key":"legs","name":"Legs","version":1},{"key":"payments","name":"Payments","version":1},{"key":"history","name":"History","version":1}]'::jsonb
    else '[{"key":"details","name":"Details","version":1},{"key":"history","name":"History","version":1}]'::jsonb
  end
$$;

-- What an organization says of a kind: its own kinds whole, of the built-in ones what it adds. Whoever writes an object
-- holds this row with `for key share`, whoever changes the definition with `for update`: between looking at the objects
-- and changing what they must be, none slips in.
create table definitions (
  org_id uuid not null constraint definition_organization references organizations,
  object_key text not null constraint definition_key_is_sensible check (object_key ~ '^[a-z][A-Za-z0-9]{1,39}$'),
  prefix text not null constraint definition_prefix_is_sensible check (prefix ~ '^[A-Z][A-Z0-9]{0,9}$'),
  definition jsonb not null default '{}'
    constraint definition_is_an_object check (jsonb_typeof(definition) = 'object'),
  -- Fields that were removed: their values stay, and are not shown.
  hidden text[] not null default '{}',
  widgets jsonb,
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  widgets_wire text not null generated always as (((',"widgets":' || coalesce(widgets,
    default_widgets(object_key))::text) || ',"widgetToOpen":') || ((coalesce(widgets, default_widgets(object_key)) ->
    0)::text)) stored,
  primary key (org_id, object_key)
);
create unique index definition_prefix on definitions (org_id, prefix) where deleted_at is null;
call keep_apart('definitions');
grant select, insert, update on definitions to lading_app;

-- What clients sent under the names of the bill of a manifest or the invoice of an order is not shown: the view puts
-- what these are behind it.
create function wire_of_object(
  id uuid, object_key text, org_id uuid, source text, full_id text, name text, status text, map_markers jsonb,
  external_id text, created_at timestamptz, created_by uuid, updated_at timestamptz, updated_by uuid, version integer,
  content jsonb
) returns text language sql immutable parallel safe
begin atomic
  select left(row_to_json(wire)::text, -1) || case when own.fields = '{}' then '' else ',' || left(substr(own.fields::text, 2), -1) end
  from (
    select content - array['name', 'etaDelayNotifyEnabled', 'etaDelayNotifyLabel'] - case
      when object_key = 'manifest' then array['billId', 'billStatusId', 'billNumber']
      when object_key = 'order' then array['invoiceId', 'invoiceStatusId', 'invoiceNumber']
      else array[]::text[] end as fields
  ) own, (
    select id, object_key as "objectKey", org_id as "orgId", source, full_id as "fullId", name, status, map_markers as "mapMarkers", external_id as "externalId",
      wire_time(created_at) as "createdAt", created_by as "createdBy", wire_time(updated_at) as "updatedAt", updated_by as "updatedBy", version,
      coalesce((content ->> 'etaDelayNotifyEnabled')::boolean, false) as "etaDelayNotifyEnabled",
      coalesce(content ->> 'etaDelayNotifyLabel', 'ETA delay notification') as "etaDelayNotifyLabel"
  ) wire;
end;

-- Ids are made in the order of time and `created_at` is the time in the id, so the order of ids is the order of
-- creation.
create table objects (
  org_id uuid not null constraint object_organization references organizations,
  id uuid not null,
  object_key text not null,
  number integer not null,
  full_id text not null,
  external_id text constraint object_external_id_is_sensible check (length(external_id) between 1 and 255),
  name text not null,
  status text not null,
  source text not null constraint object_source_is_known check (source in ('api', 'manual', 'import', 'system')),
  "json" jsonb not null constraint object_json_is_an_object check (jsonb_typeof(json) = 'object'),
  map_markers jsonb not null default '[]',
  version integer not null default 1,
  created_at timestamptz(3) not null,
  created_by uuid not null,
  updated_at timestamptz(3) not null,
  updated_by uuid not null,
  deleted_at timestamptz(3),
  -- True or nothing: a reference carries it in its foreign key, so it can point to what is there and holds it there.
  live boolean generated always as (case when deleted_at is null then true end) stored,
  wire text not null generated always as (wire_of_object(id, object_key, org_id, source, full_id, name, status,
    map_markers, external_id, created_at, created_by, updated_at, updated_by, version, "json")) stored,
  primary key (org_id, id),
  constraint object_identity unique (org_id, id, object_key, live),
  constraint object_number unique (org_id, object_key, number),
  constraint object_kind foreign key (org_id, object_key) references definitions
);
create unique index object_external_id on objects (org_id, object_key, external_id) where deleted_at is null;
create index objects_order on objects (org_id, object_key, id) where deleted_at is null;
create index objects_status on objects (org_id, object_key, status, id) where deleted_at is null;
create index objects_source on objects (org_id, object_key, source, id) where deleted_at is null;
create index objects_updated on objects (org_id, object_key, updated_at, id) where deleted_at is null;
create index objects_created_by on objects (org_id, object_key, created_by, id) where deleted_at is null;
create index objects_updated_by on objects (org_id, object_key, updated_by, id) where deleted_at is null;
create index objects_version on objects (org_id, object_key, version, id) where deleted_at is null;
create index objects_status_updated on objects (org_id, object_key, status, updated_at, id) where deleted_at is null;
create index objects_deleted on objects (org_id, object_key, deleted_at, id) where deleted_at is not null;
call keep_apart('objects');
grant select, insert, update on objects to lading_app;
-- Without a condition on what is deleted: a carrier that is deleted stays as a row, and its people are refused where
-- they ask.
alter table users add constraint user_partner_carrier foreign key (org_id, partner_carrier_id) references objects;

-- Every value of every defined field of every live object, written with the object: the index behind any filter and any
-- order. Row-level security lets no index be used by an operator that is not known to keep secrets, which rules out
-- trigrams and PostgreSQL's own full text; comparisons of text, of doubles and of booleans are fine. An index holds no
-- more than the beginning of a text; a longer one stands whole beside it.
create table object_values (
  org_id uuid not null,
  object_id uuid not null,
  object_key text collate "C" not null,
  field text collate "C" not null,
  "position" integer not null,
  text_value text collate "C",
  folded_value text collate "C",
  long_text text collate "C",
  long_folded text collate "C",
  number_value double precision,
  flag_value boolean,
  -- A text that is not found by the pieces of its words: it has a word that is too long, or very many of them.
  unworded boolean not null default false,
  primary key (org_id, object_id, field, position),
  constraint object_value_object foreign key (org_id, object_id) references objects
);
create index object_values_text
  on object_values (org_id, object_key, field, text_value, object_id) include (folded_value)
  where text_value is not null;
create index object_values_long on object_values (org_id, object_key, field, object_id) where long_text is not null;
create index object_values_number
  on object_values (org_id, object_key, field, number_value, object_id) where number_value is not null;
create index object_values_flag
  on object_values (org_id, object_key, field, flag_value, object_id) where flag_value is not null;
create index object_values_unworded on object_values (org_id, object_key, field, object_id) where unworded;
call keep_apart('object_values');
grant select, insert, update, delete on object_values to lading_app;

-- The words of an object's texts, folded: what is looked for by the beginnings of words.
create table object_words (
  org_id uuid not null,
  object_key text collate "C" not null,
  word text collate "C" not null,
  object_id uuid not null,
  primary key (org_id, object_key, word, object_id),
  constraint object_word_object foreign key (org_id, object_id) references objects
);
call keep_apart('object_words');
grant select, insert, delete on object_words to lading_app;

-- What lets a piece of a word be found: every beginning but the word's own, as far as 24 letters, of at least three. A
-- word has its ends once, whichever object brought it first, so an ordinary write adds few. Two who bring a word at
-- once both write it (the object in the key keeps them from waiting for each other), and once there it stays: what is
-- found by it is looked at anyway. No foreign key, for nothing reads the object.
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

create table object_references (
  org_id uuid not null,
  from_id uuid not null,
  field text not null,
  "position" integer not null,
  to_id uuid not null,
  to_key text not null,
  to_live boolean not null default true constraint object_reference_is_to_a_live_one check (to_live),
  primary key (org_id, from_id, field, position),
  constraint object_reference_source foreign key (org_id, from_id) references objects,
  constraint object_reference_target
    foreign key (org_id, to_id, to_key, to_live) references objects (org_id, id, object_key, live)
);
create index object_references_target on object_references (org_id, to_id, to_key);
call keep_apart('object_references');
grant select, insert, update, delete on object_references to lading_app;

-- A value is kept as its hash: texts can be longer than a key may be.
create table object_unique_values (
  org_id uuid not null,
  object_key text not null,
  field text not null,
  sha256 bytea not null constraint unique_value_is_hashed check (length(sha256) = 32),
  object_id uuid not null,
  constraint object_unique_value primary key (org_id, object_key, field, sha256),
  constraint object_unique_value_object foreign key (org_id, object_id) references objects
);
create index object_unique_values_object on object_unique_values (org_id, object_id);
call keep_apart('object_unique_values');
grant select, insert, update, delete on object_unique_values to lading_app;

-- The kinds whose objects have to be taken apart anew, because how a text is folded and parted into words is known to
-- the program alone. The program does it after the schema is up to date and before it serves. `after_id` is how far it
-- has come.
create table object_renewals (
  org_id uuid not null,
  object_key text not null,
  after_id uuid not null default '00000000-0000-0000-0000-000000000000',
  primary key (org_id, object_key),
  constraint object_renewal_kind foreign key (org_id, object_key) references definitions
);
call keep_apart('object_renewals');
-- The owner of the schema looks for what is to be done, and does it in the name of each organization.
create policy listed_by_owner on object_renewals for select to current_user using (true);
grant select, insert, update, delete on object_renewals to lading_app;

-- Saved views of a kind of object, shared in the organization. What they say is held against the definition of the kind
-- when they are written and again when they are run: a definition may change meanwhile, and takes no notice of boards.
create table boards (
  org_id uuid not null constraint board_organization references organizations,
  id uuid not null,
  object_key text not null,
  name text not null constraint board_name_is_sensible check (length(name) between 1 and 255),
  description text constraint board_description_is_sensible check (length(description) <= 5000),
  filter jsonb constraint board_filter_is_an_object check (jsonb_typeof(filter) = 'object'),
  columns text[] not null default '{}',
  sort text,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  created_by uuid not null,
  updated_at timestamptz(3) not null,
  updated_by uuid not null,
  primary key (org_id, id)
);
create index boards_kind on boards (org_id, object_key, id);
call keep_apart('boards');
grant select, insert, update, delete on boards to lading_app;

create view boards_wire with (security_invoker = true) as
select b.org_id, b.id, b.object_key, b.version as revision, row_to_json(wire)::text as json
from boards b
cross join lateral (
  select b.id, b.org_id as "orgId", b.name, b.description, b.object_key as "objectKey", b.filter, b.columns, b.sort, b.version,
    wire_time(b.created_at) as "createdAt", b.created_by as "createdBy", wire_time(b.updated_at) as "updatedAt", b.updated_by as "updatedBy"
) wire;
grant select on boards_wire to lading_app;

-- The moment that a date-time of an object means, null for what is none: objects keep the text as it was sent, and some
-- have offsets and fractions that PostgreSQL cannot read. A cast would fail the whole statement for one of them, and
-- asking first (pg_input_is_valid) needs PostgreSQL 16. Stable, as the cast is: so it is put into the statements that
-- use it.
create function moment_of(written text) returns timestamptz language sql stable parallel safe as $$
  select case when written ~ '^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-](0\d|1[0-5]):[0-5]\d)$'
    then case when substr(written, 9, 2)::int <= extract(day from make_date(left(written, 4)::int, substr(written, 6, 2)::int, 1) + interval '1 month - 1 day')
      then written::timestamptz end end
$$;

-- Longer words are no words: their texts are marked, and looked at one by one.
create function word_ends(word text) returns setof text language sql immutable parallel safe as
$$ select substr(word, place, 24) from generate_series(2, length(word) - 2) as place where length(word) <= 40 $$;
