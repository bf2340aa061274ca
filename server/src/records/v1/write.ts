import { type Context, transaction } from '../../platform/context.ts'
import { invalidAll, notFound } from '../../platform/core/refusal.ts'
import type { ExpectedRevision, WireRecord } from '../../platform/core/schema/revisions.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import type { Fields } from '../model/object.ts'
import { createObject, removeObject, updateObject, type WrittenObject } from '../single/actions.ts'
import type { WriteOptions } from '../single/decide.ts'
import { findOne, nameIn, objectIn } from './read.ts'
import { inV1Terms, namingOf } from './refusals.ts'
import type { Resource } from './resources.ts'
import { take } from './translate.ts'

/** Whether unknown fields are refused, which kinds the caller may refer to by name, and what other parts of the program add to kinds. */
export type WriteTerms = { strict: boolean } & Pick<WriteOptions, 'extensions' | 'reach'>
/** What was written, what of the body is not the client's to set, and what of it nobody knows. */
export type WriteResult = WireRecord & {
  id: string
  ignored: readonly string[]
  unknown: readonly { name: string; known: readonly string[] }[]
}

export function createOne(ctx: Context, resource: Resource, body: Fields, asked: WriteTerms): Promise<WriteResult> {
  return write(ctx, resource, '', asked, (ctx, options) => createObject(ctx, resource.kind.objectKey, body, options))
}

export function updateOne(
  ctx: Context,
  resource: Resource,
  reference: Reference,
  body: Fields,
  expected: ExpectedRevision,
  asked: WriteTerms,
): Promise<WriteResult> {
  return write(ctx, resource, nameIn(reference), asked, (ctx, options) =>
    updateObject(ctx, objectIn(resource, reference), body, expected, options),
  )
}

export function removeOne(
  ctx: Context,
  resource: Resource,
  reference: Reference,
  expected: ExpectedRevision,
  extensions: WriteOptions['extensions'],
): Promise<void> {
  const id = nameIn(reference)
  return inV1Terms(resource, id, () =>
    removeObject(ctx, objectIn(resource, reference), expected, { extensions, permit: onlyOf(resource, id) }),
  )
}

/** Objects of other kinds do not exist for this resource. */
export function onlyOf({ kind, label }: Resource, id: string): (objectKey: string) => void {
  return (objectKey) => {
    if (objectKey !== kind.objectKey) throw notFound(label, id)
  }
}

/** Writes as v2 does, in one transaction, with v1's names on the way in and out. */
async function write(
  ctx: Context,
  resource: Resource,
  id: string,
  { strict, ...asked }: WriteTerms,
  act: (ctx: Context, options: WriteOptions) => Promise<WrittenObject>,
): Promise<WriteResult> {
  let ignored: readonly string[] = []
  let unknown: WriteResult['unknown'] = []
  const read: WriteOptions['read'] = (sent, definition, before) => {
    const taken = take(resource, sent, definition, before)
    if (strict && taken.unknown.length > 0) throw unknownFields(taken.unknown)
    ignored = taken.ignored
    unknown = taken.unknown.map((name) => ({ name, known: taken.known }))
    return taken.fields
  }
  return inV1Terms(resource, id, () =>
    transaction(ctx, async (ctx) => {
      const written = await act(ctx, { ...asked, naming: namingOf(resource), permit: onlyOf(resource, id), read })
      return { ...(await findOne(ctx, resource, { by: 'id', id: written.id })), id: written.id, ignored, unknown }
    }),
  )
}

function unknownFields(names: readonly string[]) {
  return invalidAll(
    names.map((name) => ({ field: name, code: 'unknown_field', message: `There is no field "${name}" here.` })),
  )
}
