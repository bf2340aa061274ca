import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { Refusal, unavailable } from '../core/refusal.ts'
import { isAway, type Pool } from './connect.ts'
import type { Row } from './rows.ts'
import type { Statement } from './sql.ts'
import { waitAtMost } from './wait.ts'

export type Stream = <R extends Row>(org: string, statement: Statement, toText: (rows: R[]) => string, head?: string) => Promise<Readable>

/** Few enough that a batch is made and sent in one short turn, many enough that the round trips do not count. */
const batch = 250
/** For one batch. The first may have to sort everything; what takes longer than this will not end. */
const batchMs = 600_000

/**
 * Any number of rows of one organization, as text, from one snapshot: a cursor gives the next batch when the last has been taken, so memory does not
 * grow with the number of rows. Whoever stops reading ends the cursor. Should the database go away, the stream fails; it never ends as if complete.
 */
export function streamRows(pool: Pool, actAs: (org: string, statementMs: number) => string, waitMs: number): Stream {
  // A stream holds its connection for as long as its reader takes; the others must not run out of them.
  const most = Math.max(1, Math.floor(pool.options.max / 3))
  const turns = turnsFor(most, waitMs)

  return async (org, statement, toText, head = '') => {
    const leave = await turns()
    const out = new PassThrough()
    // Whoever reads it hears of the failure; if nobody does yet, it must not end the process.
    out.on('error', () => {})
    const begun = Promise.withResolvers<void>()
    const deadline = waitAtMost(waitMs)
    const done = pool
      .begin('isolation level repeatable read read only', async (tx) => {
        deadline.reached()
        await tx.unsafe(`${actAs(org, batchMs)}; set local idle_in_transaction_session_timeout = 0`)
        await tx.unsafe(`declare streamed no scroll cursor for ${statement.text}`, statement.values as never[])
        await pass(() => tx.unsafe(`fetch ${batch} from streamed`) as never, out, begun.resolve, toText as (rows: Row[]) => string, head)
      })
      .finally(leave)
    done.then(
      () => out.end(),
      (error) => out.destroy(error),
    )
    try {
      await Promise.race([begun.promise, done, deadline.passed])
    } catch (error) {
      throw isAway(error) ? unavailable('The database is away for a moment. Try again.', error) : error
    }
    return out
  }
}

async function pass(fetch: () => Promise<Row[]>, out: PassThrough, begun: () => void, toText: (rows: Row[]) => string, head: string): Promise<void> {
  const closed = new AbortController()
  out.once('close', () => closed.abort())
  let rows = await fetch()
  begun()
  out.write(head)
  for (; rows.length > 0; rows = await fetch()) {
    closed.signal.throwIfAborted()
    if (!out.write(toText(rows))) await once(out, 'drain', { signal: closed.signal })
  }
}

/** So many at once; the others wait for their turn, but not for long. Gives back the way to end one's turn. */
function turnsFor(most: number, waitMs: number): () => Promise<() => void> {
  const waiting: (() => void)[] = []
  let underway = 0
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else underway -= 1
  }
  return async () => {
    if (underway < most) underway += 1
    else {
      const turn = Promise.withResolvers<void>()
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(turn.resolve), 1)
        turn.reject(tooMany())
      }, waitMs)
      waiting.push(turn.resolve)
      await turn.promise.finally(() => clearTimeout(timer))
    }
    return leave
  }
}

function tooMany(): Refusal {
  return new Refusal('too_many', 'too_many_streams', 'As many exports are under way as this server gives at once. Try again in a moment.', {
    headers: { 'retry-after': '5' },
  })
}
