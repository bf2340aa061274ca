import type { Context } from '../../platform/context.ts'
import { type Ratio, ratioOf } from '../../platform/core/values/ratio.ts'
import { holdTaxRates } from './lookup-store.ts'

/** What the taxes of lines are computed from, by the id of the rate. */
export type TaxRates = ReadonlyMap<string, { percent: Ratio; active: boolean }>

/** These rates, as far as they are there, held against changes until the transaction ends. Without ids nothing is asked. */
export async function taxRatesOf(ctx: Context, ids: readonly string[]): Promise<TaxRates> {
  const rows = ids.length > 0 ? await holdTaxRates(ctx, ids) : []
  return new Map(rows.map(({ id, percent, active }) => [id, { percent: ratioOf(percent), active }]))
}
