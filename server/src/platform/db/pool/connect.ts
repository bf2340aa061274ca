import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg, { type Client, type PoolClient } from 'pg'
import { unavailable } from '../../core/refusal.ts'
import { isDistributed } from '../cluster/placement.ts'
import type { Address } from '../postgres/embedded.ts'
import { isFull, rowsOf } from '../sql/query.ts'
import type { Row, Run } from '../sql/rows.ts'
import type { Statement } from '../sql/sql.ts'
import { isAway, isBroken, isStale, OutcomeUnknown } from './away.ts'
import { hostsOf } from './hosts.ts'
import { trackAbsence } from './known-away.ts'
import { type Patience, watchSilence } from './silence.ts'

/** Connections as the role that owns the schema: for what belongs to no organization, and for `openDatabase`. */
export type Pool = {
  readonly max: number
  /** The longest wait for a connection. */
  readonly waitMs: number
  /** For how long nothing has come from the database, or had come until a moment ago, whoever asked: a process that serves asks at least once a second. */
  quietMs(): number
  /** One statement in a transaction of its own. */
  readonly run: Run
  /** All of `work` or nothing of it. `opening` is what begins it, `begin` unless said otherwise. */
  transaction<T>(work: (run: Run) => Promise<T>, opening?: string): Promise<T>
  /** Whether the tables are spread over the nodes of a cluster. Asked once. */
  distributed(): Promise<boolean>
  /** A connection of the pool for one's own use, until `giveBack`. */
  reserve(): Promise<PoolClient>
  /** A connection that is not one of the pool and does not pipeline, for cursors, listening and locks. Whoever opens it ends it. */
  open(): Promise<Client>
  /** Waits for what is under way, but no longer than this. */
  end(longestMs?: number): Promise<void>
}

/** Where a machine vanishes in the middle, PostgreSQL must not keep its locks for hours. */
const begin = `begin; set local idle_in_transaction_session_timeout = 30000`

/** Opens a transaction whose reads all see the same moment. */
export const oneSnapshot = 'begin isolation level repeatable read read only'

// As UTC and not in the time zone of the process, which would have to be computed for each.
pg.defaults.parseInputDatesAsUTC = true

/** `waitMs`: the longest wait for a connection, of the pool or to the database. */
type Options = { max: number; name?: string; waitMs?: number; patience?: Partial<Patience> }

const usualPatience: Patience = { quietMs: 3_000, answerMs: 3_000, deadlineMs: null }

