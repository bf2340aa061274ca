import type { Readable } from 'node:stream'
import type { Right } from './access/roles.ts'
import { forbidden, Refusal } from './core/refusal.ts'
import type { Database } from './db/database.ts'
import { isAftermath } from './db/pool/connect.ts'
import type { WaitSignal } from './db/pool/shares.ts'
import { violatedConstraint } from './db/sql/constraints.ts'
import type { Row, Run } from './db/sql/rows.ts'
import type { Statement } from './db/sql/sql.ts'

/** Who does it: a person, an application acting for itself, whoever holds a signed link of the partner portal, or Lading. */
export type Actor = { type: 'user' | 'application' | 'link' | 'system'; id: string; application_id?: string }

/** First argument of every action and query: whose data, who asks, and the way to the database. */
export type Context = {
  readonly org: string
  readonly actor: Actor
  readonly requestId: string | null
  /** The scopes of the caller's token; undefined where nobody's token limits what may be seen. */
  readonly scopes?: ReadonlySet<string> | undefined
  /** What the caller may do; undefined where nobody's token limits it. */
  readonly rights?: ReadonlySet<Right> | undefined
  readonly run: Run
  /** Any number of rows as text, in flat memory; always in a transaction of its own. */
  readonly stream: <R extends Row>(
    statement: Statement,
    toText: (rows: R[]) => string,
    head?: string,
  ) => Promise<Readable>
  readonly transaction: <T>(work: (ctx: Context) => Promise<T>) => Promise<T>
  /** Inside a transaction: what its caller waits for once all of it is committed. */
  readonly afterCommit: (work: (database: Database) => Promise<void>) => void
}

/** For whom a context is made. `waits` ends the wait for a place in the database. */
type Asker = {
  org: string
  actor: Actor
  requestId?: string | null
  scopes?: ReadonlySet<string> | undefined
  rights?: ReadonlySet<Right> | undefined
  waits?: WaitSignal
}

export function contextFor(
  database: Database,
  { org, actor, requestId = null, scopes, rights, waits }: Asker,
): Context {
  const stream: Context['stream'] = (statement, toText, head) => database.stream(org, statement, toText, head, waits)
  let written = false
  return {
    org,
    actor,
    requestId,
    scopes,
    rights,
    stream,
    run: (statement) => database.read(org, statement, waits),
    afterCommit() {
      throw new Error('there is no transaction to wait for')
    },
    async transaction(work) {
      let waiting: Parameters<Context['afterCommit']>[0][] = []
      const afterCommit: Context['afterCommit'] = (more) => void waiting.push(more)
      try {
        const attempt = (run: Run) => {
          // What was noted in an attempt that was rolled back has not happened.
          waiting = []
          // Inside, a transaction asked for is the one under way: an action can be part of a larger whole.
          const inner: Context = {
            org,
            actor,
            requestId,
            scopes,
            rights,
            run,
            stream,
            afterCommit,
            transaction: (more) => more(inner),
          }
          return work(inner)
        }
        const result = await database.transaction(org, attempt, waits)
        written = true
        for (const wait of waiting) await wait(database)
        return result
      } catch (error) {
        // Of a request in several transactions, those before this one are saved.
        if (written && error instanceof Refusal && error.outcome === 'not_written') error.outcome = 'unknown'
        throw refusedOrganization(error) ?? error
      }
    },
  }
}

/** Makes the same context in somebody else's name. */
export function actingAs(ctx: Context, actor: Actor): Context {
  return { ...ctx, actor, transaction: (work) => ctx.transaction((inner) => work(actingAs(inner, actor))) }
}

/** The same context with these rights. */
export function withRights(ctx: Context, rights: ReadonlySet<Right>): Context {
  return { ...ctx, rights, transaction: (work) => ctx.transaction((inner) => work(withRights(inner, rights))) }
}

/** The same context for what a caller may do though no scope and no right of theirs allows it: whoever calls this has looked that they may. */
export function withoutLimits(ctx: Context): Context {
  return {
    ...ctx,
    scopes: undefined,
    rights: undefined,
    transaction: (work) => ctx.transaction((inner) => work(withoutLimits(inner))),
  }
}

/** A token outlives an organization that was removed from the database; a write then finds nothing to belong to. */
function refusedOrganization(error: unknown): Refusal | null {
  const isUnknown = violatedConstraint(error)?.endsWith('_organization')
  return isUnknown
    ? forbidden('no_such_organization', 'The organization of this access token does not exist any more.')
    : null
}

/** All of `work` or nothing of it. Name the inner context `ctx` too: it hides the outer one, so no query slips out. */
export function transaction<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  return ctx.transaction(work)
}

/**
 * Statements of a transaction that go out in one trip, one after the other. If one fails so do those behind it, because it takes the transaction
 * with it; what is thrown is its failure, not theirs.
 */
export async function together<T extends readonly Promise<unknown>[]>(
  ...sent: T
): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(sent)
  const failures = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  if (failures.length > 0) throw failures.find((failure) => !isAftermath(failure)) ?? failures[0]
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as never
}
