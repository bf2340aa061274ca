import type { Context } from '../../context.ts'
import { type Reference, sentAs } from '../../core/ids.ts'
import { notFound } from '../../core/refusal.ts'
import type { Kind } from './model/kind.ts'
import type { Document } from './model/standard-fields.ts'
import { findDocument } from './store.ts'

/** A document as it is at this moment, not locked: for those who must lock others before it. */
export async function readDocument<D extends Document>(ctx: Context, kind: Kind<D>, reference: Reference): Promise<D> {
  const found = await findDocument(ctx, kind, reference)
  if (!found) throw notFound(kind.noun, sentAs(reference))
  return JSON.parse(found.json)[kind.noun]
}
