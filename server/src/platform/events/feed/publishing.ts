import type { Database } from '../../db/database.ts'
import type { Run } from '../../db/sql/rows.ts'
import { published, recorded } from '../announcing.ts'
import { chainHashes } from './chain.ts'
import {
  type ChainEnd,
  listDigests,
  listOrganizationsUnchained,
  listUnchained,
  saveChainEnd,
  saveHashes,
} from './chain-store.ts'
import {
  type DigestedEvent,
  findOldestUnpublished,
  type LockedFeed,
  listOrganizationsBehind,
  listUnpublished,
  listUnpublishedOf,
  lockFeed,
  savePositions,
} from './feed-store.ts'
import { inOrder, type UnpublishedEvent } from './order.ts'

/** One transaction gives positions to about so many. */
const atOnce = 1_000
/** So many organizations at the same time. */
const sideBySide = 4

type Feed = { org: string; run: Run }
type Transact = <T>(work: (run: Run) => Promise<T>) => Promise<T>

/** Gives all committed events of an organization their positions in its feed. Answers how many there were. */
export async function publish(org: string, transact: Transact): Promise<number> {
  for (let all = 0; ; ) {
    const { count, last } = await transact((run) => publishSome({ org, run }))
    if (count > 0) published.announce(org, last, count)
    all += count
    if (count < atOnce) return all
  }
}

/**
 * The lock comes first, and the events are read in a statement after it: so nobody reads events that another is giving positions to, and positions become
 * visible in their order. What is read is committed; what commits later comes behind it.
 */
async function publishSome(feed: Feed): Promise<{ count: number; last: number }> {
  const locked = await lockFeed(feed)
  const { last } = locked
  const { end, complete } = await chainSome(feed, locked)
  const first = await listUnpublished(feed, atOnce)
  if (first.length === 0) return { count: 0, last }
  // With more than are taken at once, an earlier change of one of these records may be among those that are left.
  const events = first.length < atOnce ? first : merged(await listUnpublishedOf(feed, first), first)
  const digests = await digestsOf(feed, first, events)
  const placed = inOrder(events).map((id, index) => ({
    id,
    position: last + 1 + index,
    digest: digests.get(id) as Buffer,
  }))
  // While older events wait for their hashes, new ones get their positions all the same, and their hashes behind those.
  const hashes = complete ? chainHashes(end.hash, placed) : []
  await savePositions(
    feed,
    placed.map(({ id, position }, index) => ({ id, position, hash: hashes[index] ?? null })),
  )
  return { count: events.length, last: last + events.length }
}

/** Gives a lot of the events that have a position and no hash theirs: those from before there were hashes, and those that an older server published. */
async function chainSome(feed: Feed, { last, chained }: LockedFeed): Promise<{ end: ChainEnd; complete: boolean }> {
  if (chained.position === last) return { end: chained, complete: true }
  const lot = await listUnchained(feed, chained, atOnce)
  const hashes = chainHashes(chained.hash, lot)
  const newest = lot.at(-1)
  const isOld = newest?.position === 0
  const end: ChainEnd = {
    position: isOld ? null : (newest?.position ?? last),
    id: isOld ? (newest?.id as string) : null,
    hash: hashes.at(-1) ?? chained.hash,
  }
  if (newest)
    await saveHashes(
      feed,
      lot.map(({ id }) => id),
      hashes,
    )
  await saveChainEnd(feed, end)
  return { end, complete: end.position === last }
}

/** The background job of one process for all: gives the events their hashes that have their positions already, a lot at a time, while the server serves. */
export async function chainAll(database: Database, signal?: AbortSignal): Promise<void> {
  for (const org of await listOrganizationsUnchained(database.pool)) {
    for (let complete = false; !complete; ) {
      signal?.throwIfAborted()
      complete = await database.urgently(
        org,
        async (run) => (await chainSome({ org, run }, await lockFeed({ org, run }))).complete,
      )
    }
  }
}

/** Few events come on top of the first ones, so that those are not read twice. */
async function digestsOf(
  feed: Feed,
  first: readonly DigestedEvent[],
  events: readonly UnpublishedEvent[],
): Promise<Map<string, Buffer>> {
  const digests = new Map(first.map(({ id, digest }) => [id, digest]))
  const more = events.filter(({ id }) => !digests.has(id)).map(({ id }) => id)
  if (more.length > 0) for (const { id, digest } of await listDigests(feed, more)) digests.set(id, digest)
  return digests
}

function merged<T extends { id: string }>(some: readonly T[], others: readonly T[]): T[] {
  return [...new Map([...some, ...others].map((event) => [event.id, event])).values()]
}

/** The background job of each process: what was recorded here is in the feed a moment later. */
export function publishingJobHere(database: Database) {
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

/** For how long the oldest event without a position has waited, in all organizations. */
export async function waitingEvents({ pool }: Database): Promise<{ unpublishedSeconds: number }> {
  return { unpublishedSeconds: await findOldestUnpublished(pool) }
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
    throw errors.length === 1
      ? errors[0]
      : new AggregateError(errors, `the events of ${errors.length} organizations were not published: ${errors[0]}`)
}
