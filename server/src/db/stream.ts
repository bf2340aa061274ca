import { Readable } from 'node:stream'
import type { Client } from 'pg'
import Cursor from 'pg-cursor'
import { Refusal } from '../core/refusal.ts'
import { oneSnapshot, type Pool } from './connect.ts'
import type { Row } from './rows.ts'
import type { Statement } from './sql.ts'
import { refusalFor } from './trouble.ts'

export type Stream = <R extends Row>(org: string, statement: Statement, toText: (rows: R[]) => string, head?: string) => Promise<Readable>

/** Few enough that a batch is made and sent in one short turn, many enough that the round trips do not count. */
const batch = 250
/** For one batch. The first may have to sort everything; what takes longer than this will not end. */
const batchMs = 600_000

/** How many streams a pool of this size gives at once, each on a connection that is not one of the pool. */
export function mostStreams(max: number): number {
  return Math.max(1, Math.floor(max / 3))
}

/**
 * Any number of rows of one organization, as text, from one snapshot: a cursor gives the next batch when the last has been taken, so memory does not
 * grow with the number of rows. Whoever stops reading ends the cursor. Should the database go away, the stream fails; it never ends as if complete.
 */
export function streamRows(pool: Pool, actAs: (org: string, statementMs: number) => string): Stream {
  const turns = turnsFor(mostStreams(pool.max), pool.waitMs)

  return async (org, statement, toText, head = '') => {
    const leave = await turns()
    let client: Client | undefined
    const finish = async () => {
      leave()
      await client?.end()
    }
    try {
      client = await pool.open()
      await client.query(`${oneSnapshot}; ${actAs(org, batchMs)}; set local idle_in_transaction_session_timeout = 0`)
      const cursor = client.query(new Cursor<never>(statement.text, statement.values as unknown[]))
      const texts = textsOf(await cursor.read(batch), () => cursor.read(batch), toText, head)
      // Whoever reads it hears of a failure; if nobody does yet, it must not end the process.
      return Readable.from(texts, { objectMode: false })
        .on('error', () => {})
        .once('close', finish)
    } catch (error) {
      await finish()
      throw refusalFor(error) ?? error
    }
  }
}

async function* textsOf<R>(first: R[], next: () => Promise<R[]>, toText: (rows: R[]) => string, head: string): AsyncGenerator<string> {
  if (head !== '') yield head
  for (let rows = first; rows.length > 0; rows = await next()) yield toText(rows)
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
