import { type Context, together, transaction } from '../../context.ts'
import type { Reference } from '../../core/ids.ts'
import { conflict } from '../../core/refusal.ts'
import type { Expected, Revised } from '../../core/revisions.ts'
import { takeNumber } from '../../db/counters.ts'
import { daysOf } from '../pay-terms/actions.ts'
import { recordChanges } from './history.ts'
import { recordEvents } from './history-store.ts'
import { insertLines } from './line-store.ts'
import { type Locked, lockExpected } from './locks.ts'
import { blankDocument } from './model/blank.ts'
import type { Edited } from './model/conclude.ts'
import { edit } from './model/edit.ts'
import { type Kind, parentOf } from './model/kind.ts'
import { type Move, type MoveInput, moveTargets } from './model/lifecycle.ts'
import type { NewLine } from './model/line-fields.ts'
import { priced, withSums } from './model/line-model.ts'
import type { Document, Edit } from './model/standard-fields.ts'
import { changesText, deleteDocument, findDocument, insertDocument, saveDocument, saveTexts } from './store.ts'

export type New<E extends Edit = Edit, L extends NewLine = NewLine> = E & { external_id?: string | null; items?: L[] }
export type Updated = Revised & { ignored: string[] }

/** A new document is a draft, with its lines if it comes with some. */
export function createDocument<D extends Document, E extends Edit, L extends NewLine>(
  ctx: Context,
  kind: Kind<D, E, L>,
  { external_id = null, items = [], ...sent }: New<E, L>,
): Promise<Updated & { id: string }> {
  return transaction(ctx, async (ctx) => {
    const { input, ignored } = forDraft(sent as Edit, items.length > 0)
    const blank = blankDocument(kind, ctx, external_id)
    const dated = { [kind.date]: blank[kind.date as keyof D], ...input }
    const edited = await decide(ctx, kind, { document: blank, lines: 0, payTermDays: null }, dated)
    const lines = items.map((line) => priced(kind.lines.fields, line))
    const document = lines.length > 0 ? withSums(edited.next, lines) : edited.next
    const [, , , , made] = await together(
      insertDocument(ctx, kind, document),
      saveTexts(ctx, kind, [document.id]),
      insertLines(ctx, kind, document.id, lines),
      recordEvents(ctx, kind, [{ type: `${kind.noun}.created`, id: document.id }]),
      present(ctx, kind, document.id),
    )
    return { id: document.id, ...made, ignored: [...ignored, ...edited.ignored] }
  })
}

export function updateDocument<D extends Document, E extends Edit>(
  ctx: Context,
  kind: Kind<D, E>,
  reference: Reference,
  input: E,
  expected: Expected,
): Promise<Updated> {
  return transaction(ctx, async (ctx) => {
    const locked = await lockExpected(ctx, kind, reference, expected)
    const edited = await decide(ctx, kind, locked, input)
    return { ...(await applyEdit(ctx, kind, locked.document, edited, input.reason, { withCurrency: false })), ignored: edited.ignored }
  })
}

/** The named actions: the same moves as by `status_id`. */
export function moveDocument<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  reference: Reference,
  move: Move,
  input: MoveInput,
  expected: Expected,
): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const locked = await lockExpected(ctx, kind, reference, expected)
    return applyEdit(ctx, kind, locked.document, await decide(ctx, kind, locked, { ...input, status_id: moveTargets[move] }), input.reason)
  })
}

export function removeDocument(ctx: Context, kind: Kind, reference: Reference, expected: Expected): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { document } = await lockExpected(ctx, kind, reference, expected)
    const { id, status_id } = document
    if (status_id !== 'draft') throw conflict('not_a_draft', `Only drafts can be deleted, and this ${kind.noun} is ${status_id}.`)
    await together(recordEvents(ctx, kind, [{ type: `${kind.noun}.deleted`, id }]), deleteDocument(ctx, kind, id))
  })
}

export async function present(ctx: Context, kind: Kind, id: string, options?: { withCurrency: boolean }): Promise<Revised> {
  const found = await findDocument(ctx, kind, { by: 'id', id }, options)
  if (!found) throw new Error(`${kind.noun} ${id} is missing within its own transaction`)
  return found
}

/** Asks the rule, with what it needs to know of other records. */
async function decide<D extends Document>(ctx: Context, kind: Kind<D>, { document, lines, ...known }: Locked<D>, input: Edit): Promise<Edited<D>> {
  const stays = input.pay_term_id === undefined || input.pay_term_id === document.pay_term_id
  const payTermDays = stays ? known.payTermDays : await daysOf(ctx, input.pay_term_id as string | null)
  return edit(kind, document, input, { hasLines: lines > 0, now: new Date(), payTermDays })
}

/** Writes what the rule decided, and answers with the document. A parent changes with it, and only then is the document's own answer known. */
async function applyEdit<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  before: D,
  { next, previous, moved, contentChanged }: Edited<D>,
  reason: string | undefined,
  shape?: { withCurrency: boolean },
): Promise<Revised> {
  const answer = () => present(ctx, kind, before.id, shape)
  if (Object.keys(previous).length === 0) return answer()
  const parent = parentOf(kind, before) === null ? null : kind.parent
  if (moved) await parent?.beforeMove(ctx, before, next)
  const number = before.number === null && next.status_id !== 'draft' ? await takeNumber(ctx, kind.noun) : null
  const change = { before, to: next.status_id, previous: { ...previous, ...(number !== null && { number: null }) }, reason }
  const texts = () => (changesText(kind, previous, number !== null) ? saveTexts(ctx, kind, [before.id]) : Promise.resolve())
  if (!parent) return (await together(saveDocument(ctx, kind, next, number), texts(), recordChanges(ctx, kind, [change]), answer()))[3]
  await together(saveDocument(ctx, kind, next, number), texts(), recordChanges(ctx, kind, [change]))
  await parent.afterChange(ctx, { before, after: next, contentChanged })
  return answer()
}

/** A document begins as a draft, so what belongs to a later state is ignored, and so is a sum where there are lines. */
function forDraft({ status_id, sent_at, paid_at, reason, ...input }: Edit, hasLines: boolean): { input: Edit; ignored: string[] } {
  const later = { status_id: status_id === 'draft' ? undefined : status_id, sent_at: sent_at ?? undefined, paid_at: paid_at ?? undefined, reason }
  const sum = hasLines ? { sub_total_amount: input.sub_total_amount } : {}
  const ignored = Object.entries({ ...later, ...sum }).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  return { input: hasLines ? { ...input, sub_total_amount: undefined } : input, ignored }
}
