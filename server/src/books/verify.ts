import { oneSnapshot, type Pool } from '../platform/db/pool/connect.ts'
import { readAllOrganizations } from '../platform/db/schema/organizations.ts'
import type { Run } from '../platform/db/sql/rows.ts'
import { listFaults } from './books-store.ts'

/**
 * Reads all books of these organizations, or of all of them, and says in sentences what does not add up. Constraints keep most of it true within a row; this looks
 * across rows too, and does not rely on the constraints. Runs with the rights of the schema's owner.
 */
export async function verifyBooks(pool: Pool, organizations?: readonly string[]): Promise<string[]> {
  return pool.transaction((run) => faultsIn(run, organizations), oneSnapshot)
}

/** Looks for the same within a transaction under way. */
export async function faultsIn(run: Run, organizations?: readonly string[]): Promise<string[]> {
  await readAllOrganizations(run)
  return listFaults(run, organizations)
}
