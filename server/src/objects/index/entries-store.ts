import type { Context } from '../../context.ts'
import { type Statement, sql } from '../../db/sql.ts'
import { type Locked, refuse } from '../single/object-store.ts'
import { type Claim, changed, type Leaves, type Link, named, type Value, wordsOf } from './entries.ts'
import { insertWordEnds } from './word-ends-sql.ts'

/** What is written beside an object so that it is found: its values, words, references and unique values. */
export type LeavesOf = { id: string; object_key: string; values: Value[]; words: string[]; links: Link[]; claims: Claim[] }

/** What comes and what goes when an object changes. */
export function differenceOf({ id, object_key, full_id }: Locked, before: Leaves, after: Leaves): LeavesOf & { gone: Gone } {
  const values = changed(named(before.values, full_id), named(after.values, full_id))
  const [links, claims, numbers] = [changed(before.links, after.links), changed(before.claims, after.claims), wordsOf(full_id)]
  const words = [...before.words].filter((word) => !after.words.has(word) && !numbers.includes(word))
  return {
    id,
    object_key,
    values: values.next,
    words: [...after.words].filter((word) => !before.words.has(word)),
    links: links.next,
    claims: claims.next,
    gone: { values: values.fields, words, links: links.fields, claims: claims.fields },
  }
}

type Gone = { values: string[]; words: string[]; links: string[]; claims: string[] }
type FieldOf = { object_id: string; field: string }
type WordOf = { object_id: string; object_key: string; word: string }

export async function clearLeaves(ctx: Context, values: FieldOf[], words: WordOf[], links: FieldOf[], claims: FieldOf[]): Promise<void> {
  if (values.length + words.length + links.length + claims.length === 0) return
  await ctx.run(sql`
    with cleared as (delete from object_values v using ${recordsOf(values, fieldColumns)} where v.org_id = ${ctx.org} and v.object_id = r.object_id and v.field = r.field),
      unworded as (delete from object_words w using ${recordsOf(words, wordColumns)} where w.org_id = ${ctx.org} and w.object_key = r.object_key and w.word = r.word and w.object_id = r.object_id),
      unlinked as (delete from object_references l using ${recordsOf(links, fieldColumns)} where l.org_id = ${ctx.org} and l.from_id = r.object_id and l.field = r.field)
    delete from object_unique_values u using ${recordsOf(claims, fieldColumns)} where u.org_id = ${ctx.org} and u.object_id = r.object_id and u.field = r.field`)
}

/** So many rows go in one statement: more would be slower together than one after the other, and at some point too much for either side. */
const mostRows = 20_000

/** False where another took a unique value meanwhile; then nothing of it may stay. */
export async function insertLeaves(ctx: Context, all: readonly LeavesOf[]): Promise<boolean> {
  for (const lot of lotsOf(all)) if (!(await insertLot(ctx, lot))) return false
  return true
}

/** The same in pieces, of which each has no more than so many rows of a sort. */
function* lotsOf(all: readonly LeavesOf[]): Generator<LeavesOf[]> {
  let lot: LeavesOf[] = []
  let rows = 0
  for (const leaves of all.flatMap(partsOf)) {
    const more = leaves.values.length + leaves.words.length
    if (lot.length > 0 && rows + more > mostRows) {
      yield lot
      lot = []
      rows = 0
    }
    lot.push(leaves)
    rows += more
  }
  if (lot.length > 0) yield lot
}

function partsOf(leaves: LeavesOf): LeavesOf[] {
  const parts = Math.ceil(leaves.values.length / mostRows)
  if (parts < 2) return [leaves]
  return Array.from({ length: parts }, (_, part) => ({
    ...leaves,
    values: leaves.values.slice(part * mostRows, (part + 1) * mostRows),
    ...(part > 0 && { words: [], links: [], claims: [] }),
  }))
}

async function insertLot(ctx: Context, all: readonly LeavesOf[]): Promise<boolean> {
  const each = <T extends object>(of: (leaves: LeavesOf) => readonly T[]) =>
    all.flatMap((leaves) => of(leaves).map((entry) => ({ object_id: leaves.id, object_key: leaves.object_key, ...entry })))
  const claims = each(({ claims }) => claims)
  const words = recordsOf(
    each(({ words }) => words.map((word) => ({ word }))),
    wordColumns,
  )
  const claimed = await ctx
    .run(sql`
      with valued as (
        insert into object_values (org_id, object_id, object_key, field, position, text_value, folded_value, long_text, long_folded, number_value, flag_value, unworded)
        select ${ctx.org}::uuid, r.object_id, r.object_key, r.field, r.position, r.text, r.folded, r.long, r.long_folded, r.number, r.flag, coalesce(r.unworded, false) from ${recordsOf(
          each(({ values }) => values),
          valueColumns,
        )}
      ), worded as (
        insert into object_words (org_id, object_key, word, object_id)
        select ${ctx.org}::uuid, r.object_key, r.word, r.object_id from ${words} on conflict do nothing
      ), ended as (
        ${insertWordEnds(ctx.org, sql`select r.object_key, r.word, r.object_id from ${words}`)}
      ), linked as (
        insert into object_references (org_id, from_id, field, position, to_id, to_key)
        select ${ctx.org}::uuid, r.object_id, r.field, r.position, r.to_id, r.to_key from ${recordsOf(
          each(({ links }) => links),
          linkColumns,
        )}
      )
      insert into object_unique_values (org_id, object_key, field, sha256, object_id)
      select ${ctx.org}::uuid, r.object_key, r.field, decode(r.sha256, 'hex'), r.object_id from ${recordsOf(claims, claimColumns)}
      order by r.object_key, r.field, r.sha256 on conflict on constraint object_unique_value do nothing returning field`)
    .catch(refuse)
  return claimed.length === claims.length
}

const fieldColumns = sql`object_id uuid, field text`
export const wordColumns = sql`object_id uuid, object_key text, word text`
const linkColumns = sql`object_id uuid, field text, position int, to_id uuid, to_key text`
export const claimColumns = sql`object_id uuid, object_key text, field text, sha256 text`
const valueColumns = sql`object_id uuid, object_key text, field text, position int, text text, folded text, long text, long_folded text, number double precision, flag boolean, unworded boolean`

/** Records as rows of `r`. */
export function recordsOf(rows: readonly object[], columns: Statement): Statement {
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(${columns})`
}
