import type { Context } from '../../../platform/context.ts'
import { conflict } from '../../../platform/core/refusal.ts'
import type { PaymentMethod } from '../../documents/model/kind/paying.ts'
import { listHeld } from './holds-store.ts'
import type { Direction } from './model.ts'

type Sent = { direction: Direction; method: PaymentMethod; partner_carrier_id: string | null }

/** Refuses to send money where a change of its destination waits. What is only `recorded` was sent by other means. */
export async function requireNotHeld(ctx: Context, payments: readonly Sent[]): Promise<void> {
  const sent = payments.filter(({ direction, method }) => direction === 'out' && method !== 'recorded')
  const carriers = [...new Set(sent.flatMap(({ partner_carrier_id }) => partner_carrier_id ?? []))]
  if (carriers.length === 0) return
  const held = await listHeld(ctx, carriers)
  if (held.length > 0) throw paymentsHeld(held)
}

export function paymentsHeld(names: readonly string[]) {
  const message = `A change of where the money of ${names.join(', ')} goes waits for a second person, and payments wait with it. Have the change approved or rejected first.`
  return conflict('payee_change_waiting', message)
}
