import type { Context } from '../../platform/context.ts'
import { timeIn } from '../../platform/core/values/ids.ts'
import { insertCounted, updateCounted } from '../../platform/db/counts/tallies.ts'
import { oneOf } from '../../platform/db/sql/one-of.ts'
import { type Statement, sql } from '../../platform/db/sql/sql.ts'
import { entryChanges, type NewEntries } from '../index/changes.ts'
import { type IndexEntries, type ReferenceEntry, type UniqueEntry, withFullId } from '../index/entries.ts'
import { countedObjects } from '../index/tallies-sql.ts'
import { wordsOf } from '../index/text.ts'
import { removeAllEntries, removeEntriesOfMany } from '../index/write.ts'
import { type Content, type ContentRow, contentOf, type LockedObject } from '../model/object.ts'
import { refuse } from '../model/refuse.ts'
import { actorId } from '../single/actor-sql.ts'
import { lockCounters, takeNumbers as takeNumbersOf } from '../single/counters-sql.ts'
import type { Referrer } from '../single/refusals.ts'

/** Objects by their ids, or by their kinds and external ids. */
export type NamedObjects = { ids: readonly string[]; externals: readonly { objectKey: string; externalId: string }[] }

/**
 * Bulk writes wait for each other only where one of them deletes: a deletion locks out everyone who refers to the object, in an order that nobody
 * can know beforehand.
 */
