import type { Run } from '../sql/rows.ts'
import { sql } from '../sql/sql.ts'

/** The ids of all organizations, for work that goes through them one after the other, with the rights of the schema's owner. */
export async function listOrganizationIds(run: Run): Promise<string[]> {
  const rows = await run<{ org_id: string }>(sql`select org_id from organizations order by org_id`)
  return rows.map(({ org_id }) => org_id)
}

/** From here to the end of the transaction the owner of the schema reads the rows of all organizations, whether or not it is a superuser. */
export async function readAllOrganizations(run: Run): Promise<void> {
  await run(sql`set local app.all_organizations = 'on'`)
}
