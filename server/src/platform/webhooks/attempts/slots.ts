import { unavailable } from '../../core/refusal.ts'
import { type Leave, type Share, shareOut } from '../../core/turns/shares.ts'

/** Attempts under way at once to one endpoint, at first and at most, and to all of this process. */
const first = 4
const most = 16
const allAttempts = 512
/** Endpoints that fail or are slow share these: however many there are, they take nothing from the others. */
const allOfSuspects = 64
/** An endpoint whose limit has come down to this is suspect. */
const suspectLimit = 2
/** An answer that takes longer is slow. */
const slowMs = 2_000
/** Of so many endpoints it is known how they did. */
const mostKnown = 10_000

export type Place = {
  /** How many attempts may be under way at once, and so how many deliveries to take at a time: what was taken is not sent by others. */
  limit(): number
  isFree(): boolean
  /** Takes a place for an attempt; null where none is free. Whoever leaves says how it went. */
  enter(): ((succeeded: boolean, durationMs: number) => void) | null
  /** Waits for a turn among the endpoints, and calls back once when it has come; at once if a place is free. */
  whenFree(free: () => void): void
  /** Waits no more, and gives back the place whose turn came and that is not needed. */
  giveUp(): void
}

export type Slots = { of(endpoint: string): Place }

/**
 * How many attempts run side by side, and how many begin in a second. An endpoint begins with few, gets more while it answers quickly, and fewer with each
 * failure.
 */
export function openSlots(perSecond: number): Slots {
  const pace = paced(perSecond)
  const known = new Map<string, number>()
  const healthy = placesFor(allAttempts)
  const suspect = placesFor(allOfSuspects)

  function of(endpoint: string): Place {
    const limit = () => known.get(endpoint) ?? first
    const turn = turnOf(endpoint, () => (limit() <= suspectLimit ? suspect : healthy))
    return {
      limit,
      isFree: turn.isFree,
      giveUp: turn.giveUp,
      whenFree: (free) => (pace.isFree() ? turn : pace).whenFree(free),
      enter() {
        const leave = pace.isFree() ? turn.take() : null
        if (!leave) return null
        pace.take()
        return (succeeded, durationMs) => {
          leave()
          learn(
            endpoint,
            succeeded && durationMs <= slowMs ? Math.min(most, limit() + 2) : Math.max(1, Math.floor(limit() / 2)),
          )
        }
      },
    }
  }

  function learn(endpoint: string, limit: number): void {
    // The one that was heard of last is the last to be forgotten.
    known.delete(endpoint)
    known.set(endpoint, limit)
    const [oldest] = known.keys()
    if (known.size > mostKnown) known.delete(oldest as string)
  }

  return { of }
}

function placesFor(places: number): Share {
  return shareOut({
    places,
    mayEnter: (_, free) => free > 0,
    mostWaiting: 1,
    waitMs: Number.POSITIVE_INFINITY,
    refuse: () => unavailable('Nobody waits for this any more.'),
  })
}

/** The turn of one endpoint: a place that it was given after a wait is its own until it is taken or given up. */
function turnOf(endpoint: string, places: () => Share) {
  let given: Leave | null = null
  let waiting: AbortController | null = null
  let callBack = () => {}

  function take(): Leave | null {
    const taken = given ?? places().tryEnter(endpoint)
    given = null
    return taken
  }

  function isFree(): boolean {
    const leave = given ? null : places().tryEnter(endpoint)
    leave?.()
    return given !== null || leave !== null
  }

  function whenFree(free: () => void): void {
    callBack = free
    if (isFree()) free()
    else waiting ??= wait()
  }

  function wait(): AbortController {
    const stop = new AbortController()
    places()
      .enter(endpoint, 'read', () => stop.signal)
      .then(
        (leave) => {
          if (stop.signal.aborted) return leave()
          waiting = null
          given = leave
          callBack()
        },
        () => {},
      )
    return stop
  }

  function giveUp(): void {
    waiting?.abort()
    waiting = null
    given?.()
    given = null
  }

  return { take, isFree, whenFree, giveUp }
}

/** So many begin in a second, spread over it: requests that arrive in between do not wait behind a heap of them. */
function paced(perSecond: number) {
  const atOnce = Math.max(1, perSecond * 0.02)
  let left = atOnce
  let filledAt = performance.now()
  const waiting = new Set<() => void>()
  const fill = () => {
    const now = performance.now()
    left = Math.min(atOnce, left + ((now - filledAt) / 1000) * perSecond)
    filledAt = now
  }
  return {
    isFree(): boolean {
      fill()
      return left >= 1
    },
    take(): void {
      left -= 1
    },
    whenFree(free: () => void): void {
      waiting.add(free)
      if (waiting.size === 1) setTimeout(callAll, 5)
    },
  }

  function callAll(): void {
    const all = [...waiting]
    waiting.clear()
    for (const one of all) one()
  }
}
