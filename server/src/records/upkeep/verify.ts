import { type Context, contextFor } from '../../platform/context.ts'
import { tallyFaults } from '../../platform/db/counts/tally-faults.ts'
import { recountTally } from '../../platform/db/counts/tally-folding.ts'
import type { Database } from '../../platform/db/database.ts'
import { listOrganizationIds } from '../../platform/db/schema/organizations.ts'
import { listDefinitions } from '../definitions/read.ts'
import { findWrongEntries } from '../index/repair.ts'
import { objectTallies } from '../index/tallies-sql.ts'
import { listFaults, runFaults } from './store.ts'

/** Computes the index entries of every object of every organization anew, and reports in sentences where they differ, and where a count is wrong. */
export async function verifyObjects(database: Database): Promise<string[]> {
  const found: string[] = []
  for (const org of await listOrganizationIds(database.pool.run)) found.push(...(await faultsOf(database, org)))
  return found
}

export async function faultsOf(database: Database, org: string): Promise<string[]> {
  const ctx = contextOf(database, org)
  const found = (await listFaults(ctx)).map(({ fault }) => fault)
  for (const definition of await listDefinitions(ctx)) {
    for (const tally of Object.values(objectTallies(definition.objectKey)))
      found.push(...(await runFaults(ctx, tallyFaults(tally, org))))
    for await (const { id, parts } of findWrongEntries(ctx, definition))
      found.push(
        ...parts.map(
          (part) => `The object ${id} of the organization ${org} has other ${part} in its index than its content has.`,
        ),
      )
  }
  return found
}

/** Counts the objects of every organization anew. */
export async function recountObjects(database: Database): Promise<void> {
  for (const org of await listOrganizationIds(database.pool.run)) {
    for (const { objectKey } of await listDefinitions(contextOf(database, org)))
      for (const tally of Object.values(objectTallies(objectKey))) await recountTally(database, tally, org)
  }
}

function contextOf(database: Database, org: string): Context {
  return contextFor(database, { org, actor: { type: 'system', id: 'lading' } })
}
