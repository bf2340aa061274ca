import type { Database } from '../db/database.ts'
import { join, numberText, sql } from '../db/sql.ts'

export type Portion = { bucket: string; last_share: number; left: number }

/** A process takes a sixteenth of what is left: a few round trips a minute, and little stays unspent in other processes. */
const portions = 16

const granted = sql`case when r.window_start < excluded.window_start then 0 else r.granted end`
const share = sql`ceil(greatest(0, excluded.most - ${granted}) / ${numberText(portions)}::numeric)`

/** This process's next portion of each bucket's allowance of the minute that began then, and what is left after it. */
export async function takePortions(
  database: Database,
  org: string,
  limits: readonly { bucket: string; perMinute: number }[],
  windowStart: Date,
): Promise<Portion[]> {
  // Everyone takes them in this order, so that nobody waits in a circle.
  const ordered = limits.toSorted((one, other) => (one.bucket < other.bucket ? -1 : 1))
  const rows = ordered.map(({ bucket, perMinute }) => {
    const share = Math.ceil(perMinute / portions)
    return sql`(${org}::uuid, ${bucket}::text, ${windowStart}::timestamptz, ${perMinute}::int, ${share}::int, ${share}::int)`
  })
  return database.transaction(org, async (run) => {
    // A count lost in a crash costs nobody anything, so nobody waits for the disk.
    await run(sql`set local synchronous_commit = off`)
    return run<Portion>(sql`
      insert into rate_limits as r (org_id, bucket, window_start, most, granted, last_share)
      values ${join(rows, sql`, `)}
      on conflict (org_id, bucket) do update set
        window_start = greatest(r.window_start, excluded.window_start),
        most = excluded.most,
        granted = ${granted} + ${share},
        last_share = ${share}
      returning bucket, last_share, greatest(0, most - granted) as left`)
  })
}
