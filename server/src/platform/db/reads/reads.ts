import { Refusal } from '../../core/refusal.ts'
import { isBroken, isOutOfTime, isStale } from '../pool/away.ts'
import { isAftermath, type Pool } from '../pool/connect.ts'
import { type Pace, paceOf } from '../pool/pace.ts'
import type { Share } from '../pool/shares.ts'
import { refusalFor } from '../pool/trouble.ts'
import { send, sendForArrays } from '../sql/query.ts'
import type { Row } from '../sql/rows.ts'
import type { Statement } from '../sql/sql.ts'
import { type BatchedRead, handOut, handOutByPlace, type Query, takeBatch, type WaitingReads, wait } from './batches.ts'
import { type Keeper, type Session, sessionsOf } from './sessions.ts'

/**
 * What waits to be read of one organization, and the batches that are out; what is planned once for itself, and so are searches. `holding` are those
 * that hold back others.
 */
type Line = Keeper & {
  readonly report: boolean
  readonly pace: Pace
  readonly waiting: WaitingReads
  underway: number
  holding: number
  scheduled: boolean
}

type Marks = { readonly plannedOnce: boolean; readonly search: boolean; readonly report: boolean }

/** One batch of an organization at a time: while it is out, the reads that arrive gather for the next. */
const lanes = 1
/** A batch that is out for longer than this no longer holds back those who arrive. */
const laneMs = 4
/** A batch of searches has as many as take about so long one after the other: who waits behind a slow one has to be asked for again. */
const searchBatchMs = 200

/**
 * Row-level security costs each read a transaction around it. Reads of one organization that arrive together share one, and it stays open a moment
 * for the next; equal ones share their answer, and those that differ in an `each` value alone share a query; a read never joins a query that has
 * already begun, so everyone reads their own writes.
 */
