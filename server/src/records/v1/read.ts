import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/core/refusal.ts'
import type { WireRecord } from '../../platform/core/schema/revisions.ts'
import { type Reference, sentAs } from '../../platform/core/values/ids.ts'
import type { Extension } from '../kinds/extension.ts'
import type { Fields, ObjectReference } from '../model/object.ts'
import { searchObjects } from '../search/search.ts'
import { type Query, searchOf } from './query.ts'
import { inV1Terms } from './refusals.ts'
import type { Resource } from './resources.ts'
import { findOfKind } from './store.ts'
import { show } from './translate.ts'

export async function searchResource(
  ctx: Context,
  resource: Resource,
  query: Query,
  extensions: readonly Extension[],
): Promise<string> {
  const { search, parameters } = searchOf(resource, query)
  const page = JSON.parse(
    await inV1Terms(
      resource,
      '',
      () =>
        searchObjects(ctx, resource.kind.objectKey, search, {
          extensions,
          name: resource.many,
          nextName: 'next_after',
        }),
      parameters,
    ),
  )
  return JSON.stringify({
    ...page,
    [resource.many]: page[resource.many].map((object: Fields) => ({
      ...show(resource, object),
      ...(object.deletedAt !== undefined && { deleted_at: object.deletedAt }),
    })),
  })
}

export async function findOne(ctx: Context, resource: Resource, reference: Reference): Promise<WireRecord> {
  const row = await findOfKind(ctx, resource.kind.objectKey, reference)
  if (!row) throw notFound(resource.label, nameIn(reference))
  return { revision: row.revision, json: JSON.stringify(show(resource, JSON.parse(row.json))) }
}

/** The same in v2's terms. */
export async function findFields(ctx: Context, resource: Resource, reference: Reference): Promise<Fields> {
  const row = await findOfKind(ctx, resource.kind.objectKey, reference)
  if (!row) throw notFound(resource.label, nameIn(reference))
  return JSON.parse(row.json)
}

export async function idOf(ctx: Context, { kind }: Resource, reference: Reference): Promise<string | undefined> {
  const row = await findOfKind(ctx, kind.objectKey, reference)
  return row && JSON.parse(row.json).id
}

export function objectIn({ kind }: Resource, reference: Reference): ObjectReference {
  const { objectKey } = kind
  if (reference.by === 'number') return { by: 'fullId', objectKey, number: reference.number, fullId: reference.full }
  return reference.by === 'id' ? reference : { by: 'externalId', objectKey, externalId: reference.external_id }
}

export function nameIn(reference: Reference): string {
  return sentAs(reference)
}
