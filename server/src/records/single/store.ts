import { type Context, together } from '../../platform/context.ts'
import { conflict } from '../../platform/core/refusal.ts'
import type { WireRecord } from '../../platform/core/schema/revisions.ts'
import { timeIn } from '../../platform/core/values/ids.ts'
import { insertCounted, updateCounted } from '../../platform/db/counts/tallies.ts'
import { violatedConstraint } from '../../platform/db/sql/constraints.ts'
import { each, type Statement, sql, when } from '../../platform/db/sql/sql.ts'
import { entryChanges } from '../index/changes.ts'
import { type IndexEntries, type ReferenceEntry, type UniqueEntry, withFullId } from '../index/entries.ts'
import { countedObjects } from '../index/tallies-sql.ts'
import { wordsOf } from '../index/text.ts'
import { insertEntries, removeAllEntries, removeEntries } from '../index/write.ts'
import type { Definition } from '../kinds/kind.ts'
import type { Name } from '../model/name.ts'
import { type Content, type ContentRow, contentOf, type LockedObject, type ObjectReference } from '../model/object.ts'
import { refuse, uniqueValueTaken } from '../model/refuse.ts'
import { actorId } from './actor-sql.ts'
import { lockCounters, takeNumbers } from './counters-sql.ts'
import type { Obstacles, Referrer } from './refusals.ts'

export type ObjectAnswer = WireRecord & { id: string; object_key: string }

/** The object as it goes out. By id it is one statement in which nothing but the id varies, so that reads which arrive together can share it. */
export async function findObject(
  ctx: Context,
  reference: ObjectReference,
  { deleted = false } = {},
): Promise<ObjectAnswer | undefined> {
  const [row] = await ctx.run<ObjectAnswer>(
    deleted && reference.by === 'id'
      ? sql`select id, object_key, revision, json from objects_wire where org_id = ${ctx.org} and id = ${each('uuid', reference.id)}`
      : reference.by === 'id'
        ? sql`select id, object_key, revision, json from objects_wire where org_id = ${ctx.org} and id = ${each('uuid', reference.id)} and deleted_at is null`
        : sql`select id, object_key, revision, json from objects_wire where org_id = ${ctx.org} and id = (
            select id from objects where org_id = ${ctx.org} and ${isObject(ctx.org, reference)} and deleted_at is null)`,
  )
  return row
}

/** The kind of an object, which never changes. */
export async function findKind(
  ctx: Context,
  reference: ObjectReference,
  { deleted = false },
): Promise<string | undefined> {
  const [row] = await ctx.run<{ object_key: string }>(
    sql`select object_key from objects where org_id = ${ctx.org} and ${isObject(ctx.org, reference)} ${when(!deleted, sql`and deleted_at is null`)}`,
  )
  return row?.object_key
}

function isObject(org: string, reference: ObjectReference): Statement {
  if (reference.by === 'id') return sql`id = ${reference.id}`
  if (reference.by === 'externalId')
    return sql`object_key = ${reference.objectKey} and external_id = ${reference.externalId}`
  // Whatever the kind: the numbers of each are in an index that begins with it.
  const kind =
    reference.objectKey === undefined
      ? sql`object_key in (select d.object_key from definitions d where d.org_id = ${org})`
      : sql`object_key = ${reference.objectKey}`
  return sql`${kind} and number = ${reference.number} and full_id = ${reference.fullId}`
}

/** Until the transaction ends. Others may still refer to it, unless it is locked to be deleted or restored (`forGood`). */
export async function lockObject(
  ctx: Context,
  reference: ObjectReference,
  { forGood = false, deleted = false },
): Promise<LockedObject | undefined> {
  const [row] = await ctx.run<Omit<LockedObject, 'content'> & ContentRow>(sql`
    select id, object_key, full_id, version, deleted_at, json, name, status, external_id from objects
    where org_id = ${ctx.org} and ${isObject(ctx.org, reference)} ${when(!deleted, sql`and deleted_at is null`)} ${forGood ? sql`for update` : sql`for no key update`}`)
  if (!row) return undefined
  const { id, object_key, full_id, version, deleted_at } = row
  return { id, object_key, full_id, version, deleted_at, content: contentOf(row) }
}

