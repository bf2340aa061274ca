/**
 * How much of what is tried at random, or in every combination, one run of the tests tries. `npm test` takes a part, the same for everybody, so that it
 * ends within minutes; `TEST_DEPTH=1` takes all of it, as CI does for every change. What is random comes from one seed, which is fixed as well:
 * `npm run explore` is what searches with new ones, and `TEST_SEED` repeats what it found.
 */
import { createHash } from 'node:crypto'
import { type TestContext, test } from 'node:test'

const depth = Number(process.env.TEST_DEPTH ?? 0.1)
export const isDeep = depth >= 1

/** A whole number of 32 bits, as random tests take it. */
export const seed = Number(process.env.TEST_SEED ?? 1) | 0

/** What a run says of itself before anything else. */
export const depthSaid = `${isDeep ? 'All cases are tried' : 'A part of all cases is tried, with TEST_DEPTH=1 all of them are'}; what is random comes from TEST_SEED=${seed}.\n`

/** What a test takes as its options. */
export type Skipped = { skip: string | false }

/** For a test that takes long, or makes sense only as a whole: `test('…', deepOnly, …)`. What its area promises first has a test that is always run. */
export const deepOnly: Skipped = { skip: isDeep ? false : 'at full depth only' }

/** A `test` with that option. */
export function deepTest(name: string, work: (t: TestContext) => Promise<void>): void {
  void test(name, deepOnly, work)
}

/** So many of so many random runs. */
export function runs(all: number): number {
  return Math.ceil(all * depth)
}

/** A part of the cases, so many at least, in their order. */
export function some<T>(cases: readonly T[], atLeast = 1): T[] {
  if (isDeep) return [...cases]
  const chosen = new Set(shuffled(cases).slice(0, Math.max(runs(cases.length), atLeast)))
  return cases.filter((_, index) => chosen.has(index))
}

/** A part of the cases, one of every kind at least. */
export function someOfEach<T>(cases: readonly T[], kindOf: (one: T) => unknown): T[] {
  const kinds = Map.groupBy(cases, kindOf)
  const chosen = new Set([...kinds.values()].flatMap((alike) => some(alike)))
  return cases.filter((one) => chosen.has(one))
}

/** Whether one case is of the part that is tried, where cases come one after another: `name` tells it from the others. */
export function isPicked(name: string): boolean {
  return isDeep || shareOf(name) < depth
}

/** A generator of whole numbers below the one it is given: the same ones for the same seed and name. */
export function numbersFrom(name: string): (below: number) => number {
  let drawn = 0
  return (below) => Math.floor(shareOf(`${name} ${drawn++}`) * below)
}

/** The places of the cases in an order that the seed decides. */
function shuffled(cases: readonly unknown[]): number[] {
  const shares = cases.map((_, place) => ({ place, share: shareOf(`${cases.length} ${place}`) }))
  return shares.sort((a, b) => a.share - b.share).map(({ place }) => place)
}

/** Between 0 and 1, from the seed and a name. */
function shareOf(name: string): number {
  return createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE() / 2 ** 32
}
