import type { Context } from '../../platform/context.ts'
import { conflict } from '../../platform/core/refusal.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../../platform/core/schema/pages.ts'
import type { WireRecord } from '../../platform/core/schema/revisions.ts'
import { andChanged } from '../../platform/db/sql/changed.ts'
import { violatedConstraint } from '../../platform/db/sql/constraints.ts'
import { keyTypesOf, newestFirst, pageStatement } from '../../platform/db/sql/keyset.ts'
import { type Statement, sql, when } from '../../platform/db/sql/sql.ts'
import type { Border, Purpose } from './contents/codes.ts'
import type { Content, Emanifest, EmanifestSearch, Problem, ShipmentStatus, State } from './contents/model.ts'

export async function listEmanifests(ctx: Context, search: EmanifestSearch): Promise<string> {
  const page = pageOf('emanifests', search, keyTypesOf(newestFirst))
  const { status_ids: states, borders, manifest_ids: manifests } = search
  const trip = search.trip_number?.replace(/[\s-]/g, '').toUpperCase()
  const filter = sql`org_id = ${ctx.org}${andChanged(ctx.org, 'emanifests', search)} ${when(states, sql`and state = any(${states}::text[])`)} ${when(borders, sql`and border = any(${borders}::text[])`)}
    ${when(manifests, sql`and manifest_id = any(${manifests}::uuid[])`)} ${when(trip, sql`and trip_number = ${trip}`)}`
  const total = sql`(select count(*)::int from emanifests where ${filter})`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({
      total,
      json: wholeOf(ctx.org),
      rows: sql`from emanifests_wire where ${filter}`,
      order: newestFirst,
      page,
    }),
  )
  return envelope('emanifests', found ?? nothingFound, page)
}

/** With everything that was filed, and what came back. */
function wholeOf(org: string): Statement {
  return sql`open_json || ',"filings":' || (
    select coalesce(json_agg(json_build_object('id', f.id, 'submission', f.submission, 'control_number', lpad(f.control_number::text, 9, '0'),
      'transaction_set', f.transaction_set, 'purpose', f.purpose, 'state', f.state, 'attempts', f.attempts,
      'next_attempt_at', case when f.state = 'waiting' then wire_time(f.next_attempt_at) end, 'error', f.error, 'sent_at', wire_time(f.sent_at),
      'answered_at', wire_time(f.answered_at), 'created_at', wire_time(f.created_at),
      'acknowledgements', (
        select coalesce(json_agg(json_build_object('kind', a.kind, 'outcome', a.outcome, 'messages', a.messages, 'received_at', wire_time(a.received_at))
          order by a.received_at, a.key), '[]')
        from emanifest_acknowledgements a where a.org_id = ${org} and a.emanifest_id = f.emanifest_id and a.filing_id = f.id)) order by f.control_number), '[]')::text
    from emanifest_filings f where f.org_id = ${org} and f.emanifest_id = emanifests_wire.id) || '}'`
}

export async function findEmanifest(ctx: Context, id: string): Promise<WireRecord | undefined> {
  const [row] = await ctx.run<WireRecord>(
    sql`select revision, ${wholeOf(ctx.org)} as json from emanifests_wire where org_id = ${ctx.org} and id = ${id}`,
  )
  return row
}

/** With its submission, which no answer shows. */
export type LockedEmanifest = Emanifest & { submission: number }

export async function lockEmanifest(ctx: Context, id: string): Promise<LockedEmanifest | undefined> {
  const [row] = await ctx.run<{ submission: number }>(
    sql`select submission from emanifests where org_id = ${ctx.org} and id = ${id} for update`,
  )
  const found = row && (await findEmanifest(ctx, id))
  return found && { ...JSON.parse(found.json), submission: row.submission }
}

/** The e-manifest of a trip: the one that is not cancelled, or else the last one. */
export async function findByTrip(ctx: Context, border: Border, trip: string): Promise<string | null> {
  const [row] = await ctx.run<{ id: string }>(sql`
    select id from emanifests where org_id = ${ctx.org} and border = ${border} and trip_number = ${trip}
    order by (state = 'cancelled'), created_at desc, id desc limit 1`)
  return row?.id ?? null
}

type New = Content & { id: string; manifest_id: string; border: Border; created_by: string }

