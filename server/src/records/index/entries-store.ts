import type { Context } from '../../platform/context.ts'
import { type Statement, sql, when } from '../../platform/db/sql/sql.ts'
import type { ContentRow } from '../model/object.ts'
import type { NewEntries, RemovedEntries } from './changes.ts'
import { insertWordEnds } from './word-ends-sql.ts'

/** Returns how many unique values were not inserted because another object has them already; then nothing of the write may stay. */
export async function insertLot(ctx: Context, objects: readonly NewEntries[]): Promise<number> {
  const rows = objects.map(({ id, object_key, words, values, references, uniqueValues }) => ({
    id,
    object_key,
    words,
    values,
    references,
    unique_values: uniqueValues,
  }))
  const words = sql`select o.object_key, word, o.id as object_id from o cross join unnest(o.words) as word`
  const inserted = await ctx.run(sql`
      with o as materialized (
        select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as o(id uuid, object_key text, words text[], values jsonb, "references" jsonb, unique_values jsonb)
      ), inserted_values as (
        insert into object_values (org_id, object_id, object_key, field, position, text_value, folded_value, long_text, long_folded, number_value, flag_value, unworded)
        select own.org_id, o.id, o.object_key, v.field, v.position, v.text, v.folded, v.long, v.long_folded, v.number, v.flag, coalesce(v.unworded, false)
        from organizations own cross join o cross join jsonb_to_recordset(o.values)
          as v(field text, position int, text text, folded text, long text, long_folded text, number double precision, flag boolean, unworded boolean)
        where own.org_id = ${ctx.org}
      ), inserted_words as (
        insert into object_words (org_id, object_key, word, object_id)
        select own.org_id, object_key, word, object_id from organizations own cross join (${words}) as w where own.org_id = ${ctx.org} on conflict do nothing
      ), inserted_word_ends as (
        ${insertWordEnds(ctx.org, words)}
      ), inserted_references as (
        insert into object_references (org_id, from_id, field, position, to_id, to_key)
        select own.org_id, o.id, r.field, r.position, r.to_id, r.to_key
        from organizations own cross join o cross join jsonb_to_recordset(o."references") as r(field text, position int, to_id uuid, to_key text)
        where own.org_id = ${ctx.org} order by r.to_id
      ), inserted_unique_values as (
        insert into object_unique_values as t (org_id, object_key, field, sha256, object_id)
        select own.org_id, o.object_key, u.field, decode(u.sha256, 'hex'), o.id
        from organizations own cross join o cross join jsonb_to_recordset(o.unique_values) as u(field text, sha256 text)
        where own.org_id = ${ctx.org} order by o.object_key, u.field, u.sha256 on conflict on constraint object_unique_value do nothing returning t.field
      )
      select field from inserted_unique_values`)
  return objects.reduce((count, { uniqueValues }) => count + uniqueValues.length, 0) - inserted.length
}

type Field = { object_id: string; field: string }

/** Of many objects in one statement. */
export async function deleteEntriesOfMany(
  ctx: Context,
  objects: readonly { id: string; object_key: string; removed: RemovedEntries }[],
): Promise<void> {
  const fields = (part: 'values' | 'references' | 'uniqueValues') =>
    objects.flatMap(({ id, removed }): Field[] => removed[part].map((field) => ({ object_id: id, field })))
  const words = objects.flatMap(({ id, object_key, removed }) =>
    removed.words.map((word) => ({ object_id: id, object_key, word })),
  )
  await ctx.run(sql`
    with removed_values as (delete from object_values v using ${fieldsIn(fields('values'))} where v.org_id = ${ctx.org} and v.object_id = r.object_id and v.field = r.field),
      removed_words as (${deleteWords(ctx, words)}),
      removed_references as (delete from object_references l using ${fieldsIn(fields('references'))} where l.org_id = ${ctx.org} and l.from_id = r.object_id and l.field = r.field)
    delete from object_unique_values u using ${fieldsIn(fields('uniqueValues'))} where u.org_id = ${ctx.org} and u.object_id = r.object_id and u.field = r.field`)
}

function fieldsIn(fields: readonly Field[]): Statement {
  return sql`jsonb_to_recordset(${JSON.stringify(fields)}::text::jsonb) as r(object_id uuid, field text)`
}

