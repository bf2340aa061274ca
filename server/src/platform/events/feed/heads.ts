import type { Pool } from '../../db/pool/connect.ts'
import { published } from '../announcing.ts'
import { listHeads } from './feed-store.ts'

const askEveryMs = 1_000

/** Calls back when the feed of an organization has grown. Returns the way to stop it. */
export type WatchHead = (org: string, grown: () => void) => () => void

/** Events that this process publishes are known at once; for those of others, the heads of all feeds that are watched are asked for once a second. */
export function watchHeads(pool: Pool): { watch: WatchHead; close(): void } {
  const feeds = new Map<string, { last: number; watchers: Set<() => void> }>()
  const stopListening = published.listen(notice)
  let asking = false
  const timer = setInterval(() => void ask(), askEveryMs).unref()

  function notice(org: string, last: number): void {
    const feed = feeds.get(org)
    if (!feed || feed.last >= last) return
    feed.last = last
    for (const grown of feed.watchers) grown()
  }

  async function ask(): Promise<void> {
    if (asking || feeds.size === 0) return
    asking = true
    // While the database is away nothing grows.
    const heads = await listHeads(pool, [...feeds.keys()]).catch(() => new Map<string, number>())
    asking = false
    for (const [org, last] of heads) notice(org, last)
  }

  return {
    watch(org, grown) {
      const feed = feeds.get(org) ?? { last: 0, watchers: new Set() }
      feeds.set(org, feed)
      feed.watchers.add(grown)
      return () => {
        feed.watchers.delete(grown)
        if (feed.watchers.size === 0) feeds.delete(org)
      }
    },
    close() {
      clearInterval(timer)
      stopListening()
    },
  }
}
