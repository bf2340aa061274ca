import type { Context } from '../../context.ts'
import type { Reference } from '../../core/ids.ts'
import { notFound } from '../../core/refusal.ts'
import type { Revised } from '../../core/revisions.ts'
import { each, sql } from '../../db/sql.ts'
import type { Fields } from '../model/apply.ts'
import { searchObjects } from '../search/search.ts'
import type { ObjectReference } from '../single/find.ts'
import { type Query, searchOf } from './query.ts'
import { inWordsOf } from './refusals.ts'
import type { Face } from './resources.ts'
import { show } from './translate.ts'

export async function searchFace(ctx: Context, face: Face, query: Query): Promise<string> {
  const { search, parameters } = searchOf(face, query)
  const page = JSON.parse(await inWordsOf(face, '', () => searchObjects(ctx, face.kind.objectKey, search, { name: face.many }), parameters))
  return JSON.stringify({
    ...page,
    [face.many]: page[face.many].map((object: Fields) => ({ ...show(face, object), ...(object.deletedAt !== undefined && { deleted_at: object.deletedAt }) })),
  })
}

export async function findOne(ctx: Context, face: Face, reference: Reference): Promise<Revised> {
  const live = sql`w.org_id = ${ctx.org} and w.object_key = ${face.kind.objectKey} and w.deleted_at is null`
  const [row] = await ctx.run<Revised>(
    reference.by === 'id'
      ? sql`select w.revision, w.json from objects_wire w where ${live} and w.id = ${each('uuid', reference.id)}`
      : sql`select w.revision, w.json from objects_wire w where ${live} and w.id = (
          select id from objects where org_id = ${ctx.org} and object_key = ${face.kind.objectKey} and external_id = ${each('text', reference.external_id)} and deleted_at is null)`,
  )
  if (!row) throw notFound(face.label, nameIn(reference))
  return { revision: row.revision, json: JSON.stringify(show(face, JSON.parse(row.json))) }
}

export function objectIn({ kind }: Face, reference: Reference): ObjectReference {
  return reference.by === 'id' ? reference : { by: 'externalId', objectKey: kind.objectKey, externalId: reference.external_id }
}

export function nameIn(reference: Reference): string {
  return reference.by === 'id' ? reference.id : reference.external_id
}
