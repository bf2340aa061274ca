import { type Context, together } from '../context.ts'
import { timeIn } from '../core/ids.ts'
import { conflict, invalid } from '../core/refusal.ts'
import { violated } from '../db/constraints.ts'
import { takeNumber } from '../db/counters.ts'
import { type Statement, sql, when } from '../db/sql.ts'
import { insertCounted, updateCounted } from '../db/tallies.ts'
import { actorId } from './actor.ts'
import type { Definition } from './definitions/kind.ts'
import type { ObjectReference } from './find.ts'
import { changed, type Leaves, type Link, named, type Value, withFullId, wordsOf } from './leaves.ts'
import type { Content, Fields } from './model.ts'
import { keyOf, type Name } from './name.ts'
import { countedObjects } from './totals.ts'
import { insertWordEnds } from './word-ends.ts'

export type Locked = {
  id: string
  object_key: string
  full_id: string
  version: number
  deleted_at: Date | null
  content: Content
}

/** What stands in the way of a write: an external id in use, references to nothing, unique values of others. */
export type Obstacles = { externalId: boolean; missing: Link[]; taken: string[] }

/** The kind of an object, which never changes. */
export async function findKind(ctx: Context, id: string, { deleted = false }): Promise<string | undefined> {
  const [row] = await ctx.run<{ object_key: string }>(
    sql`select object_key from objects where org_id = ${ctx.org} and id = ${id} ${when(!deleted, sql`and deleted_at is null`)}`,
  )
  return row?.object_key
}

/** Ours until the transaction ends. Others may still refer to it, unless it is locked for good. */
export async function lockObject(ctx: Context, reference: ObjectReference, { forGood = false, deleted = false }): Promise<Locked | undefined> {
  const which = reference.by === 'id' ? sql`id = ${reference.id}` : sql`object_key = ${reference.objectKey} and external_id = ${reference.externalId}`
  const [row] = await ctx.run<Omit<Locked, 'content'> & { json: Fields; name: string; status: string; external_id: string | null }>(sql`
    select id, object_key, full_id, version, deleted_at, json, name, status, external_id from objects
    where org_id = ${ctx.org} and ${which} ${when(!deleted, sql`and deleted_at is null`)} ${forGood ? sql`for update` : sql`for no key update`}`)
  if (!row) return undefined
  const { json, name, status, external_id, ...rest } = row
  return { ...rest, content: { json, name: name === row.full_id ? null : name, status, externalId: external_id } }
}

/** Whoever makes an object of this kind holds its counter until they are done. Taken without counting, it lets no number go to waste. */
export async function waitForCreators(ctx: Context, objectKey: string): Promise<void> {
  await ctx.run(sql`
    insert into counters as c (org_id, name, value) values (${ctx.org}, ${counterOf(objectKey)}, 0) on conflict (org_id, name) do update set value = c.value`)
}

export async function findObstacles(ctx: Context, objectKey: string, id: string, externalId: string | null, { links, claims }: Leaves): Promise<Obstacles> {
  if (externalId === null && links.length === 0 && claims.length === 0) return { externalId: false, missing: [], taken: [] }
  const [row] = await ctx.run<{ external_id: boolean; missing: Link[]; taken: string[] }>(sql`
    select exists (select from objects where org_id = ${ctx.org} and object_key = ${objectKey} and external_id = ${externalId} and id <> ${id} and deleted_at is null) as external_id,
      (select coalesce(json_agg(l), '[]') from ${linksIn(links)} where not exists (
        select from objects o where o.org_id = ${ctx.org} and o.id = l.to_id and o.object_key = l.to_key and o.deleted_at is null)) as missing,
      (select coalesce(json_agg(c.field), '[]') from ${claimsIn(claims)} join object_unique_values u
        on u.org_id = ${ctx.org} and u.object_key = ${objectKey} and u.field = c.field and u.sha256 = decode(c.sha256, 'hex') and u.object_id <> ${id}) as taken`)
  return { externalId: row?.external_id ?? false, missing: row?.missing ?? [], taken: row?.taken ?? [] }
}

