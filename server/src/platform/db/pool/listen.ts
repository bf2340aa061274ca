import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Pool } from './connect.ts'

const longestPauseMs = 1_000
/** Nothing comes through a connection that only listens, so whether it is there has to be asked for. */
const askEveryMs = 5_000

/**
 * Calls `hear` with every notification of a channel, and whenever the connection is there anew, because what was sent meanwhile is lost.
 * Gives back the way to stop.
 */
export function listen(pool: Pool, channel: string, hear: () => void): () => void {
  let stopped = false
  let client: Client | undefined

  async function hearUntilItBreaks(): Promise<void> {
    client = await pool.open()
    let asking: NodeJS.Timeout | undefined
    try {
      if (stopped) return
      // Not `once` of node:events, which fails with the connection, before anybody waits for it.
      const ended = new Promise<void>((done) => client?.once('end', done))
      client.on('notification', hear)
      await client.query(`listen ${channel}`)
      hear()
      asking = setInterval(() => client?.query('select').catch(() => {}), askEveryMs).unref()
      await ended
    } finally {
      clearInterval(asking)
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
