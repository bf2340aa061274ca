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
  free(): number
  /** Takes a place for an attempt; null where none is free. Whoever leaves says how it went. */
  enter(): ((succeeded: boolean, durationMs: number) => void) | null
  /** Calls back once when a place may be free; at once if one is. */
  whenFree(free: () => void): void
}

export type Slots = { of(endpoint: string): Place }

/**
 * How many attempts run side by side, and how many begin in a second. An endpoint begins with few, gets more while it answers quickly, and fewer with each
 * failure.
 */
export function openSlots(perSecond: number): Slots {
  const pace = paced(perSecond)
  const known = new Map<string, number>()
  const healthy = shared(allAttempts)
  const suspect = shared(allOfSuspects)

  function of(endpoint: string): Place {
    const limit = () => known.get(endpoint) ?? first
    const pool = () => (limit() <= suspectLimit ? suspect : healthy)
    return {
      limit,
      free: () => pool().free(),
      whenFree: (free) => (pace.isFree() ? pool() : pace).whenFree(free),
      enter() {
        const entered = pool()
        if (!pace.isFree() || !entered.take()) return null
        pace.take()
        return (succeeded, durationMs) => {
          entered.giveBack()
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

function shared(places: number) {
  let taken = 0
  const waiting = new Set<() => void>()
  return {
    free: () => places - taken,
    take(): boolean {
      if (taken >= places) return false
      taken++
      return true
    },
    giveBack(): void {
      taken--
      const [next] = waiting
      if (!next) return
      waiting.delete(next)
      next()
    },
    whenFree(free: () => void): void {
      if (taken < places) free()
      else waiting.add(free)
    },
  }
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
