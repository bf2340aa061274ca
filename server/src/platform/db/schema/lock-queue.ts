import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'

/** Runs a transaction that takes locks; where others have to wait for it too long, its statement is cancelled (57014). */
export type Guard = <T>(transaction: () => Promise<T>) => Promise<T>

const mark = 4_051_725
/** By this lock a guard finds the transaction, also where a pooler gives each one another connection. */
export const markAsGuarded = `select pg_advisory_xact_lock(${mark})`

/** Together well under the second that a reader may be made to wait, also on a busy machine. */
const longestWaitMs = 400
const lookMs = 100

/**
 * Looks at the locks through `watcher` for as long as the transaction runs. A lock_timeout bounds one wait for one lock only; this also bounds the wait
 * of those behind a transaction that waits for several locks, one after the other, or that works for long while it holds one.
 */
export function makeGuard(watcher: Client): Guard {
  return async (transaction) => {
    const done = new AbortController()
    const watching = watch(done.signal)
    try {
      return await transaction()
    } finally {
      done.abort()
      // A cancellation that is on its way must not meet the next statement.
      await watching
    }
  }

  async function watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // Where it cannot look any more, the lock_timeout is left.
      await watcher.query(cancelWhereOthersWait, [mark, longestWaitMs]).catch(() => {})
      await sleep(lookMs, undefined, { signal }).catch(() => {})
    }
  }
}

const cancelWhereOthersWait = `
  select pg_cancel_backend(guarded.pid) from pg_locks guarded
  join pg_locks waiting on not waiting.granted and waiting.waitstart < clock_timestamp() - $2::int * interval '1 millisecond'
    and guarded.pid = any (pg_blocking_pids(waiting.pid))
  where guarded.locktype = 'advisory' and guarded.objid = $1::int::oid and guarded.granted
    and guarded.database = (select oid from pg_database where datname = current_database())
  limit 1`
