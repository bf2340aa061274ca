import type { Context } from '../../platform/context.ts'
import { type Statement, sql } from '../../platform/db/sql/sql.ts'
import { crossingColumns } from './crossings-sql.ts'
import type { KnownEmanifest, NotedCrossing } from './model.ts'

export type CrossingRecords = { stops: unknown; emanifests: KnownEmanifest[]; noted: NotedCrossing[] }

export async function findCrossed(ctx: Context, manifest: string): Promise<CrossingRecords | undefined> {
  const [row] = await ctx.run<CrossingRecords>(sql`
    select m.json -> 'stops' as stops, ${crossingColumns(ctx.org)} from objects m where m.org_id = ${ctx.org} and m.id = ${manifest}`)
  return row
}

/** Answers the stops that were not noted yet. */
export async function insertCrossings(
  ctx: Context,
  manifest: string,
  crossings: readonly NotedCrossing[],
): Promise<string[]> {
  const rows = await ctx.run<{ stop_id: string }>(sql`
    insert into border_crossings as c (org_id, manifest_id, stop_id, border, emanifest_id, flagged)
    select own.org_id, ${manifest}::uuid, n.stop_id, n.border, n.emanifest_id, n.flagged
    from organizations own cross join jsonb_to_recordset(${JSON.stringify(crossings)}::text::jsonb) as n(stop_id uuid, border text, emanifest_id uuid, flagged boolean)
    where own.org_id = ${ctx.org} on conflict (org_id, manifest_id, stop_id) do nothing returning c.stop_id`)
  return rows.map(({ stop_id }) => stop_id)
}

export async function deleteCrossings(ctx: Context, manifest: string, stops: readonly string[]): Promise<void> {
  await ctx.run(
    sql`delete from border_crossings where org_id = ${ctx.org} and manifest_id = ${manifest} and stop_id = any (${stops}::uuid[])`,
  )
}

/** A manifest as its events keep it. */
export function wholeManifest({ org }: Context, id: string): Statement {
  return sql`select id, revision, json from objects_wire where org_id = ${org} and id = ${id}`
}
