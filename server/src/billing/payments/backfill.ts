import { systemContext } from '../../auth/organizations/actions.ts'
import { type Context, together, transaction } from '../../context.ts'
import { newId } from '../../core/ids.ts'
import type { Database } from '../../db/database.ts'
import {
  listOrganizationsBehind,
  lockWithoutPayment,
  type PaidBill,
  refreshStatistics,
  savePaid,
} from './backfill-store.ts'
import { insertPayments, type NewPayment } from './store.ts'

/** One transaction gives payments to so many bills. */
const atOnce = 500

/**
 * Gives every bill that was paid before payments were recorded its recorded payment. Each lot is a transaction of its own, so it may stop anywhere and goes
 * on from there. It leaves no events: what clients see of these bills stays as it is.
 */
export async function recordOldPayments(database: Database, signal?: AbortSignal): Promise<void> {
  let lots = 0
  for (const org of await listOrganizationsBehind(database.pool))
    await recordOldPaymentsIn(systemContext(database, org), signal, async () => {
      lots += 1
      // After 1, 4, 16, 64 of them.
      if (Number.isInteger(Math.log2(lots) / 2)) await refreshStatistics(database.pool)
    })
}

/** In one organization. Answers how many bills got their payment. */
export async function recordOldPaymentsIn(
  ctx: Context,
  signal?: AbortSignal,
  afterLot?: () => Promise<void>,
): Promise<number> {
  let all = 0
  for (let done = [first]; done.length > 0; ) {
    signal?.throwIfAborted()
    const after = done.at(-1) as string
    done = await transaction(ctx, (ctx) => recordSome(ctx, after))
    all += done.length
    if (done.length > 0) await afterLot?.()
  }
  return all
}

/** Before every id. */
const first = '00000000-0000-0000-0000-000000000000'

async function recordSome(ctx: Context, after: string): Promise<string[]> {
  const bills = await lockWithoutPayment(ctx, after, atOnce)
  if (bills.length === 0) return []
  const payments = bills.filter(({ total_amount }) => total_amount !== 0).map(paymentOf)
  await together(
    savePaid(
      ctx,
      bills.map(({ id }) => id),
    ),
    insertPayments(ctx, 'bill_id', payments),
  )
  return bills.map(({ id }) => id)
}

function paymentOf({ id, currency_id, partner_carrier_id, total_amount, paid_at, created_by }: PaidBill): NewPayment {
  return {
    id: newId(),
    // What it was worth then is not known.
    exchange_rate: null,
    home_currency_id: null,
    external_id: null,
    direction: 'out',
    partner_carrier_id,
    customer_id: null,
    currency_id,
    amount: total_amount,
    method: 'recorded',
    reference_number: null,
    notes: null,
    paid_at,
    consolidated_bill_id: null,
    created_by,
    allocations: [{ id: newId(), target: id, amount: total_amount, gain_amount: null }],
  }
}
