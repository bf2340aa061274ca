import { unavailable } from '../core/refusal.ts'
import { isAway, type Pool } from './connect.ts'
import type { Row } from './database.ts'
import type { Statement } from './sql.ts'
import { waitAtMost } from './wait.ts'

/** Answering twice is harmless: a promise keeps its first answer. */
type Read = { org: string; statement: Statement; resolve(rows: Row[]): void; reject(error: unknown): void }
/** Waiting by text and, within that, by values: equal reads stand together. */
type Line = { waiting: Map<string, Map<string, Read[]>>; underway: number; scheduled: boolean }

/** One transaction of an organization at a time: while it is out, the reads that arrive gather for the next. */
const lanes = 1
const mostPerBatch = 64
/** A batch that is out for longer than this no longer holds back those who arrive. */
const laneMs = 4
/** A read that has waited this long behind a slow one of its batch, without any answer meanwhile, is sent again on its own way. */
const patienceMs = 25

/**
 * Row-level security costs each read a transaction around it. Reads of one organization that arrive together share one, and
 * equal ones share their answer; a read never joins a query that has already begun, so everyone reads their own writes.
 */
export function coalesceReads(pool: Pool, actAs: (org: string) => string, waitMs: number) {
  const lines = new Map<string, Line>()

  function read<R extends Row>(org: string, statement: Statement): Promise<R[]> {
    return new Promise((resolve, reject) => {
      enqueue({ org, statement, resolve: resolve as (rows: Row[]) => void, reject })
    })
  }

  function enqueue(read: Read): void {
    const line = lines.get(read.org) ?? { waiting: new Map(), underway: 0, scheduled: false }
    lines.set(read.org, line)
    const { text, values } = read.statement
    const alike = line.waiting.get(text) ?? new Map<string, Read[]>()
    line.waiting.set(text, alike)
    const key = JSON.stringify(values)
    const equal = alike.get(key)
    if (equal) equal.push(read)
    else alike.set(key, [read])
    schedule(read.org, line)
  }

  function schedule(org: string, line: Line): void {
    if (line.scheduled || line.underway >= lanes || line.waiting.size === 0) return
    line.scheduled = true
    // After this turn's input has been read: requests that came in together go out together.
    setImmediate(() => {
      line.scheduled = false
      const batch = takeBatch(line)
      line.underway += 1
      sendBatch(org, batch, () => {
        line.underway -= 1
        if (line.underway === 0 && line.waiting.size === 0) lines.delete(org)
        else schedule(org, line)
      })
      schedule(org, line)
    })
  }

  function sendBatch(org: string, batch: Read[][], freeLane: () => void): void {
    const free = once(freeLane)
    /** The reads that this batch alone still owes an answer, a failure included. */
    const owed = new Set(batch)
    const timers: NodeJS.Timeout[] = []
    const deadline = waitAtMost(waitMs)
    let spoiled: unknown
    const sent = pool.begin('read only', async (tx) => {
      deadline.reached()
      startTimers()
      tx.unsafe(actAs(org)).catch((error) => {
        spoiled = error
      })
      await Promise.all(batch.map((reads) => answer(tx, reads)))
      // The answers are out; the commit that is still under way need not hold back those who arrive.
      free()
    })
    Promise.race([sent, deadline.passed])
      .catch((error) => {
        for (const reads of owed) fail(reads, error)
      })
      .finally(() => {
        for (const timer of timers) clearTimeout(timer)
        free()
      })

    /** Not before there is a connection: to hurry while the pool is empty would only add to what is waiting for it. */
    function startTimers(): void {
      const busy = setTimeout(free, laneMs)
      const slow = setTimeout(() => {
        // The first unanswered one is what the others wait for; it keeps its connection, they go another way as well.
        for (const reads of [...owed].slice(1)) handOn(reads)
      }, patienceMs)
      timers.push(slow, busy)
    }

    async function answer(tx: Pick<Pool, 'unsafe'>, reads: Read[]): Promise<void> {
      const { text, values } = (reads[0] as Read).statement
      try {
        const rows = await tx.unsafe(text, values as never[], { prepare: true })
        timers[0]?.refresh()
        owed.delete(reads)
        for (const read of reads) read.resolve(rows)
      } catch (error) {
        const blameless = (error as { code?: string }).code === '25P02' && !spoiled
        // An earlier read failed and took the transaction with it: this one did nothing wrong and goes again.
        if (blameless) handOn(reads)
        else fail(reads, spoiled ?? error)
      }
    }

    function handOn(reads: Read[]): void {
      if (owed.delete(reads)) for (const read of reads) enqueue(read)
    }

    function fail(reads: Read[], error: unknown): void {
      // A write among reads is a fault of ours; it does not mean that the database takes none.
      const away = isAway(error) && (error as { code?: string }).code !== '25006'
      if (owed.delete(reads)) for (const read of reads) read.reject(away ? unavailable('The database is away for a moment. Try again.', error) : error)
    }
  }

  return read
}

function takeBatch({ waiting }: Line): Read[][] {
  const batch: Read[][] = []
  for (const [text, alike] of waiting) {
    for (const [key, reads] of alike) {
      if (batch.length === mostPerBatch) return batch
      batch.push(reads)
      alike.delete(key)
    }
    waiting.delete(text)
  }
  return batch
}

function once(work: () => void): () => void {
  let done = false
  return () => {
    if (!done) work()
    done = true
  }
}