export async function insertEmanifest(
  ctx: Context,
  { id, manifest_id, border, created_by, ...content }: New,
): Promise<void> {
  await ctx
    .run(sql`
      insert into emanifests (org_id, id, manifest_id, border, created_by, stop_id, carrier_code, trip_number, port, crossing_at, is_empty, driver, tractor, trailers, shipments)
      values (${ctx.org}, ${id}, ${manifest_id}, ${border}, ${created_by}, ${content.stop_id}, ${content.carrier_code}, ${content.trip_number}, ${content.port},
        ${content.crossing_at}, ${content.is_empty}, ${json(content.driver)}, ${json(content.tractor)}, ${json(content.trailers)}, ${json(content.shipments)})`)
    .catch(refusing(content))
}

/** Whatever was validated is a draft again. `amended`: a change of what customs has accepted begins. */
export async function saveContent(ctx: Context, id: string, content: Content, { amended = false } = {}): Promise<void> {
  await ctx
    .run(sql`
      update emanifests set state = 'draft', stop_id = ${content.stop_id}, carrier_code = ${content.carrier_code}, trip_number = ${content.trip_number}, port = ${content.port},
        crossing_at = ${content.crossing_at}, is_empty = ${content.is_empty}, driver = ${json(content.driver)}, tractor = ${json(content.tractor)},
        trailers = ${json(content.trailers)}, shipments = ${json(content.shipments)}, amendment_number = amendment_number + ${amended ? 1 : 0}::int, ${touched}
      where org_id = ${ctx.org} and id = ${id} and state = any (${amended ? ['accepted'] : ['draft', 'validated', 'rejected']}::text[]) returning id`)
    .then(requireMoved, refusing(content))
}

/** The moves from each state that only change the state. */
export async function saveState(
  ctx: Context,
  id: string,
  from: readonly State[],
  to: 'draft' | 'validated',
): Promise<void> {
  requireMoved(
    await ctx.run(
      sql`update emanifests set state = ${to}, ${touched} where org_id = ${ctx.org} and id = ${id} and state = any (${from}::text[]) returning id`,
    ),
  )
}

/** Answers the number of the submission. */
export async function saveSubmitted(
  ctx: Context,
  id: string,
  from: readonly State[],
  purpose: Purpose,
): Promise<number> {
  const rows = await ctx.run<{ submission: number }>(sql`
    update emanifests set state = 'submitted', purpose = ${purpose}, submission = submission + 1, submitted_at = statement_timestamp(), problems = '[]', ${touched}
    where org_id = ${ctx.org} and id = ${id} and state = any (${from}::text[]) returning submission`)
  requireMoved(rows)
  return rows[0]?.submission as number
}

export async function saveCancelled(ctx: Context, id: string, from: readonly State[]): Promise<void> {
  requireMoved(
    await ctx.run(sql`
      update emanifests set state = 'cancelled', cancelled_at = statement_timestamp(), accepted_at = null, problems = '[]', ${touched}
      where org_id = ${ctx.org} and id = ${id} and state = any (${from}::text[]) returning id`),
  )
}

/** What customs decided about what was submitted. */
export async function saveDecision(
  ctx: Context,
  id: string,
  to: 'accepted' | 'rejected',
  problems: readonly Problem[],
): Promise<void> {
  const since =
    to === 'accepted' ? sql`coalesce(accepted_at, ${new Date().toISOString()}::timestamptz)` : sql`accepted_at`
  requireMoved(
    await ctx.run(sql`
      update emanifests set state = ${to}, accepted_at = ${since}, problems = ${json(problems)}, ${touched}
      where org_id = ${ctx.org} and id = ${id} and state = 'submitted' returning id`),
  )
}

export async function saveStatuses(ctx: Context, id: string, statuses: readonly ShipmentStatus[]): Promise<void> {
  await ctx.run(
    sql`update emanifests set shipment_statuses = shipment_statuses || ${json(statuses)}, ${touched} where org_id = ${ctx.org} and id = ${id}`,
  )
}

/** Something was noted with one of its filings. */
export async function saveTouched(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`update emanifests set ${touched} where org_id = ${ctx.org} and id = ${id}`)
}

const touched = sql`revision = revision + 1, updated_at = statement_timestamp()`

function json(value: unknown): Statement {
  return value === null ? sql`null` : sql`${JSON.stringify(value)}::text::jsonb`
}

/** The row is locked and its state was looked at: that it is another one now is a bug. */
function requireMoved(rows: readonly unknown[]): void {
  if (rows.length === 0) throw new Error('an e-manifest was not in the state that it was locked in')
}

function refusing({ trip_number }: Content) {
  return (error: unknown): never => {
    if (violatedConstraint(error) !== 'emanifest_trip_number') throw error
    throw conflict(
      'trip_number_taken',
      `There is an e-manifest with the trip number ${trip_number} at this border already. Give this one another, or cancel that one.`,
    )
  }
}