export async function waitForDeleters(ctx: Context, { deleting }: { deleting: boolean }): Promise<void> {
  const key = `${ctx.org} objects in bulk`
  await ctx.run(
    deleting
      ? sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))::text from organizations where org_id = ${ctx.org}`
      : sql`select pg_advisory_xact_lock_shared(hashtextextended(${key}, 0))::text from organizations where org_id = ${ctx.org}`,
  )
}

export type Identity = { id: string; object_key: string; external_id: string | null }

/** Without a lock: an object can be gone by the time it is locked. */
export async function findIdentities(ctx: Context, wanted: NamedObjects): Promise<Identity[]> {
  return ctx.run<Identity>(
    sql`select id, object_key, external_id from objects where org_id = ${ctx.org} and id in (${idsOf(ctx, wanted)}) and deleted_at is null`,
  )
}

/** Until the transaction ends, in the order of their ids. */
export async function lockObjects(
  ctx: Context,
  wanted: NamedObjects,
  { forGood = false } = {},
): Promise<LockedObject[]> {
  if (wanted.ids.length + wanted.externals.length === 0) return []
  const rows = await ctx.run<Omit<LockedObject, 'content'> & ContentRow>(sql`
    with wanted as materialized (${idsOf(ctx, wanted)})
    select id, object_key, full_id, version, deleted_at, json, name, status, external_id from objects
    where org_id = ${ctx.org} and id in (select id from wanted) and deleted_at is null order by id ${forGood ? sql`for update` : sql`for no key update`}`)
  return rows.map((row) => {
    const { id, object_key, full_id, version, deleted_at } = row
    return { id, object_key, full_id, version, deleted_at, content: contentOf(row) }
  })
}

function idsOf({ org }: Context, { ids, externals }: NamedObjects): Statement {
  return sql`
    select o.id from objects o where o.org_id = ${org} and o.id = any (${ids}::uuid[])
    union select o.id from unnest(${externals.map(({ objectKey }) => objectKey)}::text[], ${externals.map(({ externalId }) => externalId)}::text[]) as n(object_key, external_id)
      join objects o on o.org_id = ${org} and o.object_key = n.object_key and o.external_id = n.external_id and o.deleted_at is null`
}

/** Whoever creates objects of a kind has its counter locked. */
export async function holdCounters(ctx: Context, objectKeys: readonly string[]): Promise<void> {
  if (objectKeys.length > 0) await ctx.run(lockCounters(ctx.org, objectKeys))
}

/** The next numbers of each kind, as many as needed; returns the last number before them. */
export async function takeNumbers(ctx: Context, needed: ReadonlyMap<string, number>): Promise<Map<string, number>> {
  const rows = await ctx.run<{ object_key: string; last: number }>(takeNumbersOf(ctx.org, needed))
  return new Map(rows.map(({ object_key, last }) => [object_key, last - (needed.get(object_key) as number)]))
}

/** Which of the objects referred to are there, as `kind id`; they cannot be deleted until the transaction ends. */
export async function holdTargets(ctx: Context, references: readonly ReferenceEntry[]): Promise<Set<string>> {
  const ids = [...new Set(references.map(({ to_id }) => to_id))]
  if (ids.length === 0) return new Set()
  const rows = await ctx.run<{ target: string }>(sql`
    select object_key || ' ' || id as target from objects where org_id = ${ctx.org} and id = any (${ids}::uuid[]) and deleted_at is null order by id for key share`)
  return new Set(rows.map(({ target }) => target))
}

/** Which objects have these unique values, by `kind field hash`. */
export async function findOwners(
  ctx: Context,
  uniqueValues: readonly (UniqueEntry & { object_key: string })[],
): Promise<Map<string, string>> {
  if (uniqueValues.length === 0) return new Map()
  const rows = await ctx.run<{ value: string; object_id: string }>(sql`
    select u.object_key || ' ' || u.field || ' ' || encode(u.sha256, 'hex') as value, u.object_id from ${recordsOf(uniqueValues, sql`object_key text, field text, sha256 text`)}
    join object_unique_values u on u.org_id = ${ctx.org} and u.object_key = r.object_key and u.field = r.field and u.sha256 = decode(r.sha256, 'hex')`)
  return new Map(rows.map(({ value, object_id }) => [value, object_id]))
}

export type NewObject = {
  id: string
  object_key: string
  number: number
  full_id: string
  content: Content
  entries: IndexEntries
}

/** Returns the index entries that they need, to be inserted when all objects that they refer to are there. */
export async function insertObjects(
  ctx: Context,
  objects: readonly NewObject[],
  source: string,
): Promise<NewEntries[]> {
  if (objects.length === 0) return []
  const rows = objects.map(({ id, object_key, number, full_id, content, entries }) => ({
    ...rowOf({ id, full_id }, content, entries),
    object_key,
    number,
    full_id,
    created_at: timeIn(id),
  }))
  const insert = sql`
    insert into objects as o (org_id, id, object_key, number, full_id, external_id, name, status, source, json, map_markers, created_at, created_by, updated_at, updated_by)
    select own.org_id, r.id, r.object_key, r.number, r.full_id, r.new_external_id, r.new_name, r.new_status, ${source}::text, r.new_json, r.markers, r.created_at, actor.id, r.created_at, actor.id
    from organizations own cross join ${recordsOf(rows, sql`${objectColumns}, object_key text, number int, full_id text, created_at timestamptz`)}
    cross join (select ${actorId(ctx)} as id) as actor where own.org_id = ${ctx.org}`
  await insertCounted(ctx, countedObjects, insert).catch(refuse)
  return objects.map(({ id, object_key, full_id, entries: own }) => {
    const { markers: _, words, ...entries } = withFullId(own, full_id)
    return { id, object_key, ...entries, words: [...words] }
  })
}

export type Change = { locked: LockedObject; content: Content; before: IndexEntries; after: IndexEntries }

/** Removes the index entries that have changed; returns those to be inserted instead. */
export async function saveObjects(ctx: Context, changes: readonly Change[]): Promise<NewEntries[]> {
  if (changes.length === 0) return []
  const next = changes.map(({ locked, before, after }) => entryChanges(locked, before, after))
  const rows = changes.map(({ locked, content, after }) => rowOf(locked, content, after))
  await removeEntriesOfMany(ctx, next)
  const update = (was: Statement) => sql`
    update objects o set json = r.new_json, name = r.new_name, status = r.new_status, external_id = r.new_external_id, map_markers = r.markers,
      version = o.version + 1, updated_at = greatest(statement_timestamp(), o.created_at), updated_by = actor.id
    from ${was} join ${recordsOf(rows, objectColumns)} on r.id = was.row_id cross join (select ${actorId(ctx)} as id) as actor
    where o.org_id = ${ctx.org} and o.id = was.row_id`
  await updateCounted(ctx, countedObjects, sql`id = ${oneOf(rows.map(({ id }) => id))}`, update).catch(refuse)
  return next
}

/** Under names that no column of the table has, because the statement that counts reads both. */
function rowOf(
  { id, full_id }: { id: string; full_id: string },
  { externalId, name, status, json }: Content,
  { markers }: IndexEntries,
) {
  return { id, new_external_id: externalId, new_name: name ?? full_id, new_status: status, new_json: json, markers }
}

/** Which objects refer to these, by the id referred to. A reference of an object to itself does not count. */
export async function findReferrersOf(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, (Referrer & { ids: string[] })[]>> {
  const rows = await ctx.run<Referrer & { to_id: string; ids: string[] }>(sql`
    select l.to_id, o.object_key, count(*)::int as count, (array_agg(o.full_id order by o.id))[1:5] as some, array_agg(o.id) as ids
    from (select distinct to_id, from_id from object_references where org_id = ${ctx.org} and to_id = any (${ids}::uuid[]) and from_id <> to_id) as l
    join objects o on o.org_id = ${ctx.org} and o.id = l.from_id group by l.to_id, o.object_key order by o.object_key`)
  return Map.groupBy(rows, ({ to_id }) => to_id)
}

export async function deleteObjects(
  ctx: Context,
  objects: readonly { locked: LockedObject; entries: IndexEntries }[],
): Promise<void> {
  const ids = objects.map(({ locked }) => locked.id)
  await removeAllEntries(
    ctx,
    objects.map(({ locked: { id, object_key, full_id }, entries }) => ({
      id,
      object_key,
      words: [...new Set([...entries.words, ...wordsOf(full_id)])],
    })),
  )
  const update = (was: Statement) => sql`
    update objects set deleted_at = statement_timestamp(), version = version + 1, updated_at = greatest(statement_timestamp(), created_at), updated_by = ${actorId(ctx)}
    from ${was} where org_id = ${ctx.org} and id = was.row_id`
  await updateCounted(ctx, countedObjects, sql`id = ${oneOf(ids)}`, update).catch(refuse)
}

/** These objects as their events keep them. */
export function wholeObjects({ org }: Context, ids: readonly string[], { after = 0 } = {}): Statement {
  return sql`select id, revision + ${after}::int as revision, json from objects_wire where org_id = ${org} and id = any (${ids}::uuid[])`
}

const objectColumns = sql`id uuid, new_external_id text, new_name text, new_status text, new_json jsonb, markers jsonb`

/** Records as rows of `r`. */
function recordsOf(rows: readonly object[], columns: Statement): Statement {
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(${columns})`
}

export async function setSavepoint(ctx: Context): Promise<void> {
  await ctx.run(sql`savepoint before_rows`)
}

/** Undoes everything since the savepoint, and releases its locks. */
export async function rollBack(ctx: Context): Promise<void> {
  await ctx.run(sql`rollback to savepoint before_rows`)
}
