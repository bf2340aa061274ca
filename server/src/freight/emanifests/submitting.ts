import { type Context, transaction } from '../../platform/context.ts'
import type { ExpectedRevision, WireRecord } from '../../platform/core/schema/revisions.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { takeNumber } from '../../platform/db/counts/counters.ts'
import { filingAsked, lock, readBack, recordEmanifest, requireComplete } from './actions.ts'
import { customs, type Purpose, type TransactionSet } from './contents/codes.ts'
import { type CompleteEmanifest, isSameFreight, writeCancellation, writeInterchange } from './contents/interchange.ts'
import { requireState } from './contents/model.ts'
import { insertFiling, listLastFiled, saveNotToBeSent, saveWaitingAgain } from './filings-store.ts'
import { type LockedEmanifest, saveCancelled, saveSubmitted, saveTouched } from './store.ts'

/** How interchanges are marked: those of a test are not for the books of customs. */
export type FilingMode = { isTest: boolean }

/**
 * Files an e-manifest: its interchanges are written here, in the transaction that moves it, and handed over in the background. Submitting once more files
 * nothing; it only has tried again what could not be handed over.
 */
export function submitEmanifest(
  ctx: Context,
  id: string,
  expected: ExpectedRevision,
  marked: FilingMode,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, id, expected)
    if (current.state === 'submitted') return tryAgain(ctx, current)
    requireState(
      current,
      ['validated'],
      'submitted',
      current.state === 'draft' ? 'Validate it first: POST …/{id}/validate.' : '',
    )
    requireComplete(current)
    const emanifest = current as LockedEmanifest & CompleteEmanifest
    const accepted = new Map(
      (await listLastFiled(ctx, id, { accepted: true })).map((filed) => [filed.transaction_set, filed.content]),
    )
    const purposeOf = (set: TransactionSet): Purpose => (accepted.has(set) ? 'amendment' : 'original')
    const purpose = current.accepted_at === null ? 'original' : 'amendment'
    const submission = await saveSubmitted(ctx, id, ['validated'], purpose)
    for (const set of setsToFile(emanifest, accepted)) {
      // A consist says which shipments of a manifest that was filed before are on the truck.
      const own = set === '358' && current.accepted_at !== null ? 'amendment' : purposeOf(set)
      await file(ctx, { id, submission, set, purpose: own }, (control, at) =>
        writeInterchange(emanifest, { set, purpose: own, control, at, ...marked, previous: accepted.get(set) ?? null }),
      )
    }
    ctx.afterCommit(async () => filingAsked.announce())
    return recordEmanifest(ctx, 'submitted', id, {
      state: current.state,
      ...(current.purpose !== purpose && { purpose: current.purpose }),
    })
  })
}

/** What customs has of it, or may have, is taken back; one that was never handed over, or that customs refused, is cancelled at once. */
export function cancelEmanifest(
  ctx: Context,
  id: string,
  expected: ExpectedRevision,
  marked: FilingMode,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, id, expected)
    if (current.state === 'cancelled') return readBack(ctx, id)
    if (current.state === 'submitted' && current.purpose === 'cancellation') return tryAgain(ctx, current)
    await saveNotToBeSent(ctx, id)
    const last = await listLastFiled(ctx, id, { accepted: false })
    const asked = last.filter(({ transaction_set }) => customs[current.border].sets.includes(transaction_set))
    const filed = asked.length > 0 ? asked : last
    if (filed.length === 0) {
      await saveCancelled(ctx, id, [current.state])
      return recordEmanifest(ctx, 'cancelled', id, { state: current.state })
    }
    const { border, carrier_code } = current as LockedEmanifest & CompleteEmanifest
    const submission = await saveSubmitted(ctx, id, [current.state], 'cancellation')
    for (const { transaction_set: set, content } of filed)
      await file(ctx, { id, submission, set, purpose: 'cancellation' }, (control, at) =>
        writeCancellation({ border, carrier_code }, { set, control, at, ...marked }, content),
      )
    ctx.afterCommit(async () => filingAsked.announce())
    return recordEmanifest(ctx, 'submitted', id, { state: current.state, purpose: current.purpose })
  })
}

/** All that the border asks for; of a truck without freight the conveyance, because a 309 has a shipment at least. Of a change what has changed: the freight in a 309, the conveyance in a 358. */
function setsToFile(
  emanifest: CompleteEmanifest,
  accepted: ReadonlyMap<TransactionSet, string>,
): readonly TransactionSet[] {
  const { sets } = customs[emanifest.border]
  const manifest = accepted.get('309')
  if (manifest === undefined && emanifest.shipments.length === 0) return ['358']
  return manifest !== undefined && isSameFreight(emanifest, manifest) ? ['358'] : sets
}

type Filing = { id: string; submission: number; set: TransactionSet; purpose: Purpose }

async function file(
  ctx: Context,
  { id, submission, set, purpose }: Filing,
  write: (control: number, at: Date) => string,
): Promise<void> {
  const control = await takeNumber(ctx, 'emanifest_interchange')
  const content = write(control, new Date())
  await insertFiling(ctx, {
    id: newId(),
    emanifest_id: id,
    submission,
    control_number: control,
    transaction_set: set,
    purpose,
    content,
  })
}

async function tryAgain(ctx: Context, { id, submission, state }: LockedEmanifest): Promise<WireRecord> {
  if ((await saveWaitingAgain(ctx, id, submission)) === 0) return readBack(ctx, id)
  await saveTouched(ctx, id)
  ctx.afterCommit(async () => filingAsked.announce())
  return recordEmanifest(ctx, 'submitted', id, { state })
}
