import type { Refusal } from '../../platform/core/refusal.ts'
import { dayAfter } from '../../platform/core/values/dates.ts'
import { type Content, ratesOverlap } from './model.ts'

/** A range that is there (with its id), or was put between those that are. */
export type Range = {
  id: string | null
  rate: string
  source: string | null
  starts_on: string
  ends_on: string | null
}

export type RangePlacement =
  | { status: 'created' | 'updated' | 'unchanged'; range: Range }
  | { status: 'failed'; refusal: Refusal }

/**
 * Puts a rate among those of its pair, which are in the order of their days. One that starts on the same day is updated. A rate without an end holds
 * until the next one begins; where another holds on its first day, it takes over from there to where that one ended. A rate with an end must find its
 * days free. `ranges` is changed.
 */
export function place(ranges: Range[], content: Content): RangePlacement {
  const at = firstFrom(ranges, content.starts_on)
  const [before, same, next] =
    ranges[at]?.starts_on === content.starts_on
      ? [ranges[at - 1], ranges[at], ranges[at + 1]]
      : [ranges[at - 1], undefined, ranges[at]]
  if (content.ends_on !== null && next && next.starts_on <= content.ends_on)
    return { status: 'failed', refusal: ratesOverlap(content, next) }
  if (same) return update(same, content)
  const covers = before && (before.ends_on === null || before.ends_on >= content.starts_on) ? before : undefined
  if (content.ends_on !== null && covers) return { status: 'failed', refusal: ratesOverlap(content, covers) }
  const untilNext = next ? dayAfter(next.starts_on, -1) : null
  const { rate, source, starts_on } = content
  const range = { id: null, rate, source, starts_on, ends_on: content.ends_on ?? (covers ? covers.ends_on : untilNext) }
  if (covers) covers.ends_on = dayAfter(starts_on, -1)
  ranges.splice(at, 0, range)
  return { status: 'created', range }
}

function update(range: Range, { rate, source, ends_on }: Content): RangePlacement {
  const next = { rate, source: source ?? range.source, ends_on: ends_on ?? range.ends_on }
  const changed = (['rate', 'source', 'ends_on'] as const).some((name) => range[name] !== next[name])
  Object.assign(range, next)
  return { status: changed ? 'updated' : 'unchanged', range }
}

/** The place of the first range that starts on this day or later. */
function firstFrom(ranges: readonly Range[], day: string): number {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle] as Range).starts_on < day) low = middle + 1
    else high = middle
  }
  return low
}
