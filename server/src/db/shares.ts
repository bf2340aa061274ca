import { Refusal, unavailable } from '../core/refusal.ts'
import type { Pool } from './connect.ts'

/** Gives a place back. */
export type Leave = () => void
/** Whoever waits for a place gives it up when this is aborted. A function, because most never wait. */
export type Waits = () => AbortSignal
export type Use = 'read' | 'write' | 'search'

/** Places that organizations share: each has as many as leave room for the others, and who waits is served in turn, an organization after the other. */
export type Share = {
  /** `waitMs`: how long this one waits, where it is not as long as the others. */
  enter(org: string, use?: Use, waits?: Waits, waitMs?: number): Promise<Leave>
  counts(): { held: number; waiting: number; refused: number }
}

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
export function sharesOf({ max, waitMs, quietMs }: Pick<Pool, 'max' | 'waitMs' | 'quietMs'>, searchMs: (org: string) => number, alone = max < 4): Shares {
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
    exports: shareOut({ places: mostExports(max), mayEnter: leavesRoom, mostWaiting: 16, waitMs, refuse: () => unlessStalled(tooManyExports) }),
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

type Rules = {
  places: number
  /** Whether an organization that holds so many may have one more while so many are free. */
  mayEnter(held: number, free: number, org: string, use: Use): boolean
  /** Of one organization for one use; who comes after them is refused at once. */
  mostWaiting: number
  waitMs: number
  refuse(held: number): Refusal
}

type Waiter = { readonly use: Use; admit(): void }
type Holder = { readonly org: string; held: number; readonly waiting: Waiter[] }

export function shareOut({ places, mayEnter, mostWaiting, waitMs: usualMs, refuse }: Rules): Share {
  const holders = new Map<string, Holder>()
  /** Those of whom somebody waits, in the order of their turns. */
  const turns = new Set<Holder>()
  let held = 0
  let refused = 0

  async function enter(org: string, use: Use = 'read', waits?: Waits, waitMs = usualMs): Promise<Leave> {
    const holder = holders.get(org) ?? { org, held: 0, waiting: [] }
    holders.set(org, holder)
    if (!holder.waiting.some((waiter) => waiter.use === use) && mayEnter(holder.held, places - held, org, use)) return take(holder)
    if (holder.waiting.filter((waiter) => waiter.use === use).length >= mostWaiting) {
      refused += 1
      throw refuse(holder.held)
    }
    return wait(holder, use, waits?.(), waitMs)
  }

  function take(holder: Holder): Leave {
    holder.held += 1
    held += 1
    let left = false
    return () => {
      if (left) return
      left = true
      holder.held -= 1
      held -= 1
      admitWaiting()
      forgetIfGone(holder)
    }
  }

  function wait(holder: Holder, use: Use, signal: AbortSignal | undefined, waitMs: number): Promise<Leave> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        use,
        admit() {
          stopWaiting()
          resolve(take(holder))
        },
      }
      const giveUp = () => {
        stopWaiting()
        reject(refuse(holder.held))
        forgetIfGone(holder)
      }
      const stopWaiting = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
        holder.waiting.splice(holder.waiting.indexOf(waiter), 1)
        if (holder.waiting.length === 0) turns.delete(holder)
      }
      const timer = setTimeout(() => {
        refused += 1
        giveUp()
      }, waitMs)
      holder.waiting.push(waiter)
      turns.add(holder)
      if (signal?.aborted) giveUp()
      else signal?.addEventListener('abort', giveUp)
    })
  }

  function admitWaiting(): void {
    for (let next = nextInTurn(); next; next = nextInTurn()) {
      // To the end of the order, for as long as others of it wait.
      turns.delete(next.holder)
      turns.add(next.holder)
      next.waiter.admit()
    }
  }

  function nextInTurn(): { holder: Holder; waiter: Waiter } | undefined {
    for (const holder of turns) {
      const waiter = holder.waiting.find(({ use }) => mayEnter(holder.held, places - held, holder.org, use))
      if (waiter) return { holder, waiter }
    }
    return undefined
  }

  function forgetIfGone({ org, held, waiting }: Holder): void {
    if (held === 0 && waiting.length === 0) holders.delete(org)
  }

  function counts() {
    let waiting = 0
    for (const holder of turns) waiting += holder.waiting.length
    return { held, waiting, refused }
  }

  return { enter, counts }
}

export function busy(what: string): Refusal {
  return new Refusal(
    'too_many',
    'organization_busy',
    `This organization has as many ${what} under way as one may have at once. Try again in a moment, and send fewer at the same time.`,
    { headers: { 'retry-after': '1' } },
  )
}

function databaseBusy(): Refusal {
  return unavailable('The database is busy. Try again in a moment.')
}

function tooManyExports(): Refusal {
  return new Refusal('too_many', 'too_many_streams', 'As many exports are under way as there may be at once. Try again in a moment.', {
    headers: { 'retry-after': '5' },
  })
}
