import type { Context } from '../../platform/context.ts'
import { sql } from '../../platform/db/sql/sql.ts'
import type { ContentRow } from '../model/object.ts'
import type { Marker, ReferenceEntry } from './entries.ts'

export type StoredObject = ContentRow & { id: string }

const pageSize = 500

/** The next live objects of a kind that have one of these keys. */
export function listObjectsWith(
  ctx: Context,
  objectKey: string,
  keys: readonly string[],
  after: string,
): Promise<StoredObject[]> {
  return ctx.run<StoredObject>(sql`
    select id, full_id, json, name, status, external_id from objects
    where org_id = ${ctx.org} and object_key = ${objectKey} and deleted_at is null and id > ${after}::uuid and json ?| ${keys}::text[]
    order by id limit ${pageSize}`)
}

/** How many of these references lead to no live object of their kind, by field. */
export async function countMissingTargets(
  ctx: Context,
  references: readonly ReferenceEntry[],
): Promise<{ field: string; count: number }[]> {
  if (references.length === 0) return []
  return ctx.run<{ field: string; count: number }>(sql`
    select r.field, count(*)::int as count from jsonb_to_recordset(${JSON.stringify(references)}::text::jsonb) as r(field text, to_id uuid, to_key text)
    where not exists (select from objects o where o.org_id = ${ctx.org} and o.id = r.to_id and o.object_key = r.to_key and o.deleted_at is null) group by r.field`)
}

/** All entries of these objects in these top-level fields, and some of their words. */
export async function deleteFields(
  ctx: Context,
  objectKey: string,
  ids: readonly string[],
  keys: readonly string[],
  words: readonly { object_id: string; word: string }[],
): Promise<void> {
  const within = sql`org_id = ${ctx.org} and split_part(field, '.', 1) = any (${keys}::text[])`
  await ctx.run(sql`
    with removed_values as (delete from object_values where ${within} and object_id = any (${ids}::uuid[])),
      removed_references as (delete from object_references where ${within} and from_id = any (${ids}::uuid[])),
      removed_unique_values as (delete from object_unique_values where ${within} and object_key = ${objectKey} and object_id = any (${ids}::uuid[]))
    delete from object_words w using jsonb_to_recordset(${JSON.stringify(words)}::text::jsonb) as r(object_id uuid, word text)
    where w.org_id = ${ctx.org} and w.object_key = ${objectKey} and w.word = r.word and w.object_id = r.object_id`)
}

export async function saveMarkers(ctx: Context, objects: readonly { id: string; markers: Marker[] }[]): Promise<void> {
  await ctx.run(sql`
    update objects o set map_markers = r.markers from jsonb_to_recordset(${JSON.stringify(objects)}::text::jsonb) as r(id uuid, markers jsonb)
    where o.org_id = ${ctx.org} and o.id = r.id and o.map_markers <> r.markers`)
}
