import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'

/** Runs work that takes locks; where others have to wait for it too long, its statement is cancelled (57014). */
export type Guard = <T>(work: () => Promise<T>) => Promise<T>

/** Together well under the second that a reader may be made to wait, also on a busy machine. */
const longestWaitMs = 400
const lookMs = 100

/**
 * Guards what runs on `client`, by looking at the locks through `watcher`. A lock_timeout bounds one wait for one lock only; this also bounds the wait
 * of those behind a transaction that waits for several locks, one after the other, or that works for long while it holds one.
 */
export async function guardOf(client: Client, watcher: Client): Promise<Guard> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]?.pid
  return async (work) => {
    const done = new AbortController()
    const watching = watch(done.signal)
    try {
      return await work()
    } finally {
      done.abort()
      // A cancellation that is on its way must not meet the next statement.
      await watching
    }
  }

  async function watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // Where it cannot look any more, the lock_timeout is left.
      await watcher.query(cancelWhereOthersWait, [pid, longestWaitMs]).catch(() => {})
      await sleep(lookMs, undefined, { signal }).catch(() => {})
    }
  }
}

const cancelWhereOthersWait = `
  select pg_cancel_backend($1) from pg_locks waiting
  where not waiting.granted and waiting.waitstart < clock_timestamp() - $2 * interval '1 millisecond' and $1 = any (pg_blocking_pids(waiting.pid))
  limit 1`
