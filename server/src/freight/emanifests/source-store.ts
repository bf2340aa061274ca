import type { Context } from '../../platform/context.ts'
import { sql } from '../../platform/db/sql/sql.ts'
import type { Source } from './contents/source.ts'

/** A manifest with all that an e-manifest is filled from, in one round trip. `trips` are the numbers of trips that are taken. */
export async function findSource(ctx: Context, manifest: string): Promise<Source | undefined> {
  const [row] = await ctx.run<Source>(sql`
    select m.id, m.full_id as number, m.json as manifest, c.json ->> 'scac' as scac, q.json as equipment,
      (select coalesce(json_agg(json_build_object('id', o.id, 'json', o.json) order by r.position), '[]')
        from object_references r join objects o on o.org_id = ${ctx.org} and o.id = r.to_id and o.object_key = 'order' and o.deleted_at is null
        where r.org_id = ${ctx.org} and r.from_id = m.id and r.field = 'orderIds') as orders,
      (select coalesce(json_agg(json_build_object('border', e.border, 'stop_id', e.stop_id, 'trip_number', e.trip_number)), '[]')
        from emanifests e where e.org_id = ${ctx.org} and e.manifest_id = m.id and e.state <> 'cancelled') as others
    from objects m
    left join objects c on c.org_id = ${ctx.org} and c.id = (m.json ->> 'partnerId')::uuid and c.object_key = 'partner' and c.deleted_at is null
    left join objects q on q.org_id = ${ctx.org} and q.id = (m.json ->> 'equipmentId')::uuid and q.object_key = 'equipment' and q.deleted_at is null
    where m.org_id = ${ctx.org} and m.id = ${manifest} and m.object_key = 'manifest' and m.deleted_at is null`)
  return row
}
