import type { Context } from '../../platform/context.ts'
import { sql } from '../../platform/db/sql/sql.ts'

/** Manifests under way whose rest of the way a routing service has not been asked about since these moments. */
export async function listToRoute(
  ctx: Context,
  { askedBefore, seenSince, most }: { askedBefore: Date; seenSince: Date; most: number },
): Promise<string[]> {
  const rows = await ctx.run<{ id: string }>(sql`
    select t.manifest_id as id from tracking t join last_positions lp on lp.org_id = ${ctx.org} and lp.object_id = t.manifest_id
    where t.org_id = ${ctx.org} and t.next_stop_id is not null and lp.at > ${seenSince} and (t.routed_at is null or t.routed_at < ${askedBefore})
    order by t.routed_at nulls first limit ${most}`)
  return rows.map(({ id }) => id)
}

export async function saveRoute(
  ctx: Context,
  manifest: string,
  route: { factor: number; speedKmh: number },
): Promise<void> {
  await ctx.run(sql`
    update tracking set route_factor = ${route.factor}, route_speed_kmh = ${route.speedKmh}, routed_at = statement_timestamp()
    where org_id = ${ctx.org} and manifest_id = ${manifest}`)
}
