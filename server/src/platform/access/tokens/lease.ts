/** For how long a process may go by the revocations that it has read. Every process must know the same number. */
export const leaseMs = 2_500
/** Whoever revokes waits for a process for this long after it last renewed its row. */
export const registeredMs = 10_000

/** Clocks do not run at exactly the same speed, and the database's may be set: the process is strict with itself. */
const registrationHoldsMs = registeredMs - 2_000
const registrationRenewedMs = 3_000

/** Both clocks: the steady one stands still while a machine is suspended, the other one can be set. */
export type Moment = { steady: number; wall: number }
export type Clock = () => Moment

export type Lease = {
  /** Taken before the database is asked: what it answers is at least as new. */
  now: Clock
  /** What was read in a reading that began then is in memory. */
  haveRead(began: Moment): void
  /** The row that was sent then is committed. */
  haveRegistered(began: Moment): void
  registrationIsDue(): boolean
  /** Whether what is in memory is new enough to go by. */
  holds(): boolean
}

/**
 * A process goes by its memory for a short time after each reading, and only while others can know that it does: its row in `serving_processes` is
 * committed before the reading begins, and stays valid for longer than the process relies on it.
 */
export function openLease(now: Clock = () => ({ steady: performance.now(), wall: Date.now() })): Lease {
  let read: Moment | null = null
  let registered: Moment | null = null
  const holdsSince = (began: Moment | null, ms: number) => {
    if (!began) return false
    const { steady, wall } = now()
    return steady - began.steady < ms && wall - began.wall < ms && wall >= began.wall
  }
  return {
    now,
    haveRead(began) {
      read = began
    },
    haveRegistered(began) {
      // After a gap nobody waited for this process: what it read before then may lack what was revoked meanwhile.
      if (!holdsSince(registered, registrationHoldsMs)) read = null
      registered = began
    },
    registrationIsDue: () => !holdsSince(registered, registrationRenewedMs),
    holds: () => holdsSince(read, leaseMs) && holdsSince(registered, registrationHoldsMs),
  }
}
