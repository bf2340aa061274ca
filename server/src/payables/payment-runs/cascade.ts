import { reviseDrafts } from '../../books/payments/runs.ts'
import type { Context } from '../../platform/context.ts'
import { collision } from '../../platform/db/pool/away.ts'
import { destinationsOf } from '../payees/recorded/destinations.ts'
import { recordRun } from './actions.ts'
import { type AffectedPayment, listAffected, lockRuns } from './cascade-store.ts'
import { saveDestinations, saveDraft } from './store.ts'

/** The runs that are not issued and pay to this payee, or to a carrier that has it, locked. Runs are locked before payees, so this comes first. */
export async function lockRunsOf(ctx: Context, payee: string): Promise<string[]> {
  return lockRuns(ctx, [...new Set((await listAffected(ctx, payee)).map(({ run_id }) => run_id))])
}

/** Directs the drafts of these runs to where the money goes now that the payee has changed; those that were approved wait for that again. */
export async function redirectPayments(ctx: Context, payee: string, locked: readonly string[]): Promise<void> {
  const affected = await listAffected(ctx, payee)
  if (affected.length === 0) return
  if (affected.some(({ run_id }) => !locked.includes(run_id))) throw collision('a payment run was made meanwhile')
  const destinations = await destinationsOf(ctx, [
    ...new Set(affected.map(({ partner_carrier_id }) => partner_carrier_id)),
  ])
  const directed = affected.map((one) => ({
    ...one,
    now: destinations.get(one.partner_carrier_id) as NonNullable<ReturnType<typeof destinations.get>>,
  }))
  await saveDestinations(
    ctx,
    directed.map(({ payment_id, now }) => ({ payment_id, payee_id: now.payee_id })),
  )
  await reviseDrafts(
    ctx,
    directed.map(({ payment_id, now }) => ({ id: payment_id, method: now.method })),
  )
  const runs = Map.groupBy(affected, ({ run_id }: AffectedPayment) => run_id)
  await saveDraft(ctx, [...runs.keys()])
  for (const [run, payments] of runs)
    await recordRun(ctx, 'updated', run, {
      previous: {
        status: payments[0]?.status,
        payments: payments.map(({ payment_id, payee_id }) => ({ payment_id, payee_id })),
      },
    })
}
