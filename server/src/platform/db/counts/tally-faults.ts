import { type Statement, sql } from '../sql/sql.ts'
import type { Tally } from './tallies.ts'
import { always, whereDense } from './tally-folding.ts'

/**
 * Counts everything of an organization and says in sentences where a tally says otherwise. It names the organization everywhere: the owner of the schema
 * may see the changes of all organizations, but not all of the rest.
 */
export function tallyFaults({ name, table, where, label, at }: Tally, org: string): Statement {
  return sql`
    with dense as (
      select distinct org_id, date_trunc('hour', bucket, 'UTC') as hour from tallies where org_id = ${org} and tally = ${name} and level = 4
    ), there as (
      select org_id, ${label} as label, date_trunc('second', ${at}, 'UTC') as at, count(*) as n from ${table} where org_id = ${org} and ${where} and ${label} is not null group by 1, 2, 3
      union all select org_id, label, at, -n from tally_changes where org_id = ${org} and tally = ${name}
    ), counts as (
      select org_id, level, bucket, label, n from there cross join lateral (values ${always}) as within(level, bucket)
      union all select t.org_id, level, bucket, label, n from there t join dense d on d.org_id = t.org_id and d.hour = date_trunc('hour', t.at, 'UTC')
        cross join lateral (values ${whereDense}) as within(level, bucket)
      union all select org_id, level, bucket, label, -n from tallies where org_id = ${org} and tally = ${name}
    )
    select 'The tally ' || ${name}::text || ' of the organization ' || org_id || ' counts ' || abs(sum(n)) || ' ' || label || case when sum(n) > 0 then ' too few' else ' too many' end
      || case when level = 0 then '' else ' in the ' || (array['month', 'day', 'hour', 'minute', 'second'])[level] || ' from ' || to_char(bucket at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') end
      || '.' as fault
    from counts group by org_id, level, bucket, label having sum(n) <> 0 order by org_id, level, bucket, label`
}
