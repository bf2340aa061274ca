import { recountTally } from '../platform/db/counts/tally-folding.ts'
import type { Database } from '../platform/db/database.ts'
import { listOrganizationIds } from '../platform/db/schema/organizations.ts'
import { refreshTexts } from './books-store.ts'
import { documentKinds, documentTallies } from './kinds/kinds.ts'

/** Counts the documents of every organization again, writes what their search looks through, and says how many organizations there were. */
export async function recountBooks(database: Database): Promise<number> {
  const organizations = await listOrganizationIds(database.pool.run)
  for (const org of organizations) {
    for (const tally of documentTallies) await recountTally(database, tally, org)
    for (const kind of documentKinds) await database.transaction(org, (run) => refreshTexts(run, kind, org))
  }
  return organizations.length
}