type Word = { object_id: string; object_key: string; word: string }

function deleteWords({ org }: Context, words: readonly Word[]): Statement {
  return sql`
    delete from object_words w using jsonb_to_recordset(${JSON.stringify(words)}::text::jsonb) as r(object_id uuid, object_key text, word text)
    where w.org_id = ${org} and w.object_key = r.object_key and w.word = r.word and w.object_id = r.object_id`
}

/**
 * Of one object, in the given fields, or in all where none are given. Not the statement for many: PostgreSQL cannot know that a list of one object is
 * short, and might read a table through for it.
 */
export async function deleteEntries(
  ctx: Context,
  { id, object_key }: { id: string; object_key: string },
  { values, references, uniqueValues, words }: Partial<Omit<RemovedEntries, 'words'>> & { words: readonly string[] },
): Promise<void> {
  const within = (fields: readonly string[] | undefined) => when(fields, sql`and field = any (${fields}::text[])`)
  await ctx.run(sql`
    with removed_values as (delete from object_values where org_id = ${ctx.org} and object_id = ${id} ${within(values)}),
      removed_references as (delete from object_references where org_id = ${ctx.org} and from_id = ${id} ${within(references)}),
      removed_unique_values as (delete from object_unique_values where org_id = ${ctx.org} and object_id = ${id} ${within(uniqueValues)})
    delete from object_words where org_id = ${ctx.org} and object_key = ${object_key} and word = any (${words}::text[]) and object_id = ${id}`)
}

/** All entries of these objects; words are named, because no index leads from an object to its words. */
export async function deleteAllEntries(
  ctx: Context,
  objects: readonly { id: string; object_key: string; words: readonly string[] }[],
): Promise<void> {
  const ids = objects.map(({ id }) => id)
  const words = objects.flatMap(({ id, object_key, words }) =>
    words.map((word) => ({ object_id: id, object_key, word })),
  )
  await ctx.run(sql`
    with removed_values as (delete from object_values where org_id = ${ctx.org} and object_id = any (${ids}::uuid[])),
      removed_words as (${deleteWords(ctx, words)}),
      removed_references as (delete from object_references where org_id = ${ctx.org} and from_id = any (${ids}::uuid[]))
    delete from object_unique_values where org_id = ${ctx.org} and object_id = any (${ids}::uuid[])`)
}

/** An object with its index entries as they are stored, each as a text that can be compared. */
export type IndexedObject = ContentRow & {
  id: string
  values: string[]
  words: string[]
  references: string[]
  unique_values: string[]
}

/** Words are not in the order of objects, so for each page those of the whole kind are read: few pages, but no larger than memory likes. */
const pageSize = 5000
const pageBytes = 32 * 1024 * 1024

/** The live objects of a kind after one of them, as many as make a page; in one statement, so that none is seen half changed. */
export function listIndexedObjects(ctx: Context, objectKey: string, after: string): Promise<IndexedObject[]> {
  return ctx.run<IndexedObject>(sql`
    with next as (
      select id, octet_length(wire) as bytes from objects where org_id = ${ctx.org} and object_key = ${objectKey} and deleted_at is null and id > ${after}::uuid order by id limit ${pageSize}
    ), page as materialized (
      select id from (select id, bytes, sum(bytes) over (order by id) as upto from next) as sized where upto - bytes < ${pageBytes}
    ), words as (
      select object_id, array_agg(word::text) as words from object_words
      where org_id = ${ctx.org} and object_key = ${objectKey} and object_id = any (array(select id from page)) group by object_id
    )
    select o.id, o.full_id, o.json, o.name, o.status, o.external_id, coalesce(w.words, '{}') as words,
      array(select jsonb_build_array(field, position, text_value, folded_value, long_text, long_folded, number_value, flag_value, unworded)::text from object_values v where v.org_id = ${ctx.org} and v.object_id = o.id) as values,
      array(select field || ' ' || position || ' ' || to_id || ' ' || to_key from object_references r where r.org_id = ${ctx.org} and r.from_id = o.id) as references,
      array(select field || ' ' || encode(sha256, 'hex') from object_unique_values u where u.org_id = ${ctx.org} and u.object_id = o.id) as unique_values
    from page join objects o on o.org_id = ${ctx.org} and o.id = page.id left join words w on w.object_id = o.id order by o.id`)
}
