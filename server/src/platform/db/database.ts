import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../core/refusal.ts'
import { isCollision, isStale } from './pool/away.ts'
import type { Pool } from './pool/connect.ts'
import { type Pace, paceOf } from './pool/pace.ts'
import { type Shares, sharesOf, type WaitSignal } from './pool/shares.ts'
import { refusalFor } from './pool/trouble.ts'
import { coalesceReads } from './reads/reads.ts'
import { type Stream, streamRows } from './reads/stream.ts'
import type { Row, Run } from './sql/rows.ts'
import type { Statement } from './sql/sql.ts'

export type Database = {
  /** Connections as the role that owns the schema: for what belongs to no organization. */
  pool: Pool
  /** What the organizations share of this process. */
  shares: Shares
  /** How long a search of this organization took lately. */
  searchMs(org: string): number
  /** One read of one organization: read-only, under its row-level security. */
  read<R extends Row>(org: string, statement: Statement, waits?: WaitSignal): Promise<R[]>
  /** One transaction of one organization: all of `work` or nothing of it. */
  transaction<T>(org: string, work: (run: Run) => Promise<T>, waits?: WaitSignal): Promise<T>
  /** The same without a place among the others of the organization: for what is short, and must come through while they wait. */
  urgently<T>(org: string, work: (run: Run) => Promise<T>): Promise<T>
  /** Any number of rows of one organization, as text, in flat memory. */
  stream: Stream
  close(): Promise<void>
}

/** Each next attempt begins a little later, so that those that collide do not do so again in step. */
const collisionsForgiven = 8
const longestPauseMs = 50

/** How long one statement may take, a search, and the wait for one lock; `alone`: an organization may have all connections. */
type Limits = { statementMs?: number; searchMs?: number; lockMs?: number; alone?: boolean | undefined }

export function openDatabase(
  pool: Pool,
  { statementMs = 30_000, searchMs = 5_000, lockMs = 5_000, alone }: Limits = {},
): Database {
  const searchPace = rememberPaces()
  const usualSearchMs = (org: string) => searchPace(org).usualMs()
  const shares = sharesOf(pool, usualSearchMs, alone)
  const reads = coalesceReads(
    pool,
    shares.connections,
    (org, { search, report }) => preludeFor(org, search && !report ? searchMs : statementMs, report),
    searchPace,
  )
  // A connection that was lost in the middle must not hold its locks for longer: the server waits this long for the next statement.
  const patience = `set local lock_timeout = ${lockMs}; set local idle_in_transaction_session_timeout = ${Math.ceil(statementMs / 2)}`
  const opening = (org: string) => `begin; ${preludeFor(org, statementMs)}; ${patience}`

  function read<R extends Row>(org: string, statement: Statement, waits?: WaitSignal): Promise<R[]> {
    return statement.search ? search<R>(org, statement, waits) : reads.read<R>(org, statement)
  }

  async function search<R extends Row>(org: string, statement: Statement, waits?: WaitSignal): Promise<R[]> {
    const leave = await shares.searches.enter(org, 'read', waits)
    return reads.read<R>(org, statement).finally(leave)
  }

  async function transaction<T>(org: string, work: (run: Run) => Promise<T>, waits?: WaitSignal): Promise<T> {
    const leave = await shares.connections.enter(org, 'write', waits)
    return urgently(org, work).finally(leave)
  }

  async function urgently<T>(org: string, work: (run: Run) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await pool.transaction(work, opening(org))
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

  return {
    pool,
    shares,
    searchMs: usualSearchMs,
    read,
    transaction,
    urgently,
    stream: streamRows(pool, shares.exports, preludeFor),
    close,
  }
}

/** Of so many organizations it is known how long their searches take. */
const mostPaces = 10_000
/** Assumed before the first search: few at once, until they turn out to be quick. */
const unknownPaceMs = 200

function rememberPaces(): (org: string) => Pace {
  const paces = new Map<string, Pace>()
  return (org) => {
    const known = paces.get(org)
    if (known) return known
    const [oldest] = paces.keys()
    if (paces.size >= mostPaces) paces.delete(oldest as string)
    const pace = paceOf(unknownPaceMs)
    paces.set(org, pace)
    return pace
  }
}

/** A transaction that failed was rolled back, unless that is what nobody knows. */
function withOutcome(error: unknown): unknown {
  if (error instanceof Refusal && error.kind === 'unavailable') error.outcome ??= 'not_written'
  return error
}

/**
 * `set local` and not `set`: it ends with the transaction, so nothing stays on the connection of a pooler for the next organization.
 * The serving role neither owns the tables nor may bypass their row-level security. A request is served by one process: to start others
 * takes longer than most, and they start even for a part of a plan that is not needed. A report takes so long that they help.
 */
function preludeFor(org: string, statementMs: number, report = false): string {
  if (!/^[0-9a-f-]{36}$/.test(org)) throw new Error('an organization is named by a lower-case UUID')
  return `set local role lading_app; set local app.org_id = '${org}'; set local statement_timeout = ${statementMs}; set local max_parallel_workers_per_gather = ${report ? 2 : 0}`
}
