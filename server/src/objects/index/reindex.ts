import type { Context } from '../../context.ts'
import { conflict } from '../../core/refusal.ts'
import { sql } from '../../db/sql.ts'
import type { Definition, Field } from '../kinds/kind.ts'
import type { Fields } from '../model/apply.ts'
import { checkField } from '../model/check.ts'
import { changed, type Leaves, leavesOf, named } from './entries.ts'
import { insertWordEnds } from './word-ends-sql.ts'

type Stored = { id: string; full_id: string; json: Fields; name: string; status: string; external_id: string | null }
type Changed = { fields: Field[]; removed: Field[]; currencies: ReadonlySet<string> }

const pageSize = 500

/**
 * Walks through the objects that have a value in one of these fields, refuses if any does not fit, and brings what stands beside them in line. The
 * caller holds the definition, so none of them changes meanwhile.
 */
export async function reindex(ctx: Context, before: Definition, after: Definition, { fields, removed, currencies }: Changed): Promise<void> {
  const keys = [...fields, ...removed].map(({ key }) => key)
  if (keys.length === 0) return
  const misfits = new Map<string, number>()
  let twins = 0
  for (
    let page = await objectsWith(ctx, before.objectKey, keys, null);
    page.length > 0;
    page = await objectsWith(ctx, before.objectKey, keys, page.at(-1)?.id as string)
  ) {
    const fitting = page.filter((object) => tally(misfits, object, fields, currencies))
    const all = fitting.map((object) => ({ object, was: leavesFor(before, object), is: leavesFor(after, object) }))
    const touched = [...new Set([...keys, ...all.flatMap(differing)])]
    const news = all.map(({ object, was, is }) => ({ object, was: within(was, touched), is: within(is, touched) }))
    await countMissing(ctx, news, misfits)
    if (misfits.size === 0) twins += await rewrite(ctx, before.objectKey, touched, news)
  }
  const [first] = misfits
  if (first)
    throw conflict(
      'values_do_not_fit',
      `${first[1]} objects have a value in "${first[0]}" that would not fit. Change or clear those values first.`,
      [...misfits].map(([field, count]) => ({ field, code: 'does_not_fit', message: `${count} objects have a value that would not fit.` })),
    )
  if (twins > 0)
    throw conflict(
      'values_are_not_unique',
      `${twins} objects have a value that another one has too, so it cannot become unique. Change or clear those values first.`,
    )
}

function objectsWith(ctx: Context, objectKey: string, keys: string[], after: string | null): Promise<Stored[]> {
  return ctx.run<Stored>(sql`
    select id, full_id, json, name, status, external_id from objects
    where org_id = ${ctx.org} and object_key = ${objectKey} and deleted_at is null and id > ${after ?? '00000000-0000-0000-0000-000000000000'}::uuid and json ?| ${keys}::text[]
    order by id limit ${pageSize}`)
}

function tally(misfits: Map<string, number>, { json }: Stored, fields: readonly Field[], currencies: ReadonlySet<string>): boolean {
  const wrong = fields.filter(
    (field) => checkField({ ...field, required: false }, Object.hasOwn(json, field.key) ? json[field.key] : undefined, field.key, currencies).length > 0,
  )
  for (const { key } of wrong) misfits.set(key, (misfits.get(key) ?? 0) + 1)
  return wrong.length === 0
}

function leavesFor(definition: Definition, { json, name, full_id, status, external_id }: Stored): Leaves {
  const leaves = leavesOf(definition, { json, name: name === full_id ? null : name, status, externalId: external_id })
  return { ...leaves, values: named(leaves.values, full_id) }
}

/** What changes with another field: an object has room for so many words, and which of them have it depends on the fields before. */
function differing({ was, is }: { was: Leaves; is: Leaves }): string[] {
  return changed(was.values, is.values).fields.map(keyOf)
}

/** Of all that stands beside an object what comes from these fields; its words whole, because fields share them. */
function within(leaves: Leaves, keys: readonly string[]): Leaves {
  const those = <T extends { field: string }>(entries: T[]) => entries.filter(({ field }) => keys.includes(keyOf(field)))
  return { ...leaves, values: those(leaves.values), links: those(leaves.links), claims: those(leaves.claims) }
}

/** As `split_part` has it. */
function keyOf(path: string): string {
  return path.split('.')[0] as string
}

