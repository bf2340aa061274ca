import { type Context, transaction } from '../../../platform/context.ts'
import { conflict, notFound } from '../../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../../../platform/core/schema/revisions.ts'
import type { Reference } from '../../../platform/core/values/ids.ts'
import { noHomeCurrency, rateMissing } from '../../documents/model/home-amount.ts'
import { type HomeCurrencyRate, keptRate } from '../../rates/conversion.ts'
import { homeRates } from '../../rates/lookup.ts'
import type { Target } from '../ledger/allocations-store.ts'
import {
  listPaymentsOfStanding,
  lockValued,
  type SettlementFilter,
  saveGains,
  saveRate,
  saveRepriced,
} from '../ledger/gains-store.ts'
import { loadPayment, notPossible, readBack, recordDated } from '../ledger/locks.ts'
import type { Payment } from '../ledger/model.ts'
import { makeGainOf } from '../ledger/rates.ts'
import { listRefundIds, saveRefundGains } from '../ledger/refunds-store.ts'
import { lockPayments } from '../ledger/run-store.ts'

/** Gives a payment the rate that is known for its date now, and what that makes of the documents that it settles and of what was paid back. */
export function repricePayment(ctx: Context, reference: Reference, expected: ExpectedRevision): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const { current, refunds } = await lockWithRefunds(ctx, await loadPayment(ctx, reference), expected)
    if (current.status === 'draft')
      throw conflict('is_draft', 'A payment that is a draft has no exchange rate yet: it gets one when it is issued.')
    if (current.status === 'voided') throw notPossible(current, 'repriced')
    const value = await valueAt(ctx, current)
    await saveRate(ctx, current.id, value)
    const settled = await settle(ctx, { payment: current.id })
    const refunded = await settleRefunds(ctx, refunds, { id: current.id, ...value })
    const { exchange_rate, home_currency_id } = current
    const isSameRate = value.exchange_rate === exchange_rate && value.home_currency_id === home_currency_id
    const others = refunded.filter(({ id }) => id !== current.id)
    if (isSameRate && settled.length === 0 && refunded.length === 0) return readBack(ctx, current.id)
    await saveRepriced(ctx, [current.id, ...others.map(({ id }) => id)])
    const hasOtherGain = settled.length > 0 || refunded.length > others.length
    const previous = { ...(!isSameRate && { exchange_rate, home_currency_id }), ...(hasOtherGain && gainsOf(current)) }
    await recordDated(
      ctx,
      [current, ...others].map(({ paid_at }) => paid_at),
      [{ id: current.id, previous }, ...others.map((one) => ({ id: one.id, previous: gainsOf(one) }))].map((one) => ({
        type: 'payment.repriced',
        ...one,
      })),
    )
    return readBack(ctx, current.id)
  })
}

type Refunds = { first: Payment; refunds: readonly Payment[] }

/** A payment with what was paid back of it, or with the payment that it pays back, locked in the order of their ids. */
async function lockWithRefunds(
  ctx: Context,
  found: Payment,
  expected: ExpectedRevision,
): Promise<{ current: Payment; refunds: Refunds }> {
  const first = found.refund_of_id ?? found.id
  const others = found.refund_of_id === null ? await listRefundIds(ctx, first) : [found.id]
  const locked = new Map((await lockPayments(ctx, [first, ...others])).map((one) => [one.id, one]))
  const current = locked.get(found.id)
  if (!current) throw notFound('payment', found.id)
  requireExpected(expected, current.revision)
  return {
    current,
    refunds: { first: locked.get(first) as Payment, refunds: others.flatMap((id) => locked.get(id) ?? []) },
  }
}

/** The refunds whose gain is another now that a payment has this rate, with that written. */
async function settleRefunds(
  ctx: Context,
  { first, refunds }: Refunds,
  { id, ...value }: HomeCurrencyRate & { id: string },
): Promise<Payment[]> {
  const gainFrom = await makeGainOf(ctx)
  const ratesOf = (one: Payment) => (one.id === id ? value : one)
  const changed = refunds
    .map((refund) => ({ refund, gain_amount: gainFrom(refund, ratesOf(first), ratesOf(refund)) }))
    .filter(({ refund, gain_amount }) => refund.realized_gain_amount !== gain_amount)
  await saveRefundGains(
    ctx,
    changed.map(({ refund, gain_amount }) => ({ id: refund.id, gain_amount })),
  )
  return changed.map(({ refund }) => refund)
}

/**
 * What rates made of all that settles a document whose rate has changed, and which the caller has locked and written. A payment whose gain changes is of the
 * day on which it was made, what a credit settles of the day on which it was applied.
 */
export async function settleGains(ctx: Context, target: Target, document: string): Promise<void> {
  const settling = { target, document }
  const payments = await lockPayments(ctx, await listPaymentsOfStanding(ctx, settling))
  const settled = await settle(ctx, settling)
  if (settled.length === 0) return
  const changed = payments.filter(({ id }) => settled.some(({ payment_id }) => payment_id === id))
  await saveRepriced(
    ctx,
    changed.map(({ id }) => id),
  )
  await recordDated(
    ctx,
    [
      ...changed.map(({ paid_at }) => paid_at),
      ...settled.flatMap(({ payment_id, created_at }) => (payment_id === null ? [created_at] : [])),
    ],
    changed.map((payment) => ({ type: 'payment.repriced', id: payment.id, previous: gainsOf(payment) })),
  )
}

async function valueAt(ctx: Context, { currency_id, paid_at }: Payment): Promise<HomeCurrencyRate> {
  const { home_currency_id, rates } = await homeRates(ctx, [{ currency_id, at: paid_at }])
  if (home_currency_id === null) throw noHomeCurrency()
  if (!rates[0]) throw rateMissing('payment', currency_id, home_currency_id, paid_at)
  return { exchange_rate: keptRate(rates[0]), home_currency_id }
}

/** The allocations whose gain is another now, with that written. */
async function settle(ctx: Context, settling: SettlementFilter) {
  const allocations = await lockValued(ctx, settling)
  const gainFrom = await makeGainOf(ctx)
  const settled = allocations
    .map((one) => ({ ...one, before: one.gain_amount, gain_amount: gainFrom(one, one.document, one.source) }))
    .filter(({ before, gain_amount }) => before !== gain_amount)
  await saveGains(
    ctx,
    settled.map(({ id, gain_amount }) => ({ id, gain_amount })),
    settled.flatMap(({ payment_id }) => payment_id ?? []),
  )
  return settled
}

function gainsOf({ realized_gain_amount, allocations }: Payment): Record<string, unknown> {
  return { realized_gain_amount, allocations }
}
