/**
 * How much of what is tried at random, or in every combination, one run of the tests tries. `npm test` takes a part of it, another one each time, so
 * that it ends within minutes; `TEST_DEPTH=1` takes all of it, as CI does once for every change.
 */
const depth = Number(process.env.TEST_DEPTH ?? 0.1)

/** So many of so many random runs. */
export function runs(all: number): number {
  return Math.ceil(all * depth)
}

/** A part of the cases, one at least, chosen anew each time. */
export function some<T>(cases: readonly T[]): T[] {
  if (depth >= 1) return [...cases]
  const left = [...cases]
  return Array.from({ length: runs(cases.length) }, () => left.splice(Math.floor(Math.random() * left.length), 1)[0] as T)
}