type News = { object: Stored; was: Leaves; is: Leaves }[]

async function countMissing(ctx: Context, news: News, misfits: Map<string, number>): Promise<void> {
  const links = news.flatMap(({ is }) => is.links)
  if (links.length === 0) return
  const rows = await ctx.run<{ field: string; count: number }>(sql`
    select l.field, count(*)::int as count from jsonb_to_recordset(${JSON.stringify(links)}::text::jsonb) as l(field text, to_id uuid, to_key text)
    where not exists (select from objects o where o.org_id = ${ctx.org} and o.id = l.to_id and o.object_key = l.to_key and o.deleted_at is null) group by l.field`)
  for (const { field, count } of rows) misfits.set(field, (misfits.get(field) ?? 0) + count)
}

/** Returns how many unique values were taken. */
async function rewrite(ctx: Context, objectKey: string, keys: string[], news: News): Promise<number> {
  const ids = news.map(({ object }) => object.id)
  const within = sql`org_id = ${ctx.org} and split_part(field, '.', 1) = any (${keys}::text[])`
  const each = <T extends object>(pick: (leaves: { was: Leaves; is: Leaves }) => T[]) =>
    JSON.stringify(news.flatMap((entry) => pick(entry).map((leaf) => ({ id: entry.object.id, ...leaf }))))
  const gone = each(({ was, is }) => [...was.words].filter((word) => !is.words.has(word)).map((word) => ({ word })))
  await ctx.run(sql`
    with cleared as (delete from object_values where ${within} and object_id = any (${ids}::uuid[])),
      unlinked as (delete from object_references where ${within} and from_id = any (${ids}::uuid[])),
      freed as (delete from object_unique_values where ${within} and object_key = ${objectKey} and object_id = any (${ids}::uuid[]))
    delete from object_words w using jsonb_to_recordset(${gone}::text::jsonb) as g(id uuid, word text)
    where w.org_id = ${ctx.org} and w.object_key = ${objectKey} and w.word = g.word and w.object_id = g.id`)
  const words = sql`jsonb_to_recordset(${each(({ is }) => [...is.words].map((word) => ({ word })))}::text::jsonb) as w(id uuid, word text)`
  const [row] = await ctx.run<{ claimed: number }>(sql`
    with valued as (
      insert into object_values (org_id, object_id, object_key, field, position, text_value, folded_value, long_text, long_folded, number_value, flag_value, unworded)
      select ${ctx.org}::uuid, v.id, ${objectKey}, v.field, v.position, v.text, v.folded, v.long, v.long_folded, v.number, v.flag, coalesce(v.unworded, false)
      from jsonb_to_recordset(${each(({ is }) => is.values)}::text::jsonb)
        as v(id uuid, field text, position int, text text, folded text, long text, long_folded text, number double precision, flag boolean, unworded boolean)
    ), worded as (
      insert into object_words (org_id, object_key, word, object_id)
      select ${ctx.org}::uuid, ${objectKey}, w.word, w.id from ${words} on conflict do nothing
    ), ended as (
      ${insertWordEnds(ctx.org, sql`select ${objectKey}::text as object_key, w.word, w.id as object_id from ${words}`)}
    ), linked as (
      insert into object_references (org_id, from_id, field, position, to_id, to_key)
      select ${ctx.org}::uuid, l.id, l.field, l.position, l.to_id, l.to_key
      from jsonb_to_recordset(${each(({ is }) => is.links)}::text::jsonb) as l(id uuid, field text, position int, to_id uuid, to_key text)
    ), marked as (
      update objects o set map_markers = m.markers from jsonb_to_recordset(${JSON.stringify(news.map(({ object, is }) => ({ id: object.id, markers: is.markers })))}::text::jsonb) as m(id uuid, markers jsonb)
      where o.org_id = ${ctx.org} and o.id = m.id and o.map_markers <> m.markers
    ), claimed as (
      insert into object_unique_values (org_id, object_key, field, sha256, object_id)
      select ${ctx.org}::uuid, ${objectKey}, c.field, decode(c.sha256, 'hex'), c.id from jsonb_to_recordset(${each(({ is }) => is.claims)}::text::jsonb) as c(id uuid, field text, sha256 text)
      on conflict do nothing returning 1)
    select count(*)::int as claimed from claimed`)
  return news.reduce((count, { is }) => count + is.claims.length, 0) - (row?.claimed ?? 0)
}
