import type { ReservedSql } from 'postgres'
import { isAway, type Pool } from './connect.ts'
import { waitAtMost } from './wait.ts'

/** A read-only transaction on a connection of its own, in which one organization reads. */
export type Session = {
  readonly connection: ReservedSql
  readonly begun: Promise<unknown>
  readonly since: number
  /** Whatever else is asked in it fails: one statement did, or its connection broke. */
  state: 'good' | 'failed' | 'broken'
  /** Why it never was the transaction it should be: nothing that was read in it can be believed. */
  spoiled?: unknown
  /** Nobody reads in it after those who do now: its end goes out with what they ask. */
  last: boolean
  keptAt: number
  timer?: NodeJS.Timeout
}

/** Where a session is kept between two readings. */
export type Keeper = { readonly prelude: string; readonly expectsMore: () => boolean; session: Session | null; readonly onQuiet: () => void }

/** Longer than a process that is busy takes to come round to the callers it has just answered. */
const lingerMs = 5
/** What is locked, or read by its `now()`, is so for no longer than this. */
const oldestMs = 50

/**
 * To begin a transaction and to end it costs more than most reads do, so one stays open a moment for whoever reads next in the same organization.
 * Its statements each see what was committed before them, so everyone still reads their own writes. At most half of the connections are kept so.
 */
export function sessionsOf(pool: Pool, waitMs: number) {
  const most = Math.floor(pool.options.max / 2)
  const opened = new Set<Session>()
  let kept = 0

  /** The session kept there, if there is one. */
  function take(keeper: Keeper): Session | null {
    const { session } = keeper
    if (!session) return null
    kept -= 1
    keeper.session = null
    session.last = performance.now() - session.since > oldestMs
    return session
  }

  /** Begins one; what is asked in it right afterwards travels together with its beginning. */
  async function open({ prelude }: Keeper): Promise<Session> {
    const connection = await reserve(pool, waitMs)
    const begun = connection.unsafe(prelude).execute()
    const session: Session = { connection, begun, since: performance.now(), state: 'good', last: most === 0, keptAt: 0 }
    opened.add(session)
    begun.catch((error) => {
      session.state = isAway(error) ? 'broken' : 'failed'
      session.spoiled = error
    })
    return session
  }

  /** Said after the last question, and before its answer has come, the end costs no trip of its own. */
  function end(session: Session): Promise<void> {
    session.last = true
    opened.delete(session)
    // `execute` says it there and then, where a mere `await` would let what is asked next overtake it.
    return session.connection.unsafe('commit').execute().then(session.connection.release)
  }

  function keep(keeper: Keeper, session: Session): void {
    if (session.last) return
    if (session.state === 'broken') {
      // Its connection is nobody's to give back, and the driver would keep whatever is said through it.
      opened.delete(session)
      return
    }
    if (session.state === 'failed' || keeper.session || kept >= most) {
      endQuietly(session)
      return
    }
    kept += 1
    keeper.session = session
    session.keptAt = performance.now()
    session.timer = session.timer?.refresh() ?? setTimeout(() => expire(keeper, session), lingerMs)
  }

  /** Not before the input has been read that came while the process was busy: its readers are those for whom the session was kept. */
  function expire(keeper: Keeper, session: Session): void {
    setImmediate(() => {
      if (keeper.session !== session || keeper.expectsMore()) return
      // The timer may be that of an earlier time.
      if (performance.now() - session.keptAt < lingerMs) {
        session.timer?.refresh()
        return
      }
      take(keeper)
      endQuietly(session)
      keeper.onQuiet()
    })
  }

  function endQuietly(session: Session): void {
    clearTimeout(session.timer)
    end(session).catch(() => {})
  }

  async function close(): Promise<void> {
    await Promise.allSettled([...opened].map(end))
  }

  return { take, open, end, keep, close }
}

/** A connection of its own, or the refusal that there was none in time; one that comes too late goes straight back. */
async function reserve(pool: Pool, waitMs: number): Promise<ReservedSql> {
  const deadline = waitAtMost(waitMs)
  const reserved = pool.reserve().then((connection) => {
    try {
      deadline.reached()
      return connection
    } catch (error) {
      connection.release()
      throw error
    }
  })
  return Promise.race([reserved, deadline.passed])
}
