import type { Context } from '../../platform/context.ts'
import { conflict } from '../../platform/core/refusal.ts'
import { violatedConstraint } from '../../platform/db/sql/constraints.ts'
import { sql } from '../../platform/db/sql/sql.ts'
import type { Fields } from '../../records/model/object.ts'
import type { Booking } from './model.ts'

/**
 * Whether the organization refuses double bookings, until the transaction ends: who switches that waits for manifests that are being written, and books them
 * too, and who writes one while it is switched waits, and books it.
 */
export async function isRefusing(ctx: Context): Promise<boolean> {
  const [row] = await ctx.run<{ refuses: boolean }>(
    sql`select double_booking = 'refuse' as refuses from organizations where org_id = ${ctx.org} for share`,
  )
  return row?.refuses ?? false
}

/** Another booking of the same resource at the same time. */
export type Overlap = {
  manifest_id: string
  resource: string
  other_id: string
  other: string
  from: string
  until: string
}

/** Bookings of other manifests than these that overlap with these. */
export function listOverlaps(ctx: Context, bookings: readonly Booking[]): Promise<Overlap[]> {
  return ctx.run<Overlap>(sql`
    select n.manifest_id, n.resource, b.manifest_id as other_id, m.full_id as other, wire_time(lower(b.during)) as from, wire_time(upper(b.during)) as until
    from jsonb_to_recordset(${JSON.stringify(bookings)}::text::jsonb) as n(manifest_id uuid, resource text, "from" timestamptz, until timestamptz)
    join bookings b on b.org_id = ${ctx.org} and b.resource = n.resource and b.during && tstzrange(n."from", n.until) and b.manifest_id <> n.manifest_id
    join objects m on m.org_id = ${ctx.org} and m.id = b.manifest_id order by b.during, b.manifest_id`)
}

export async function deleteBookings(ctx: Context, manifests: readonly string[]): Promise<void> {
  await ctx.run(sql`delete from bookings where org_id = ${ctx.org} and manifest_id = any (${manifests}::uuid[])`)
}

/** With `skipTaken` those that overlap with others are left out instead of refused. */
export async function insertBookings(
  ctx: Context,
  bookings: readonly Booking[],
  { skipTaken = false } = {},
): Promise<void> {
  if (bookings.length === 0) return
  await ctx
    .run(
      sql`insert into bookings (org_id, manifest_id, resource, during) select own.org_id, n.manifest_id, n.resource, tstzrange(n."from", n.until)
      from organizations own cross join jsonb_to_recordset(${JSON.stringify(bookings)}::text::jsonb) as n(manifest_id uuid, resource text, "from" timestamptz, until timestamptz)
      where own.org_id = ${ctx.org} order by n."from", n.manifest_id ${skipTaken ? sql`on conflict do nothing` : sql``}`,
    )
    .catch((error) => {
      if (violatedConstraint(error) === 'resource_is_booked_once')
        throw conflict(
          'double_booked',
          'Another manifest took the same equipment or driver at the same moment. Read it again.',
        )
      throw error
    })
}

export async function deleteAllBookings(ctx: Context): Promise<void> {
  await ctx.run(sql`delete from bookings where org_id = ${ctx.org}`)
}

/** Manifests that are not over, after this id, so many at once. */
export function listLive(
  ctx: Context,
  after: string,
  most: number,
): Promise<{ id: string; json: Fields; status: string }[]> {
  return ctx.run(sql`
    select id, json, status from objects where org_id = ${ctx.org} and object_key = 'manifest' and deleted_at is null and status not in ('completed', 'cancelled', 'inactive')
      and id > ${after} order by id limit ${most}`)
}
