import type { Database } from '../../db/database.ts'
import { systemContext } from '../../organizations/actions.ts'
import { findHead, findOldestKept, listFeedsOlderThan, saveKeptFrom } from './feed-store.ts'

/** Ends the time in which events older than so many days can be read from the feeds. The events stay: they are the history of their records. */
export async function expirePositions(database: Database, days: number, signal?: AbortSignal): Promise<void> {
  for (const org of await listFeedsOlderThan(database.pool, days)) {
    signal?.throwIfAborted()
    await systemContext(database, org).transaction(async (ctx) => {
      const { last } = await findHead(ctx)
      const oldest = await findOldestKept(ctx, days)
      await saveKeptFrom(ctx, oldest ? oldest.position - 1 : last, oldest?.occurred_at ?? null)
    })
  }
}
