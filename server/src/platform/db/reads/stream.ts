import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { Client } from 'pg'
import Cursor from 'pg-cursor'
import { oneSnapshot, type Pool } from '../pool/connect.ts'
import type { Share, WaitSignal } from '../pool/shares.ts'
import { refusalFor } from '../pool/trouble.ts'
import type { Row } from '../sql/rows.ts'
import type { Statement } from '../sql/sql.ts'

export type Stream = <R extends Row>(
  org: string,
  statement: Statement,
  toText: (rows: R[]) => string,
  head?: string,
  waits?: WaitSignal,
) => Promise<Readable>

/** Few enough that a batch is made and sent in one short turn, many enough that the round trips do not count. */
const batch = 100
/** For one batch. The first may have to sort everything; what takes longer than this will not end. */
const batchMs = 600_000
/** A reader who takes longer than this for one batch is given up: its transaction keeps PostgreSQL from clearing away what was deleted since. */
const stallMs = 30_000

/**
 * Any number of rows of one organization, as text, from one snapshot: a cursor gives the next batch when the last has been taken, so memory does not
 * grow with the number of rows. Whoever stops reading ends the cursor. Should the database go away, the stream fails; it never ends as if complete.
 */
export function streamRows(
  pool: Pick<Pool, 'open'>,
  exports: Share,
  actAs: (org: string, statementMs: number) => string,
  longestStallMs = stallMs,
): Stream {
  // One batch of all streams in a turn of the loop: whoever else is served by this process waits for no more than that.
  let last: Promise<void> = Promise.resolve()
  const nextTurn = () => {
    last = last.then(() => setImmediate())
    return last
  }

  return async (org, statement, toText, head = '', waits) => {
    const leave = await exports.enter(org, 'read', waits)
    let client: Client | undefined
    const finish = async () => {
      leave()
      await client?.end()
    }
    try {
      client = await pool.open()
      await client.query(`${oneSnapshot}; ${actAs(org, batchMs)}; set local idle_in_transaction_session_timeout = 0`)
      const cursor = client.query(new Cursor<never>(statement.text, statement.values as unknown[]))
      const texts = textsOf(await cursor.read(batch), () => cursor.read(batch), toText, head, nextTurn)
      const giveUp = () => stream.destroy(new Error('The reader of an export did not read on.'))
      // Whoever reads it hears of a failure; if nobody does yet, it must not end the process.
      const stream = Readable.from(unlessStalled(texts, longestStallMs, giveUp), { objectMode: false })
        .on('error', () => {})
        .once('close', finish)
      return stream
    } catch (error) {
      await finish()
      throw refusalFor(error) ?? error
    }
  }
}

async function* textsOf<R>(
  first: R[],
  next: () => Promise<R[]>,
  toText: (rows: R[]) => string,
  head: string,
  nextTurn: () => Promise<void>,
): AsyncGenerator<string> {
  if (head !== '') yield head
  for (let rows = first; rows.length > 0; rows = await next()) {
    await nextTurn()
    yield toText(rows)
  }
}

/** Counts the time in which nobody asks for the next one, not that in which it is made. */
async function* unlessStalled(
  texts: AsyncGenerator<string>,
  longestMs: number,
  giveUp: () => void,
): AsyncGenerator<string> {
  for await (const text of texts) {
    const timer = setTimeout(giveUp, longestMs)
    yield text
    clearTimeout(timer)
  }
}
