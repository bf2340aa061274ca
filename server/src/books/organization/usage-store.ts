import type { Context } from '../../platform/context.ts'
import { sql } from '../../platform/db/sql/sql.ts'

export type UsageCounts = {
  documents: number
  storage: number
  waiting: number
  ended: number
  transferred: number
  positions: number
  kinds: number
}

/** What there is of everything that is bounded, in one trip. What nobody has counted yet is counted here. */
export async function findUsed(ctx: Context): Promise<UsageCounts> {
  const [row] = await ctx.run<UsageCounts>(sql`
    select
      coalesce((select u.files from file_usage u where u.org_id = ${ctx.org} and u.whose = 'organization'),
        (select count(*) from document_files d where d.org_id = ${ctx.org}))::float8 as documents,
      coalesce((select u.bytes from file_usage u where u.org_id = ${ctx.org} and u.whose = 'organization'),
        (select coalesce(sum(f.size), 0) from stored_files f where f.org_id = ${ctx.org}))::float8 as storage,
      (select count(*) from transfers t where t.org_id = ${ctx.org} and t.state in ('queued', 'running'))::float8 as waiting,
      (select count(*) from transfers t where t.org_id = ${ctx.org} and t.ended_at is not null)::float8 as ended,
      (select coalesce(sum(t.result_bytes + t.failures_bytes), 0) from transfers t where t.org_id = ${ctx.org} and t.ended_at is not null)::float8 as transferred,
      coalesce((select d.recorded from position_days d where d.org_id = ${ctx.org} and d.day = (statement_timestamp() at time zone 'utc')::date), 0)::float8 as positions,
      (select count(*) from definitions k where k.org_id = ${ctx.org} and k.deleted_at is null)::float8 as kinds`)
  return row as UsageCounts
}