/** Whoever creates an object of this kind has its counter locked until they are done. */
export async function waitForCreators(ctx: Context, objectKey: string): Promise<void> {
  await ctx.run(lockCounters(ctx.org, [objectKey]))
}

export async function findObstacles(
  ctx: Context,
  objectKey: string,
  id: string,
  externalId: string | null,
  { references, uniqueValues }: IndexEntries,
): Promise<Obstacles> {
  if (externalId === null && references.length === 0 && uniqueValues.length === 0)
    return { externalId: false, missing: [], taken: [] }
  const [row] = await ctx.run<{ external_id: boolean; missing: ReferenceEntry[]; taken: string[] }>(sql`
    select exists (select from objects where org_id = ${ctx.org} and object_key = ${objectKey} and external_id = ${externalId} and id <> ${id} and deleted_at is null) as external_id,
      (select coalesce(json_agg(r), '[]') from ${referencesIn(references)} where not exists (
        select from objects o where o.org_id = ${ctx.org} and o.id = r.to_id and o.object_key = r.to_key and o.deleted_at is null)) as missing,
      (select coalesce(json_agg(n.field), '[]') from ${uniqueValuesIn(uniqueValues)} join object_unique_values u
        on u.org_id = ${ctx.org} and u.object_key = ${objectKey} and u.field = n.field and u.sha256 = decode(n.sha256, 'hex') and u.object_id <> ${id}) as taken`)
  return { externalId: row?.external_id ?? false, missing: row?.missing ?? [], taken: row?.taken ?? [] }
}

function referencesIn(references: readonly ReferenceEntry[]): Statement {
  return sql`jsonb_to_recordset(${JSON.stringify(references)}::text::jsonb) as r(field text, position int, to_id uuid, to_key text)`
}

function uniqueValuesIn(uniqueValues: readonly UniqueEntry[]): Statement {
  return sql`jsonb_to_recordset(${JSON.stringify(uniqueValues)}::text::jsonb) as n(field text, sha256 text)`
}

type Target = { objectKey: string; externalId: string; fullId: string; number: number; id: string; numbered: boolean }
type ByExternalId = Extract<Name, { externalId: string }>
type ByNumber = Extract<Name, { fullId: string }>

export function listTargets(
  ctx: Context,
  external: readonly ByExternalId[],
  numbered: readonly ByNumber[],
): Promise<Target[]> {
  return ctx.run<Target>(sql`
    select o.object_key as "objectKey", o.external_id as "externalId", o.full_id as "fullId", o.number, o.id, false as numbered
    from unnest(${external.map(({ objectKey }) => objectKey)}::text[], ${external.map(({ externalId }) => externalId)}::text[]) as n(object_key, external_id)
    join objects o on o.org_id = ${ctx.org} and o.object_key = n.object_key and o.external_id = n.external_id and o.deleted_at is null
    union select o.object_key, o.external_id, o.full_id, o.number, o.id, true
    from unnest(${numbered.map(({ objectKey }) => objectKey)}::text[], ${numbered.map(({ number }) => number)}::int[], ${numbered.map(({ fullId }) => fullId)}::text[]) as n(object_key, number, full_id)
    join objects o on o.org_id = ${ctx.org} and o.object_key = n.object_key and o.number = n.number and o.full_id = n.full_id and o.deleted_at is null`)
}

/** Which objects refer to an object, by kind, with a few of them by name. A reference of an object to itself does not count. */
export async function findReferrers(ctx: Context, id: string): Promise<Referrer[]> {
  return ctx.run<Referrer>(sql`
    select object_key, count(*)::int as count, (array_agg(full_id order by id))[1:5] as some
    from objects where org_id = ${ctx.org} and id in (select from_id from object_references where org_id = ${ctx.org} and to_id = ${id} and from_id <> ${id})
    group by object_key order by object_key`)
}

export type NewObject = { id: string; definition: Definition; content: Content; source: string; entries: IndexEntries }

