import { oneSnapshot, type Pool } from '../../db/pool/connect.ts'
import { readAllOrganizations } from '../../db/schema/organizations.ts'
import { listChainFaults } from './chain-store.ts'
import { listFeedFaults } from './feed-store.ts'

/** What is wrong with the change feeds: each position is there once, without a gap, and each event has the hash that follows from it and the one before. */
export function verifyFeeds(pool: Pool): Promise<string[]> {
  return pool.transaction(async (run) => {
    await readAllOrganizations(run)
    return [...(await listFeedFaults(run)), ...(await listChainFaults(run))]
  }, oneSnapshot)
}
