import { type Context, together } from '../../platform/context.ts'
import { each, plannedOnce, type Statement, sql, when } from '../../platform/db/sql/sql.ts'
import type { ObjectReference } from '../../records/model/object.ts'
import type { Estimate } from '../arrival-times/estimate.ts'
import type { TrackedManifest } from '../arrival-times/expected.ts'
import { trackedColumns } from '../arrival-times/tracked-sql.ts'
import { shownCrossingColumns } from '../crossings/crossings-sql.ts'
import type { Crossing } from '../crossings/model.ts'
import type { Position } from './model.ts'

/** With how many positions were recorded of it. */
export type LockedManifest = TrackedManifest & { positions_recorded: number }

type Wanted = {
  ids: readonly string[]
  externalIds: readonly string[]
  fullIds?: readonly string[]
  numbers?: readonly number[]
}

/**
 * The manifests that are there of these, with their tracking locked until the transaction ends, in the order of their ids: who records positions of the
 * same manifest at the same moment waits, so that a delay is announced once. They are read by a statement of their own: one that had to wait for the lock
 * would have stops and the last position from before it waited.
 */
export async function lockTracking(
  ctx: Context,
  { ids, externalIds, fullIds = [], numbers = [] }: Wanted,
): Promise<LockedManifest[]> {
  const these = sql`m.org_id = ${ctx.org} and m.object_key = 'manifest' and m.deleted_at is null and m.id in (
    select id from objects where org_id = ${ctx.org} and id = any (${ids}::uuid[])
    union select id from objects where org_id = ${ctx.org} and object_key = 'manifest' and external_id = any (${externalIds}::text[]) and deleted_at is null
    union select id from objects where org_id = ${ctx.org} and object_key = 'manifest' and number = any (${numbers}::int[]) and full_id = any (${fullIds}::text[]) and deleted_at is null)`
  const [, locked, rows] = await together(
    ctx.run(sql`
      insert into tracking (org_id, manifest_id) select m.org_id, m.id from objects m
      where ${these} and not exists (select from tracking t where t.org_id = ${ctx.org} and t.manifest_id = m.id)
      order by m.id on conflict (org_id, manifest_id) do nothing`),
    ctx.run<{ id: string }>(sql`
      select m.id from objects m join tracking t on t.org_id = ${ctx.org} and t.manifest_id = m.id where ${these} order by m.id for no key update of t`),
    ctx.run<LockedManifest>(sql`
      select m.id, m.external_id, m.full_id, m.status, t.positions_recorded, ${trackedColumns}
      from objects m join tracking t on t.org_id = ${ctx.org} and t.manifest_id = m.id join organizations own on own.org_id = ${ctx.org}
      left join last_positions lp on lp.org_id = ${ctx.org} and lp.object_id = m.id
      where ${these} order by m.id`),
  )
  // One that got its external id, or was restored, between the two statements is not locked, and counts as not there yet.
  const isLocked = new Set(locked.map(({ id }) => id))
  return rows.filter(({ id }) => isLocked.has(id))
}

export type NewPosition = Position & { manifest_id: string }

/** Adds positions; answers the keys of those that were not there yet, as `keyOf` makes them. */
export async function insertPositions(
  ctx: Context,
  positions: readonly NewPosition[],
  created_by: string,
): Promise<Set<string>> {
  const column = <K extends keyof NewPosition>(name: K) => positions.map((position) => position[name])
  const rows = await ctx.run<{ manifest_id: string; at: string; source: string }>(sql`
    insert into positions as p (org_id, manifest_id, at, source, latitude, longitude, speed_kmh, heading, place, note, received_at, created_by)
    select own.org_id, n.manifest_id, n.at, n.source, n.latitude, n.longitude, n.speed_kmh, n.heading, n.place, n.note, statement_timestamp(), ${created_by}::uuid
    from organizations own cross join unnest(${column('manifest_id')}::uuid[], ${column('at')}::timestamptz[], ${column('source')}::text[], ${column('latitude')}::float8[],
      ${column('longitude')}::float8[], ${column('speed_kmh')}::real[], ${column('heading')}::real[], ${column('place')}::text[], ${column('note')}::text[])
      as n(manifest_id, at, source, latitude, longitude, speed_kmh, heading, place, note)
    where own.org_id = ${ctx.org} on conflict (org_id, manifest_id, at, source) do nothing returning p.manifest_id, wire_time(p.at) as at, p.source`)
  return new Set(rows.map(keyOf))
}

/** Adds to how many were recorded of each of these manifests, which are locked. */
export async function saveRecorded(ctx: Context, added: ReadonlyMap<string, number>): Promise<void> {
  if (added.size === 0) return
  await ctx.run(sql`
    update tracking t set positions_recorded = t.positions_recorded + n.added
    from unnest(${[...added.keys()]}::uuid[], ${[...added.values()]}::int[]) as n(manifest_id, added)
    where t.org_id = ${ctx.org} and t.manifest_id = n.manifest_id`)
}

/** Adds to how many the organization has recorded today, by UTC, and answers what it comes to. Nobody else adds to it until the transaction ends. */
export async function addOfDay({ org, run }: Context, added: number): Promise<number> {
  const [row] = await run<{ recorded: number }>(sql`
    insert into position_days as d (org_id, day, recorded) values (${org}, (statement_timestamp() at time zone 'utc')::date, ${added})
    on conflict (org_id, day) do update set recorded = d.recorded + excluded.recorded returning d.recorded::float8 as recorded`)
  return row?.recorded ?? 0
}

/** What no two positions share. */
export function keyOf({
  manifest_id,
  at,
  source,
}: Pick<NewPosition, 'manifest_id' | 'at'> & { source: string }): string {
  return `${manifest_id} ${at} ${source}`
}

