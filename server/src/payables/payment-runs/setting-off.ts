import { allocatePayment, removeAllocation } from '../../books/payments/allocating.ts'
import { applyCredit, removeApplied } from '../../books/payments/crediting.ts'
import { plannedFor } from '../../books/payments/runs.ts'
import type { Context } from '../../platform/context.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import { type Item, type SetOff, settledBy } from './rules.ts'
import { listAppliedBy } from './set-off-store.ts'

const byId = (id: string | null): Reference => ({ by: 'id', id: id as string })

/** Settles bills with what carriers owe us: credits first, then what is left of earlier payments. The caller has locked all of it. */
export async function applySetOffs(
  ctx: Context,
  run: string,
  setOffs: readonly SetOff[],
  items: readonly Item[],
): Promise<void> {
  const ofPayments = Map.groupBy(setOffs, ({ payment_id }) => payment_id)
  const settling = [...ofPayments].flatMap(([payment, ofOne]) =>
    settledBy(
      ofOne,
      items.filter(({ payment_id }) => payment_id === payment),
    ),
  )
  for (const { from, parts } of settling.filter(({ from }) => from.credit_id !== null))
    await applyCredit(ctx, byId(from.credit_id), { allocations: plannedFor(parts) }, null, run)
  for (const { from, parts } of settling.filter(({ from }) => from.credit_id === null))
    await allocatePayment(ctx, byId(from.from_payment_id), { allocations: plannedFor(parts) }, null, run)
}

/** A payment of the run came back: what was set off with it is owed to us again. What the run gave for early payment is among it. */
export async function takeBackSetOffs(ctx: Context, run: string, payment: string): Promise<void> {
  for (const { id, from_credit_id, payment_id } of await listAppliedBy(ctx, run, payment)) {
    if (from_credit_id) await removeApplied(ctx, byId(from_credit_id), id, null, run)
    else await removeAllocation(ctx, byId(payment_id), id, null, run)
  }
}
