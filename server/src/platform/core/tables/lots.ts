import { setImmediate } from 'node:timers/promises'
import { Refusal } from '../refusal.ts'

/** How long the transaction of a lot may take. Whoever waits for its locks, such as that of the counter of numbers, waits no longer. */
const longestMs = 400
/** A lot that took less is followed by one twice as large. */
const shortMs = 200

export const firstLot = 50
/** Every lot costs its round trips, however few rows it has: smaller ones would take nearly as long. */
const leastRows = 25
const mostRows = 400

/** A dry run does not see what the lots before it would have written, so its lots are large. */
export const dryRunLot = 500

/** So many rows may be one transaction where they have to be: with an Idempotency-Key, and in a dry run of the whole request. */
const mostInOne = 1000

/** Refuses a file of more rows than one transaction takes. `inBackground` is the request that imports any number. */
export function requireFewRows(rows: number, inBackground: string): void {
  if (rows <= mostInOne) return
  const message = `The file has ${rows} rows. With an Idempotency-Key or Prefer: dry-run an import is one transaction, and has at most ${mostInOne}. Send the file to ${inBackground}, which takes the key and its own parameter for a dry run.`
  throw new Refusal('too_large', 'too_many_rows', message)
}

/** How many rows of a file an import does while the caller waits, 0 being any number; and the request that does larger ones, where there is one. */
export type ImportBounds = { most: number; inBackground?: string }

/** How many rows there are, read to the end; no further than an import takes them. */
export async function countRows(rows: AsyncIterable<unknown>, { most, inBackground }: ImportBounds): Promise<number> {
  let count = 0
  for await (const _ of rows) if (++count > most && most > 0) throw tooManyToImport(most, inBackground)
  return count
}

function tooManyToImport(most: number, inBackground: string | undefined): Refusal {
  const instead = inBackground ? `Send it to ${inBackground}, which takes any number.` : 'Split the file.'
  const message = `The file has more than ${most} rows, and an import does no more while the caller waits. ${instead}`
  return new Refusal('too_large', 'too_many_rows', message)
}

/** Refuses an export of more rows than are sent from one snapshot. */
export function tooManyToExport(most: number, what: string, inBackground: string): Refusal {
  const message = `More than ${most} ${what} match, and an export answers no more while the caller waits. Ask for fewer, or send the same parameters to ${inBackground}.`
  return new Refusal('too_large', 'too_many_rows', message)
}

/** Refuses a report of more rows than are answered at once. */
export function tooManyToReport(most: number): Refusal {
  return new Refusal(
    'too_large',
    'too_many_rows',
    `This report would have more than ${most} rows. Ask for a shorter span, fewer parties or fewer groups.`,
  )
}

/** What becomes of each row. Whoever else is served by this process has a turn after every few hundred. */
export async function inTurns<Row, Result>(rows: readonly Row[], make: (row: Row) => Result): Promise<Result[]> {
  const made: Result[] = []
  for (const row of rows) {
    made.push(make(row))
    if (made.length % dryRunLot === 0) await setImmediate()
  }
  return made
}

const shortestRestMs = 5
const longestRestMs = 500

/** How long background work rests after a lot that took so long: then it has half of the time at most, and whoever waits for an answer the rest. */
export function restAfter(ms: number): number {
  return Math.min(longestRestMs, Math.max(shortestRestMs, ms))
}

/** How many rows the next lot takes, after one of so many rows that took so long. The numbers are few, because PostgreSQL keeps a plan for each limit. */
export function nextLot(rows: number, ms: number, most = mostRows): number {
  if (ms > longestMs) return Math.min(rows, Math.max(leastRows, Math.floor(rows / 2)))
  return ms < shortMs ? Math.min(rows * 2, most) : rows
}

/** Puts rows together in lots, each as large as the time that the lots before took allows. Whoever takes a lot asks for the next one when it is written. */
export async function* lotsOf<Row>(rows: AsyncIterable<Row>, { dryRun }: { dryRun: boolean }): AsyncGenerator<Row[]> {
  let size = dryRun ? dryRunLot : firstLot
  let lot: Row[] = []
  for await (const row of rows) {
    lot.push(row)
    if (lot.length < size) continue
    const since = performance.now()
    yield lot
    if (!dryRun) size = nextLot(lot.length, performance.now() - since)
    lot = []
  }
  if (lot.length > 0) yield lot
}
