import type { Context } from '../../platform/context.ts'
import type { FoundRecords, Page } from '../../platform/core/schema/pages.ts'
import { type Order, pageStatement } from '../../platform/db/sql/keyset.ts'
import { plannedOnce, type Statement, searching, sql } from '../../platform/db/sql/sql.ts'
import type { Fields } from '../../records/model/object.ts'
import type { FoundPage } from '../../records/search/search.ts'
import type { TrackedManifest } from '../arrival-times/expected.ts'
import { trackedColumns } from '../arrival-times/tracked-sql.ts'
import { shownCrossingColumns } from '../crossings/crossings-sql.ts'
import type { Crossing } from '../crossings/model.ts'
import { loadColumns } from '../loads/load-sql.ts'
import type { Load } from '../loads/model.ts'

type Named = { id: string; full_id: string; name: string }

/** A manifest with all that the board shows of it. `json` are its fields without the lists. */
export type Trip = TrackedManifest &
  Crossing & {
    version: number
    json: Fields
    partner_carrier: Named | null
    equipment: (Named & { equipment_type: string | null }) | null
    orders: unknown[]
    carried: Load['orders']
    unit: Load['unit']
  }

export type Trips = { revision: number; total: number; trips: Trip[]; next: string | null }

/** A page of manifests with their names, tracking and orders, in one round trip. */
export async function findTrips(
  ctx: Context,
  { found, ids, total, keyOf, revision, page }: FoundPage,
): Promise<Trips | undefined> {
  const { org } = ctx
  const limit = sql`${page.limit}::int`
  const [row] = await ctx.run<Trips>(
    searching(
      plannedOnce(sql`
        ${found} select ${revision} as revision, ${total} as total, listed.trips, case when listed.last is not null then ${keyOf(sql`listed.last`)} end as next
        from (
          select coalesce(json_agg(trip order by trip.place) filter (where trip.place <= ${limit}), '[]') as trips,
            case when count(*) > ${limit} then (array_agg(trip.id order by trip.place) filter (where trip.place = ${limit}))[1] end as last
          from (
            select page.place, m.id, m.external_id, m.full_id, m.status, m.version, m.json - '{stops,paymentItems,orderIds}'::text[] as json, ${trackedColumns}, ${shownCrossingColumns(org)}, ${loadColumns(org)},
              (select json_build_object('id', p.id, 'full_id', p.full_id, 'name', p.name) ${referred(org, 'partnerId')}) as partner_carrier,
              (select json_build_object('id', p.id, 'full_id', p.full_id, 'name', p.name, 'equipment_type', p.json -> 'equipmentType') ${referred(org, 'equipmentId')}) as equipment,
              (select coalesce(json_agg(json_build_object('id', p.id, 'full_id', p.full_id, 'reference_number', p.json -> 'referenceNumber', 'status', p.status,
                  'customer_name', (select c.name from object_references k join objects c on c.org_id = ${org} and c.id = k.to_id
                    where k.org_id = ${org} and k.from_id = p.id and k.field = 'customerId')) order by r.position), '[]') ${referred(org, 'orderIds')}) as orders
            from (select id, row_number() over (order by place) as place from (${ids}) as ordered) as page
            join objects m on m.org_id = ${org} and m.id = page.id join organizations own on own.org_id = ${org}
            left join tracking t on t.org_id = ${org} and t.manifest_id = m.id
            left join last_positions lp on lp.org_id = ${org} and lp.object_id = m.id) as trip) as listed`),
    ),
  )
  return row
}

/** The objects `p` that the manifest `m` refers to in a field. */
function referred(org: string, field: string): Statement {
  return sql`from object_references r join objects p on p.org_id = ${org} and p.id = r.to_id where r.org_id = ${org} and r.from_id = m.id and r.field = ${field}`
}

/** Those that are picked up first come first; those whose time is not known come last. */
const pickedUpFirst: Order = {
  keys: [
    { value: sql`waiting.pickup_at`, type: 'text' },
    { value: sql`waiting.id`, type: 'id' },
  ],
  descending: false,
}

export const orderKeys = pickedUpFirst.keys.map(({ type }) => type)

type Wanted = { found: Statement; rows: Statement; revision: Statement }

/** A page of the orders of a search that no manifest carries, each with its customer. */
export async function findWaiting(
  ctx: Context,
  { found, rows, revision }: Wanted,
  page: Page,
): Promise<(FoundRecords & { revision: number }) | undefined> {
  const { org } = ctx
  const json = sql`'{"order":' || w.json || ',"customer":' || coalesce((
    select json_build_object('id', c.id, 'full_id', c.full_id, 'name', c.name)::text from object_references k join objects c on c.org_id = ${org} and c.id = k.to_id
    where k.org_id = ${org} and k.from_id = waiting.id and k.field = 'customerId'), 'null') || ',"time_zone":' || (select to_json(z.time_zone)::text from organizations z where z.org_id = ${org}) || '}'`
  const listed = pageStatement({
    total: sql`(select count(*) from waiting)`,
    json,
    rows: sql`from waiting join objects_wire w on w.org_id = ${org} and w.id = waiting.id where true`,
    order: pickedUpFirst,
    page,
  })
  const [row] = await ctx.run<FoundRecords & { revision: number }>(
    searching(sql`
      ${found} select ${revision} as revision, answer.total, answer.list, answer.next from (
        with waiting as materialized (
          select o.id, coalesce((select min(v.text_value) from object_values v
            where v.org_id = ${org} and v.object_id = o.id and v.field in ('pickupAt', 'stops.windowStart')), '9999') as pickup_at
          from ${rows} and not exists (select ${carrying(org, sql`o.id`)}))
        ${listed}) as answer`),
  )
  return row
}

/** The manifests `m` that carry an order and are neither cancelled nor inactive. */
function carrying(org: string, order: Statement): Statement {
  return sql`from object_references r join objects m on m.org_id = ${org} and m.id = r.from_id and m.object_key = 'manifest' and m.deleted_at is null
    and m.status not in ('cancelled', 'inactive') where r.org_id = ${org} and r.to_id = ${order} and r.to_key = 'order' and r.field = 'orderIds'`
}

/** An order, its state, and another manifest that carries it. */
export type PlannedOrder = {
  id: string
  full_id: string
  status: string
  other_id: string | null
  other: string | null
}

export async function listPlanned(
  ctx: Context,
  orderIds: readonly string[],
  manifest: string,
): Promise<PlannedOrder[]> {
  return ctx.run<PlannedOrder>(sql`
    select o.id, o.full_id, o.status, other.id as other_id, other.full_id as other from objects o
    left join lateral (select m.id, m.full_id ${carrying(ctx.org, sql`o.id`)} and m.id <> ${manifest} order by m.id limit 1) as other on true
    where o.org_id = ${ctx.org} and o.object_key = 'order' and o.id = any (${orderIds}::uuid[])`)
}
