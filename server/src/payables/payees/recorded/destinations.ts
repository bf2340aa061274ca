import type { Context } from '../../../platform/context.ts'
import { lockDestinations } from './destinations-store.ts'
import type { Destination } from './model.ts'

export type { Destination }

/** By carrier; a carrier without a payee is missing. None of them changes before this transaction ends. */
export async function destinationsOf(ctx: Context, carriers: readonly string[]): Promise<Map<string, Destination>> {
  const found = await lockDestinations(ctx, carriers)
  return new Map(found.map((one) => [one.partner_carrier_id, one]))
}
