import { oneSnapshot, type Pool } from '../../db/connect.ts'
import { readAllOrganizations } from '../../db/organizations.ts'
import { listRunFaults } from './verify-store.ts'

/** What does not add up in the payment runs of these organizations, or of all of them, in sentences. Runs with the rights of the schema's owner. */
export function verifyPayouts(pool: Pool, organizations?: readonly string[]): Promise<string[]> {
  return pool.transaction(async (run) => {
    await readAllOrganizations(run)
    return listRunFaults(run, organizations)
  }, oneSnapshot)
}