export function coalesceReads(
  pool: Pool,
  connections: Share,
  actAs: (org: string, marks: Marks) => string,
  searchPace: (org: string) => Pace,
) {
  const lines = new Map<string, Line>()
  const paces = { usual: paceOf(), plannedOnce: paceOf() }
  const sessions = sessionsOf(pool, connections)

  function read<R extends Row>(org: string, statement: Statement): Promise<R[]> {
    return new Promise((resolve, reject) => {
      enqueue({ org, statement, alone: false, again: false, resolve: resolve as (rows: Row[]) => void, reject })
    })
  }

  function enqueue(read: BatchedRead): void {
    const { plannedOnce = false, search = false, report = false } = read.statement
    const key =
      plannedOnce || search
        ? `${read.org}${plannedOnce ? ' planned once' : ''}${report ? ' report' : search ? ' search' : ''}`
        : read.org
    const line = lines.get(key) ?? makeLine(key, read.org, { plannedOnce, search, report })
    wait(line.waiting, read)
    schedule(line)
  }

  function makeLine(key: string, org: string, marks: Marks): Line {
    const { plannedOnce, search, report } = marks
    const begin = `begin isolation level read committed read only; ${actAs(org, marks)}`
    const line: Line = {
      org,
      // Each node of a cluster plans for the organization that a statement is about, so there one plan cannot serve all.
      prelude: async () =>
        plannedOnce && !(await pool.distributed()) ? `${begin}; set local plan_cache_mode = force_generic_plan` : begin,
      pace: search ? searchPace(org) : plannedOnce ? paces.plannedOnce : paces.usual,
      search,
      report,
      waiting: new Map(),
      underway: 0,
      holding: 0,
      scheduled: false,
      session: null,
      expectsMore: () => line.scheduled,
      onQuiet: () => {
        if (line.underway === 0 && line.waiting.size === 0 && !line.session) lines.delete(key)
      },
    }
    lines.set(key, line)
    return line
  }

  function schedule(line: Line): void {
    if (line.scheduled || line.holding >= lanes || line.waiting.size === 0) return
    line.scheduled = true
    // After the input of this turn and of the next has been read: requests that came in together go out together, and so do those that were only
    // waiting for the answers of the last batch. What a batch costs by itself is then shared by more.
    setImmediate(() => setImmediate(() => sendNext(line)))
  }

  function sendNext(line: Line): void {
    line.scheduled = false
    line.underway += 1
    line.holding += 1
    const free = once(() => {
      line.holding -= 1
      schedule(line)
    })
    const most = line.search ? Math.max(1, Math.floor(searchBatchMs / line.pace.usualMs())) : undefined
    sendBatch(line, takeBatch(line.waiting, most), free).finally(() => {
      line.underway -= 1
      free()
      line.onQuiet()
    })
    schedule(line)
  }

  /** `free` lets the next batch go; the promise is kept when nothing of this one is out any more. */
  function sendBatch(line: Line, batch: Query[], free: () => void): Promise<void> {
    /** The queries whose readers this batch alone still owes an answer, a failure included. */
    const owed = new Set(batch)
    const timers: NodeJS.Timeout[] = []
    const { pace } = line
    let lastAnswer = 0
    let wasConnected = false
    const kept = sessions.take(line)
    return (kept ? askIn(kept) : sessions.open(line).then(askIn))
      .catch((error) => {
        // A connection that broke, perhaps while nobody looked, says nothing of the database.
        for (const query of owed)
          wasConnected && (isGone(error) || isStale(error)) ? askAgain(query, error) : fail(query, error)
      })
      .finally(() => {
        for (const timer of timers) clearTimeout(timer)
      })

    /**
     * Everything is sent before the first answer comes, so a batch costs one trip, and the beginning and the end of its transaction none. If the
     * connection breaks, everything fails that was sent or is sent through it: nothing can end up outside of the transaction.
     */
    async function askIn(session: Session): Promise<void> {
      wasConnected = true
      startTimers()
      const answered = Promise.all(batch.map((query) => answer(session, query)))
      const ended: Promise<unknown> = session.last ? sessions.end(session) : answered
      try {
        await Promise.all([session.begun, answered, ended])
      } finally {
        sessions.keep(line, session)
        free()
      }
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

    async function answer(session: Session, query: Query): Promise<void> {
      const { statement, together } = query
      try {
        const result = await (together ? sendForArrays(session.client, statement) : send(session.client, statement))
        if (session.spoiled) throw session.spoiled
        timers[0]?.refresh()
        const now = performance.now()
        pace.learn(now - lastAnswer)
        lastAnswer = now
        owed.delete(query)
        if (together) handOutByPlace(query, result.rows as unknown[][], result.fields)
        else handOut(query, result.rows as Row[])
      } catch (error) {
        const first = session.state === 'good'
        session.state = isGone(error) || (first && isStale(error)) ? 'broken' : 'failed'
        if (session.state === 'broken') throw error
        const blameless = !first && isAftermath(error)
        // An earlier read failed and took the transaction with it, or one of several in a query did: these go again, each on its own.
        if ((blameless || together) && !session.spoiled) handOn(query)
        else fail(query, session.spoiled ?? error)
      }
    }

    function handOn(query: Query): void {
      if (owed.delete(query))
        for (const read of query.readers.flat()) enqueue(query.together ? { ...read, alone: true } : read)
    }

    /** Asks once more, through another connection. */
    function askAgain(query: Query, error: unknown): void {
      if (query.readers.flat().some(({ again }) => again)) fail(query, error)
      else if (owed.delete(query)) for (const read of query.readers.flat()) enqueue({ ...read, again: true })
    }

    function fail(query: Query, error: unknown): void {
      const reason = isWrite(error)
        ? new Error('a write among reads', { cause: error })
        : line.search && isOutOfTime(error)
          ? tooSlow(line, error)
          : (refusalFor(error) ?? error)
      if (owed.delete(query)) for (const read of query.readers.flat()) read.reject(reason)
    }
  }

  return { read, close: sessions.close }
}

function isGone(error: unknown): boolean {
  return isBroken(error) && !isWrite(error)
}

/** A write among reads is a fault of ours; it does not mean that the database takes none. */
function isWrite(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '25006'
}

function tooSlow({ report }: Line, cause: unknown): Refusal {
  if (report)
    return new Refusal(
      'invalid',
      'search_too_slow',
      'This report takes longer than a report may. Narrow it to fewer months, parties or currencies.',
      { cause },
    )
  const message =
    'This search takes longer than a search may. Narrow it: give conditions that fewer records fit, such as a state, a date or the beginning of a text, search for words of three letters or more, or export what you look for.'
  return new Refusal('invalid', 'search_too_slow', message, { cause })
}

function once(work: () => void): () => void {
  let done = false
  return () => {
    if (!done) work()
    done = true
  }
}
