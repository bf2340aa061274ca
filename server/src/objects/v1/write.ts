import { type Context, transaction } from '../../context.ts'
import type { Reference } from '../../core/ids.ts'
import { invalidAll, notFound } from '../../core/refusal.ts'
import type { Expected, Revised } from '../../core/revisions.ts'
import type { Fields } from '../model/apply.ts'
import { createObject, removeObject, updateObject, type Written } from '../single/actions.ts'
import type { WriteOptions } from '../single/decide.ts'
import { findOne, nameIn, objectIn } from './read.ts'
import { inWordsOf, namingOf } from './refusals.ts'
import type { Face } from './resources.ts'
import { take } from './translate.ts'

/** Whether unknown fields are refused, and which kinds the caller may know of. */
export type Asked = { strict: boolean; reach: (objectKey: string) => void }
export type Done = Revised & { id: string; ignored: readonly string[] }

export function createOne(ctx: Context, face: Face, body: Fields, asked: Asked): Promise<Done> {
  return write(ctx, face, '', asked, (ctx, options) => createObject(ctx, face.kind.objectKey, body, options))
}

export function updateOne(ctx: Context, face: Face, reference: Reference, body: Fields, expected: Expected, asked: Asked): Promise<Done> {
  return write(ctx, face, nameIn(reference), asked, (ctx, options) => updateObject(ctx, objectIn(face, reference), body, expected, options))
}

export function removeOne(ctx: Context, face: Face, reference: Reference, expected: Expected): Promise<void> {
  const id = nameIn(reference)
  return inWordsOf(face, id, () => removeObject(ctx, objectIn(face, reference), expected, { permit: onlyOf(face, id) }))
}

/** An object of another kind is not there, as far as this face goes. */
export function onlyOf({ kind, label }: Face, id: string): (objectKey: string) => void {
  return (objectKey) => {
    if (objectKey !== kind.objectKey) throw notFound(label, id)
  }
}

/** The same writes as those of v2, put in v1's words before and after, in one transaction. */
async function write(
  ctx: Context,
  face: Face,
  id: string,
  { strict, reach }: Asked,
  act: (ctx: Context, options: WriteOptions) => Promise<Written>,
): Promise<Done> {
  let ignored: readonly string[] = []
  const read: WriteOptions['read'] = (sent, definition, before) => {
    const taken = take(face, sent, definition, before)
    if (strict && taken.unknown.length > 0) throw unknownFields(taken.unknown)
    ignored = taken.ignored
    return taken.fields
  }
  return inWordsOf(face, id, () =>
    transaction(ctx, async (ctx) => {
      const written = await act(ctx, { naming: namingOf(face), permit: onlyOf(face, id), reach, read })
      return { ...(await findOne(ctx, face, { by: 'id', id: written.id })), id: written.id, ignored }
    }),
  )
}

function unknownFields(names: readonly string[]) {
  return invalidAll(names.map((name) => ({ field: name, code: 'unknown_field', message: `There is no field "${name}" here.` })))
}
