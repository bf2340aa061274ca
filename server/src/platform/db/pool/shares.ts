import { Refusal, unavailable } from '../../core/refusal.ts'
import { busy, type Share, shareOut } from '../../core/turns/shares.ts'
import type { Pool } from './connect.ts'

export type { Leave, Share, WaitSignal } from '../../core/turns/shares.ts'
export type Use = 'read' | 'write' | 'search'

export type Shares = {
  /** Connections of the pool. */
  readonly connections: Share
  /** Searches, by what those of the organization have cost lately. */
  readonly searches: Share
  /** Exports, each on a connection of its own. */
  readonly exports: Share
  /** Bulk requests and imports. */
  readonly bulk: Share
}

/** How many exports a pool of this size gives at once, each on a connection that is not one of the pool. */
export function mostExports(max: number): number {
  return Math.max(2, Math.floor(max / 3))
}

/** All shares of one process. `searchMs` says how long a search of the organization took lately; `alone`: there is no other to leave anything to. */
export function sharesOf(
  { max, waitMs, quietMs }: Pick<Pool, 'max' | 'waitMs' | 'quietMs'>,
  searchMs: (org: string) => number,
  alone = max < 4,
): Shares {
  const slow = Math.max(1, Math.floor(max / 6))
  // Who waits for a database that has stopped answering is not the one who sends too much.
  const unlessStalled = (refusal: () => Refusal) => (quietMs() < stalledMs ? refusal() : databaseBusy())
  return {
    connections: shareOut({
      // The rest is for what belongs to no organization: sign-in, revocations, background work.
      places: alone ? max : max - Math.floor(max / 5),
      mayEnter: alone ? (_, free) => free > 0 : leavesRoom,
      mostWaiting: alone ? Number.POSITIVE_INFINITY : 100,
      waitMs,
      refuse: (held) => (held > 0 ? unlessStalled(() => busy('requests')) : databaseBusy()),
    }),
    searches: shareOut({
      places: Number.POSITIVE_INFINITY,
      mayEnter: (held, _, org) => alone || held < Math.max(slow, Math.floor(searchesTogetherMs / searchMs(org))),
      mostWaiting: 16 * slow,
      waitMs,
      refuse: () => unlessStalled(() => busy('searches')),
    }),
    exports: shareOut({
      places: mostExports(max),
      mayEnter: leavesRoom,
      mostWaiting: 16,
      waitMs,
      refuse: () => unlessStalled(tooManyExports),
    }),
    bulk: shareOut({
      places: Number.POSITIVE_INFINITY,
      mayEnter: (held) => alone || held < slow,
      mostWaiting: 4 * slow,
      waitMs,
      refuse: () => unlessStalled(() => busy('bulk requests and imports')),
    }),
  }
}

/** As many quick searches are under way at once as take about so long one after the other; of slow ones, few. */
const searchesTogetherMs = 400

/** A database that works has answered somebody within this time. */
const stalledMs = 2_000

const leftBy = { read: 0, write: 1, search: 2 }

/**
 * Twice as many as are free, and never the last one unless it has none: alone, an organization has most of the places, and whoever comes next finds
 * one. Writes leave one more and searches two, so that an organization whose writes all wait for a lock can still read, and one whose searches are
 * slow can do everything else.
 */
export function leavesRoom(held: number, free: number, _org: string, use: Use): boolean {
  if (held === 0) return free > 0
  const left = leftBy[use]
  return free - left > 1 && held + left < 2 * (free - left)
}

function databaseBusy(): Refusal {
  return unavailable('The database is busy. Try again in a moment.')
}

function tooManyExports(): Refusal {
  return new Refusal(
    'too_many',
    'too_many_streams',
    'As many exports are under way as there may be at once. Try again in a moment.',
    {
      headers: { 'retry-after': '5' },
    },
  )
}
