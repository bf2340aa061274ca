import type { Context } from '../../context.ts'
import { keepLease } from '../../core/turns/leases.ts'
import type { Row } from '../../db/sql/rows.ts'
import * as store from './store.ts'
import type { HeldRows, QueueTable } from './table.ts'

/** A row that was taken, and until when it is held. */
export type Claimed<R> = R & { leased_until: Date }

export function claim<R extends Row>(ctx: Context, table: QueueTable, asked: store.Claim): Promise<Claimed<R>[]> {
  return store.claim<Claimed<R>>(ctx, table, asked)
}

/** Gives back rows that nobody renews. */
export function release(ctx: Context, table: QueueTable, rows: HeldRows): Promise<void> {
  return store.release(ctx, table, rows)
}

/** What a process has of rows while it works on them. Once another has taken them, `renew` answers false and `release` does nothing. */
export type Hold = {
  /** Aborted when another process may have them. */
  readonly lost: AbortSignal
  /** Holds them for longer. A timer does it too. */
  renew(): Promise<boolean>
  stopRenewing(): void
  /** Gives all or some of them back: anybody may go on with them, at once or after so long. */
  release(given?: { ids?: readonly string[]; waitMs?: number | undefined }): Promise<void>
}

/** Holds rows that were just taken until told to stop. `aheadMs` is that of the claim: where tests turn the clock, others take this process for killed. */
export function hold(ctx: Context, table: QueueTable, { ids: all, until: taken }: HeldRows, aheadMs = 0): Hold {
  let until = taken
  let last: Promise<unknown> = Promise.resolve()
  // One after the other: what one of them writes is how the next knows that the rows are still ours.
  const inTurn = <T>(work: (ctx: Context) => Promise<T>): Promise<T> => {
    const next = last.then(() => ctx.transaction(work))
    last = next.catch(() => {})
    return next
  }
  const renew = () =>
    inTurn(async (ctx) => {
      const renewed = await store.renew(ctx, table, { ids: all, until }, aheadMs)
      until = renewed ?? until
      return renewed !== undefined
    })
  const { lost, stopRenewing } = keepLease(renew)
  return {
    lost,
    renew,
    stopRenewing,
    async release({ ids = all, waitMs } = {}) {
      stopRenewing()
      if (ids.length > 0) await inTurn((ctx) => store.release(ctx, table, { ids, until }, waitMs))
    },
  }
}
