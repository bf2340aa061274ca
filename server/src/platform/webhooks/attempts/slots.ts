import { setTimeout as sleep } from 'node:timers/promises'
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

/** Whoever leaves says how it went. */
type EndAttempt = (succeeded: boolean, durationMs: number) => void

export type Place = {
  /** How many attempts may be under way at once, and so how many deliveries to take at a time: what was taken is not sent by others. */
  limit(): number
  isFree(): boolean
  /** Begins an attempt in the place that was given, or in one that is free; null where it cannot begin now. */
  begin(given: Leave | null): EndAttempt | null
  /** Waits for a place, in turn with the other endpoints; where only too many have begun lately, until some may begin again. */
  wait(signal: AbortSignal): Promise<Leave | null>
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
    const places = () => (limit() <= suspectLimit ? suspect : healthy)
    return {
      limit,
      isFree() {
        const leave = places().tryEnter(endpoint)
        leave?.()
        return leave !== null
      },
      wait: (signal) => (pace.isFree() ? places().enter(endpoint, 'read', () => signal) : pace.wait()),
      begin(given) {
        const leave = pace.isFree() ? (given ?? places().tryEnter(endpoint)) : null
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

/** So many begin in a second, spread over it: requests that arrive in between do not wait behind a heap of them. */
function paced(perSecond: number) {
  const atOnce = Math.max(1, perSecond * 0.02)
  let left = atOnce
  let filledAt = performance.now()
  let pause: Promise<null> | undefined
  return {
    isFree(): boolean {
      const now = performance.now()
      left = Math.min(atOnce, left + ((now - filledAt) / 1000) * perSecond)
      filledAt = now
      return left >= 1
    },
    take(): void {
      left -= 1
    },
    /** One pause for all who wait. */
    wait(): Promise<null> {
      pause ??= sleep(5, null).finally(() => {
        pause = undefined
      })
      return pause
    },
  }
}
