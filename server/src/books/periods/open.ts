import type { Context } from '../../platform/context.ts'
import type { Refusal } from '../../platform/core/refusal.ts'
import { periodClosed } from './model.ts'
import { listClosed } from './store.ts'

/**
 * Refuses a write of what is dated at one of these moments, where its day is in a closed period. Ask it after something was written, in the same trip and
 * transaction: whoever closes a period waits for all who had begun to write by then, so a write is there before the closing is answered, or sees it.
 */
export async function requireOpenPeriods(ctx: Context, dates: readonly (string | null | undefined)[]): Promise<void> {
  const [first] = await findClosed(ctx, dates)
  if (first) throw first[1]
}

/** Each of these moments whose day is in a closed period, and the refusal for it. */
export async function findClosed(
  ctx: Context,
  dates: readonly (string | null | undefined)[],
): Promise<Map<string, Refusal>> {
  const moments = [...new Set(dates.filter((date) => typeof date === 'string'))]
  if (moments.length === 0) return new Map()
  const closed = await listClosed(ctx, moments)
  return new Map(closed.map(({ place, ...day }) => [moments[place - 1] as string, periodClosed(day)]))
}
