import { actorId } from '../../platform/access/acting/acting.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { conflict } from '../../platform/core/refusal.ts'
import type { ExpectedRevision, WireRecord } from '../../platform/core/schema/revisions.ts'
import { newId, type Reference } from '../../platform/core/values/ids.ts'
import { collision } from '../../platform/db/pool/away.ts'
import { homeRateAt } from '../rates/lookup.ts'
import { lockAsked } from './allocating.ts'
import { applyEdit, contentOf, isSameAllocations, plannedOf } from './content.ts'
import { findSetOff, insertAllocations } from './ledger/allocations-store.ts'
import { requireNotHeld } from './ledger/holds.ts'
import { idOf, loadPayment, lockExpected, notPossible, readBack, recordDated, requireNotOfRun } from './ledger/locks.ts'
import type { NewPayment, Payment, PaymentEdit } from './ledger/model.ts'
import { requireFunds, requireNotSetOff } from './ledger/rules.ts'
import { deletePayment, insertDraft, insertPayments, saveIssued, savePayment, voidPayments } from './ledger/store.ts'
import { partsIn, payableOf } from './payables.ts'
import { eventsOfIssue } from './recording/recording.ts'
import { requireNotRefunded, voidRefund } from './refunding.ts'
import { lockAllocated, lockParts, settleParts, unsettle } from './settling.ts'

/** A payment that is issued at once, with what it settles, or a draft. */
export function createPayment(ctx: Context, input: NewPayment): Promise<WireRecord & { id: string }> {
  return transaction(ctx, async (ctx) => {
    const id = newId()
    const payment = {
      ...(await contentOf(ctx, input)),
      id,
      external_id: input.external_id ?? null,
      created_by: await actorId(ctx),
    }
    const payable = payableOf(payment)
    const asked = partsIn(payable, input.allocations ?? [])
    if (input.status === 'draft') {
      requireFunds(asked, { left: payment.amount })
      await insertDraft(ctx, { ...payment, allocations: plannedOf(payable, asked) })
      await recordDated(ctx, [payment.paid_at], [{ type: 'payment.created', id }])
      return { ...(await readBack(ctx, id)), id }
    }
    await requireNotHeld(ctx, [payment])
    const { documents, parts } = await lockAsked(ctx, payable, payment, payment.amount, asked, input.oldest_first)
    requireFunds(parts, { left: payment.amount })
    const valued = { ...payment, ...(await homeRateAt(ctx, payment.currency_id, payment.paid_at)) }
    const allocations = await settleParts(ctx, payable, documents, parts, valued)
    await insertPayments(ctx, payable.target, [{ ...valued, consolidated_bill_id: null, allocations }])
    await recordDated(ctx, [payment.paid_at], eventsOfIssue({ id }))
    return { ...(await readBack(ctx, id)), id }
  })
}

/** Details can change always, what it pays while it is a draft. */
export function updatePayment(
  ctx: Context,
  reference: Reference,
  input: PaymentEdit,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const current = await lockExpected(ctx, await idOf(ctx, reference), expected)
    if (current.status === 'draft') requireNotOfRun(current)
    const next = await applyEdit(ctx, current, input)
    if (next.method !== current.method) {
      // By its method it is in a bank file, and by that alone a document could be reopened that a run has paid.
      requireNotOfRun(current)
      requireNotSetOff(await findSetOff(ctx, current.id))
      // A draft is asked when it is issued. What was only recorded would otherwise become money that is sent.
      if (current.status !== 'draft') await requireNotHeld(ctx, [next])
    }
    const previous = Object.fromEntries(
      Object.entries(current).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(next[name as keyof Payment]),
      ),
    )
    if (Object.keys(previous).length > 0) {
      await savePayment(ctx, next)
      await recordDated(ctx, [current.paid_at, next.paid_at], [{ type: 'payment.updated', id: current.id, previous }])
    }
    return readBack(ctx, current.id)
  })
}

