import type { Context } from '../../platform/context.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { collision } from '../../platform/db/pool/away.ts'
import { requireDocuments } from '../../platform/files/rules/required.ts'
import { requireNoWriteOff } from '../credits/write-offs.ts'
import type { Status } from '../documents/model/fields/lifecycle.ts'
import type { Document } from '../documents/model/fields/standard-fields.ts'
import { paidTo, requireOwed } from '../documents/model/kind/paying.ts'
import { requireAccess } from '../documents/store/access.ts'
import type { Step } from '../documents/store/history.ts'
import { applyPaid } from '../documents/writing/apply.ts'
import { lockWithParents } from '../documents/writing/locks.ts'
import type { HomeCurrencyRate } from '../rates/conversion.ts'
import { listOldestDue, listUnpaidStates, type NewAllocation, wireName } from './ledger/allocations-store.ts'
import type { Allocation, Direction } from './ledger/model.ts'
import { makeGainOf } from './ledger/rates.ts'
import { type Part, requirePayable } from './ledger/rules.ts'
import type { PayableKind } from './payables.ts'

/** What settling asks of a payment. */
type Payer = {
  direction: Direction
  currency_id: string
  partner_carrier_id: string | null
  customer_id: string | null
  paid_at: string
} & HomeCurrencyRate

/** The documents that are to be settled, locked before the payment. Those that are not there are missing. */
export async function lockParts(ctx: Context, { kind }: PayableKind, parts: readonly Part[]): Promise<Document[]> {
  if (parts.length === 0) return []
  const locked = await lockWithParents(
    ctx,
    kind,
    parts.map(({ document }) => document),
  )
  return locked.map(({ document }) => document)
}

/** The documents of the payer that are due longest, locked, and how much of each the money reaches for. */
export async function lockOldest(
  ctx: Context,
  payable: PayableKind,
  payer: Omit<Payer, keyof HomeCurrencyRate>,
  amount: number,
): Promise<{ documents: Document[]; parts: Part[] }> {
  const payee = payer[payable.party]
  if (!payee || amount <= 0) return { documents: [], parts: [] }
  const { plural, date, approving } = payable.kind
  const order = await listOldestDue(ctx, {
    plural,
    date,
    party: payable.party,
    payee,
    currency_id: payer.currency_id,
    amount,
    areApproved: approving !== null,
  })
  const documents = await lockParts(
    ctx,
    payable,
    order.map((document) => ({ document, amount: 0 })),
  )
  const byId = new Map(documents.map((document) => [document.id, document]))
  let left = amount
  const parts = order.flatMap((id) => {
    const document = byId.get(id)
    // Somebody may have paid or changed it between looking and locking.
    if (!document || !isOwed(document, payable, payer)) return []
    const part = Math.min(left, document.amount_due)
    left -= part
    return part > 0 ? [{ document: id, amount: part }] : []
  })
  return { documents, parts }
}

/** Pays these parts of locked documents; gives back what the payment settles with it. */
export async function settleParts(
  ctx: Context,
  payable: PayableKind,
  documents: readonly Document[],
  parts: readonly Part[],
  payer: Payer,
): Promise<NewAllocation[]> {
  const [settled = []] = await settleEach(ctx, payable, documents, [{ payer, parts }])
  return settled
}

/** The same for several payments, which have no document in common, written together. */
export async function settleEach(
  ctx: Context,
  payable: PayableKind,
  documents: readonly Document[],
  payments: readonly { payer: Payer; parts: readonly Part[] }[],
): Promise<NewAllocation[][]> {
  const { kind, target, party } = payable
  if (payments.every(({ parts }) => parts.length === 0)) return payments.map(() => [])
  const byId = new Map(documents.map((document) => [document.id, document]))
  const steps = payments.flatMap(({ payer, parts }) => {
    requirePayable({ noun: kind.noun, party, name: wireName(target) }, documents, parts, {
      currency_id: payer.currency_id,
      party: payer[party],
    })
    return parts.map(({ document: id, amount }, index): Step => {
      const before = byId.get(id) as Document
      requireAccess(ctx, kind, before)
      requireOwed(kind, before, amount, `allocations.${index}.amount`)
      return {
        before,
        edited: paidTo(before, before.amount_paid + amount, { paid_at: payer.paid_at, unpaid: before.status_id }),
        reason: undefined,
      }
    })
  })
  const settled = payments.flatMap(({ parts }) => parts.map(({ document }) => document))
  if (target === 'bill_id') await requireDocuments(ctx, 'pay', settled)
  if (target === 'to_credit_id') await requireNoWriteOff(ctx, settled)
  await applyPaid(ctx, kind, steps)
  const gainFrom = await makeGainOf(ctx)
  return payments.map(({ payer, parts }) =>
    parts.map(({ document: id, amount }) => {
      const paid = { direction: payer.direction, amount, currency_id: payer.currency_id }
      return { id: newId(), target: id, amount, gain_amount: gainFrom(paid, byId.get(id) as Document, payer) }
    }),
  )
}

/** The documents that a payment settles, locked before the payment. */
export async function lockAllocated(
  ctx: Context,
  payable: PayableKind,
  allocations: readonly Allocation[],
): Promise<Document[]> {
  return lockParts(
    ctx,
    payable,
    [...new Set(targetsOf(payable, allocations))].map((document) => ({ document, amount: 0 })),
  )
}

/** Takes back what a payment settled. Where it settles what was not locked, it was allocated just then: the transaction begins again. */
export async function unsettle(
  ctx: Context,
  payable: PayableKind,
  documents: readonly Document[],
  allocations: readonly Allocation[],
  { paid_at, reason }: { paid_at: string; reason: string },
): Promise<void> {
  const targets = targetsOf(payable, allocations)
  if (targets.length === 0) return
  const byId = new Map(documents.map((document) => [document.id, document]))
  if (targets.some((id) => !byId.has(id))) throw collision('the payment was allocated meanwhile')
  const unpaid = await listUnpaidStates(ctx, payable.kind.plural, [...byId.keys()])
  const ended = Map.groupBy(allocations, (_, index) => targets[index] as string)
  const steps = [...ended].map(([id, ofOne]): Step => {
    const before = byId.get(id) as Document
    const amount = ofOne.reduce((total, one) => total + one.amount, 0)
    const stood: Status = unpaid.get(id) ?? (before.sent_at === null ? 'saved' : 'sent')
    return { before, edited: paidTo(before, before.amount_paid - amount, { paid_at, unpaid: stood }), reason }
  })
  await applyPaid(ctx, payable.kind, steps)
}

function targetsOf({ target }: PayableKind, allocations: readonly Allocation[]): string[] {
  const name = wireName(target)
  return allocations.map((one) => one[name] as string)
}

function isOwed(document: Document, { party }: PayableKind, payer: Omit<Payer, keyof HomeCurrencyRate>): boolean {
  const owner = (document as unknown as Record<string, unknown>)[party]
  const isOpen = document.status_id !== 'draft' && document.status_id !== 'paid' && document.voided_at === null
  return isOpen && owner === payer[party] && document.currency_id === payer.currency_id
}
