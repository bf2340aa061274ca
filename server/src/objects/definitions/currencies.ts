import type { Context } from '../../context.ts'
import { listCurrencyIds } from './store.ts'

let known: Promise<ReadonlySet<string>> | undefined

/** The codes that a field of the format `currency` can have. They change with a migration only, so each process reads them once. */
export function currencyIds(ctx: Context): Promise<ReadonlySet<string>> {
  known ??= listCurrencyIds(ctx).then((ids) => new Set(ids))
  known.catch(() => {
    known = undefined
  })
  return known
}
