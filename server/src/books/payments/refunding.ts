import { actorId } from '../../platform/access/acting/acting.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { conflict, invalid } from '../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../../platform/core/schema/revisions.ts'
import { toWire } from '../../platform/core/values/dates.ts'
import { newId, type Reference } from '../../platform/core/values/ids.ts'
import { normalDate } from '../documents/model/fields/normal.ts'
import { homeRateAt } from '../rates/lookup.ts'
import { idOf, lockExpected, notPossible, readBack, recordDated, requireNotOfRun } from './ledger/locks.ts'
import type { Direction, Payment, RefundBody } from './ledger/model.ts'
import { makeGainOf } from './ledger/rates.ts'
import { daysOf, listRefunds, saveRefunded } from './ledger/refunds-store.ts'
import { lockPayments } from './ledger/run-store.ts'
import { insertPayments, voidPayments } from './ledger/store.ts'
import { payableOf } from './payables.ts'
import { eventsOfIssue } from './recording/recording.ts'

/** Where the money of a refund goes: back to where it came from. */
export const otherWay: Record<Direction, Direction> = { in: 'out', out: 'in' }

/** Pays back what of a payment settles nothing, or a part of it, by a payment that goes the other way. A closed period holds up refunds that are dated in it. */
export function refundPayment(
  ctx: Context,
  reference: Reference,
  input: RefundBody,
  expected: ExpectedRevision,
): Promise<WireRecord & { id: string }> {
  return transaction(ctx, async (ctx) => {
    const first = await lockExpected(ctx, await idOf(ctx, reference), expected)
    requireRefundable(first, input.amount)
    const id = newId()
    const refund = {
      ...{
        id,
        external_id: null,
        direction: otherWay[first.direction],
        partner_carrier_id: first.partner_carrier_id,
        customer_id: first.customer_id,
      },
      ...{
        currency_id: first.currency_id,
        amount: input.amount ?? first.unallocated_amount,
        method: input.method ?? 'other',
      },
      ...{ reference_number: input.reference_number ?? null, notes: input.notes ?? null },
      paid_at: await refundedAt(ctx, input, first),
      ...{ consolidated_bill_id: null, created_by: await actorId(ctx), refund_of_id: first.id, allocations: [] },
    }
    const value = await homeRateAt(ctx, refund.currency_id, refund.paid_at)
    const gain_amount = (await makeGainOf(ctx))(refund, first, value)
    await insertPayments(ctx, payableOf(refund).target, [{ ...refund, ...value, gain_amount }])
    await saveRefunded(ctx, first.id)
    await recordDated(
      ctx,
      [refund.paid_at],
      [...eventsOfIssue({ id }), { type: 'payment.refunded', id: first.id, previous: previousOf(first) }],
    )
    return { ...(await readBack(ctx, id)), id }
  })
}

/** Now, or as asked; never on a day before the money came. Days are those of the organization. */
async function refundedAt(ctx: Context, { paid_at }: RefundBody, first: Payment): Promise<string> {
  const [asked, now] = [normalDate(paid_at, 'paid_at'), toWire(new Date())]
  const [day, from] = (await daysOf(ctx, [asked ?? now, first.paid_at])) as [string, string]
  if (!asked) return day >= from && now > first.paid_at ? now : first.paid_at
  if (day < from)
    throw invalid(
      'paid_at',
      'before_payment',
      `The payment is of ${from}, so it cannot be paid back on ${day}. Give that day or a later one.`,
    )
  return asked
}

/** Voids a refund: the first payment has that much more left. Both are locked in the order of their ids. */
export async function voidRefund(
  ctx: Context,
  found: Payment,
  reason: string,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  const first = found.refund_of_id as string
  const locked = await lockPayments(ctx, [found.id, first])
  const [refund, refunded] = [found.id, first].map((id) => locked.find((one) => one.id === id) as Payment) as [
    Payment,
    Payment,
  ]
  requireExpected(expected, refund.revision)
  if (refund.status === 'voided') return readBack(ctx, refund.id)
  await voidPayments(ctx, [refund.id], reason)
  await saveRefunded(ctx, first)
  await recordDated(
    ctx,
    [refund.paid_at],
    [
      { type: 'payment.voided', id: refund.id, previous: { status: refund.status } },
      { type: 'payment.updated', id: first, previous: previousOf(refunded) },
    ],
  )
  return readBack(ctx, refund.id)
}

/** What was paid back cannot be taken out of the books under its refund. */
export async function requireNotRefunded(ctx: Context, { id, refunded_amount }: Payment): Promise<void> {
  if (refunded_amount === 0) return
  const numbers = await listRefunds(ctx, id)
  throw conflict(
    'refunded',
    `${refunded_amount} of this payment was paid back by ${numbers.join(', ')}. Void that first.`,
  )
}

function requireRefundable(payment: Payment, amount: number | undefined): void {
  requireNotOfRun(payment)
  if (payment.status !== 'issued' && payment.status !== 'cleared') throw notPossible(payment, 'refunded')
  if (payment.refund_of_id !== null)
    throw conflict('is_a_refund', 'This payment is a refund, which cannot be paid back itself. Void it instead.')
  const left = payment.unallocated_amount
  if (left > 0 && (amount ?? left) <= left) return
  const message =
    left > 0
      ? `${amount} would be paid back, and only ${left} of the payment is left.`
      : 'Nothing of this payment is left to pay back. Take what it settles out of it first, or void it.'
  throw conflict('more_than_payment', message, [{ field: 'amount', code: 'more_than_payment', message }])
}

function previousOf({ refunded_amount, unallocated_amount }: Payment): Record<string, unknown> {
  return { refunded_amount, unallocated_amount }
}
