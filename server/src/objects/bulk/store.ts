import type { Context } from '../../context.ts'
import { timeIn } from '../../core/ids.ts'
import { type Statement, sql } from '../../db/sql.ts'
import { insertCounted, updateCounted } from '../../db/tallies.ts'
import { type Claim, type Leaves, type Link, named, textValue, wordsOf } from '../index/entries.ts'
import { claimColumns, clearLeaves, differenceOf, type LeavesOf, recordsOf, wordColumns } from '../index/entries-store.ts'
import { countedObjects } from '../index/tallies-sql.ts'
import type { Content, Fields } from '../model/apply.ts'
import { actorId } from '../single/actor-sql.ts'
import { counterOf, type Locked, type Referrer, refuse } from '../single/object-store.ts'

/** Objects by their ids, or by their kinds and external ids. */
export type Named = { ids: readonly string[]; externals: readonly { objectKey: string; externalId: string }[] }

/**
 * Writes of many objects wait for each other only where one of them deletes: to delete locks out those who refer, in an order that no other can
 * know beforehand.
 */
export async function waitForDeleters(ctx: Context, { deleting }: { deleting: boolean }): Promise<void> {
  const key = `${ctx.org} objects in bulk`
  await ctx.run(
    deleting
      ? sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))::text`
      : sql`select pg_advisory_xact_lock_shared(hashtextextended(${key}, 0))::text`,
  )
}

export type Seen = { id: string; object_key: string; external_id: string | null }

/** What there is, as a first look: it can be gone by the time it is locked. */
export async function lookUp(ctx: Context, wanted: Named): Promise<Seen[]> {
  return ctx.run<Seen>(sql`select id, object_key, external_id from objects where org_id = ${ctx.org} and id in (${idsOf(ctx, wanted)}) and deleted_at is null`)
}

/** Ours until the transaction ends, taken in the order of their ids. */
export async function lockObjects(ctx: Context, wanted: Named, { forGood = false } = {}): Promise<Locked[]> {
  if (wanted.ids.length + wanted.externals.length === 0) return []
  const rows = await ctx.run<Omit<Locked, 'content'> & { json: Fields; name: string; status: string; external_id: string | null }>(sql`
    with wanted as materialized (${idsOf(ctx, wanted)})
    select id, object_key, full_id, version, deleted_at, json, name, status, external_id from objects
    where org_id = ${ctx.org} and id in (select id from wanted) and deleted_at is null order by id ${forGood ? sql`for update` : sql`for no key update`}`)
  return rows.map(({ json, name, status, external_id, ...row }) => ({
    ...row,
    content: { json, name: name === row.full_id ? null : name, status, externalId: external_id },
  }))
}

function idsOf({ org }: Context, { ids, externals }: Named): Statement {
  return sql`
    select o.id from objects o where o.org_id = ${org} and o.id = any (${ids}::uuid[])
    union select o.id from unnest(${externals.map(({ objectKey }) => objectKey)}::text[], ${externals.map(({ externalId }) => externalId)}::text[]) as n(object_key, external_id)
      join objects o on o.org_id = ${org} and o.object_key = n.object_key and o.external_id = n.external_id and o.deleted_at is null`
}

/** Whoever makes objects of a kind holds its counter; of several, in the order of their names. */
export async function holdCounters(ctx: Context, objectKeys: readonly string[]): Promise<void> {
  if (objectKeys.length === 0) return
  await ctx.run(sql`
    insert into counters as c (org_id, name, value) select ${ctx.org}::uuid, name, 0 from unnest(${objectKeys.map(counterOf)}::text[]) as name order by name
    on conflict (org_id, name) do update set value = c.value`)
}

/** The next numbers of each kind, so many as it needs; gives back the last that was taken before. */
export async function takeNumbers(ctx: Context, needed: ReadonlyMap<string, number>): Promise<Map<string, number>> {
  const rows = await ctx.run<{ object_key: string; before: number }>(sql`
    update counters c set value = c.value + n.count from unnest(${[...needed.keys()]}::text[], ${[...needed.keys()].map(counterOf)}::text[], ${[...needed.values()]}::int[]) as n(object_key, name, count)
    where c.org_id = ${ctx.org} and c.name = n.name returning n.object_key, (c.value - n.count)::int as before`)
  return new Map(rows.map(({ object_key, before }) => [object_key, before]))
}

/** Which of these are there to be pointed to, as `kind id`; they stay there until the transaction ends. */
export async function holdTargets(ctx: Context, links: readonly Link[]): Promise<Set<string>> {
  const ids = [...new Set(links.map(({ to_id }) => to_id))]
  if (ids.length === 0) return new Set()
  const rows = await ctx.run<{ target: string }>(sql`
    select object_key || ' ' || id as target from objects where org_id = ${ctx.org} and id = any (${ids}::uuid[]) and deleted_at is null order by id for key share`)
  return new Set(rows.map(({ target }) => target))
}

export type ClaimOf = Claim & { object_key: string }

/** Who has these values that nobody else can have, by `kind field hash`. */
export async function findOwners(ctx: Context, claims: readonly ClaimOf[]): Promise<Map<string, string>> {
  if (claims.length === 0) return new Map()
  const rows = await ctx.run<{ claim: string; object_id: string }>(sql`
    select u.object_key || ' ' || u.field || ' ' || encode(u.sha256, 'hex') as claim, u.object_id from ${recordsOf(claims, claimColumns)}
    join object_unique_values u on u.org_id = ${ctx.org} and u.object_key = r.object_key and u.field = r.field and u.sha256 = decode(r.sha256, 'hex')`)
  return new Map(rows.map(({ claim, object_id }) => [claim, object_id]))
}

export type Newcomer = { id: string; object_key: string; number: number; full_id: string; content: Content; leaves: Leaves }

/** Gives back what has to stand beside them. */
export async function insertObjects(ctx: Context, objects: readonly Newcomer[], source: string): Promise<LeavesOf[]> {
  if (objects.length === 0) return []
  const rows = objects.map(({ id, object_key, number, full_id, content, leaves }) => ({
    ...rowOf({ id, full_id }, content, leaves),
    object_key,
    number,
    full_id,
    created_at: timeIn(id),
  }))
  const insert = sql`
    insert into objects (org_id, id, object_key, number, full_id, external_id, name, status, source, json, map_markers, created_at, created_by, updated_at, updated_by)
    select ${ctx.org}::uuid, r.id, r.object_key, r.number, r.full_id, r.new_external_id, r.new_name, r.new_status, ${source}::text, r.new_json, r.markers, r.created_at, actor.id, r.created_at, actor.id
    from ${recordsOf(rows, sql`${objectColumns}, object_key text, number int, full_id text, created_at timestamptz`)} cross join (select ${actorId(ctx)} as id) as actor`
  await insertCounted(ctx, countedObjects, insert).catch(refuse)
  return objects.map(({ id, object_key, full_id, leaves }) => ({
    id,
    object_key,
    values: [textValue('fullId', 0, full_id, true), ...named(leaves.values, full_id)],
    words: [...new Set([...leaves.words, ...wordsOf(full_id)])],
    links: leaves.links,
    claims: leaves.claims,
  }))
}

export type Change = { locked: Locked; content: Content; before: Leaves; after: Leaves }

/** Of what stands beside the objects only what has changed is taken away; gives back what has to stand there instead. */
export async function saveObjects(ctx: Context, changes: readonly Change[]): Promise<LeavesOf[]> {
  if (changes.length === 0) return []
  const next = changes.map(({ locked, before, after }) => differenceOf(locked, before, after))
  const rows = changes.map(({ locked, content, after }) => rowOf(locked, content, after))
  await clearLeaves(
    ctx,
    next.flatMap(({ id, gone }) => gone.values.map((field) => ({ object_id: id, field }))),
    next.flatMap(({ id, object_key, gone }) => gone.words.map((word) => ({ object_id: id, object_key, word }))),
    next.flatMap(({ id, gone }) => gone.links.map((field) => ({ object_id: id, field }))),
    next.flatMap(({ id, gone }) => gone.claims.map((field) => ({ object_id: id, field }))),
  )
  const update = sql`
    update objects o set json = r.new_json, name = r.new_name, status = r.new_status, external_id = r.new_external_id, map_markers = r.markers,
      version = o.version + 1, updated_at = greatest(clock_timestamp(), o.created_at), updated_by = actor.id
    from ${recordsOf(rows, objectColumns)} cross join (select ${actorId(ctx)} as id) as actor where o.org_id = ${ctx.org} and o.id = r.id`
  await updateCounted(ctx, countedObjects, sql`id = any (${rows.map(({ id }) => id)}::uuid[])`, update).catch(refuse)
  return next
}

/** Under names that no column of the table has, so that what is counted can be told from what is sent. */
function rowOf({ id, full_id }: { id: string; full_id: string }, { externalId, name, status, json }: Content, { markers }: Leaves) {
  return { id, new_external_id: externalId, new_name: name ?? full_id, new_status: status, new_json: json, markers }
}

/** Who refers to these, by the id referred to. An object that refers to itself holds nobody up. */
export async function findReferrersOf(ctx: Context, ids: readonly string[]): Promise<Map<string, (Referrer & { ids: string[] })[]>> {
  const rows = await ctx.run<Referrer & { to_id: string; ids: string[] }>(sql`
    select l.to_id, o.object_key, count(*)::int as count, (array_agg(o.full_id order by o.id))[1:5] as some, array_agg(o.id) as ids
    from (select distinct to_id, from_id from object_references where org_id = ${ctx.org} and to_id = any (${ids}::uuid[]) and from_id <> to_id) as l
    join objects o on o.org_id = ${ctx.org} and o.id = l.from_id group by l.to_id, o.object_key order by o.object_key`)
  return Map.groupBy(rows, ({ to_id }) => to_id)
}

export async function deleteObjects(ctx: Context, objects: readonly { locked: Locked; leaves: Leaves }[]): Promise<void> {
  const ids = objects.map(({ locked }) => locked.id)
  const words = objects.flatMap(({ locked: { id, object_key, full_id }, leaves }) =>
    [...new Set([...leaves.words, ...wordsOf(full_id)])].map((word) => ({ object_id: id, object_key, word })),
  )
  await ctx.run(sql`
    with cleared as (delete from object_values where org_id = ${ctx.org} and object_id = any (${ids}::uuid[])),
      unworded as (delete from object_words w using ${recordsOf(words, wordColumns)} where w.org_id = ${ctx.org} and w.object_key = r.object_key and w.word = r.word and w.object_id = r.object_id),
      unlinked as (delete from object_references where org_id = ${ctx.org} and from_id = any (${ids}::uuid[]))
    delete from object_unique_values where org_id = ${ctx.org} and object_id = any (${ids}::uuid[])`)
  const these = sql`id = any (${ids}::uuid[])`
  const update = sql`
    update objects set deleted_at = clock_timestamp(), version = version + 1, updated_at = greatest(clock_timestamp(), created_at), updated_by = ${actorId(ctx)}
    where org_id = ${ctx.org} and ${these}`
  await updateCounted(ctx, countedObjects, these, update).catch(refuse)
}

/** These objects as their events keep them. */
export function wholeObjects({ org }: Context, ids: readonly string[], { after = 0 } = {}): Statement {
  return sql`select id, revision + ${after}::int as revision, json from objects_wire where org_id = ${org} and id = any (${ids}::uuid[])`
}

const objectColumns = sql`id uuid, new_external_id text, new_name text, new_status text, new_json jsonb, markers jsonb`
