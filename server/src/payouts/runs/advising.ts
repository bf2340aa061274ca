import { present as presentPayment } from '../../billing/payments/locks.ts'
import { type Context, transaction } from '../../context.ts'
import type { Reference } from '../../core/ids.ts'
import { conflict } from '../../core/refusal.ts'
import type { Expected, Revised } from '../../core/revisions.ts'
import { mailPayment } from '../../paper/sending.ts'
import { lockExpected, recordRun } from './actions.ts'
import { listAdvised } from './store.ts'

/** Mails its remittance advice to each payee of an issued run that has an address for it. */
export function sendAdvices(ctx: Context, reference: Reference, expected: Expected): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const run = await lockExpected(ctx, reference, expected)
    if (run.status !== 'issued') throw conflict('run_not_issued', 'This payment run is not issued yet, so there is nothing to advise of.')
    for (const { payment_id, remittance_email } of await listAdvised(ctx, run.id))
      await mailPayment(ctx, await presentPayment(ctx, payment_id), { to: [remittance_email] })
    return recordRun(ctx, 'advised', run.id)
  })
}
