import type { Run } from '../../platform/db/sql/rows.ts'
import { sql, when } from '../../platform/db/sql/sql.ts'

/** What is wrong with e-manifests, in sentences. `handsOver`: somebody should have handed over what waits. */
export async function listEmanifestFaults(
  run: Run,
  handsOver: boolean,
  organizations?: readonly string[],
): Promise<string[]> {
  const rows = await run<{ fault: string }>(sql`
    select 'The e-manifest ' || id || ' of the organization ' || org_id || ' ' || fault || '.' as fault from (
      select e.org_id, e.id, 'is ' || e.state || ' and was filed with nothing' as fault from emanifests e
      left join emanifest_filings f on f.org_id = e.org_id and f.emanifest_id = e.id and f.submission = e.submission
      where e.state in ('submitted', 'accepted', 'rejected') and f.id is null
      union all
      select e.org_id, e.id, 'is accepted and its interchange ' || f.control_number || ' is ' || f.state from emanifests e
      join emanifest_filings f on f.org_id = e.org_id and f.emanifest_id = e.id and f.submission = e.submission
      where e.state = 'accepted' and e.purpose <> 'cancellation' and f.state <> 'accepted'
      union all
      select e.org_id, e.id, 'is submitted and its interchange ' || f.control_number || ' was not handed over: ' || rtrim(f.error, '.') from emanifests e
      join emanifest_filings f on f.org_id = e.org_id and f.emanifest_id = e.id and f.submission = e.submission
      where e.state = 'submitted' and f.state = 'failed'
      union all
      select f.org_id, f.emanifest_id, 'waits to be handed over since ' || wire_time(f.created_at) from emanifest_filings f
      where ${handsOver}::boolean and f.state = 'waiting' and f.created_at < statement_timestamp() - interval '15 minutes'
    ) as found(org_id, id, fault)
    where true ${when(organizations, sql`and org_id = any(${organizations}::uuid[])`)} order by org_id, id`)
  return rows.map(({ fault }) => fault)
}
