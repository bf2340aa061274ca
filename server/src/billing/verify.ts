import { oneSnapshot, type Pool } from '../db/connect.ts'
import { listOrganizationIds } from '../db/organizations.ts'
import type { Run } from '../db/rows.ts'
import { listFaults, lookInto, seesOneOrganization } from './books-store.ts'

/**
 * Reads all books of all organizations and says in sentences what does not add up. Constraints keep most of it true within a row; this looks
 * across rows too, and does not rely on the constraints. Runs with the rights of the schema's owner.
 */
export async function verifyBooks(pool: Pool): Promise<string[]> {
  return pool.transaction(faultsIn, oneSnapshot)
}

/** The same within a transaction under way. */
export async function faultsIn(run: Run): Promise<string[]> {
  if (!(await seesOneOrganization(run))) return listFaults(run)
  const found: string[] = []
  for (const org of await listOrganizationIds(run)) {
    await lookInto(run, org)
    found.push(...(await listFaults(run)))
  }
  return found
}
