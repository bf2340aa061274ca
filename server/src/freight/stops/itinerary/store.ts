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

/** How the records of a trip stood before the first report that stands now, from their histories. */
export type StateBeforeReports = {
  /** Of the manifest as it is, to be compared when it is locked. */
  version: number
  /** The states of the manifest, its legs, and the orders that were on it then, by id; none where no version without reports is known. */
  states: Record<string, string>
}

export async function findBeforeReports(ctx: Context, { id, leg_ids, orders }: Trip): Promise<StateBeforeReports> {
  const followers = [...leg_ids, ...orders.map((order) => order.id)]
  const [found] = await ctx.run<StateBeforeReports>(sql`
    with unreported as (
      select revision, data from events where org_id = ${ctx.org} and subject_type = 'manifest' and subject_id = ${id} and revision is not null
        and not jsonb_path_exists(data, '$.stops[*] ? (@.arrivedAt != null || @.departedAt != null)') order by revision desc limit 1
    ), first_report as (
      select e.occurred_at from unreported u join events e on e.org_id = ${ctx.org} and e.subject_type = 'manifest' and e.subject_id = ${id} and e.revision > u.revision
        order by e.revision limit 1
    )
    select m.version, (select coalesce(json_object_agg(s.id, s.status), '{}') from (
      select m.id, u.data ->> 'status' as status from unreported u cross join first_report
      union all select o.id, before.status from unreported u cross join first_report f
        join objects o on o.org_id = ${ctx.org} and o.id = any (${followers}::uuid[]) and (o.object_key = 'leg' or u.data -> 'orderIds' ? o.id::text)
        cross join lateral (select e.data ->> 'status' as status from events e
          where e.org_id = ${ctx.org} and e.subject_type = o.object_key and e.subject_id = o.id and e.occurred_at < f.occurred_at
          order by e.revision desc nulls last, e.id desc limit 1) as before
    ) as s where s.status is not null) as states
    from objects m where m.org_id = ${ctx.org} and m.id = ${id}`)
  return found ?? { version: 0, states: {} }
}

export async function findTimeZone(ctx: Context): Promise<string> {
  const [row] = await ctx.run<{ time_zone: string }>(sql`select time_zone from organizations where org_id = ${ctx.org}`)
  return row?.time_zone ?? 'UTC'
}
