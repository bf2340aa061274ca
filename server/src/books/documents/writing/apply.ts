import { type Context, together } from '../../../platform/context.ts'
import type { Revised } from '../../../platform/core/schema/revisions.ts'
import { takeNumbers } from '../../../platform/db/counts/counters.ts'
import type { EventOf } from '../../../platform/events/record.ts'
import { requireOpenPeriods } from '../../periods/open.ts'
import type { Document } from '../model/fields/standard-fields.ts'
import { datesOfChange, datesOfPlan } from '../model/guarded-dates.ts'
import { homeFields } from '../model/home-amount.ts'
import type { EditResult } from '../model/kind/conclude.ts'
import {
  type DuplicateCandidate,
  type FoundDuplicates,
  type Kind,
  type PaymentDetails,
  parentOf,
} from '../model/kind/kind.ts'
import { paidPart } from '../model/kind/paying.ts'
import type { Plan } from '../model/plan.ts'
import { requireRightToPay } from '../store/access.ts'
import type { AnswerShape } from '../store/answer-sql.ts'
import { insertDocuments, saveDocuments, type WhereTaken } from '../store/bulk-store.ts'
import { type Change, eventsOfChange, recordChanges, recordJudged } from '../store/history.ts'
import { insertLines, replaceLines } from '../store/line-store.ts'
import { approvesDocuments, changesText, saveTexts } from '../store/store.ts'
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

export type Written = { answers: (Revised & { id: string })[]; found: FoundDuplicates | null }
type Asked<D extends Document> = { asked?: readonly DuplicateCandidate<D>[]; shape?: AnswerShape | null }

/** New documents with their lines, in the trip of their events. Null where one is left out, because somebody has created it meanwhile. */
export async function create<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  plans: readonly Plan<D>[],
  numbers: Numbers,
  { whereTaken, asked = [], shape = null }: Asked<D> & { whereTaken: WhereTaken },
): Promise<Written | null> {
  const documents = plans.map(({ document, steps }) => ({
    ...(steps.at(-1)?.next ?? document),
    revision: 1 + steps.length,
    new_number: numbers.get(document.id) ?? null,
  }))
  const moved = plans.flatMap(({ document, steps }) => steps.slice(-1).map(({ next }) => ({ before: document, next })))
  for (const { before, next } of moved) requireRightToPay(ctx, before, next)
  const approves = await approvesDocuments(ctx, kind)
  const inserting = insertDocuments(ctx, kind, documents, whereTaken)
  if (whereTaken === 'left out' && (await inserting) < documents.length) return null
  const content = together(
    inserting,
    saveTexts(
      ctx,
      kind,
      documents.map(({ id }) => id),
    ),
    insertLines(
      ctx,
      kind,
      plans.map(({ document, lines }) => ({ document: document.id, lines: lines ?? [] })),
    ),
  )
  if (moved.length > 0) await content
  const payments = moved.length > 0 ? await kind.paying?.prepare(ctx, kind, moved, {}) : null
  const [, , answers, , found] = await together(
    content,
    payments ? payments.after() : Promise.resolve(),
    recordJudged(
      ctx,
      kind,
      documents,
      plans.flatMap((plan) => eventsOfCreation(kind, plan)),
      { approves, shape },
    ),
    requireOpenPeriods(
      ctx,
      plans.flatMap((plan) => datesOfPlan(kind, plan)),
    ),
    findDuplicates(ctx, kind, asked),
  )
  return { answers, found }
}

/** The events of a document that was created and moved at once, each with the document as a single operation would have left it. */
function eventsOfCreation<D extends Document>(kind: Kind<D>, plan: Plan<D>): EventOf[] {
  const { document, steps, noted } = plan
  const final = steps.at(-1)?.next ?? document
  const created: EventOf = {
    type: `${kind.noun}.created`,
    id: document.id,
    revision: 1,
    ...((noted || steps.length > 0) && {
      overrides: { ...(steps.length > 0 && differencesTo(kind, document, final, 1)), ...noted },
    }),
  }
  const moves = steps.flatMap((step, round) => {
    const overrides = round < steps.length - 1 ? differencesTo(kind, step.next, final, round + 2) : {}
    return stepIn(plan, round)
      .flatMap((change) => eventsOfChange(kind, changeOf(change, change.before.status_id === 'draft')))
      .map((event): EventOf => ({ ...event, revision: round + 2, overrides: { ...overrides, ...event.overrides } }))
  })
  return [created, ...moves]
}

/** What of the document was different before the later steps; what could be done with it then follows from that. */
function differencesTo(
  { date }: Pick<Kind, 'date'>,
  document: Document,
  final: Document,
  revision: number,
): Record<string, unknown> {
  const [then, now] = [document, final] as [Record<string, unknown>, Record<string, unknown>]
  const changed = ['status_id', 'sent_at', 'paid_at', 'pay_term_id', 'due_date', date, ...homeFields]
    .filter((field) => then[field] !== now[field])
    .map((field) => [field, then[field]])
  return {
    ...Object.fromEntries(changed),
    ...(document.status_id === 'paid' ? {} : paidPart(document.total_amount, document.amount_paid)),
    revision,
    ...(document.status_id === 'draft' && { number: null }),
  }
}

export type Numbers = ReadonlyMap<string, number>

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

/** A change of one document. `lines` sends what it writes of the lines, and `events` is what is recorded where that does not follow from the change. */
export type Step<D extends Document = Document> = {
  before: D
  edited: EditResult<D>
  reason: string | undefined
  lines?: (() => readonly Promise<unknown>[]) | undefined
  events?: EventOf[] | undefined
}

function stepIn<D extends Document>({ document, steps, reason }: Plan<D>, round: number): Step<D>[] {
  const edited = steps[round]
  return edited ? [{ before: steps[round - 1]?.next ?? document, edited, reason }] : []
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
  const payments = paid && (await kind.paying?.prepare(ctx, kind, changes, { reason: steps[0]?.reason, ...paid }))
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

/** The change as a single operation records it. */
function changeOf<D extends Document>({ before, edited, reason, events }: Step<D>, gotNumber: boolean): Change<D> {
  return {
    before,
    to: edited.next.status_id,
    previous: { ...edited.previous, ...(gotNumber && { number: null }) },
    reason,
    events,
  }
}
