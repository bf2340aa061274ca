import { type Context, together } from '../../../platform/context.ts'
import { takeNumbers } from '../../../platform/db/counts/counters.ts'
import { requireOpenPeriods } from '../../periods/open.ts'
import type { Document } from '../model/fields/standard-fields.ts'
import { datesOfChange } from '../model/guarded-dates.ts'
import { type Kind, type PaidChange, type PaymentDetails, parentOf } from '../model/kind/kind.ts'
import type { Plan } from '../model/plan.ts'
import { saveDocuments } from '../store/bulk-store.ts'
import { changeOf, recordChanges, type Step, stepIn } from '../store/history.ts'
import { replaceLines } from '../store/line-store.ts'
import { approvesDocuments, changesText, saveTexts } from '../store/store.ts'
import { type Asked, create, type Numbers, type Written } from './creating.ts'
import { findDuplicates } from './duplicates.ts'
import { requirePayable } from './payable.ts'

/**
 * Writes what was planned, all documents together: the new ones in their final state, the lines, then one round for each change of the others.
 * False where somebody has meanwhile created one of the new ones.
 */
export async function applyPlans<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  plans: readonly Plan<D>[],
): Promise<boolean> {
  // Before the new documents go in: whoever has put one in and waits for the counter could be waited for by the one who has it.
  const numbers = await numbersFor(ctx, kind, plans)
  const created = plans.filter(({ status }) => status === 'created')
  if (created.length > 0 && !(await create(ctx, kind, created, numbers, { whereTaken: 'left out' }))) return false
  const updated = plans.filter(({ status }) => status === 'updated')
  const replaced = updated.flatMap(({ document, lines }) => (lines ? [{ document: document.id, lines }] : []))
  if (replaced.length > 0) await replaceLines(ctx, kind, replaced)
  for (let round = 0; updated.some(({ steps }) => steps.length > round); round += 1) {
    await applyRound(
      ctx,
      kind,
      updated.flatMap((plan) => stepIn(plan, round)),
      { numbers },
    )
  }
  return true
}

/** The same for one document that is part of another record, which may refuse a move and changes with it. The caller holds both locks. */
export async function applyWithParent<D extends Document>(ctx: Context, kind: Kind<D>, plan: Plan<D>): Promise<void> {
  const { document, steps } = plan
  for (const { before, edited } of steps.flatMap((_, round) => stepIn(plan, round))) {
    if (edited.moved) await kind.parent?.beforeMove(ctx, before, edited.next)
  }
  await applyPlans(ctx, kind, [plan])
  const after = steps.at(-1)?.next ?? document
  await kind.parent?.afterChange(ctx, {
    before: document,
    after,
    contentChanged: steps.some(({ contentChanged }) => contentChanged),
  })
}

/**
 * What was paid of these documents, by payments that the caller has. The records that they are part of may refuse a move, and change with them: once
 * each, however many of their documents are paid. The caller holds all locks.
 */
export async function applyPaid<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  steps: readonly Step<D>[],
): Promise<void> {
  const byParent = Map.groupBy(
    steps.filter(({ before }) => parentOf(kind, before) !== null),
    ({ before }) => parentOf(kind, before),
  )
  for (const ofOne of byParent.values()) {
    const moved =
      ofOne.find(({ before, edited }) => edited.moved && before.status_id === 'paid') ??
      ofOne.find(({ edited }) => edited.moved)
    if (moved) await kind.parent?.beforeMove(ctx, moved.before, moved.edited.next)
  }
  await applyRound(ctx, kind, steps, { paid: null })
  for (const [{ before, edited }] of byParent.values() as Iterable<[Step<D>]>)
    await kind.parent?.afterChange(ctx, { before, after: edited.next, contentChanged: false })
}

/** A number for every document that stops being a draft, in this order. */
export async function numbersFor(
  ctx: Context,
  { noun }: Pick<Kind, 'noun'>,
  changes: readonly { document: Document; steps: readonly { next: Document }[] }[],
): Promise<Numbers> {
  const numbered = changes.filter(
    ({ document, steps }) => document.number === null && steps.some(({ next }) => next.status_id !== 'draft'),
  )
  if (numbered.length === 0) return new Map()
  const first = await takeNumbers(ctx, noun, numbered.length)
  return new Map(numbered.map(({ document }, index) => [document.id, first + index]))
}

type Round<D extends Document> = Asked<D> & { numbers?: Numbers; paid?: PaymentDetails | null; approves?: boolean }

/**
 * One change of each of these documents, whose locks the caller holds: every change of documents is written here. What is paid gets its payments, as
 * `paid` says how, unless that is null: then the caller has them.
 */
export async function applyRound<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  steps: readonly Step<D>[],
  { numbers = new Map(), paid = {}, asked = [], shape = null, ...known }: Round<D> = {},
): Promise<Written> {
  if (steps.length === 0) return { answers: [], found: null }
  const changes = steps.map(({ before, edited }) => ({ before, next: edited.next }))
  await requirePayable(ctx, kind, changes)
  const approves = known.approves ?? (await approvesDocuments(ctx, kind))
  const payments =
    paid && changes.some(changesPaid)
      ? await kind.paying?.prepare(ctx, kind, changes, { reason: steps[0]?.reason, ...paid })
      : null
  const numberOf = ({ before, edited }: Step<D>) =>
    before.status_id === 'draft' && edited.next.status_id !== 'draft' ? (numbers.get(before.id) ?? null) : null
  const renamed = steps
    .filter((step) => changesText(kind, step.edited.previous, numberOf(step) !== null))
    .map(({ before }) => before.id)
  const content = together(
    payments ? payments.before() : Promise.resolve(),
    ...steps.flatMap(({ lines }) => lines?.() ?? []),
    saveDocuments(
      ctx,
      kind,
      steps.map((step) => ({ ...step.edited.next, new_number: numberOf(step) })),
    ),
    // After the documents, from whose rows they are made.
    renamed.length > 0 ? saveTexts(ctx, kind, renamed) : Promise.resolve(),
    payments ? payments.after() : Promise.resolve(),
  )
  const [, answers, , found] = await together(
    content,
    recordChanges(
      ctx,
      kind,
      steps.map((step) => changeOf(step, numberOf(step) !== null)),
      { approves, shape },
    ),
    requireOpenPeriods(
      ctx,
      steps.flatMap(({ before, edited }) => datesOfChange(kind, { before, ...edited })),
    ),
    findDuplicates(ctx, kind, asked),
  )
  return { answers, found }
}

/** Whether a change has to do with payments: most have not. */
function changesPaid({ before, next }: PaidChange): boolean {
  return before.amount_paid !== next.amount_paid || (before.status_id === 'paid') !== (next.status_id === 'paid')
}