/** The last positions of manifests, and of the orders on them that are not delivered yet. */
export async function saveLastPositions(ctx: Context, positions: readonly NewPosition[]): Promise<void> {
  if (positions.length === 0) return
  await ctx.run(sql`
    with n as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(positions)}::text::jsonb)
        as n(manifest_id uuid, at timestamptz, latitude float8, longitude float8, speed_kmh real, heading real, source text, place text)),
    seen as (
      select manifest_id as object_id, n.* from n
      union all
      select r.to_id, n.* from n join object_references r on r.org_id = ${ctx.org} and r.from_id = n.manifest_id and r.field = 'orderIds'
        join objects o on o.org_id = ${ctx.org} and o.id = r.to_id and o.status in ('active', 'planned', 'in_transit')),
    saved as (
      insert into last_positions as lp (org_id, object_id, at, latitude, longitude, speed_kmh, heading, source, place)
      select own.org_id, s.object_id, s.at, s.latitude, s.longitude, s.speed_kmh, s.heading, s.source, s.place
      from organizations own cross join (select distinct on (object_id) * from seen order by object_id, at desc) as s where own.org_id = ${ctx.org} order by s.object_id
      on conflict (org_id, object_id) do update set at = excluded.at, latitude = excluded.latitude, longitude = excluded.longitude, speed_kmh = excluded.speed_kmh,
        heading = excluded.heading, source = excluded.source, place = excluded.place where lp.at <= excluded.at returning lp.object_id)
    select count(*) from saved`)
}

export type SavedEstimate = { manifest_id: string; estimate: Estimate | null; notified_delay_minutes: number | null }

export async function saveEstimates(ctx: Context, saved: readonly SavedEstimate[]): Promise<void> {
  if (saved.length === 0) return
  const rows = saved.map(({ manifest_id, estimate, notified_delay_minutes }) => ({
    manifest_id,
    ...estimate,
    stops: estimate?.stops ?? [],
    notified_delay_minutes,
  }))
  await ctx.run(sql`
    update tracking t set next_stop_id = n.next_stop_id, distance_left_km = n.distance_left_km, eta = n.eta, delay_minutes = n.delay_minutes, eta_source = n.eta_source,
      stops = n.stops, notified_delay_minutes = n.notified_delay_minutes, estimated_at = statement_timestamp()
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as n(manifest_id uuid, next_stop_id uuid, distance_left_km float8, eta timestamptz, delay_minutes int,
      eta_source text, stops jsonb, notified_delay_minutes int)
    where t.org_id = ${ctx.org} and t.manifest_id = n.manifest_id`)
}

/**
 * The manifest with its track: the newest positions first, or some that are spread evenly over all of them. Each is a line of JSON, which is passed on as it is:
 * reading and writing them again would take as long as all the rest of the answer.
 */
export type Track = TrackedManifest & Crossing & { version: number; positions: string }
export type TrackPage = { limit: number; after: readonly [string, string] | undefined; spread: number | undefined }

export async function findTrack(ctx: Context, reference: ObjectReference, page: TrackPage): Promise<Track | undefined> {
  const which =
    reference.by === 'id'
      ? sql`m.id = ${each('uuid', reference.id)}`
      : reference.by === 'fullId'
        ? sql`m.number = ${reference.number} and m.full_id = ${reference.fullId}`
        : sql`m.external_id = ${each('text', reference.externalId)}`
  const [row] = await ctx.run<Track>(
    plannedOnce(sql`
    select m.id, m.external_id, m.full_id, m.status, m.version, ${trackedColumns}, ${shownCrossingColumns(ctx.org)}, p.positions
    from objects m join organizations own on own.org_id = ${ctx.org}
    left join tracking t on t.org_id = ${ctx.org} and t.manifest_id = m.id
    left join last_positions lp on lp.org_id = ${ctx.org} and lp.object_id = m.id
    cross join lateral (
      select coalesce(string_agg(row_to_json(p)::text, chr(10)), '') as positions from (${page.spread === undefined ? newest(ctx.org, page) : spread(ctx.org, page.spread)}) as p) as p
    where m.org_id = ${ctx.org} and m.object_key = 'manifest' and m.deleted_at is null and ${which}`),
  )
  return row
}

/** What is shown of a position, in this order. Whole rows become JSON in half the time that naming each field would take. */
const shown = sql`wire_time(p.at) as at, p.latitude, p.longitude, p.speed_kmh, p.heading, p.source, p.place, p.note, wire_time(p.received_at) as received_at, p.created_by`

/**
 * One more than asked for is read, to see whether something follows. The time of the cursor is compared by itself too: under row-level security an index serves the
 * comparison of times, and not that of texts.
 */
function newest(org: string, { limit, after }: TrackPage): Statement {
  return sql`
    select ${shown} from positions p where p.org_id = ${org} and p.manifest_id = m.id
      ${when(after, sql`and p.at <= ${after?.[0]}::timestamptz and (p.at, p.source) < (${after?.[0]}::timestamptz, ${after?.[1]}::text)`)}
    order by p.at desc, p.source desc limit ${limit}::int + 1`
}

/** Those with coordinates, at most so many, with the first and the last. */
function spread(org: string, most: number): Statement {
  return sql`
    select ${shown} from (
      select q.*, row_number() over (order by q.at desc, q.source desc) as place_in_track, count(*) over () as total
      from positions q where q.org_id = ${org} and q.manifest_id = m.id and q.latitude is not null) as p
    where p.place_in_track in (1, p.total) or p.total <= ${most}::int
      or p.place_in_track * (${most}::int - 2) / p.total > (p.place_in_track - 1) * (${most}::int - 2) / p.total
    order by p.place_in_track`
}
