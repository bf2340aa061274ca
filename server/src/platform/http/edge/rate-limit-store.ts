import { together } from '../../context.ts'
import type { Database } from '../../db/database.ts'
import { join, numberText, sql } from '../../db/sql/sql.ts'

/** `now` is the database's time, in milliseconds since 1970. */
export type Portion = { bucket: string; last_share: number; left: number; now: number }

/** Whoever waited for the row may have begun in the minute before that of the row. */
const isCurrent = sql`r.window_start - excluded.window_start between interval '0' and interval '1 minute'`

/** A process takes a sixteenth of what is left: a few round trips a minute, and little stays unspent in other processes. */
const portions = 16

const granted = sql`case when ${isCurrent} then r.granted else 0 end`
const share = sql`ceil(greatest(0, excluded.most - ${granted}) / ${numberText(portions)}::numeric)`

/**
 * This process's next portion of each bucket's allowance of this minute, and what is left after it. The minute is the database's, whatever the clocks of
 * the processes say. One that lies beyond the next is what a clock that was wrong left behind: it is replaced, or nobody could ask until then.
 */
export async function takePortions(
  database: Database,
  org: string,
  limits: readonly { bucket: string; perMinute: number }[],
): Promise<Portion[]> {
  // Everyone takes them in this order, so that nobody waits in a circle.
  const ordered = limits.toSorted((one, other) => (one.bucket < other.bucket ? -1 : 1))
  const rows = ordered.map(({ bucket, perMinute }) => {
    const first = Math.ceil(perMinute / portions)
    return sql`(${org}::uuid, ${bucket}::text, date_trunc('minute', statement_timestamp()), ${perMinute}::int, ${first}::int, ${first}::int)`
  })
  // Not behind what the organization waits for: a limit that waits with those whom it should hold back holds nobody back.
  return database.urgently(org, async (run) => {
    // A count lost in a crash costs nobody anything, so nobody waits for the disk.
    const [, [clock], taken] = await together(
      run(sql`set local synchronous_commit = off`),
      run<{ now: number }>(sql`select extract(epoch from statement_timestamp())::float8 * 1000 as now`),
      run<Omit<Portion, 'now'>>(sql`
        insert into rate_limits as r (org_id, bucket, window_start, most, granted, last_share)
        values ${join(rows, sql`, `)}
        on conflict (org_id, bucket) do update set
          window_start = case when ${isCurrent} then r.window_start else excluded.window_start end,
          most = excluded.most,
          granted = ${granted} + ${share},
          last_share = ${share}
        returning bucket, last_share, greatest(0, most - granted) as left`),
    )
    return taken.map((portion) => ({ ...portion, now: clock?.now as number }))
  })
}
