import { tallyFaults } from '../platform/db/counts/tally-faults.ts'
import { listOrganizationIds } from '../platform/db/schema/organizations.ts'
import type { Run } from '../platform/db/sql/rows.ts'
import { join, type Statement, sql } from '../platform/db/sql/sql.ts'
import { numberFaults } from './bills/duplicates/faults-sql.ts'
import type { Kind } from './documents/model/kind/kind.ts'
import { writeTexts } from './documents/search/texts-sql.ts'
import { documentFaults } from './documents/store/faults-sql.ts'
import { documentKinds, documentTallies } from './kinds/kinds.ts'
import { paidFaults, paymentFaults } from './payments/faults-sql.ts'
import { paidKinds } from './payments/payables.ts'
import { settlingFaults } from './settling/faults-sql.ts'

/** The sums first, then whether there are as many documents as the tallies say. */
export async function listFaults(run: Run, organizations?: readonly string[]): Promise<string[]> {
  const found = await run<{ fault: string }>(
    organizations ? faultsAmong(sql`org_id = any (${organizations}::uuid[])`) : faultsAmong(sql`true`),
  )
  for (const org of organizations ?? (await listOrganizationIds(run)))
    for (const tally of documentTallies) found.push(...(await run<{ fault: string }>(tallyFaults(tally, org))))
  return found.map(({ fault }) => fault)
}

/** Writes what `search_term` looks through for every document of an organization. Takes as long as there are documents. */
export async function refreshTexts(run: Run, kind: Kind, org: string): Promise<void> {
  await run({ text: 'set local statement_timeout = 0; set local lock_timeout = 0', values: [] })
  await run(writeTexts(kind, org, sql`true`))
}

const faultsAmong = (condition: Statement) => sql`
  with found as (${join([...documentKinds.map(documentFaults), numberFaults, settlingFaults, ...paidKinds.map(({ kind, target }) => paidFaults(kind, target)), paymentFaults], sql` union all `)})
  select 'The ' || what || ' ' || id || ' of the organization ' || org_id || ' ' || fault || '.' as fault from found where ${condition} order by org_id, what, id`
