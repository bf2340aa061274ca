import type { Database } from '../db/database.ts'
import type { Run } from '../db/rows.ts'
import { published, recorded } from './announcing.ts'
import { listOrganizationsBehind, listUnpublished, listUnpublishedOf, lockFeed, savePositions } from './feed-store.ts'
import { inOrder } from './order.ts'

/** One transaction gives positions to about so many. */
const atOnce = 1_000
/** So many organizations at the same time. */
const sideBySide = 4

type Transact = <T>(work: (run: Run) => Promise<T>) => Promise<T>

/** Gives all committed events of an organization their positions in its feed. Answers how many there were. */
export async function publish(org: string, transact: Transact): Promise<number> {
  for (let all = 0; ; ) {
    const { count, last } = await transact((run) => publishSome({ org, run }))
    if (count > 0) published.announce(org, last)
    all += count
    if (count < atOnce) return all
  }
}

/**
 * The lock comes first, and the events are read in a statement after it: so nobody reads events that another is giving positions to, and positions become
 * visible in their order. What is read is committed; what commits later comes behind it.
 */
async function publishSome(feed: { org: string; run: Run }): Promise<{ count: number; last: number }> {
  const last = await lockFeed(feed)
  const first = await listUnpublished(feed, atOnce)
  if (first.length === 0) return { count: 0, last }
  // With more than are taken at once, an earlier change of one of these records may be among those that are left.
  const events = first.length < atOnce ? first : merged(first, await listUnpublishedOf(feed, first))
  await savePositions(feed, inOrder(events), last)
  return { count: events.length, last: last + events.length }
}

function merged<T extends { id: string }>(some: readonly T[], others: readonly T[]): T[] {
  return [...new Map([...some, ...others].map((event) => [event.id, event])).values()]
}

/** The background job of each process: what was recorded here is in the feed a moment later. */
export function publishingHere(database: Database) {
  const waiting = new Set<string>()
  return {
    async run(signal: AbortSignal): Promise<void> {
      const orgs = [...waiting]
      waiting.clear()
      await publishEach(database, orgs, signal)
    },
    wokenBy: (wake: () => void) =>
      recorded.listen((org) => {
        waiting.add(org)
        wake()
      }),
  }
}

/** The background job of one process for all: what a process recorded and did not publish before it ended. */
export async function publishAll(database: Database, signal?: AbortSignal): Promise<void> {
  await publishEach(database, await listOrganizationsBehind(database.pool), signal)
}

/** A failure of one organization does not keep the others from their turn. */
async function publishEach(database: Database, orgs: readonly string[], signal?: AbortSignal): Promise<void> {
  const errors: unknown[] = []
  const left = orgs.values()
  const work = async () => {
    for (const org of left) {
      signal?.throwIfAborted()
      // Without a place among the requests of the organization: it is short, and must come through while they wait.
      await publish(org, (work) => database.urgently(org, work)).catch((error) => errors.push(error))
    }
  }
  await Promise.all(Array.from({ length: Math.min(sideBySide, orgs.length) }, work))
  if (errors.length > 0)
    throw errors.length === 1 ? errors[0] : new AggregateError(errors, `the events of ${errors.length} organizations were not published: ${errors[0]}`)
}
