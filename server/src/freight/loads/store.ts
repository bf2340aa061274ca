import type { Context } from '../../platform/context.ts'
import { sql } from '../../platform/db/sql/sql.ts'
import type { Fields } from '../../records/model/object.ts'
import { loadColumns } from './load-sql.ts'
import type { Load } from './model.ts'

type Row = { status: string; manifest: Fields; carried: Load['orders']; unit: Load['unit']; settings: Load['settings'] }

/** A manifest that is there, with what tells whether its plan can work. */
export async function findLoad(ctx: Context, id: string): Promise<{ status: string; load: Load } | undefined> {
  const [row] = await ctx.run<Row>(sql`
    select m.status, json_build_object('stops', m.json -> 'stops', 'distance', m.json -> 'distance') as manifest, ${loadColumns(ctx.org)},
      json_build_object('eta_detour_factor', own.eta_detour_factor, 'eta_average_speed_kmh', own.eta_average_speed_kmh, 'time_zone', own.time_zone) as settings
    from objects m join organizations own on own.org_id = ${ctx.org}
    where m.org_id = ${ctx.org} and m.id = ${id} and m.object_key = 'manifest' and m.deleted_at is null`)
  return (
    row && {
      status: row.status,
      load: { manifest: row.manifest, orders: row.carried, unit: row.unit, settings: row.settings },
    }
  )
}
