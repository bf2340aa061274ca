import { type Context, contextFor } from '../context.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { tallyFaults } from '../db/tally-faults.ts'
import { recountTally } from '../db/tally-folding.ts'
import type { Definition } from './definitions/kind.ts'
import { listDefinitions } from './definitions/read.ts'
import { leavesOf, named, textValue, wordsOf } from './leaves.ts'
import type { Fields } from './model.ts'
import { objectTallies } from './totals.ts'

type Row = {
  id: string
  full_id: string
  json: Fields
  name: string
  status: string
  external_id: string | null
  values: string[]
  words: string[]
  links: string[]
  claims: string[]
}

const pageSize = 500

/**
 * Takes every object of every organization apart anew, and says in sentences where what stands beside it is something else; also where a count is off,
 * and what a deleted object has left behind.
 */
export async function verifyObjects(database: Database): Promise<string[]> {
  const organizations = await database.pool<{ org_id: string }[]>`select org_id from organizations order by org_id`
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
    for (let page = await pageAfter(ctx, definition, null); page.length > 0; page = await pageAfter(ctx, definition, page.at(-1)?.id as string)) {
      for (const row of page)
        found.push(...differences(definition, row).map((what) => `The object ${row.id} of the organization ${org} has other ${what} beside it than within.`))
    }
  }
  return found
}

/** Counts the objects of every organization anew. */
export async function recountObjects(database: Database): Promise<void> {
  const organizations = await database.pool<{ org_id: string }[]>`select org_id from organizations order by org_id`
  for (const { org_id } of organizations) {
    const ctx = contextFor(database, { org: org_id, actor: { type: 'system', id: 'lading' } })
    for (const { objectKey } of await listDefinitions(ctx))
      for (const tally of Object.values(objectTallies(objectKey))) await recountTally(database, tally, org_id)
  }
}

function pageAfter(ctx: Context, { objectKey }: Definition, after: string | null): Promise<Row[]> {
  return ctx.run<Row>(sql`
    select o.id, o.full_id, o.json, o.name, o.status, o.external_id,
      array(select jsonb_build_array(field, position, text_value, folded_value, long_text, long_folded, number_value, flag_value, unworded)::text from object_values v where v.org_id = o.org_id and v.object_id = o.id) as values,
      array(select word from object_words w where w.org_id = o.org_id and w.object_key = o.object_key and w.object_id = o.id) as words,
      array(select field || ' ' || position || ' ' || to_id || ' ' || to_key from object_references r where r.org_id = o.org_id and r.from_id = o.id) as links,
      array(select field || ' ' || encode(sha256, 'hex') from object_unique_values u where u.org_id = o.org_id and u.object_id = o.id) as claims
    from (select * from objects where org_id = ${ctx.org} and object_key = ${objectKey} and deleted_at is null and id > ${after ?? '00000000-0000-0000-0000-000000000000'}::uuid
      order by id limit ${pageSize}) as o order by o.id`)
}

function differences(definition: Definition, { full_id, json, name, status, external_id, ...stored }: Row): string[] {
  const leaves = leavesOf(definition, { json, name: name === full_id ? null : name, status, externalId: external_id })
  const values = [textValue('fullId', 0, full_id, true), ...named(leaves.values, full_id)]
  const within = {
    values: values.map((value) =>
      JSON.stringify([
        value.field,
        value.position,
        value.text ?? null,
        value.folded ?? null,
        value.long ?? null,
        value.long_folded ?? null,
        value.number ?? null,
        value.flag ?? null,
        value.unworded ?? false,
      ]),
    ),
    words: [...new Set([...leaves.words, ...wordsOf(full_id)])],
    links: leaves.links.map(({ field, position, to_id, to_key }) => `${field} ${position} ${to_id} ${to_key}`),
    claims: leaves.claims.map(({ field, sha256 }) => `${field} ${sha256}`),
  }
  const beside = { ...stored, values: stored.values.map((value) => JSON.stringify(JSON.parse(value))) }
  return (['values', 'words', 'links', 'claims'] as const).filter((what) => beside[what].toSorted().join('\n') !== within[what].toSorted().join('\n'))
}
