import type { Context } from '../../../platform/context.ts'
import { sql } from '../../../platform/db/sql/sql.ts'
import type { Fields, ObjectReference } from '../../../records/model/object.ts'

/** A manifest, its legs, and the orders on it. */
export type Trip = { id: string; leg_ids: string[]; orders: { id: string; json: Fields }[] }

/** Without a lock: whoever writes locks them, and compares. `added` are orders that are about to be put on the manifest. */
export async function findTrip(
  ctx: Context,
  reference: ObjectReference,
  added: readonly string[] = [],
): Promise<Trip | undefined> {
  const which =
    reference.by === 'id'
      ? sql`m.id = ${reference.id}`
      : reference.by === 'fullId'
        ? sql`m.number = ${reference.number} and m.full_id = ${reference.fullId}`
        : sql`m.external_id = ${reference.externalId}`
  const [trip] = await ctx.run<Trip>(sql`
    select m.id,
      array(select l.id::text from object_references r join objects l on l.org_id = ${ctx.org} and l.id = r.from_id and l.object_key = 'leg' and l.deleted_at is null
        where r.org_id = ${ctx.org} and r.to_id = m.id and r.field = 'manifestId' order by l.id) as leg_ids,
      (select coalesce(json_agg(json_build_object('id', o.id, 'json', o.json) order by n.place), '[]') from (
          select coalesce(r.position, -1) as place, r.to_id from object_references r where r.org_id = ${ctx.org} and r.from_id = m.id and r.field = 'orderIds'
          union select 1000000 + a.place, a.id from unnest(${added}::uuid[]) with ordinality as a(id, place)
            where not exists (select from object_references r where r.org_id = ${ctx.org} and r.from_id = m.id and r.field = 'orderIds' and r.to_id = a.id)
        ) as n join objects o on o.org_id = ${ctx.org} and o.id = n.to_id and o.object_key = 'order' and o.deleted_at is null) as orders
    from objects m where m.org_id = ${ctx.org} and m.object_key = 'manifest' and m.deleted_at is null and ${which}`)
  return trip
}

/** That of the organization. */
export async function findTimeZone(ctx: Context): Promise<string> {
  const [row] = await ctx.run<{ time_zone: string }>(sql`select time_zone from organizations where org_id = ${ctx.org}`)
  return row?.time_zone ?? 'UTC'
}
