import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Pool } from './connect.ts'

const longestPauseMs = 1_000

/**
 * Calls `hear` with every notification of a channel, and whenever the connection is there anew, because what was sent meanwhile is lost.
 * Gives back the way to stop.
 */
export function listen(pool: Pool, channel: string, hear: () => void): () => void {
  let stopped = false
  let client: Client | undefined

  async function hearUntilItBreaks(): Promise<void> {
    client = await pool.open()
    try {
      if (stopped) return
      // Not `once` of node:events, which fails with the connection, before anybody waits for it.
      const ended = new Promise<void>((done) => client?.once('end', done))
      client.on('notification', hear)
      await client.query(`listen ${channel}`)
      hear()
      await ended
    } finally {
      await client.end()
    }
  }

  async function keepListening(): Promise<void> {
    for (let pause = 50; !stopped; pause = Math.min(pause * 2, longestPauseMs)) {
      const since = Date.now()
      await hearUntilItBreaks().catch(() => {})
      if (Date.now() - since > longestPauseMs) pause = 50
      await sleep(pause, undefined, { ref: false })
    }
  }
  keepListening()

  return () => {
    stopped = true
    client?.end()
  }
}