/** A pool of connections to the embedded server's address or to a `DATABASE_URL`. */
export function connect(
  target: Address | string,
  { max, name = 'lading', waitMs = 5_000, patience: asked = {} }: Options,
): Pool {
  const sockets = new Set<Socket>()
  const hosts = hostsOf(target)
  const patience = { ...usualPatience, ...asked }
  const options = {
    application_name: name,
    keepAlive: true,
    // After this, Node asks once a second, and the system gives up after ten questions without an answer.
    keepAliveInitialDelayMillis: 4_000,
    connectionTimeoutMillis: waitMs,
    stream: () => {
      const socket = new Socket()
      sockets.add(socket)
      return socket.once('close', () => sockets.delete(socket))
    },
  }
  const pooled = { ...options, max, pipeline: true, hasDeadline: true, idleTimeoutMillis: 0, maxLifetimeSeconds: 3600 }
  const pool = new pg.Pool({ ...pooled, Client: hosts.Client, onConnect: hosts.check })
  // A connection that breaks says so to whoever asks through it; to nobody else does it matter.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))

  const away = trackAbsence(() => hosts.find({ ...options, connectionTimeoutMillis: patience.answerMs }))
  const silence = watchSilence({ hosts, options, patience, onSilent: away.note })

  async function reserve(): Promise<PoolClient> {
    if (pool.idleCount === 0) away.require()
    try {
      return await hosts.tryEach(() => pool.connect())
    } catch (error) {
      if (isTooLate(error)) throw unavailable('The database is busy. Try again in a moment.', error)
      throw noted(error)
    }
  }

  /** One that takes no more connections, while it answers those that it has, is not away. */
  function noted(error: unknown): unknown {
    const answers =
      pool.ending || (error as { code?: unknown }).code === '53300' || [...hosts.clients].some(({ isOpen }) => isOpen)
    if (isAway(error) && !answers) away.note(error)
    return error
  }

  async function open(): Promise<Client> {
    if (pool.ending) throw new Error('Cannot use a pool after calling end on the pool')
    away.require()
    const attempt = async () => {
      const client = new hosts.Client(options)
      client.on('error', () => {})
      await client.connect()
      try {
        await hosts.check(client)
        return client
      } catch (error) {
        await client.end()
        throw error
      }
    }
    return hosts.tryEach(attempt).catch((error) => {
      throw noted(error)
    })
  }

  async function run<R extends Row>(statement: Statement, again = true): Promise<R[]> {
    const client = await reserve()
    try {
      const rows = await rowsOf<R>(client, statement)
      giveBack(client)
      return rows
    } catch (error) {
      giveBack(client, isBroken(error) || isStale(error))
      if (isStale(error) && again) return run(statement, false)
      throw error
    }
  }

  async function transaction<T>(work: (run: Run) => Promise<T>, opening = begin): Promise<T> {
    return transactionOn(await reserve(), work, opening)
  }

  let ended: Promise<void> | undefined
  async function end(longestMs = 5_000): Promise<void> {
    away.stop()
    ended ??= pool.end()
    const inTime = await Promise.race([ended.then(() => true), sleep(longestMs, false, { ref: false })])
    // Those of the pool are closing by then; those that were opened outside of it are not.
    for (const socket of sockets) inTime ? socket.destroySoon() : socket.destroy()
    silence.stop()
  }

  let known: Promise<boolean> | undefined
  function distributed(): Promise<boolean> {
    known ??= isDistributed((statement) => run(statement)).catch((error) => {
      known = undefined
      throw error
    })
    return known
  }

  return {
    max,
    waitMs,
    quietMs: silence.quietMs,
    run: (statement) => run(statement),
    transaction,
    distributed,
    reserve,
    open,
    end,
  }
}

/** Back to the pool. One that broke, or has prepared too much, is closed, and another takes its place. */
export function giveBack(client: PoolClient, broken = false): void {
  client.release(broken || isFull(client))
}

async function transactionOn<T>(client: PoolClient, work: (run: Run) => Promise<T>, opening: string): Promise<T> {
  let over = false
  let failure: unknown
  const run = async <R extends Row>(statement: Statement): Promise<R[]> => {
    if (over) throw new Error('the transaction is over')
    try {
      return await rowsOf<R>(client, statement)
    } catch (error) {
      failure ??= error
      throw error
    }
  }
  try {
    // Waited for: what is sent behind a beginning that failed would run outside of the transaction.
    await client.query(opening)
    const result = await work(run)
    over = true
    const { command } = await client.query('commit').catch(failureOfCommit)
    // To end one that has failed is no error to PostgreSQL.
    if (command !== 'COMMIT') throw failure ?? new Error('the transaction was rolled back')
    giveBack(client)
    return result
  } catch (error) {
    over = true
    await client.query('rollback').then(
      () => giveBack(client, isBroken(error) || isStale(failure)),
      () => giveBack(client, true),
    )
    throw isAftermath(error) ? failure : error
  }
}

/** PostgreSQL says by an error of its own that it committed nothing. One that ended the connection, or was a cancel, may have come after the commit. */
function failureOfCommit(error: unknown): never {
  const { code, severity } = error as { code?: unknown; severity?: unknown }
  const isAnswer = severity === 'ERROR' && typeof code === 'string' && !/^(08|57)/.test(code)
  throw isAnswer ? error : new OutcomeUnknown(error)
}

/** What statements behind one that failed are answered; the second where one of them was to be prepared by another of them. */
export function isAftermath(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === '25P02' || code === '26000'
}

function isTooLate(error: unknown): boolean {
  return (error as Error).message === 'timeout exceeded when trying to connect'
}
