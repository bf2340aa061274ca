import type { Context } from '../../platform/context.ts'
import { updateCounted } from '../../platform/db/counts/tallies.ts'
import type { Database } from '../../platform/db/database.ts'
import { oneOf } from '../../platform/db/sql/one-of.ts'
import { type Statement, sql } from '../../platform/db/sql/sql.ts'
import { countedObjects } from '../index/tallies-sql.ts'

/** Kinds whose objects are to be reindexed. */
export function listPending(database: Database): Promise<{ org_id: string; object_key: string }[]> {
  return database.pool.run<{ org_id: string; object_key: string }>(
    sql`select org_id, object_key from object_renewals order by org_id, object_key`,
  )
}

/** All kinds of an organization, from their first object. */
export async function insertPending(ctx: Context): Promise<void> {
  await ctx.run(sql`
    insert into object_renewals (org_id, object_key) select org_id, object_key from definitions where org_id = ${ctx.org} and deleted_at is null
    on conflict (org_id, object_key) do update set after_id = excluded.after_id`)
}

/** The id of the last object that was reindexed; undefined if the kind is done. */
export async function lockPending(ctx: Context, objectKey: string): Promise<string | undefined> {
  const [row] = await ctx.run<{ after_id: string }>(
    sql`select after_id from object_renewals where org_id = ${ctx.org} and object_key = ${objectKey} for update`,
  )
  return row?.after_id
}

export async function savePending(ctx: Context, objectKey: string, after: string): Promise<void> {
  await ctx.run(
    sql`update object_renewals set after_id = ${after} where org_id = ${ctx.org} and object_key = ${objectKey}`,
  )
}

export async function deletePending(ctx: Context, objectKey: string): Promise<void> {
  await ctx.run(sql`delete from object_renewals where org_id = ${ctx.org} and object_key = ${objectKey}`)
}

/** PostgreSQL's statistics of tables that were rewritten describe the rows from before. */
export async function analyzeIndex(database: Database): Promise<void> {
  await database.pool.run(sql`analyze object_values, object_words, object_word_ends`)
}

/** Entries of deleted objects, numbers beyond the counter, and words whose ends are not indexed, in sentences. */
export function listFaults(ctx: Context): Promise<{ fault: string }[]> {
  return ctx.run<{ fault: string }>(sql`
    select 'The deleted object ' || o.id || ' of the organization ' || o.org_id || ' still has index entries.' as fault from objects o
    where o.org_id = ${ctx.org} and o.deleted_at is not null and (exists (select from object_values v where v.org_id = ${ctx.org} and v.object_id = o.id)
      or exists (select from object_references r where r.org_id = ${ctx.org} and r.from_id = o.id) or exists (select from object_unique_values u where u.org_id = ${ctx.org} and u.object_id = o.id))
    union all select 'The object ' || o.id || ' of the organization ' || o.org_id || ' has the number ' || o.number || ', and the counter stands at ' || coalesce(c.value, 0) || '.' from objects o
    left join counters c on c.org_id = o.org_id and c.name = 'object:' || o.object_key where o.org_id = ${ctx.org} and o.number > coalesce(c.value, 0)
    union all select distinct 'The word ' || w.word || ' of the kind ' || w.object_key || ' of the organization ' || w.org_id || ' is not found by its pieces.' from object_words w cross join lateral word_ends(w.word) as piece
    where w.org_id = ${ctx.org} and length(w.word) > 3 and not exists (select from object_word_ends e where e.org_id = ${ctx.org} and e.object_key = w.object_key and e.ending = piece and e.word = w.word)`)
}

export async function runFaults(ctx: Context, faults: Statement): Promise<string[]> {
  const rows = await ctx.run<{ fault: string }>(faults)
  return rows.map(({ fault }) => fault)
}

/** In the order in which they were made. */
export async function listIdsOf(ctx: Context, objectKey: string): Promise<string[]> {
  const rows = await ctx.run<{ id: string }>(
    sql`select id from objects where org_id = ${ctx.org} and object_key = ${objectKey} order by number`,
  )
  return rows.map(({ id }) => id)
}

export async function saveTimes(ctx: Context, times: readonly { id: string; made: Date }[]): Promise<void> {
  const update = (was: Statement) => sql`update objects o set created_at = t.made, updated_at = t.made
    from ${was} join json_to_recordset(${JSON.stringify(times)}::text::json) as t(id uuid, made timestamptz) on t.id = was.row_id
    where o.org_id = ${ctx.org} and o.id = was.row_id`
  await updateCounted(ctx, countedObjects, sql`id = ${oneOf(times.map(({ id }) => id))}`, update)
}
