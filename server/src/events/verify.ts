import { oneSnapshot, type Pool } from '../db/connect.ts'
import { readAllOrganizations } from '../db/organizations.ts'
import { listFeedFaults } from './feed-store.ts'

/** What is wrong with the change feeds: each position is there once, without a gap. */
export function verifyFeeds(pool: Pool): Promise<string[]> {
  return pool.transaction(async (run) => {
    await readAllOrganizations(run)
    return listFeedFaults(run)
  }, oneSnapshot)
}
