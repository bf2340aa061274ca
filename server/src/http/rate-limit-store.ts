import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'

/** `now` is the database's time, in milliseconds since 1970. */
export type Portion = { bucket: string; last_share: number; left: number; now: number }

/** Whoever waited for the row may have begun in the minute before that of the row. */
const isCurrent = sql`r.window_start between excluded.window_start and excluded.window_start + interval '1 minute'`

/** A process takes a sixteenth of what is left: a few round trips a minute, and little stays unspent in other processes. */
const portions = 16

/**
 * This process's next portion of each bucket's allowance of this minute, and what is left after it. The minute is the database's, whatever the clocks of
 * the processes say. One that lies beyond the next is what a clock that was wrong left behind: it is replaced, or nobody could ask until then.
 */
export async function takePortions(database: Database, org: string, limits: readonly { bucket: string; perMinute: number }[]): Promise<Portion[]> {
  const buckets = limits.map(({ bucket }) => bucket)
  const most = limits.map(({ perMinute }) => perMinute)
  // Not behind what the organization waits for: a limit that waits with those whom it should hold back holds nobody back.
  return database.urgently(org, async (run) => {
    // A count lost in a crash costs nobody anything, so nobody waits for the disk.
    await run(sql`set local synchronous_commit = off`)
    return run<Portion>(sql`
      insert into rate_limits as r (org_id, bucket, window_start, most, granted, last_share)
      select ${org}::uuid, bucket, date_trunc('minute', statement_timestamp()), most, ceil(most / ${portions}::numeric), ceil(most / ${portions}::numeric)
      from unnest(${buckets}::text[], ${most}::int[]) as wanted(bucket, most) order by bucket
      on conflict (org_id, bucket) do update set
        window_start = case when ${isCurrent} then r.window_start else excluded.window_start end,
        most = excluded.most,
        (granted, last_share) = (select before + share, share from (
          select before, ceil(greatest(0, excluded.most - before) / ${portions}::numeric) as share
          from (select case when ${isCurrent} then r.granted else 0 end as before) as counted) as portion)
      returning bucket, last_share, greatest(0, most - granted) as left, extract(epoch from statement_timestamp())::float8 * 1000 as now`)
  })
}
