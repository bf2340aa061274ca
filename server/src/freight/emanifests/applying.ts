import { type Context, transaction } from '../../platform/context.ts'
import { Refusal } from '../../platform/core/refusal.ts'
import { runInThread } from '../../platform/core/turns/apart.ts'
import { recordEmanifest } from './actions.ts'
import { type Answer, readAnswers } from './contents/answers.ts'
import type { Filing, Problem } from './contents/model.ts'
import { findByControl, insertAcknowledgement, listRepeated, saveAnswer } from './filings-store.ts'
import {
  findByTrip,
  type LockedEmanifest,
  lockEmanifest,
  saveCancelled,
  saveDecision,
  saveStatuses,
  saveTouched,
} from './store.ts'

/** What became of an acknowledgement. `repeated`: it had come before, and changed nothing. */
export type AcknowledgementResult = {
  kind: Answer['kind']
  outcome: Answer['outcome']
  emanifest_id: string
  state: string
  repeated: boolean
}

const answersApart = runInThread(new URL('./contents/answers.ts', import.meta.url).href, readAnswers)

/** Applies all acknowledgements of a file, or none of them. */
export async function applyAnswers(ctx: Context, text: string): Promise<AcknowledgementResult[]> {
  const answers = await answersApart(ctx.org, text)
  return transaction(ctx, async (ctx) => {
    const before = await listRepeated(
      ctx,
      answers.map(({ key }) => key),
    )
    const ids = new Map<string, string>()
    for (const answer of answers) ids.set(answer.key, before.get(answer.key) ?? (await findSubject(ctx, answer)))
    // In one order, whatever the order of the file: of two files at once the second waits.
    for (const id of [...new Set(ids.values())].sort()) await lockEmanifest(ctx, id)
    const applied: AcknowledgementResult[] = []
    for (const answer of answers) applied.push(await applyOne(ctx, answer, ids.get(answer.key) as string))
    return applied
  })
}

async function findSubject(ctx: Context, { about }: Answer): Promise<string> {
  if ('trip' in about) {
    const found = await findByTrip(ctx, about.border, about.trip)
    if (found) return found
    throw unknown(`There is no e-manifest with the trip number ${about.trip} at this border.`)
  }
  const found = await findByControl(ctx, about.control)
  if (found) return found
  throw unknown(`No interchange of an e-manifest has the control number ${String(about.control).padStart(9, '0')}.`)
}

function unknown(message: string): Refusal {
  return new Refusal('not_found', 'unknown_interchange', message)
}

async function applyOne(ctx: Context, answer: Answer, id: string): Promise<AcknowledgementResult> {
  const current = (await lockEmanifest(ctx, id)) as LockedEmanifest
  const filing = answer.kind === '350' ? undefined : filingOf(current, answer)
  const isNew = await insertAcknowledgement(ctx, id, filing?.id ?? null, answer)
  const said = { kind: answer.kind, outcome: answer.outcome, emanifest_id: id }
  if (!isNew) return { ...said, state: current.state, repeated: true }
  if (answer.kind === '350') {
    await saveStatuses(ctx, id, answer.statuses)
    await recordEmanifest(ctx, 'status_updated', id, { shipment_statuses: current.shipment_statuses })
    return { ...said, state: current.state, repeated: false }
  }
  const isDecided = answer.outcome === 'rejected' || answer.kind === '355'
  const isSaved =
    filing !== undefined &&
    (await saveAnswer(ctx, filing.id, isDecided ? (answer.outcome as 'accepted' | 'rejected') : 'received'))
  const state =
    isSaved && isDecided
      ? await decide(ctx, current, { ...filing, state: answer.outcome as Filing['state'] }, answer.problems)
      : null
  if (state === null) {
    await saveTouched(ctx, id)
    await recordEmanifest(ctx, 'acknowledged', id)
  }
  return { ...said, state: state ?? current.state, repeated: false }
}

/** The interchange that is answered: the one that is named, or else the first of the trip that is not decided. */
function filingOf({ filings }: LockedEmanifest, { about }: Answer): Filing | undefined {
  const named = about.control
  if (named !== null) return filings.find(({ control_number }) => Number(control_number) === named)
  return filings.find(({ state }) => !['accepted', 'rejected'].includes(state))
}

/** The state that the decision gives to the e-manifest; null where others are still awaited, or it is about an earlier submission. */
async function decide(
  ctx: Context,
  current: LockedEmanifest,
  decided: Filing,
  problems: readonly Problem[],
): Promise<string | null> {
  const { id, submission, purpose, accepted_at } = current
  if (current.state !== 'submitted' || decided.submission !== submission) return null
  const together = current.filings
    .filter((filing) => filing.submission === submission)
    .map((filing) => (filing.id === decided.id ? decided : filing))
  const previous = { state: current.state }
  if (decided.state === 'rejected') {
    // Customs still has what it was asked to take back.
    const to = purpose === 'cancellation' && accepted_at !== null ? 'accepted' : 'rejected'
    await saveDecision(ctx, id, to, problems)
    await recordEmanifest(ctx, 'rejected', id, previous)
    return to
  }
  if (together.some(({ state }) => state !== 'accepted')) return null
  if (purpose === 'cancellation') {
    await saveCancelled(ctx, id, ['submitted'])
    await recordEmanifest(ctx, 'cancelled', id, previous)
    return 'cancelled'
  }
  await saveDecision(ctx, id, 'accepted', [])
  await recordEmanifest(ctx, 'accepted', id, previous)
  return 'accepted'
}
