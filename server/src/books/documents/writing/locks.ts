import type { Context } from '../../../platform/context.ts'
import { invalidAll, notFound } from '../../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected } from '../../../platform/core/schema/revisions.ts'
import { type Reference, sentAs } from '../../../platform/core/values/ids.ts'
import { collision } from '../../../platform/db/pool/away.ts'
import type { Document } from '../model/fields/standard-fields.ts'
import { type Kind, parentOf } from '../model/kind/kind.ts'
import { requireNotVoided } from '../model/voiding.ts'
import { lockWhole } from '../store/bulk-store.ts'
import { recordChanges } from '../store/history.ts'
import { lockIdsOf, saveParent } from '../store/parent-store.ts'
import { type LockedDocument, lockDocument, lockIds, readLocked, saveRevisions } from '../store/store.ts'

export type { LockedDocument }

/** One document, locked, in the revision that the caller expects, to be changed. */
export async function lockExpected<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  reference: Reference,
  expected: ExpectedRevision,
): Promise<LockedDocument<D>> {
  const locked = await lockDocument(ctx, kind, reference)
  if (!locked) throw notFound(kind.noun, sentAs(reference))
  requireExpected(expected, locked.document.revision)
  requireNotVoided(kind, locked.document)
  return locked
}

/** The documents of a parent, locked in the order of their ids. The caller has the parent locked. */
export async function lockDocumentsOf<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  parent: string,
): Promise<LockedDocument<D>[]> {
  return readLocked(ctx, kind, await lockIdsOf(ctx, kind, parent))
}

/** These documents, locked; a refusal names those that are not there. */
export async function lockDocuments<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  ids: readonly string[],
): Promise<LockedDocument<D>[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  const locked = new Set(await lockIds(ctx, kind, wanted))
  const missing = wanted.filter((id) => !locked.has(id))
  if (missing.length > 0) {
    const { noun } = kind
    throw invalidAll(
      missing.map((id) => ({
        field: `${noun}_ids`,
        code: `unknown_${noun}`,
        message: `There is no ${noun} "${id}" in this organization.`,
      })),
    )
  }
  return readLocked(ctx, kind, [...locked])
}

/**
 * These documents with the records that they are part of, locked in the order in which everyone takes them; those that are not there are left out. Where
 * one was put on another record meanwhile, the transaction begins again.
 */
export async function lockWithParents<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  ids: readonly string[],
): Promise<LockedDocument<D>[]> {
  const locked = await lockWhole(ctx, kind, ids)
  if (!locked) throw collision(`one of the ${kind.plural} was put on another record meanwhile`)
  return readLocked(ctx, kind, locked)
}

/** Puts locked documents under a parent, or takes them off it with null; either is a change of each. */
export async function assignParent<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  documents: readonly LockedDocument<D>[],
  parent: string | null,
): Promise<void> {
  const key = kind.parent?.key as string
  await saveParent(
    ctx,
    kind,
    documents.map(({ document }) => document.id),
    parent,
  )
  await recordChanges(
    ctx,
    kind,
    documents.map(({ document }) => ({
      before: document,
      to: document.status_id,
      previous: { [key]: parentOf(kind, document) },
    })),
    { approves: documents.some(({ approves }) => approves) },
  )
}

/** Another revision of each of these documents, which the caller has locked and changed in a way of its own. */
export function raiseRevisions(ctx: Context, kind: Kind, ids: readonly string[]): Promise<void> {
  return saveRevisions(ctx, kind, ids)
}

/** These documents, which the caller has locked by itself. */
export function readDocuments<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  ids: readonly string[],
): Promise<LockedDocument<D>[]> {
  return readLocked(ctx, kind, ids)
}
