import type { Run } from '../../platform/db/sql/rows.ts'
import { sql, when } from '../../platform/db/sql/sql.ts'
import { runFaults } from './faults-sql.ts'

export async function listRunFaults(run: Run, organizations?: readonly string[]): Promise<string[]> {
  const rows = await run<{ fault: string }>(sql`
    select 'The ' || what || ' ' || id || ' of the organization ' || org_id || ' ' || fault || '.' as fault from (${runFaults}) as found(org_id, what, id, fault)
    where true ${when(organizations, sql`and org_id = any(${organizations}::uuid[])`)} order by org_id, what, id`)
  return rows.map(({ fault }) => fault)
}
