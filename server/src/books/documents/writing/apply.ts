import { type Context, together } from '../../../platform/context.ts'
import { takeNumbers } from '../../../platform/db/counts/counters.ts'
import type { EventOf } from '../../../platform/events/record.ts'
import { requireOpenPeriods } from '../../periods/open.ts'
import { availableActions } from '../model/fields/lifecycle.ts'
import type { Document } from '../model/fields/standard-fields.ts'
import { datesOfChange, datesOfPlan } from '../model/guarded-dates.ts'
import { homeFields } from '../model/home-amount.ts'
import type { EditResult } from '../model/kind/conclude.ts'
import { type Kind, type PaymentDetails, parentOf } from '../model/kind/kind.ts'
import { paidPart } from '../model/kind/paying.ts'
import type { Plan } from '../model/plan.ts'
import { requireRightToPay } from '../store/access.ts'
import { insertDocuments, saveDocuments } from '../store/bulk-store.ts'
import { type Change, eventsOfChange, recordChanges, recordJudged } from '../store/history.ts'
import { insertLinesOf, replaceLines } from '../store/line-store.ts'
import { changesText, saveTexts } from '../store/store.ts'
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
  if (created.length > 0 && !(await create(ctx, kind, created, numbers))) return false
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

async function create(ctx: Context, kind: Kind, plans: readonly Plan[], numbers: Numbers): Promise<boolean> {
  const documents = plans.map(({ document, steps }) => ({
    ...(steps.at(-1)?.next ?? document),
    revision: 1 + steps.length,
    new_number: numbers.get(document.id) ?? null,
  }))
  if ((await insertDocuments(ctx, kind, documents)) < documents.length) return false
  await saveTexts(
    ctx,
    kind,
    documents.map(({ id }) => id),
  )
  await insertLinesOf(
    ctx,
    kind,
    plans.map(({ document, lines }) => ({ document: document.id, lines: lines ?? [] })),
  )
  const paid = plans.map(({ document, steps }) => ({ before: document, next: steps.at(-1)?.next ?? document }))
  for (const { before, next } of paid) requireRightToPay(ctx, before, next)
  const payments = await kind.paying?.prepare(ctx, kind, paid, {})
  await payments?.after()
  await together(
    recordJudged(
      ctx,
      kind,
      documents.map(({ id }) => id),
      plans.flatMap((plan) => eventsOfCreation(kind, plan)),
    ),
    requireOpenPeriods(
      ctx,
      plans.flatMap((plan) => datesOfPlan(kind, plan)),
    ),
  )
  return true
}

/** The events of a document that was created and moved at once, each with the document as a single operation would have left it. */
function eventsOfCreation(kind: Kind, plan: Plan): EventOf[] {
  const { document, steps } = plan
  const final = steps.at(-1)?.next ?? document
  const created: EventOf = {
    type: `${kind.noun}.created`,
    id: document.id,
    revision: 1,
    ...(steps.length > 0 && { overrides: differencesTo(kind, document, final, 1) }),
  }
  const moves = steps.flatMap((step, round) => {
    const overrides = round < steps.length - 1 ? differencesTo(kind, step.next, final, round + 2) : {}
    return stepIn(plan, round)
      .flatMap((change) => eventsOfChange(kind, changeOf(change, change.before.status_id === 'draft')))
      .map((event): EventOf => ({ ...event, revision: round + 2, overrides: { ...overrides, ...event.overrides } }))
  })
  return [created, ...moves]
}

/** What of the document was different before the later steps. */
function differencesTo({ date }: Kind, document: Document, final: Document, revision: number): Record<string, unknown> {
  const [then, now] = [document, final] as [Record<string, unknown>, Record<string, unknown>]
  const changed = ['status_id', 'sent_at', 'paid_at', 'pay_term_id', 'due_date', date, ...homeFields]
    .filter((field) => then[field] !== now[field])
    .map((field) => [field, then[field]])
  const actions = [
    ...availableActions(document, { complete: document.currency_id !== null, isBound: false }),
    ...actionsBesides(document),
  ]
  return {
    ...Object.fromEntries(changed),
    ...(document.status_id === 'paid' ? {} : paidPart(document.total_amount, document.amount_paid)),
    revision,
    available_actions: actions,
    ...(document.status_id === 'draft' && { number: null }),
  }
}

/** As `document_actions` of the database adds them to the moves. Without a rate it is not known here whether the organization has a home currency. */
function actionsBesides({ status_id, amount_paid, currency_id, exchange_rate, home_currency_id }: Document): string[] {
  if (status_id === 'draft' || status_id === 'paid' || amount_paid !== 0) return []
  return ['void', 'correct', ...(exchange_rate !== null && currency_id !== home_currency_id ? ['reprice'] : [])]
}

type Numbers = ReadonlyMap<string, number>

/** A number for every document that stops being a draft, in the order of the rows. */
async function numbersFor(ctx: Context, { noun }: Kind, plans: readonly Plan[]): Promise<Numbers> {
  const numbered = plans.filter(
    ({ document, steps }) => document.number === null && steps.some(({ next }) => next.status_id !== 'draft'),
  )
  if (numbered.length === 0) return new Map()
  const first = await takeNumbers(ctx, noun, numbered.length)
  return new Map(numbered.map(({ document }, index) => [document.id, first + index]))
}

export type Step<D extends Document = Document> = { before: D; edited: EditResult<D>; reason: string | undefined }

function stepIn<D extends Document>({ document, steps, reason }: Plan<D>, round: number): Step<D>[] {
  const edited = steps[round]
  return edited ? [{ before: steps[round - 1]?.next ?? document, edited, reason }] : []
}

/**
 * One change of each of these documents, whose locks the caller holds. What is paid gets its payments, as `paid` says how, unless that is null: then the
 * caller has them.
 */
export async function applyRound(
  ctx: Context,
  kind: Kind,
  steps: readonly Step[],
  { numbers = new Map(), paid = {} }: { numbers?: Numbers; paid?: PaymentDetails | null } = {},
): Promise<void> {
  if (steps.length === 0) return
  const changes = steps.map(({ before, edited }) => ({ before, next: edited.next }))
  await requirePayable(ctx, kind, changes)
  const payments = paid && (await kind.paying?.prepare(ctx, kind, changes, { reason: steps[0]?.reason, ...paid }))
  const numberOf = ({ before, edited }: Step) =>
    before.status_id === 'draft' && edited.next.status_id !== 'draft' ? (numbers.get(before.id) ?? null) : null
  const renamed = steps
    .filter((step) => changesText(kind, step.edited.previous, numberOf(step) !== null))
    .map(({ before }) => before.id)
  await together(
    payments ? payments.before() : Promise.resolve(),
    saveDocuments(
      ctx,
      kind,
      steps.map((step) => ({ ...step.edited.next, new_number: numberOf(step) })),
    ),
    renamed.length > 0 ? saveTexts(ctx, kind, renamed) : Promise.resolve(),
    payments ? payments.after() : Promise.resolve(),
    recordChanges(
      ctx,
      kind,
      steps.map((step) => changeOf(step, numberOf(step) !== null)),
    ),
    requireOpenPeriods(
      ctx,
      steps.flatMap(({ before, edited }) => datesOfChange(kind, { before, ...edited })),
    ),
  )
}

/** The change as a single operation records it. */
function changeOf({ before, edited, reason }: Step, gotNumber: boolean): Change {
  return {
    before,
    to: edited.next.status_id,
    previous: { ...edited.previous, ...(gotNumber && { number: null }) },
    reason,
  }
}