/** Which live objects these names mean, by `keyOf`: one look, however many there are. */
export async function findTargets(ctx: Context, names: readonly Name[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const external = names.flatMap((name) => ('externalId' in name ? [name] : []))
  const numbered = names.flatMap((name) => ('fullId' in name ? [name] : []))
  const rows = await ctx.run<{ objectKey: string; externalId: string; fullId: string; number: number; id: string; numbered: boolean }>(sql`
    select o.object_key as "objectKey", o.external_id as "externalId", o.full_id as "fullId", o.number, o.id, false as numbered
    from unnest(${external.map(({ objectKey }) => objectKey)}::text[], ${external.map(({ externalId }) => externalId)}::text[]) as n(object_key, external_id)
    join objects o on o.org_id = ${ctx.org} and o.object_key = n.object_key and o.external_id = n.external_id and o.deleted_at is null
    union select o.object_key, o.external_id, o.full_id, o.number, o.id, true
    from unnest(${numbered.map(({ objectKey }) => objectKey)}::text[], ${numbered.map(({ number }) => number)}::int[], ${numbered.map(({ fullId }) => fullId)}::text[]) as n(object_key, number, full_id)
    join objects o on o.org_id = ${ctx.org} and o.object_key = n.object_key and o.number = n.number and o.full_id = n.full_id and o.deleted_at is null`)
  return new Map(
    rows.map(({ objectKey, externalId, fullId, number, numbered, id }) => [keyOf(numbered ? { objectKey, fullId, number } : { objectKey, externalId }), id]),
  )
}

export type Referrer = { object_key: string; count: number; some: string[] }

/** Who refers to an object, by kind, with a few of them by name. An object that refers to itself holds nobody up. */
export async function findReferrers(ctx: Context, id: string): Promise<Referrer[]> {
  return ctx.run<Referrer>(sql`
    select object_key, count(*)::int as count, (array_agg(full_id order by id))[1:5] as some
    from objects where org_id = ${ctx.org} and id in (select from_id from object_references where org_id = ${ctx.org} and to_id = ${id} and from_id <> ${id})
    group by object_key order by object_key`)
}

export type NewObject = { id: string; definition: Definition; content: Content; source: string; leaves: Leaves }

/** The counter is held from here to the end of the transaction; what follows goes out together. */
export async function insertObject(ctx: Context, { id, definition, content, source, leaves }: NewObject): Promise<void> {
  const { objectKey, prefix } = definition
  const number = await takeNumber(ctx, counterOf(objectKey))
  const full_id = `${prefix}-${number}`
  const created = timeIn(id)
  const insert = sql`
    insert into objects (org_id, id, object_key, number, full_id, external_id, name, status, source, json, map_markers, created_at, created_by, updated_at, updated_by)
    select ${ctx.org}::uuid, ${id}::uuid, ${objectKey}, ${number}::int, ${full_id}, ${content.externalId}, ${content.name ?? full_id}, ${content.status}, ${source},
      ${JSON.stringify(content.json)}::text::jsonb, ${JSON.stringify(leaves.markers)}::text::jsonb, ${created}::timestamptz, actor.id, ${created}::timestamptz, actor.id
    from (select ${actorId(ctx)} as id) as actor`
  await together(insertCounted(ctx, countedObjects, insert), insertLeaves(ctx, id, withFullId(leaves, full_id))).catch(refuse)
}

/** Of what stands beside the object only what has changed is written. */
export async function saveObject(ctx: Context, { id, full_id, object_key }: Locked, content: Content, before: Leaves, after: Leaves): Promise<void> {
  const values = changed(named(before.values, full_id), named(after.values, full_id))
  const links = changed(before.links, after.links)
  const claims = changed(before.claims, after.claims)
  const numbers = wordsOf(full_id)
  const words = {
    fields: [...before.words].filter((word) => !after.words.has(word) && !numbers.includes(word)),
    next: [...after.words].filter((word) => !before.words.has(word)),
  }
  const update = sql`
    update objects set json = ${JSON.stringify(content.json)}::text::jsonb, name = ${content.name ?? full_id}, status = ${content.status}, external_id = ${content.externalId},
      map_markers = ${JSON.stringify(after.markers)}::text::jsonb, ${stamps(ctx)} where org_id = ${ctx.org} and id = ${id}`
  const next = { ...after, values: values.next, links: links.next, claims: claims.next, words: new Set(words.next) }
  await together(
    updateCounted(ctx, countedObjects, sql`id = ${id}`, update),
    ...([values, links, claims, words].some(({ fields }) => fields.length > 0) ? [clearLeaves(ctx, { id, object_key }, { values, links, claims, words })] : []),
    ...([...values.next, ...links.next, ...claims.next, ...words.next].length > 0 ? [insertLeaves(ctx, id, next)] : []),
  ).catch(refuse)
}

/** A deleted object refers to nothing, is found by nothing and keeps no value from others. */
export async function deleteObject(ctx: Context, { id, object_key, full_id }: Locked, { words }: Leaves): Promise<void> {
  const update = sql`update objects set deleted_at = clock_timestamp(), ${stamps(ctx)} where org_id = ${ctx.org} and id = ${id}`
  // First what it refers to, and itself after: it may refer to itself.
  await together(
    clearLeaves(ctx, { id, object_key }, { words: { fields: [...words, ...wordsOf(full_id)] } }),
    updateCounted(ctx, countedObjects, sql`id = ${id}`, update),
  ).catch(refuse)
}

export async function reviveObject(ctx: Context, { id, full_id }: Locked, leaves: Leaves): Promise<void> {
  const update = sql`update objects set deleted_at = null, map_markers = ${JSON.stringify(leaves.markers)}::text::jsonb, ${stamps(ctx)} where org_id = ${ctx.org} and id = ${id}`
  await together(updateCounted(ctx, countedObjects, sql`id = ${id}`, update), insertLeaves(ctx, id, withFullId(leaves, full_id))).catch((error) => {
    if (violated(error) === 'object_reference_target')
      throw conflict('reference_is_gone', 'It cannot come back as it was: something that it refers to has gone at the same moment.')
    refuse(error)
  })
}

function stamps(ctx: Context): Statement {
  return sql`version = version + 1, updated_at = greatest(clock_timestamp(), created_at), updated_by = ${actorId(ctx)}`
}

type Gone = { fields: readonly string[] }

/** What stands in these fields, or in all where none are named; of the words those that are. */
async function clearLeaves(
  ctx: Context,
  { id, object_key }: { id: string; object_key: string },
  gone: { values?: Gone; links?: Gone; claims?: Gone; words: Gone },
): Promise<void> {
  const within = (part: Gone | undefined) => when(part, sql`and field = any (${part?.fields}::text[])`)
  await ctx.run(sql`
    with cleared as (delete from object_values where org_id = ${ctx.org} and object_id = ${id} ${within(gone.values)}),
      unlinked as (delete from object_references where org_id = ${ctx.org} and from_id = ${id} ${within(gone.links)}),
      freed as (delete from object_unique_values where org_id = ${ctx.org} and object_id = ${id} ${within(gone.claims)})
    delete from object_words where org_id = ${ctx.org} and object_key = ${object_key} and word = any (${gone.words.fields}::text[]) and object_id = ${id}`)
}

async function insertLeaves(ctx: Context, id: string, { values, words, links, claims }: Leaves): Promise<void> {
  await ctx.run(sql`
      with o as (select org_id, id, object_key from objects where org_id = ${ctx.org} and id = ${id}), valued as (
        insert into object_values (org_id, object_id, object_key, field, position, text_value, folded_value, long_text, long_folded, number_value, flag_value, unworded)
        select o.org_id, o.id, o.object_key, v.field, v.position, v.text, v.folded, v.long, v.long_folded, v.number, v.flag, coalesce(v.unworded, false) from o cross join ${valuesIn(values)}
      ), worded as (
        insert into object_words (org_id, object_key, word, object_id)
        select o.org_id, o.object_key, word, o.id from o cross join unnest(${[...words]}::text[]) as word on conflict do nothing
      ), ended as (
        ${insertWordEnds(ctx.org, sql`select o.object_key, word, o.id as object_id from o cross join unnest(${[...words]}::text[]) as word`)}
      ), linked as (
        insert into object_references (org_id, from_id, field, position, to_id, to_key)
        select o.org_id, o.id, l.field, l.position, l.to_id, l.to_key from o cross join ${linksIn(links)} order by l.to_id
      )
      insert into object_unique_values (org_id, object_key, field, sha256, object_id)
      select o.org_id, o.object_key, c.field, decode(c.sha256, 'hex'), o.id from o cross join ${claimsIn(claims)} order by c.field`)
}

function valuesIn(values: Value[]): Statement {
  return sql`jsonb_to_recordset(${JSON.stringify(values)}::text::jsonb) as v(field text, position int, text text, folded text, long text, long_folded text, number double precision, flag boolean, unworded boolean)`
}

function linksIn(links: Link[]): Statement {
  return sql`jsonb_to_recordset(${JSON.stringify(links)}::text::jsonb) as l(field text, position int, to_id uuid, to_key text)`
}

function claimsIn(claims: Leaves['claims']): Statement {
  return sql`jsonb_to_recordset(${JSON.stringify(claims)}::text::jsonb) as c(field text, sha256 text)`
}

export function counterOf(objectKey: string): `object:${string}` {
  return `object:${objectKey}`
}

/** What the checks before could not see, because it happened at the same moment. */
export function refuse(error: unknown): never {
  switch (violated(error)) {
    case 'object_external_id':
      throw conflict('external_id_taken', 'Another object of this kind has taken this externalId at the same moment.')
    case 'object_unique_value':
      throw conflict('value_taken', 'Another object of this kind has taken a value at the same moment that must be unique.')
    case 'object_reference_target':
      throw invalid(
        'json',
        'unknown_reference',
        'An object that this one refers to is gone, or was referred to at the moment it should go. Read again and repeat.',
      )
    default:
      throw error
  }
}
