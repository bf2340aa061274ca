import type { Context } from '../../platform/context.ts'
import { type Detail, invalidAll, quote } from '../../platform/core/refusal.ts'
import { listMinorUnits } from './store.ts'

let known: Promise<ReadonlyMap<string, number>> | undefined

/** How many decimals the minor unit of each currency has. They change with a migration only, so each process reads them once. */
export function minorUnits(ctx: Context): Promise<ReadonlyMap<string, number>> {
  known ??= listMinorUnits(ctx).then((rows) => new Map(rows.map(({ id, minor_units }) => [id, minor_units])))
  known.catch(() => {
    known = undefined
  })
  return known
}

/** Refuses codes that are no currency, before anything else is said of them. */
export async function requireCurrencies(
  ctx: Context,
  codes: readonly string[] | undefined,
  field: string,
): Promise<void> {
  if (!codes || codes.length === 0) return
  const ids = await minorUnits(ctx)
  const wrong = [...new Set(codes)].filter((code) => !ids.has(code.toLowerCase()))
  if (wrong.length > 0) throw invalidAll(wrong.map((code) => unknown(code, field)))
}

function unknown(code: string, field: string): Detail {
  return {
    field,
    code: 'unknown_currency',
    message: `"${field}": ${quote(code)} is not the lower-case code of an ISO 4217 currency, such as "usd".`,
  }
}
