const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** How long after each failure a delivery is tried again; after the last of these it is given up. */
export const retriesMs: readonly number[] = [
  5 * second,
  30 * second,
  2 * minute,
  15 * minute,
  hour,
  6 * hour,
  24 * hour,
]

/** An endpoint that has failed for so long, with no success in between, is disabled. */
export const disabledAfterMs = 72 * hour

/** Retries are up to a tenth earlier or later, so that what failed together does not come back together. */
const jitter = 0.1

/** The wait after so many failures in a row of one delivery; null: it is given up. */
export function waitAfter(failures: number, random: () => number = Math.random): number | null {
  const wait = retriesMs[failures - 1]
  return wait === undefined ? null : Math.round(wait * (1 - jitter + 2 * jitter * random()))
}
