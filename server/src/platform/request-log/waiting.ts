import { newId, timeIn } from '../core/values/ids.ts'
import type { Entry } from './entry.ts'

/** So many more requests of a minute were not kept. */
export type Summary = { id: string; occurred_at: Date; not_kept: number }

export type Batch = { entries: readonly Entry[]; summaries: readonly Summary[] }

type CountedSummary = Summary & { minute: number; saved: number }

/** What one organization has waiting, and what it has spent of the second that runs. */
type Place = { entries: Entry[]; summaries: CountedSummary[]; second: number; reads: number; others: number }

/** Of one process, for all organizations together; what comes on top is counted only. */
const most = { entries: 10_000, bytes: 16 * 2 ** 20 }
/** Of one statement. */
const batch = { entries: 500, bytes: 2 ** 20 }

/**
 * Entries in memory until they are written. Reads that succeeded and all other requests have a rate each, so that many of the first kind hide none of
 * the second.
 */
export function makeWaiting(perSecond: number, now: () => number = Date.now) {
  const places = new Map<string, Place>()
  /** Organizations with something to write, in the order in which they got it. */
  const queue = new Set<string>()
  const counts = { entries: 0, bytes: 0, kept: 0, notKept: 0 }

  /** `isGoodRead`: a read that succeeded. `make` is called only for what is kept. */
  function add(org: string, isGoodRead: boolean, make: () => Entry): void {
    const time = now()
    const place = places.get(org) ?? makePlace(org)
    const second = Math.floor(time / 1000)
    if (place.second !== second) Object.assign(place, { second, reads: 0, others: 0 })
    const spent = isGoodRead ? ++place.reads : ++place.others
    if (spent > perSecond || counts.entries >= most.entries || counts.bytes >= most.bytes) {
      countOnly(place, Math.floor(second / 60))
    } else {
      const entry = make()
      place.entries.push(entry)
      counts.entries += 1
      counts.bytes += bytesOf(entry)
      counts.kept += 1
    }
    queue.add(org)
  }

  function makePlace(org: string): Place {
    const place = { entries: [], summaries: [], second: 0, reads: 0, others: 0 }
    places.set(org, place)
    return place
  }

  function countOnly({ summaries }: Place, minute: number): void {
    counts.notKept += 1
    const last = summaries.at(-1)
    if (last?.minute === minute) last.not_kept += 1
    else {
      const id = newId()
      summaries.push({ id, occurred_at: timeIn(id), not_kept: 1, minute, saved: 0 })
    }
  }

  /** What is to be written next of an organization. It stays here until `done` says that it was written. */
  function next(org: string): Batch {
    const { entries, summaries } = places.get(org) ?? { entries: [], summaries: [] }
    let taken = 0
    for (let bytes = 0; taken < Math.min(entries.length, batch.entries) && bytes < batch.bytes; taken++)
      bytes += bytesOf(entries[taken] as Entry)
    const changed = summaries.filter(({ not_kept, saved }) => not_kept > saved)
    return {
      entries: entries.slice(0, taken),
      summaries: changed.map(({ id, occurred_at, not_kept }) => ({ id, occurred_at, not_kept })),
    }
  }

  /** Whether more of the organization is to be written. */
  function done(org: string, { entries, summaries }: Batch): boolean {
    const place = places.get(org)
    queue.delete(org)
    if (!place) return false
    for (const entry of place.entries.splice(0, entries.length)) counts.bytes -= bytesOf(entry)
    counts.entries -= entries.length
    const written = new Map(summaries.map(({ id, not_kept }) => [id, not_kept]))
    for (const summary of place.summaries) summary.saved = written.get(summary.id) ?? summary.saved
    const second = Math.floor(now() / 1000)
    place.summaries = place.summaries.filter(
      ({ minute, not_kept, saved }) => minute === Math.floor(second / 60) || not_kept > saved,
    )
    const more = place.entries.length > 0 || place.summaries.some(({ not_kept, saved }) => not_kept > saved)
    if (more) queue.add(org)
    else if (place.second !== second && place.summaries.length === 0) places.delete(org)
    return more
  }

  /** Its turn is after that of all others. */
  function postpone(org: string): void {
    if (queue.delete(org)) queue.add(org)
  }

  return { add, next, done, postpone, queue, counts }
}

/** About what an entry takes. */
function bytesOf({ body, path, query, answer_body }: Entry): number {
  return 400 + path.length + (query?.length ?? 0) + (body?.length ?? 0) + (answer_body?.length ?? 0)
}
