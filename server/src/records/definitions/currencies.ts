import type { Context } from '../../platform/context.ts'
import type { MinorUnits } from '../../platform/core/tables/decimals.ts'
import { listCurrencies } from './store.ts'

let known: Promise<{ ids: ReadonlySet<string>; units: MinorUnits }> | undefined

/** The codes that a field of the format `currency` can have. */
export async function currencyIds(ctx: Context): Promise<ReadonlySet<string>> {
  return (await currencies(ctx)).ids
}

/** How many decimals amounts in each of them have. */
export async function currencyUnits(ctx: Context): Promise<MinorUnits> {
  return (await currencies(ctx)).units
}

/** They change with a migration only, so each process reads them once. */
function currencies(ctx: Context): NonNullable<typeof known> {
  known ??= listCurrencies(ctx).then((rows) => {
    const units = new Map(rows.map(({ id, minor_units }) => [id, minor_units]))
    return { ids: new Set(units.keys()), units }
  })
  known.catch(() => {
    known = undefined
  })
  return known
}
