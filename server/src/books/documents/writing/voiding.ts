import { type Context, together, transaction } from '../../../platform/context.ts'
import { conflict } from '../../../platform/core/refusal.ts'
import type { ExpectedRevision, WireRecord } from '../../../platform/core/schema/revisions.ts'
import type { Reference } from '../../../platform/core/values/ids.ts'
import { requireOpenPeriods } from '../../periods/open.ts'
import { namesOf } from '../model/fields/fields.ts'
import type { Document } from '../model/fields/standard-fields.ts'
import { dateOf } from '../model/guarded-dates.ts'
import { type Kind, parentOf } from '../model/kind/kind.ts'
import { isPaidInPart, requireVoidable } from '../model/voiding.ts'
import { recordEvents } from '../store/history-store.ts'
import { linesOf } from '../store/line-store.ts'
import { createDocument, type DocumentInput, readBack, type UpdateResult } from './actions.ts'
import { lockExpected } from './locks.ts'
import { nobody, type OriginHooks } from './origins.ts'
import { saveOrigin, saveVoid } from './voiding-store.ts'

/** Takes a document out of the books. Its number and its content stay, with the reason; it is in no search, total or export unless asked for. */
export function voidDocument(
  ctx: Context,
  kind: Kind,
  reference: Reference,
  reason: string,
  expected: ExpectedRevision,
  following: OriginHooks = nobody,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const followed = await following.lock(ctx, reference)
    const { id } = await voidLocked(ctx, kind, reference, reason, expected)
    await followed.letGo(ctx, id, reason)
    await followed.reconsider(ctx)
    return readBack(ctx, kind, id)
  })
}

/** Voids a document and makes a draft with the same content in its place, both or neither. Answers the draft. */
export function correctDocument(
  ctx: Context,
  kind: Kind,
  reference: Reference,
  reason: string,
  expected: ExpectedRevision,
  following: OriginHooks = nobody,
): Promise<UpdateResult & { id: string }> {
  return transaction(ctx, async (ctx) => {
    const followed = await following.lock(ctx, reference)
    const document = await voidLocked(ctx, kind, reference, reason, expected)
    const lines = await linesOf(ctx, kind, document.id)
    const copy = await createDocument(
      ctx,
      kind,
      copyOf(kind, document, lines),
      { corrects_id: document.id },
      { lines, kept_tax_amount: document.kept_tax_amount },
    )
    await saveOrigin(ctx, kind, document.id, copy.id)
    await followed.follow(ctx, document.id, copy.id)
    return copy
  })
}

async function voidLocked(
  ctx: Context,
  kind: Kind,
  reference: Reference,
  reason: string,
  expected: ExpectedRevision,
): Promise<Document> {
  const { document } = await lockExpected(ctx, kind, reference, expected)
  const parent = parentOf(kind, document)
  if (parent !== null)
    throw conflict(
      'on_a_statement',
      `This ${kind.noun} is on the statement ${parent}. Take it off before it is voided.`,
    )
  const standing = isPaidInPart(document) ? ((await kind.paying?.listStanding(ctx, kind, document)) ?? []) : []
  requireVoidable(kind, document, standing)
  await saveVoid(ctx, kind, document.id, reason)
  await together(
    recordEvents(ctx, kind, [
      { type: `${kind.noun}.voided`, id: document.id, previous: { voided_at: null, void_reason: null } },
    ]),
    requireOpenPeriods(ctx, [dateOf(kind, document)]),
  )
  return document
}

/** All that a client could have set. The external id stays with the voided one, and what an accounting system knows of that one does not hold for another. */
function copyOf({ fields, lines }: Kind, document: Document, items: readonly object[]): DocumentInput {
  const names = namesOf(fields, 'client', 'creation', ...(items.length > 0 ? [] : (['sum'] as const)))
  const kept = names.filter((name) => name !== 'external_id' && !name.startsWith('qb_'))
  const tax = document.is_tax_on ? { tax_amount: document.tax_amount } : { tax_amount: undefined }
  return {
    ...pick(document, kept),
    ...tax,
    items: items.map((line) => pick(line, namesOf(lines.fields, 'client'))),
  } as unknown as DocumentInput
}

function pick(from: object, names: readonly string[]): Record<string, unknown> {
  const values = from as Record<string, unknown>
  return Object.fromEntries(names.map((name) => [name, values[name]]))
}
