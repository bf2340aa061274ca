import type { PoolClient } from 'pg'
import { isBroken } from '../pool/away.ts'
import { giveBack, type Pool } from '../pool/connect.ts'
import type { Leave, Share } from '../pool/shares.ts'

/** A read-only transaction on a connection of its own, in which one organization reads. */
export type Session = {
  readonly client: PoolClient
  readonly leave: Leave
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
export type Keeper = {
  readonly org: string
  readonly search: boolean
  readonly prelude: () => Promise<string>
  readonly expectsMore: () => boolean
  session: Session | null
  readonly onQuiet: () => void
}

/** Longer than a process that is busy takes to come round to the callers it has just answered. */
const lingerMs = 5
/** What is locked, or read by its `now()`, is so for no longer than this. */
const oldestMs = 50

/**
 * To begin a transaction and to end it costs more than most reads do, so one stays open a moment for whoever reads next in the same organization.
 * Its statements each see what was committed before them, so everyone still reads their own writes. At most half of the connections are kept so.
 */
export function sessionsOf(pool: Pool, connections: Share) {
  const most = Math.floor(pool.max / 2)
  /** Those that keep a session now. */
  const keepers = new Set<Keeper>()
  let closing = false

  /** The session kept there, if there is one. */
  function take(keeper: Keeper): Session | null {
    const { session } = keeper
    if (!session) return null
    keepers.delete(keeper)
    keeper.session = null
    session.last = performance.now() - session.since > oldestMs
    return session
  }

  /** Begins one; what is asked in it right afterwards travels together with its beginning. */
  async function open({ org, search, prelude }: Keeper): Promise<Session> {
    const leave = await connections.enter(org, search ? 'search' : 'read')
    const begin = async () => {
      const beginning = await prelude()
      return { beginning, client: await pool.reserve() }
    }
    const { beginning, client } = await begin().catch((error) => {
      leave()
      throw error
    })
    const begun = client.query(beginning)
    const session: Session = {
      client,
      leave,
      begun,
      since: performance.now(),
      state: 'good',
      last: most === 0,
      keptAt: 0,
    }
    begun.catch((error) => {
      session.state = isBroken(error) ? 'broken' : 'failed'
      session.spoiled = error
    })
    return session
  }

  /** Sent after the last question, and before its answer has come, the end costs no trip of its own. */
  async function end(session: Session): Promise<void> {
    session.last = true
    try {
      await session.client.query('commit')
    } catch (error) {
      session.state = 'broken'
      throw error
    } finally {
      giveBack(session.client, session.state === 'broken')
      session.leave()
    }
  }

  function keep(keeper: Keeper, session: Session): void {
    if (session.last) return
    if (session.state !== 'good' || keeper.session || keepers.size >= most || closing) {
      endQuietly(session)
      return
    }
    keepers.add(keeper)
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

  /** Those in which somebody reads end when they are answered. */
  function close(): void {
    closing = true
    for (const keeper of keepers) endQuietly(take(keeper) as Session)
  }

  return { take, open, end, keep, close }
}
