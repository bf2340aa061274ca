import { type Context, together } from '../../../platform/context.ts'
import type { WireRecord } from '../../../platform/core/schema/revisions.ts'
import type { EventOf } from '../../../platform/events/record.ts'
import { eventsOf } from '../model/events.ts'
import type { Status } from '../model/fields/lifecycle.ts'
import type { Document } from '../model/fields/standard-fields.ts'
import type { EditResult } from '../model/kind/conclude.ts'
import type { ApprovalChange, Kind } from '../model/kind/kind.ts'
import type { Plan } from '../model/plan.ts'
import type { AnswerShape } from './answer-sql.ts'
import { recordEvents } from './history-store.ts'

export type Change<D extends Document = Document> = {
  before: D
  to: Status
  /** What the changed fields were. */
  previous: object
  reason?: string | undefined
  /** What is recorded of it, where that does not follow from what changed. */
  events?: EventOf[] | undefined
}

/** A change of one document. `lines` sends what it writes of the lines, and `events` is what is recorded where that does not follow from the change. */
export type Step<D extends Document = Document> = {
  before: D
  edited: EditResult<D>
  reason: string | undefined
  lines?: (() => readonly Promise<unknown>[]) | undefined
  events?: EventOf[] | undefined
}

export function stepIn<D extends Document>({ document, steps, reason }: Plan<D>, round: number): Step<D>[] {
  const edited = steps[round]
  return edited ? [{ before: steps[round - 1]?.next ?? document, edited, reason }] : []
}

/** The change as a single operation records it. */
export function changeOf<D extends Document>(
  { before, edited, reason, events }: Step<D>,
  gotNumber: boolean,
): Change<D> {
  return {
    before,
    to: edited.next.status_id,
    previous: { ...edited.previous, ...(gotNumber && { number: null }) },
    reason,
    events,
  }
}

/** Whether the organization has documents approved; and the shape of the answer about each, where there is one. */
export type Recording = { approves: boolean; shape?: AnswerShape | null }
type Answers = (WireRecord & { id: string })[]

/** Records what documents have become, so that it can go out together with the write. */
export function recordChanges<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  changes: readonly Change<D>[],
  how: Recording,
): Promise<Answers> {
  // What is paid and stays so was approved when it was paid.
  const open = changes.filter(({ before, to }) => before.status_id !== 'paid' || to !== 'paid')
  return recordJudged(
    ctx,
    kind,
    open.map(({ before }) => before),
    changes.flatMap((change) => change.events ?? eventsOfChange(kind, change)),
    how,
  )
}

/** Records events of documents that were just written, after it was decided whether they need approval: every write of content comes through here. */
export async function recordJudged<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  before: readonly D[],
  events: readonly EventOf[],
  { approves, shape = null }: Recording,
): Promise<Answers> {
  const { approving } = kind
  const concerned = approving ? before.filter((document) => approves || approving.concerns(document)) : []
  if (!approving || concerned.length === 0) return recordEvents(ctx, kind, events, shape)
  const judging = approving.judge(
    ctx,
    concerned.map(({ id }) => id),
  )
  const [judged, answers] = await together(judging, recordEvents(ctx, kind, events, shape))
  await recordEvents(ctx, kind, requestsIn(kind, judged))
  return answers
}

/** Records what happened to documents, each as it is now. */
export async function recordOf(ctx: Context, kind: Kind, events: readonly EventOf[]): Promise<void> {
  await recordEvents(ctx, kind, events)
}

/** That documents wait for approval now. */
export function requestsIn({ noun }: Kind, judged: readonly ApprovalChange[]): EventOf[] {
  return judged
    .filter(({ isRequested }) => isRequested)
    .map(({ id, previous }) => ({ type: `${noun}.approval_requested`, id, previous }))
}

export function eventsOfChange(kind: Kind, { before, to, previous, reason }: Change): EventOf[] {
  return eventsOf(kind, { id: before.id, from: before.status_id, to, previous, reason })
}
