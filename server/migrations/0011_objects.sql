-- Objects of many kinds, described by data.

-- What an organization says of a kind: its own kinds whole, of the built-in ones what it adds. Whoever writes an object holds this row with
-- `for key share`, whoever changes the definition with `for update`: between looking at the objects and changing what they must be, none slips in.
create table definitions (
  org_id uuid not null constraint definition_organization references organizations,
  object_key text not null constraint definition_key_is_sensible check (object_key ~ '^[a-z][A-Za-z0-9]{1,39}$'),
  prefix text not null constraint definition_prefix_is_sensible check (prefix ~ '^[A-Z][A-Z0-9]{0,9}$'),
  definition jsonb not null default '{}' constraint definition_is_an_object check (jsonb_typeof(definition) = 'object'),
  -- Fields that were removed: their values stay, and are not shown.
  hidden text[] not null default '{}',
  widgets jsonb,
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (org_id, object_key)
);
create unique index definition_prefix on definitions (org_id, prefix) where deleted_at is null;
call keep_apart('definitions');
grant select, insert, update on definitions to lading_app;

-- Ids are made in the order of time and `created_at` is the time in the id, so the order of ids is the order of creation.
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
  json jsonb not null constraint object_json_is_an_object check (jsonb_typeof(json) = 'object'),
  map_markers jsonb not null default '[]',
  version integer not null default 1,
  created_at timestamptz(3) not null,
  created_by uuid not null,
  updated_at timestamptz(3) not null,
  updated_by uuid not null,
  deleted_at timestamptz(3),
  -- True or nothing: a reference carries it in its foreign key, so it can point to what is there and holds it there.
  live boolean generated always as (case when deleted_at is null then true end) stored,
  primary key (org_id, id),
  constraint object_identity unique (org_id, id, object_key, live),
  constraint object_kind foreign key (org_id, object_key) references definitions,
  constraint object_number unique (org_id, object_key, number)
);
create unique index object_external_id on objects (org_id, object_key, external_id) where deleted_at is null;
create index objects_order on objects (org_id, object_key, id) where deleted_at is null;
create index objects_status on objects (org_id, object_key, status, id) where deleted_at is null;
create index objects_source on objects (org_id, object_key, source, id) where deleted_at is null;
create index objects_updated on objects (org_id, object_key, updated_at, id) where deleted_at is null;
create index objects_created_by on objects (org_id, object_key, created_by, id) where deleted_at is null;
create index objects_updated_by on objects (org_id, object_key, updated_by, id) where deleted_at is null;
call keep_apart('objects');
grant select, insert, update on objects to lading_app;

-- Every value of every defined field of every live object, written with the object: the index behind any filter and any order. Row-level security
-- lets no index be used by an operator that is not known to keep secrets, which rules out trigrams and PostgreSQL's own full text; comparisons of
-- text, of doubles and of booleans are fine. An index holds no more than the beginning of a text; a longer one stands whole beside it.
create table object_values (
  org_id uuid not null,
  object_id uuid not null,
  object_key text collate "C" not null,
  field text collate "C" not null,
  position integer not null,
  text_value text collate "C",
  folded_value text collate "C",
  long_text text collate "C",
  long_folded text collate "C",
  number_value double precision,
  flag_value boolean,
  primary key (org_id, object_id, field, position),
  constraint object_value_object foreign key (org_id, object_id) references objects
);
create index object_values_text on object_values (org_id, object_key, field, text_value, object_id) include (folded_value) where text_value is not null;
create index object_values_long on object_values (org_id, object_key, field, object_id) where long_text is not null;
create index object_values_number on object_values (org_id, object_key, field, number_value, object_id) where number_value is not null;
create index object_values_flag on object_values (org_id, object_key, field, flag_value, object_id) where flag_value is not null;
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

create table object_references (
  org_id uuid not null,
  from_id uuid not null,
  field text not null,
  position integer not null,
  to_id uuid not null,
  to_key text not null,
  to_live boolean not null default true constraint object_reference_is_to_a_live_one check (to_live),
  primary key (org_id, from_id, field, position),
  constraint object_reference_source foreign key (org_id, from_id) references objects,
  constraint object_reference_target foreign key (org_id, to_id, to_key, to_live) references objects (org_id, id, object_key, live)
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

-- Kinds that an organization defines may have digits in their names, and with them their events.
alter table events drop constraint event_type_is_noun_verb;
alter table events add constraint event_type_is_noun_verb check (type ~ '^[a-z][a-z0-9_]*\.[a-z_]+$');

-- The widgets of the built-in kinds; a test holds them against the kinds themselves.
create function default_widgets(object_key text) returns jsonb language sql immutable parallel safe as $$
  select case object_key
    when 'customer' then '[{"key":"details","name":"Details","version":1},{"key":"contacts","name":"Contacts","version":1},{"key":"orders","name":"Orders","version":1},{"key":"history","name":"History","version":1}]'::jsonb
    when 'partner' then '[{"key":"details","name":"Details","version":1},{"key":"contacts","name":"Contacts","version":1},{"key":"bills","name":"Bills","version":1},{"key":"history","name":"History","version":1}]'::jsonb
    when 'order' then '[{"key":"details","name":"Details","version":1},{"key":"stops","name":"Stops","version":1},{"key":"manifests","name":"Manifests","version":1},{"key":"history","name":"History","version":1}]'::jsonb
    when 'quote' then '[{"key":"details","name":"Details","version":1},{"key":"history","name":"History","version":1}]'::jsonb
    when 'manifest' then '[{"key":"details","name":"Details","version":1},{"key":"legs","name":"Legs","version":1},{"key":"payments","name":"Payments","version":1},{"key":"history","name":"History","version":1}]'::jsonb
    else '[{"key":"details","name":"Details","version":1},{"key":"history","name":"History","version":1}]'::jsonb
  end
$$;

create view objects_wire with (security_invoker = true) as
select o.org_id, o.id, o.object_key, o.version as revision, o.deleted_at,
  left(row_to_json(wire)::text, -1) || case when own.fields = '{}' then '}' else ',' || substr(own.fields::text, 2) end as json
from objects o
join definitions d on d.org_id = o.org_id and d.object_key = o.object_key
cross join lateral (select coalesce(d.widgets, default_widgets(o.object_key)) as widgets) kind
cross join lateral (select o.json - d.hidden - array['name', 'etaDelayNotifyEnabled', 'etaDelayNotifyLabel'] as fields) own
cross join lateral (
  select o.id, o.object_key as "objectKey", o.org_id as "orgId", o.source, kind.widgets, kind.widgets -> 0 as "widgetToOpen", o.full_id as "fullId", o.name, o.status,
    case when o.map_markers = '[]' or d.hidden = '{}' then o.map_markers else (
      select coalesce(jsonb_agg(m), '[]') from jsonb_array_elements(o.map_markers) as m where split_part(m ->> 'id', '.', 1) <> all (d.hidden)) end as "mapMarkers",
    o.external_id as "externalId", wire_time(o.created_at) as "createdAt", o.created_by as "createdBy", wire_time(o.updated_at) as "updatedAt", o.updated_by as "updatedBy",
    o.version, coalesce((o.json ->> 'etaDelayNotifyEnabled')::boolean, false) as "etaDelayNotifyEnabled",
    coalesce(o.json ->> 'etaDelayNotifyLabel', 'ETA delay notification') as "etaDelayNotifyLabel"
) wire;
grant select on objects_wire to lading_app;
