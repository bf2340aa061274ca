import { oneSnapshot, type Pool } from '../../platform/db/pool/connect.ts'
import { readAllOrganizations } from '../../platform/db/schema/organizations.ts'
import type { Settings } from '../../settings.ts'
import { listEmanifestFaults } from './verify-store.ts'

/** Whether states and interchanges say the same, and what was not handed over, in sentences. Runs with the rights of the schema's owner. */
export function verifyEmanifests(
  pool: Pool,
  { directory, url }: Settings['emanifests'],
  organizations?: readonly string[],
): Promise<string[]> {
  return pool.transaction(async (run) => {
    await readAllOrganizations(run)
    return listEmanifestFaults(run, directory !== null || url !== null, organizations)
  }, oneSnapshot)
}
