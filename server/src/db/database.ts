import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../core/refusal.ts'
import { isCollision, isStale } from './away.ts'
import type { Pool } from './connect.ts'
import { coalesceReads } from './reads.ts'
import type { Row, Run } from './rows.ts'
import type { Statement } from './sql.ts'
import { type Stream, streamRows } from './stream.ts'
import { refusalFor } from './trouble.ts'

export type Database = {
  /** Connections as the role that owns the schema: for what belongs to no organization. */
  pool: Pool
  /** One read of one organization: read-only, under its row-level security. */
  read<R extends Row>(org: string, statement: Statement): Promise<R[]>
  /** One transaction of one organization: all of `work` or nothing of it. */
  transaction<T>(org: string, work: (run: Run) => Promise<T>): Promise<T>
  /** Any number of rows of one organization, as text, in flat memory. */
  stream: Stream
  close(): Promise<void>
}

/** Each next attempt begins a little later, so that those that collide do not do so again in step. */
const collisionsForgiven = 8
const longestPauseMs = 50

export function openDatabase(pool: Pool, { statementMs = 30_000 }: { statementMs?: number } = {}): Database {
  // A connection that was lost in the middle must not hold its locks for longer: the server waits this long for the next statement.
  const idleLimit = `set local idle_in_transaction_session_timeout = ${Math.ceil(statementMs / 2)}`
  const actAs = (org: string, ms = statementMs) => preludeFor(org, ms)
  const reads = coalesceReads(pool, actAs)

  async function transaction<T>(org: string, work: (run: Run) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await pool.transaction(work, `begin; ${actAs(org)}; ${idleLimit}`)
      } catch (error) {
        if ((isCollision(error) || isStale(error)) && attempt < collisionsForgiven) {
          if (attempt > 0) await sleep(Math.random() * Math.min(longestPauseMs, 2 ** attempt))
          continue
        }
        throw withOutcome(refusalFor(error) ?? error)
      }
    }
  }

  async function close(): Promise<void> {
    reads.close()
    await pool.end()
  }

  return { pool, read: reads.read, transaction, stream: streamRows(pool, actAs), close }
}

/** A transaction that failed was rolled back, unless that is what nobody knows. */
function withOutcome(error: unknown): unknown {
  if (error instanceof Refusal && error.kind === 'unavailable') error.outcome ??= 'not_written'
  return error
}

/**
 * `set local` and not `set`: it ends with the transaction, so nothing leaks through a pooler to the next tenant.
 * The serving role neither owns the tables nor may bypass their row-level security. A request is served by one process: to start others
 * takes longer than most, and they start even for a part of a plan that is not needed.
 */
function preludeFor(org: string, statementMs: number): string {
  if (!/^[0-9a-f-]{36}$/.test(org)) throw new Error('an organization is named by a lower-case UUID')
  return `set local role lading_app; set local app.org_id = '${org}'; set local statement_timeout = ${statementMs}; set local max_parallel_workers_per_gather = 0`
}
