import type { Context } from '../../platform/context.ts'
import { Refusal } from '../../platform/core/refusal.ts'
import type { Database } from '../../platform/db/database.ts'
import { systemContext } from '../../platform/organizations/actions.ts'
import { hold } from '../../platform/work/queue/queue.ts'
import { gathered, workInTurns } from '../../platform/work/queue/turns.ts'
import { filingAsked, recordEmanifest } from './actions.ts'
import { applyAnswers } from './applying.ts'
import { type FilingAdapter, FilingFault } from './filing/filing.ts'
import {
  type ClaimedFiling,
  claimFiling,
  filingQueue,
  listTurns,
  saveError,
  saveSent,
  saveUnsent,
  type Turn,
} from './filings-store.ts'
import { lockEmanifest, saveTouched } from './store.ts'

export type SendingParts = {
  database: Database
  filing: FilingAdapter
  /** What is added to the time: a clock that tests turn. */
  aheadMs?: () => number
}

/** When it is tried again: after 5 s, 30 s, 2 min, 15 min, then every hour for a day. */
const waitsMs = [5_000, 30_000, 120_000, 900_000, ...Array<number>(24).fill(3_600_000)]

/** The background job: hands over what waits, and takes what came back. Other processes do the same at the same time. */
export function filingJob(parts: SendingParts) {
  return {
    async run(signal: AbortSignal) {
      await fileAll(parts, signal)
      await collectAll(parts, signal)
    },
    wokenBy: filingAsked.listen,
  }
}

/** One interchange of each e-manifest after the other, in the order in which they were written, until nothing is left that can be handed over now. */
export function fileAll(parts: SendingParts, signal?: AbortSignal): Promise<void> {
  return workInTurns({
    list: () => listTurns(parts.database.pool, parts.aheadMs?.() ?? 0),
    keyOf: ({ id }) => id,
    work: (turn) => fileOne(parts, turn),
    signal,
  })
}

/** False where another process is at it, or it could not be handed over. */
async function fileOne({ database, filing, aheadMs }: SendingParts, { org_id: org, id }: Turn): Promise<boolean> {
  const ahead = aheadMs?.() ?? 0
  const ctx = systemContext(database, org)
  const claimed = await ctx.transaction((ctx) => claimFiling(ctx, id, ahead))
  if (!claimed) return false
  const controlNumber = String(claimed.control_number).padStart(9, '0')
  try {
    // An answer may take longer than a lease.
    const held = hold(ctx, filingQueue, { ids: [id], until: claimed.leased_until }, ahead)
    const file = { org, controlNumber, transactionSet: claimed.transaction_set, text: claimed.content }
    const answer = await filing.file(file).finally(held.stopRenewing)
    await noted(ctx, claimed, 'sent', (ctx) => saveSent(ctx, id))
    if (answer !== null) await applyAnswer(ctx, claimed, answer)
    return true
  } catch (error) {
    await unsent(ctx, claimed, error, ahead)
    if (!(error instanceof FilingFault)) throw error
    return false
  }
}

async function unsent(ctx: Context, claimed: ClaimedFiling, error: unknown, aheadMs: number): Promise<void> {
  const wait = error instanceof FilingFault && !error.again ? null : (waitsMs[claimed.attempts - 1] ?? null)
  const message =
    error instanceof FilingFault
      ? error.message
      : 'It could not be handed over. What was wrong is in the log of the server.'
  const mayHaveArrived = !(error instanceof FilingFault) || error.mayHaveArrived
  await noted(ctx, claimed, wait === null ? 'filing_failed' : null, (ctx) =>
    saveUnsent(ctx, claimed.id, { error: message, mayHaveArrived }, wait, aheadMs),
  )
}

/** Saves something of a filing with a new revision of its e-manifest, which is locked first, as everywhere; an attempt that is repeated is no event. */
async function noted(
  ctx: Context,
  { emanifest_id: id }: ClaimedFiling,
  verb: string | null,
  save: (ctx: Context) => Promise<boolean>,
): Promise<void> {
  await ctx.transaction(async (ctx) => {
    await lockEmanifest(ctx, id)
    if (!(await save(ctx))) return
    await saveTouched(ctx, id)
    if (verb) await recordEmanifest(ctx, verb, id)
  })
}

/** It was handed over whatever its answer says: one that cannot be read is noted. */
async function applyAnswer(ctx: Context, { id }: ClaimedFiling, answer: string): Promise<void> {
  try {
    await applyAnswers(ctx, answer)
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
    await ctx.transaction((ctx) => saveError(ctx, id, `What came back could not be applied: ${error.message}`))
  }
}

export async function collectAll({ database, filing }: SendingParts, signal?: AbortSignal): Promise<void> {
  const errors: unknown[] = []
  await filing.collect(async ({ org, text, done, refuse }) => {
    signal?.throwIfAborted()
    try {
      await applyAnswers(systemContext(database, org), text)
      await done()
    } catch (error) {
      if (error instanceof Refusal && error.kind !== 'unavailable') await refuse(error.message)
      // A file that cannot be taken at this moment stays, and does not keep the others from their turn.
      else errors.push(error)
    }
  })
  if (errors.length > 0) throw gathered(errors)
}
