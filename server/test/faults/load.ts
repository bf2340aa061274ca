import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from './asking.ts'
import { type Client, openClient } from './client.ts'
import { type Feeds, followFeeds } from './feed.ts'
import { type History, newHistory } from './history.ts'
import { operate } from './operations.ts'
import type { Organization } from './organizations.ts'

export type Load = {
  history: History
  feeds: Feeds
  /** Milliseconds until so many writes that began after this call are acknowledged; null where that takes too long. */
  acknowledges(writes: number, withinMs: number): Promise<number | null>
  stop(): Promise<void>
}

/** Leaves the server time for what it does besides, on a machine with two cores that also runs the clients. */
const usualPauseMs = 25

/** Callers of every organization who make, append, read and search until the load is stopped, or the scenario is over. */
export function startLoad(
  t: TestContext,
  organizations: readonly Organization[],
  base: () => string,
  { callersEach = 3, pauseMs = usualPauseMs } = {},
): Load {
  const history = newHistory()
  const feeds = followFeeds(t, organizations, base)
  const clients: Client[] = []
  let over = false
  let marks = 0
  async function work(organization: Organization): Promise<void> {
    const client = openClient()
    clients.push(client)
    const newMark = () => `load-${organization.index}-${++marks}`
    const caller: Caller = { organization, client, base, history, isOver: () => over, newMark }
    while (!over) {
      await operate(caller, othersOf(organizations, organization))
      await sleep(pauseMs)
    }
    client.close()
  }
  const working = Promise.all(
    organizations.flatMap((organization) => Array.from({ length: callersEach }, () => work(organization))),
  )
  t.after(() => {
    over = true
    for (const client of clients) client.close()
  })
  return {
    history,
    feeds,
    async acknowledges(writes, withinMs) {
      const since = performance.now()
      const seen = history.writes.length
      while (performance.now() - since < withinMs) {
        const fresh = history.writes.slice(seen).filter(({ fate, began }) => fate === 'acknowledged' && began > since)
        if (fresh.length >= writes) return Math.round(performance.now() - since)
        await sleep(20)
      }
      return null
    },
    async stop() {
      over = true
      await working
    },
  }
}

function othersOf(organizations: readonly Organization[], own: Organization): string[] {
  return organizations.filter((organization) => organization !== own).flatMap(({ lists }) => lists)
}
