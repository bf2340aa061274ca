import type { Context } from '../../context.ts'
import { type Detail, invalidAll, quote } from '../../core/refusal.ts'
import { listCurrencyIds } from './store.ts'

let known: Promise<ReadonlySet<string>> | undefined

/** Refuses codes that are no currency, before anything else is said of them. They change with a migration only, so each process reads them once. */
export async function requireCurrencies(ctx: Context, codes: readonly string[] | undefined, field: string): Promise<void> {
  if (!codes || codes.length === 0) return
  known ??= listCurrencyIds(ctx).then((ids) => new Set(ids))
  known.catch(() => {
    known = undefined
  })
  const ids = await known
  const wrong = [...new Set(codes)].filter((code) => !ids.has(code.toLowerCase()))
  if (wrong.length > 0) throw invalidAll(wrong.map((code) => unknown(code, field)))
}

function unknown(code: string, field: string): Detail {
  return { field, code: 'unknown_currency', message: `"${field}": ${quote(code)} is not the lower-case code of an ISO 4217 currency, such as "usd".` }
}
