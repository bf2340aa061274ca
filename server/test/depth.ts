/**
 * How much of what is tried at random, or in every combination, one run of the tests tries. `npm test` takes a part of it, another one each time, so
 * that it ends within minutes; `TEST_DEPTH=1` takes all of it, as CI does once for every change. Which part is decided by a seed, which a run says:
 * with `TEST_SEED` the next one takes the same.
 */
import { createHash, randomInt } from 'node:crypto'
import { type TestContext, test } from 'node:test'

const depth = Number(process.env.TEST_DEPTH ?? 0.1)
export const isDeep = depth >= 1

/** Kept in the environment, so that the processes of one run have the same. */
process.env.TEST_SEED ??= String(randomInt(2 ** 31))
export const seed = process.env.TEST_SEED

/** What a run says of itself before anything else. */
export const depthSaid = isDeep ? 'All is tried.\n' : `A part of all cases is tried: that of TEST_SEED=${seed}. With TEST_DEPTH=1 all of them are.\n`

/** What a test takes as its options. */
export type Skipped = { skip: string | false }

/** For a test that makes sense only as a whole, and takes long: `test('…', deepOnly, …)`. Its area has other tests, which are quick. */
export const deepOnly: Skipped = { skip: isDeep ? false : 'at full depth only' }

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
  return isDeep || lotOf(name) < depth
}

/**
 * For tests that take long each, one after another in a file: of so many in a row one is run, another each time. `const turn = turns(3)` and then
 * `t.test('…', turn(), …)`. Where there are at least so many, there is always one to run.
 */
export function turns(length: number): () => Skipped {
  let place = Math.floor(lotOf(`in a row of ${length}`) * length)
  return () => unlessItsTurn(place++ % length === 0)
}

/** The options of a test whose turn it is, or is not. */
export function unlessItsTurn(isItsTurn: boolean): Skipped {
  return { skip: isDeep || isItsTurn ? false : 'its turn comes in another run, or at full depth' }
}

/** The same as a `test` of its own, for a file all of whose tests are such: `const test = oneInARow(3)`. */
export function oneInARow(length: number): (name: string, work: (t: TestContext) => Promise<void>) => void {
  const turn = turns(length)
  return (name, work) => void test(name, turn(), work)
}

/** The places of the cases in an order that the seed decides, whatever was asked before. */
function shuffled(cases: readonly unknown[]): number[] {
  const lots = cases.map((_, place) => ({ place, lot: lotOf(`${cases.length} ${place}`) }))
  return lots.sort((a, b) => a.lot - b.lot).map(({ place }) => place)
}

/** Between 0 and 1. */
function lotOf(name: string): number {
  return createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE() / 2 ** 32
}
