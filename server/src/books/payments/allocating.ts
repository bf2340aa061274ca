import { type Context, together, transaction } from '../../platform/context.ts'
import { conflict, invalid, notFound } from '../../platform/core/refusal.ts'
import type { ExpectedRevision, WireRecord } from '../../platform/core/schema/revisions.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import { endAllocation, findSetOff, insertAllocations } from './ledger/allocations-store.ts'
import { loadPayment, lockExpected, notPossible, readBack, recordDated, requireNotOfRun } from './ledger/locks.ts'
import type { AllocationBody, Payment } from './ledger/model.ts'
import { type Part, requireFunds, requireNotSetOff } from './ledger/rules.ts'
import { saveAllocated } from './ledger/store.ts'
import { type PayableKind, partsIn, payableOf } from './payables.ts'
import { lockAllocated, lockOldest, lockParts, settleParts, unsettle } from './settling.ts'

/** Settles more documents with what is left of a payment. `run` is the payment run that asks for it: what a run has set off only that run takes back. */
export function allocatePayment(
  ctx: Context,
  reference: Reference,
  { allocations = [], oldest_first }: AllocationBody,
  expected: ExpectedRevision,
  run: string | null = null,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const found = await loadPayment(ctx, reference)
    requireNotOfRun(found)
    const payable = payableOf(found)
    const asked = partsIn(payable, allocations)
    if (asked.length === 0 && !oldest_first)
      throw invalid(
        'allocations',
        'required',
        'Name the documents to settle in "allocations", or send "oldest_first": true.',
      )
    const { documents, parts } = await lockAsked(ctx, payable, found, found.unallocated_amount, asked, oldest_first)
    const current = await lockExpected(ctx, found.id, expected)
    if (current.status !== 'issued' && current.status !== 'cleared') throw notPossible(current, 'allocated')
    const fitting = oldest_first ? withinFunds(parts, current.unallocated_amount) : parts
    requireFunds(fitting, { left: current.unallocated_amount, used: current.allocated_amount })
    if (fitting.length === 0) return readBack(ctx, current.id)
    const made = await settleParts(ctx, payable, documents, fitting, current)
    await insertAllocations(ctx, payable.target, [{ ...current, applied_by: run, allocations: made }])
    await saveAllocated(ctx, current.id)
    await recordDated(
      ctx,
      [current.paid_at],
      [{ type: 'payment.allocated', id: current.id, previous: previousOf(current) }],
    )
    return readBack(ctx, current.id)
  })
}

/** Takes back one of the documents that a payment settles. */
export function removeAllocation(
  ctx: Context,
  reference: Reference,
  allocation: string,
  expected: ExpectedRevision,
  run: string | null = null,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const found = await loadPayment(ctx, reference)
    requireNotOfRun(found)
    const payable = payableOf(found)
    const among = ({ allocations, status }: Payment) =>
      status === 'draft' ? [] : allocations.filter(({ id }) => id === allocation.toLowerCase())
    const documents = await lockAllocated(ctx, payable, among(found))
    const current = await lockExpected(ctx, found.id, expected)
    const [ended] = among(current)
    if (!ended) throw notFound('allocation of this payment', allocation)
    requireNotSetOff(await findSetOff(ctx, current.id, ended.id), run)
    const left = current.allocated_amount - ended.amount
    if (current.amount <= 0 || left < 0)
      throw conflict(
        'has_deductions',
        'The payment settles documents that reduce it, so none of them can be taken out alone. Void the payment instead.',
      )
    await together(endAllocation(ctx, ended.id as string), saveAllocated(ctx, current.id))
    await unsettle(ctx, payable, documents, [ended], {
      ...current,
      reason: `${current.number} does not pay it any more.`,
    })
    await recordDated(
      ctx,
      [current.paid_at],
      [{ type: 'payment.updated', id: current.id, previous: previousOf(current) }],
    )
    return readBack(ctx, current.id)
  })
}

export async function lockAsked(
  ctx: Context,
  payable: PayableKind,
  payer: Parameters<typeof lockOldest>[2],
  left: number,
  asked: readonly Part[],
  oldestFirst: boolean | undefined,
) {
  if (oldestFirst) return lockOldest(ctx, payable, payer, left)
  return { documents: await lockParts(ctx, payable, asked), parts: asked }
}

/** As many of the parts as the money reaches for. */
function withinFunds(parts: readonly Part[], left: number): Part[] {
  let rest = left
  return parts.flatMap((part) => {
    const amount = Math.min(part.amount, rest)
    rest -= amount
    return amount > 0 ? [{ ...part, amount }] : []
  })
}

function previousOf({ allocated_amount, unallocated_amount, allocations }: Payment): Record<string, unknown> {
  return { allocated_amount, unallocated_amount, allocations }
}
