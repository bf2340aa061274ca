import type { ReservedSql } from 'postgres'
import { unavailable } from '../core/refusal.ts'
import { handOut, type Query, type Read, takeBatch, type Waiting, wait } from './batches.ts'
import { isAway, type Pool } from './connect.ts'
import type { Row } from './database.ts'
import { paceOf } from './pace.ts'
import type { Statement } from './sql.ts'
import { waitAtMost } from './wait.ts'

/** What waits to be read of one organization; what is planned once for itself. */
type Line = { key: string; org: string; plannedOnce: boolean; waiting: Waiting; underway: number; scheduled: boolean }

/** One transaction of an organization at a time: while it is out, the reads that arrive gather for the next. */
const lanes = 1
/** A batch that is out for longer than this no longer holds back those who arrive. */
const laneMs = 4

/**
 * Row-level security costs each read a transaction around it. Reads of one organization that arrive together share one, equal ones share their
 * answer, and those that differ in an `each` value alone share a query; a read never joins a query that has already begun, so everyone reads
 * their own writes.
 */
export function coalesceReads(pool: Pool, actAs: (org: string) => string, waitMs: number) {
  const lines = new Map<string, Line>()
  const paces = { usual: paceOf(), plannedOnce: paceOf() }

  function read<R extends Row>(org: string, statement: Statement): Promise<R[]> {
    return new Promise((resolve, reject) => {
      enqueue({ org, statement, alone: false, resolve: resolve as (rows: Row[]) => void, reject })
    })
  }

  function enqueue(read: Read): void {
    const plannedOnce = read.statement.plannedOnce ?? false
    const key = plannedOnce ? `${read.org} planned once` : read.org
    const line = lines.get(key) ?? { key, org: read.org, plannedOnce, waiting: new Map(), underway: 0, scheduled: false }
    lines.set(key, line)
    wait(line.waiting, read)
    schedule(line)
  }

  function schedule(line: Line): void {
    if (line.scheduled || line.underway >= lanes || line.waiting.size === 0) return
    line.scheduled = true
    // After the input of this turn and of the next has been read: requests that came in together go out together, and so do those that were only
    // waiting for the answers of the last batch. What a batch costs by itself is then shared by more.
    setImmediate(() => setImmediate(() => sendNext(line)))
  }

  function sendNext(line: Line): void {
    line.scheduled = false
    line.underway += 1
    sendBatch(line, takeBatch(line.waiting), () => {
      line.underway -= 1
      if (line.underway === 0 && line.waiting.size === 0) lines.delete(line.key)
      else schedule(line)
    })
    schedule(line)
  }

  function sendBatch({ org, plannedOnce }: Line, batch: Query[], freeLane: () => void): void {
    const free = once(freeLane)
    /** The queries whose readers this batch alone still owes an answer, a failure included. */
    const owed = new Set(batch)
    const timers: NodeJS.Timeout[] = []
    const pace = plannedOnce ? paces.plannedOnce : paces.usual
    let lastAnswer = 0
    let spoiled: unknown
    reserve(pool, waitMs)
      .then(async (connection) => {
        startTimers()
        await inOneTrip(connection)
      })
      .catch((error) => {
        for (const query of owed) fail(query, error)
      })
      .finally(() => {
        for (const timer of timers) clearTimeout(timer)
        free()
      })

    /**
     * Everything is said before the first answer comes, so the transaction costs one trip; `execute` says it there and then, where a mere `await`
     * would let the commit overtake. If the connection breaks, what was sent fails, and what
     * the driver still kept back is never sent: nothing can end up outside of the transaction.
     */
    async function inOneTrip(connection: ReservedSql): Promise<void> {
      const begun = connection
        .unsafe(`begin read only; ${actAs(org)}${plannedOnce ? '; set local plan_cache_mode = force_generic_plan' : ''}`)
        .execute()
        .catch((error) => {
          spoiled = error
          throw error
        })
      const answered = Promise.all(batch.map((query) => answer(connection, query)))
      // A connection whose transaction did not end is gone, and not ours to give back: by now it may serve another.
      const ended = connection.unsafe('commit').execute().then(connection.release)
      for (const outcome of [begun, answered, ended]) outcome.catch(() => {})
      // Whichever fails first: after it some may never be heard of again.
      await Promise.race([answered, begun.then(() => ended)])
      free()
      await ended
    }

    /** Not before there is a connection: to hurry while the pool is empty would only add to what is waiting for it. */
    function startTimers(): void {
      lastAnswer = performance.now()
      const busy = setTimeout(free, laneMs)
      const slow = setTimeout(() => {
        pace.learn(performance.now() - lastAnswer)
        // The first unanswered one is what the others wait for; it keeps its connection, they go another way as well. Where it stands for
        // several, any of them may be the slow one.
        const [first, ...others] = owed
        for (const query of first?.together ? [first, ...others] : others) handOn(query)
      }, pace.patienceMs())
      timers.push(slow, busy)
    }

    async function answer(connection: ReservedSql, query: Query): Promise<void> {
      const { text, values, together, readers } = query
      try {
        const sent = connection.unsafe(text, values as never[], { prepare: true })
        if (together) sent.values()
        const rows = await sent.execute()
        if (spoiled) throw spoiled
        timers[0]?.refresh()
        const now = performance.now()
        pace.learn(now - lastAnswer)
        lastAnswer = now
        owed.delete(query)
        if (together) handOut(query, rows as unknown as unknown[][], rows.columns)
        else for (const read of readers[0] as Read[]) read.resolve(rows)
      } catch (error) {
        const blameless = (error as { code?: string }).code === '25P02' && !spoiled
        // An earlier read failed and took the transaction with it, or one of several in a query did: these go again, each on its own.
        if (blameless || (together && !spoiled && !isGone(error))) handOn(query)
        else fail(query, spoiled ?? error)
        if (isGone(error)) throw error
      }
    }

    function handOn(query: Query): void {
      if (owed.delete(query)) for (const read of query.readers.flat()) enqueue(query.together ? { ...read, alone: true } : read)
    }

    function fail(query: Query, error: unknown): void {
      const reason = isGone(error) ? unavailable('The database is away for a moment. Try again.', error) : error
      if (owed.delete(query)) for (const read of query.readers.flat()) read.reject(reason)
    }
  }

  return read
}

/** A write among reads is a fault of ours; it does not mean that the database takes none. */
function isGone(error: unknown): boolean {
  return isAway(error) && (error as { code?: string }).code !== '25006'
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

function once(work: () => void): () => void {
  let done = false
  return () => {
    if (!done) work()
    done = true
  }
}