/** The counter is locked from here to the end of the transaction; what follows goes out together. */
export async function insertObject(
  ctx: Context,
  { id, definition, content, source, entries }: NewObject,
): Promise<void> {
  const { objectKey, prefix } = definition
  const [taken] = await ctx.run<{ last: number }>(takeNumbers(ctx.org, new Map([[objectKey, 1]])))
  const number = taken?.last as number
  const full_id = `${prefix}-${number}`
  const created = timeIn(id)
  const insert = sql`
    insert into objects as o (org_id, id, object_key, number, full_id, external_id, name, status, source, json, map_markers, created_at, created_by, updated_at, updated_by)
    select own.org_id, ${id}::uuid, ${objectKey}, ${number}::int, ${full_id}, ${content.externalId}, ${content.name ?? full_id}, ${content.status}, ${source},
      ${JSON.stringify(content.json)}::text::jsonb, ${JSON.stringify(entries.markers)}::text::jsonb, ${created}::timestamptz, actor.id, ${created}::timestamptz, actor.id
    from organizations own cross join (select ${actorId(ctx)} as id) as actor where own.org_id = ${ctx.org}`
  await together(
    insertCounted(ctx, countedObjects, insert),
    insertAll(ctx, { id, object_key: objectKey, full_id }, entries),
  ).catch(refuse)
}

/** Only those index entries are written that have changed. */
export async function saveObject(
  ctx: Context,
  locked: LockedObject,
  content: Content,
  before: IndexEntries,
  after: IndexEntries,
): Promise<void> {
  const { id, full_id } = locked
  const { removed, ...added } = entryChanges(locked, before, after)
  const update = (was: Statement) => sql`
    update objects set json = ${JSON.stringify(content.json)}::text::jsonb, name = ${content.name ?? full_id}, status = ${content.status}, external_id = ${content.externalId},
      map_markers = ${JSON.stringify(after.markers)}::text::jsonb, ${stamps(ctx)} from ${was} where org_id = ${ctx.org} and id = was.row_id`
  await together(
    updateCounted(ctx, countedObjects, sql`id = ${id}`, update),
    removeEntries(ctx, locked, removed),
    insertUnique(ctx, [added]),
  ).catch(refuse)
}

export async function deleteObject(
  ctx: Context,
  { id, object_key, full_id }: LockedObject,
  { words }: IndexEntries,
): Promise<void> {
  const update = (was: Statement) =>
    sql`update objects set deleted_at = statement_timestamp(), ${stamps(ctx)} from ${was} where org_id = ${ctx.org} and id = was.row_id`
  // Its references go first: it may refer to itself.
  await together(
    removeAllEntries(ctx, [{ id, object_key, words: [...words, ...wordsOf(full_id)] }]),
    updateCounted(ctx, countedObjects, sql`id = ${id}`, update),
  ).catch(refuse)
}

export async function reviveObject(ctx: Context, locked: LockedObject, entries: IndexEntries): Promise<void> {
  const { id } = locked
  const update = (was: Statement) =>
    sql`update objects set deleted_at = null, map_markers = ${JSON.stringify(entries.markers)}::text::jsonb, ${stamps(ctx)} from ${was} where org_id = ${ctx.org} and id = was.row_id`
  await together(updateCounted(ctx, countedObjects, sql`id = ${id}`, update), insertAll(ctx, locked, entries)).catch(
    (error) => {
      if (violatedConstraint(error) === 'object_reference_target')
        throw conflict(
          'reference_is_gone',
          'It cannot come back as it was: something that it refers to has gone at the same moment.',
        )
      refuse(error)
    },
  )
}

function stamps(ctx: Context): Statement {
  return sql`version = version + 1, updated_at = greatest(statement_timestamp(), created_at), updated_by = ${actorId(ctx)}`
}

function insertAll(
  ctx: Context,
  { id, object_key, full_id }: Pick<LockedObject, 'id' | 'object_key' | 'full_id'>,
  entries: IndexEntries,
): Promise<void> {
  const { values, words, references, uniqueValues } = withFullId(entries, full_id)
  return insertUnique(ctx, [{ id, object_key, values, words: [...words], references, uniqueValues }])
}

async function insertUnique(ctx: Context, objects: Parameters<typeof insertEntries>[1]): Promise<void> {
  if ((await insertEntries(ctx, objects)) > 0) throw uniqueValueTaken()
}
