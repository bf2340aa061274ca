import { contextFor } from '../context.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { tallyFaults } from '../db/tally-faults.ts'
import { recountTally } from '../db/tally-folding.ts'
import { differencesOf, firstId, leavesWithin, readBeside } from './beside.ts'
import { listDefinitions } from './definitions/read.ts'
import { objectTallies } from './totals.ts'

/**
 * Takes every object of every organization apart anew, and says in sentences where what stands beside it is something else; also where a count is off,
 * and what a deleted object has left behind.
 */
export async function verifyObjects(database: Database): Promise<string[]> {
  const organizations = await database.pool.run<{ org_id: string }>(sql`select org_id from organizations order by org_id`)
  const found: string[] = []
  for (const { org_id } of organizations) found.push(...(await faultsOf(database, org_id)))
  return found
}

export async function faultsOf(database: Database, org: string): Promise<string[]> {
  const ctx = contextFor(database, { org, actor: { type: 'system', id: 'lading' } })
  const found = (
    await ctx.run<{ fault: string }>(sql`
    select 'The deleted object ' || o.id || ' of the organization ' || o.org_id || ' has left something behind.' as fault from objects o
    where o.org_id = ${org} and o.deleted_at is not null and (exists (select from object_values v where v.org_id = o.org_id and v.object_id = o.id)
      or exists (select from object_references r where r.org_id = o.org_id and r.from_id = o.id) or exists (select from object_unique_values u where u.org_id = o.org_id and u.object_id = o.id))
    union all select 'The object ' || o.id || ' of the organization ' || o.org_id || ' has the number ' || o.number || ', and the counter stands at ' || coalesce(c.value, 0) || '.' from objects o
    left join counters c on c.org_id = o.org_id and c.name = 'object:' || o.object_key where o.org_id = ${org} and o.number > coalesce(c.value, 0)
    union all select distinct 'The word ' || w.word || ' of the kind ' || w.object_key || ' of the organization ' || w.org_id || ' is not found by its pieces.' from object_words w cross join lateral word_ends(w.word) as piece
    where w.org_id = ${org} and length(w.word) > 3 and not exists (select from object_word_ends e where e.org_id = w.org_id and e.object_key = w.object_key and e.ending = piece and e.word = w.word)`)
  ).map(({ fault }) => fault)
  for (const definition of await listDefinitions(ctx)) {
    for (const tally of Object.values(objectTallies(definition.objectKey)))
      found.push(...(await ctx.run<{ fault: string }>(tallyFaults(tally))).map(({ fault }) => fault))
    const { objectKey } = definition
    for (let page = await readBeside(ctx, objectKey, firstId); page.length > 0; page = await readBeside(ctx, objectKey, page.at(-1)?.id as string)) {
      for (const row of page) {
        const wrong = differencesOf(row, leavesWithin(definition, row))
        found.push(...wrong.map((part) => `The object ${row.id} of the organization ${org} has other ${part} beside it than within.`))
      }
    }
  }
  return found
}

/** Counts the objects of every organization anew. */
export async function recountObjects(database: Database): Promise<void> {
  const organizations = await database.pool.run<{ org_id: string }>(sql`select org_id from organizations order by org_id`)
  for (const { org_id } of organizations) {
    const ctx = contextFor(database, { org: org_id, actor: { type: 'system', id: 'lading' } })
    for (const { objectKey } of await listDefinitions(ctx))
      for (const tally of Object.values(objectTallies(objectKey))) await recountTally(database, tally, org_id)
  }
}
