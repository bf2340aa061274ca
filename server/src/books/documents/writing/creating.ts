import { type Context, together } from '../../../platform/context.ts'
import type { WireRecord } from '../../../platform/core/schema/revisions.ts'
import type { EventOf } from '../../../platform/events/record.ts'
import { requireOpenPeriods } from '../../periods/open.ts'
import type { Document } from '../model/fields/standard-fields.ts'
import { datesOfPlan } from '../model/guarded-dates.ts'
import { homeFields } from '../model/home-amount.ts'
import type { DuplicateCandidate, FoundDuplicates, Kind } from '../model/kind/kind.ts'
import { paidPart } from '../model/kind/paying.ts'
import type { Plan } from '../model/plan.ts'
import { requireRightToPay } from '../store/access.ts'
import type { AnswerShape } from '../store/answer-sql.ts'
import { insertDocuments, type WhereTaken } from '../store/bulk-store.ts'
import { changeOf, eventsOfChange, recordJudged, stepIn } from '../store/history.ts'
import { insertLines } from '../store/line-store.ts'
import { approvesDocuments, saveTexts } from '../store/store.ts'
import { findDuplicates } from './duplicates.ts'

export type Numbers = ReadonlyMap<string, number>
export type Written = { answers: (WireRecord & { id: string })[]; found: FoundDuplicates | null }
/** What is asked of a write besides: whether the documents are there already, and the answer about each. */
export type Asked<D extends Document> = { asked?: readonly DuplicateCandidate<D>[]; shape?: AnswerShape | null }

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
  // In the trip of the documents: their events go out once it is known, in that of what they count.
  const approving = approvesDocuments(ctx, kind)
  const inserting = insertDocuments(ctx, kind, documents, whereTaken)
  if (whereTaken === 'left out' && (await together(approving, inserting))[1] < documents.length) return null
  const content = together(
    approving,
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
    approving.then((approves) =>
      recordJudged(
        ctx,
        kind,
        documents,
        plans.flatMap((plan) => eventsOfCreation(kind, plan)),
        { approves, shape },
      ),
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
