import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../../src/platform/db/pool/connect.ts'
import { readAllOrganizations } from '../../src/platform/db/schema/organizations.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { openClient } from './client.ts'
import type { Organization } from './organizations.ts'

type Event = { id: string; type: string; revision: number | null; subject: { type: string; id: string } }

/** What the readers of the change feeds have collected, by organization. */
export type Feeds = { collected: ReadonlyMap<string, readonly Event[]>; stop(): Promise<void> }

const pauseMs = 150

/** A reader for each organization pages through its change feed all the while, as a client does that keeps `next_after` and asks again after a failure. */
export function followFeeds(t: TestContext, organizations: readonly Organization[], base: () => string): Feeds {
  const collected = new Map(organizations.map(({ id }) => [id, [] as Event[]]))
  let over = false
  t.after(() => {
    over = true
  })
  async function follow({ id, token }: Organization): Promise<void> {
    const client = openClient()
    for (let after = '', last = false; ; ) {
      const reply = await client.send(base(), {
        method: 'GET',
        path: `/api/v1/events?limit=50${after && `&after=${after}`}`,
        token,
      })
      if (reply.status !== 200) {
        if (over && last) break
        await sleep(pauseMs)
        continue
      }
      const page = JSON.parse(reply.body) as { events: Event[]; next_after: string; has_more: boolean }
      collected.get(id)?.push(...page.events)
      after = page.next_after
      if (page.has_more) continue
      if (last) break
      last = over
      if (!over) await sleep(pauseMs)
    }
    client.close()
  }
  const following = Promise.all(organizations.map(follow))
  return {
    collected,
    async stop() {
      over = true
      await following
    },
  }
}

/** Everything that was committed is collected once, and the changes of each record in their order. */
export async function feedFaults(pool: Pool, { collected }: Feeds): Promise<string[]> {
  const rows = await pool.transaction(async (run) => {
    await readAllOrganizations(run)
    return run<{ org_id: string; id: string }>(
      sql`select org_id, id from events where org_id = any(${[...collected.keys()]}::uuid[])`,
    )
  })
  const committed = Map.groupBy(rows, ({ org_id }) => org_id)
  return [...collected].flatMap(([org, events]) => {
    const ids = new Set(events.map(({ id }) => id))
    const missing = (committed.get(org) ?? []).filter(({ id }) => !ids.has(id)).length
    const madeUp = ids.size - ((committed.get(org)?.length ?? 0) - missing)
    const records = Map.groupBy(events, ({ subject }) => `${subject.type} ${subject.id}`)
    const disordered = [...records.values()].filter(
      (ofOne) => !rises(ofOne.flatMap(({ revision }) => revision ?? [])),
    ).length
    return [
      missing > 0 && `${missing} events were committed and never came through the feed.`,
      events.length > ids.size && `${events.length - ids.size} events came through the feed twice.`,
      madeUp > 0 && `${madeUp} events came through the feed and are not in the database.`,
      disordered > 0 && `The changes of ${disordered} records came through the feed out of their order.`,
    ].filter((fault) => fault !== false)
  })
}

function rises(revisions: readonly number[]): boolean {
  return revisions.every((revision, index) => index === 0 || revision >= (revisions[index - 1] as number))
}
