import type { Run } from './rows.ts'
import { sql } from './sql.ts'

/** The ids of all organizations, for work that goes through them one after the other, with the rights of the schema's owner. */
export async function listOrganizationIds(run: Run): Promise<string[]> {
  const rows = await run<{ org_id: string }>(sql`select org_id from organizations order by org_id`)
  return rows.map(({ org_id }) => org_id)
}
