import Type, { type Static } from 'typebox'
import { readBack as readBackPayment } from '../../books/payments/ledger/locks.ts'
import { mailPayment } from '../../freight/papers/sending.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { conflict } from '../../platform/core/refusal.ts'
import type { ExpectedRevision, WireRecord } from '../../platform/core/schema/revisions.ts'
import { Id, nullable } from '../../platform/core/schema/schema.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import { lockExpected, recordRun } from './actions.ts'
import { listAdvised } from './store.ts'

/** Who was mailed; `not_mailed_because` also where only some were not. */
export const Advised = Type.Object({
  mailed: Type.Boolean({ description: 'Whether any advice is mailed.', examples: [true] }),
  mailed_to: Type.Array(Type.String(), {
    description: 'Whom they are addressed to.',
    examples: [['ar@cascade.example']],
  }),
  mail_ids: Type.Array(Id('A mail.'), { description: 'The mails, under `/mails`.' }),
  not_mailed_because: nullable(
    Type.String({
      description: 'Which payees are not mailed and why, in a sentence; null where all are.',
      examples: [null],
    }),
  ),
})
type Advised = Static<typeof Advised>

/** Mails its remittance advice to each payee of an issued run that has an address for it. */
export function sendAdvices(
  ctx: Context,
  reference: Reference,
  expected: ExpectedRevision,
): Promise<WireRecord & { advised: Advised }> {
  return transaction(ctx, async (ctx) => {
    const run = await lockExpected(ctx, reference, expected)
    if (run.status !== 'issued')
      throw conflict('run_not_issued', 'This payment run is not issued yet, so there is nothing to advise of.')
    const all = await listAdvised(ctx, run.id)
    const mails: { to: string; id: string }[] = []
    for (const { payment_id, remittance_email: to } of all)
      if (to) mails.push({ to, id: await mailPayment(ctx, await readBackPayment(ctx, payment_id), { to: [to] }) })
    const advised = {
      mailed: mails.length > 0,
      mailed_to: [...new Set(mails.map(({ to }) => to))],
      mail_ids: mails.map(({ id }) => id),
      not_mailed_because: whyNot(all),
    }
    return { ...(await recordRun(ctx, 'advised', run.id)), advised }
  })
}

function whyNot(all: Awaited<ReturnType<typeof listAdvised>>): string | null {
  const without = all.filter(({ remittance_email }) => remittance_email === null)
  if (without.length === 0)
    return all.length === 0 ? 'Every payment of this run was returned, so there is nobody to advise.' : null
  const names = [...new Set(without.map(({ payee_name }) => payee_name ?? 'a payee without a name'))]
  return `No "remittance_email" is known for ${names.join(', ')}. Set it in the payee; a payment is mailed by itself with POST /payments/{id}/send and "to".`
}
