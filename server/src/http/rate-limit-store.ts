import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'

export type Portion = { bucket: string; last_share: number; left: number }

/** A process takes a sixteenth of what is left: a few round trips a minute, and little stays unspent in other processes. */
const portions = 16

/** This process's next portion of each bucket's allowance of the minute that began then, and what is left after it. */
export async function takePortions(
  database: Database,
  org: string,
  limits: readonly { bucket: string; perMinute: number }[],
  windowStart: Date,
): Promise<Portion[]> {
  const buckets = limits.map(({ bucket }) => bucket)
  const most = limits.map(({ perMinute }) => perMinute)
  // Not behind what the organization waits for: a limit that waits with those whom it should hold back holds nobody back.
  return database.urgently(org, async (run) => {
    // A count lost in a crash costs nobody anything, so nobody waits for the disk.
    await run(sql`set local synchronous_commit = off`)
    return run<Portion>(sql`
      insert into rate_limits as r (org_id, bucket, window_start, most, granted, last_share)
      select ${org}::uuid, bucket, ${windowStart}::timestamptz, most, ceil(most / ${portions}::numeric), ceil(most / ${portions}::numeric)
      from unnest(${buckets}::text[], ${most}::int[]) as wanted(bucket, most) order by bucket
      on conflict (org_id, bucket) do update set
        window_start = greatest(r.window_start, excluded.window_start),
        most = excluded.most,
        (granted, last_share) = (select before + share, share from (
          select before, ceil(greatest(0, excluded.most - before) / ${portions}::numeric) as share
          from (select case when r.window_start < excluded.window_start then 0 else r.granted end as before) as counted) as portion)
      returning bucket, last_share, greatest(0, most - granted) as left`)
  })
}
