import type { Worker } from 'node:cluster'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendConnection } from './messages.ts'

export type Distribution = {
  give(connection: Socket): void
  /** This worker can take a connection: it has just become ready, or has accepted the last one. */
  offer(worker: Worker): void
  /** This worker has ended, and all that it sent was read: what it has not accepted by then, it has not read from either. Another gets it. */
  forget(worker: Worker): void
  /** Resolves when every connection is with a worker, at the latest after so long. */
  settled(timeoutMs: number): Promise<void>
}

/**
 * Gives each connection to the worker that has waited longest. Not node:cluster's way of doing this: it never closes a connection that was on its way
 * to a worker that is killed, whose client then waits for its own timeout, and drops those that arrive while workers stop.
 */
export function distribute(patienceMs: number): Distribution {
  const waiting = new Set<Socket>()
  const free = new Set<Worker>()
  const accepting = new Map<Worker, Socket>()

  function next(): void {
    for (const connection of waiting) {
      const [worker] = free
      if (!worker) return
      free.delete(worker)
      if (!sendConnection(worker, connection)) continue
      accepting.set(worker, connection)
      waiting.delete(connection)
    }
  }

  return {
    give(connection) {
      waiting.add(connection)
      connection.on('error', () => {})
      connection.once('close', () => waiting.delete(connection))
      // With no worker left to take it, as while a new one starts.
      connection.setTimeout(patienceMs, () => connection.destroy())
      next()
    },
    offer(worker) {
      // The worker has it now: this closes ours of the two handles.
      accepting.get(worker)?.destroy()
      accepting.delete(worker)
      free.add(worker)
      next()
    },
    forget(worker) {
      const connection = accepting.get(worker)
      accepting.delete(worker)
      free.delete(worker)
      if (connection && !connection.destroyed) waiting.add(connection)
      next()
    },
    async settled(timeoutMs) {
      for (const since = Date.now(); waiting.size + accepting.size > 0 && Date.now() - since < timeoutMs; )
        await sleep(5)
      for (const connection of waiting) connection.destroy()
    },
  }
}
