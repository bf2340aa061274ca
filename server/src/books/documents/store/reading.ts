import type { Context } from '../../../platform/context.ts'
import { notFound } from '../../../platform/core/refusal.ts'
import { type Reference, sentAs } from '../../../platform/core/values/ids.ts'
import type { Document } from '../model/fields/standard-fields.ts'
import type { Kind } from '../model/kind/kind.ts'
import { findDocument } from './store.ts'

/** A document as it is at this moment, not locked: for those who must lock others before it. */
export async function readDocument<D extends Document>(ctx: Context, kind: Kind<D>, reference: Reference): Promise<D> {
  const found = await findDocument(ctx, kind, reference)
  if (!found) throw notFound(kind.noun, sentAs(reference))
  return JSON.parse(found.json)[kind.noun]
}
