import type { Context } from '../../platform/context.ts'
import { type Detail, invalidAll, quote } from '../../platform/core/refusal.ts'
import { listMinorUnits } from './store.ts'

let known: ReadonlyMap<string, number> | undefined

/**
 * How many decimals the minor unit of each currency has. They change with a migration only, so a process keeps them. Until it has them each caller asks
 * for itself: a transaction that waited for the read of another would keep its connection from that read.
 */
export async function minorUnits(ctx: Context): Promise<ReadonlyMap<string, number>> {
  known ??= new Map((await listMinorUnits(ctx)).map(({ id, minor_units }) => [id, minor_units]))
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