export function removePayment(ctx: Context, reference: Reference, expected: ExpectedRevision): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const current = await lockExpected(ctx, await idOf(ctx, reference), expected)
    const { id, status, paid_at } = current
    requireNotOfRun(current)
    if (status !== 'draft')
      throw conflict('not_a_draft', `Only drafts can be deleted, and this payment is ${status}. Void it instead.`)
    await recordDated(ctx, [paid_at], [{ type: 'payment.deleted', id }])
    await deletePayment(ctx, id)
  })
}

/** A draft is issued: what it is meant for is settled. */
export function issuePayment(ctx: Context, reference: Reference, expected: ExpectedRevision): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const found = await loadPayment(ctx, reference)
    const payable = payableOf(found)
    const documents = await lockParts(ctx, payable, partsIn(payable, found.allocations))
    const current = await lockExpected(ctx, found.id, expected)
    if (current.status === 'issued') return readBack(ctx, current.id)
    requireNotOfRun(current)
    if (current.status !== 'draft') throw notPossible(current, 'issued')
    await requireNotHeld(ctx, [current])
    if (!isSameAllocations(current.allocations, found.allocations)) throw collision('the draft was changed meanwhile')
    const parts = partsIn(payable, current.allocations)
    requireFunds(parts, { left: current.amount })
    const value = await homeRateAt(ctx, current.currency_id, current.paid_at)
    const allocations = await settleParts(ctx, payable, documents, parts, { ...current, ...value })
    await insertAllocations(ctx, payable.target, [{ ...current, allocations }])
    await saveIssued(ctx, current.id, value)
    await recordDated(
      ctx,
      [current.paid_at],
      [{ type: 'payment.issued', id: current.id, previous: { status: 'draft', number: null } }],
    )
    return readBack(ctx, current.id)
  })
}

export function clearPayment(ctx: Context, reference: Reference, expected: ExpectedRevision): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const current = await lockExpected(ctx, await idOf(ctx, reference), expected)
    if (current.status === 'cleared') return readBack(ctx, current.id)
    if (current.status !== 'issued') throw notPossible(current, 'cleared')
    await savePayment(ctx, { ...current, status: 'cleared' })
    await recordDated(
      ctx,
      [current.paid_at],
      [{ type: 'payment.cleared', id: current.id, previous: { status: 'issued' } }],
    )
    return readBack(ctx, current.id)
  })
}

/** Takes back all that it settled: its documents stand where they stood before they were paid. */
export function voidPayment(
  ctx: Context,
  reference: Reference,
  reason: string,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    requireNotOfRun(await loadPayment(ctx, reference))
    return voidAny(ctx, reference, reason, expected)
  })
}

/** The same for a payment of a run, which its run asks for. */
export function voidAny(
  ctx: Context,
  reference: Reference,
  reason: string,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const found = await loadPayment(ctx, reference)
    if (found.refund_of_id !== null) return voidRefund(ctx, found, reason, expected)
    const payable = payableOf(found)
    const documents = await lockAllocated(ctx, payable, found.allocations)
    const current = await lockExpected(ctx, found.id, expected)
    if (current.status === 'voided') return readBack(ctx, current.id)
    if (current.status === 'draft') throw notPossible(current, 'voided')
    await requireNotRefunded(ctx, current)
    requireNotSetOff(await findSetOff(ctx, current.id))
    // Voided first: what is settled binds documents to their currency and party.
    await voidPayments(ctx, [current.id], reason)
    await unsettle(ctx, payable, documents, current.allocations, {
      ...current,
      reason: `${current.number} was voided: ${reason}`,
    })
    const { status, allocated_amount, unallocated_amount, allocations } = current
    await recordDated(
      ctx,
      [current.paid_at],
      [
        {
          type: 'payment.voided',
          id: current.id,
          previous: { status, allocated_amount, unallocated_amount, allocations },
        },
      ],
    )
    return readBack(ctx, current.id)
  })
}
