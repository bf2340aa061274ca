import { oneSnapshot, type Pool } from '../../platform/db/pool/connect.ts'
import { readAllOrganizations } from '../../platform/db/schema/organizations.ts'
import { listRunFaults } from './verify-store.ts'

/** What does not add up in the payment runs of these organizations, or of all of them, in sentences. Runs with the rights of the schema's owner. */
export function verifyPayouts(pool: Pool, organizations?: readonly string[]): Promise<string[]> {
  return pool.transaction(async (run) => {
    await readAllOrganizations(run)
    return listRunFaults(run, organizations)
  }, oneSnapshot)
}
