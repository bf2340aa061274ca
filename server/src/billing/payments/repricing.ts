import { type Context, transaction } from '../../context.ts'
import type { Reference } from '../../core/ids.ts'
import { conflict } from '../../core/refusal.ts'
import type { Expected, Revised } from '../../core/revisions.ts'
import { noHomeCurrency, rateMissing } from '../documents/model/home-amount.ts'
import { keptRate, type Valued } from '../rates/conversion.ts'
import { homeRates } from '../rates/lookup.ts'
import type { Target } from './allocations-store.ts'
import { listPaymentsOfStanding, lockValued, type Settling, saveGains, saveRate, saveRepriced } from './gains-store.ts'
import { idOf, lockExpected, notPossible, present, recordDated } from './locks.ts'
import type { Payment } from './model.ts'
import { gains } from './rates.ts'
import { lockPayments } from './run-store.ts'

/** Gives a payment the rate that is known for its date now, and what that makes of the documents that it settles. */
export function repricePayment(ctx: Context, reference: Reference, expected: Expected): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const current = await lockExpected(ctx, await idOf(ctx, reference), expected)
    if (current.status === 'draft') throw conflict('is_draft', 'A payment that is a draft has no exchange rate yet: it gets one when it is issued.')
    if (current.status === 'voided') throw notPossible(current, 'repriced')
    const value = await valueAt(ctx, current)
    await saveRate(ctx, current.id, value)
    const settled = await settle(ctx, { payment: current.id })
    const { exchange_rate, home_currency_id } = current
    const isSameRate = value.exchange_rate === exchange_rate && value.home_currency_id === home_currency_id
    if (isSameRate && settled.length === 0) return present(ctx, current.id)
    await saveRepriced(ctx, [current.id])
    const previous = { ...(!isSameRate && { exchange_rate, home_currency_id }), ...(settled.length > 0 && gainsOf(current)) }
    await recordDated(ctx, [current.paid_at], [{ type: 'payment.repriced', id: current.id, previous }])
    return present(ctx, current.id)
  })
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
    [...changed.map(({ paid_at }) => paid_at), ...settled.flatMap(({ payment_id, created_at }) => (payment_id === null ? [created_at] : []))],
    changed.map((payment) => ({ type: 'payment.repriced', id: payment.id, previous: gainsOf(payment) })),
  )
}

async function valueAt(ctx: Context, { currency_id, paid_at }: Payment): Promise<Valued> {
  const { home_currency_id, rates } = await homeRates(ctx, [{ currency_id, at: paid_at }])
  if (home_currency_id === null) throw noHomeCurrency()
  if (!rates[0]) throw rateMissing('payment', currency_id, home_currency_id, paid_at)
  return { exchange_rate: keptRate(rates[0]), home_currency_id }
}

/** The allocations whose gain is another now, with that written. */
async function settle(ctx: Context, settling: Settling) {
  const allocations = await lockValued(ctx, settling)
  const gainFrom = await gains(ctx)
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
