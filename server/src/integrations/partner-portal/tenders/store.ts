import type { Context } from '../../../platform/context.ts'
import { conflict } from '../../../platform/core/refusal.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../../../platform/core/schema/pages.ts'
import type { WireRecord } from '../../../platform/core/schema/revisions.ts'
import { andChanged } from '../../../platform/db/sql/changed.ts'
import { violatedConstraint } from '../../../platform/db/sql/constraints.ts'
import { keyTypesOf, newestFirst, pageStatement } from '../../../platform/db/sql/keyset.ts'
import { type Statement, searching, sql, when } from '../../../platform/db/sql/sql.ts'
import { type EventOf, recordEach } from '../../../platform/events/record.ts'
import { loadOf } from '../loads-sql.ts'
import { type OfferedTender, withFreight } from './freight.ts'
import type { Tender, TenderSearch } from './model.ts'

export async function listTenders(ctx: Context, search: TenderSearch): Promise<string> {
  const page = pageOf('tenders', search, keyTypesOf(newestFirst))
  const { manifest_ids, partner_carrier_ids, status_ids: states } = search
  const filter = sql`w.org_id = ${ctx.org}${andChanged(ctx.org, 'tenders', search, sql`w.id`)} ${when(manifest_ids, sql`and w.manifest_id = any(${manifest_ids}::uuid[])`)}
    ${when(partner_carrier_ids, sql`and w.partner_carrier_id = any(${partner_carrier_ids}::uuid[])`)} ${when(states, sql`and w.state = any(${states}::text[])`)}`
  const [found] = await ctx.run<FoundRecords>(
    searching(
      pageStatement({
        total: sql`(select count(*)::int from tenders_wire w where ${filter})`,
        rows: sql`from (select w.id, w.created_at, ${withLoad(ctx)} as json from tenders_wire w left join objects m on m.org_id = ${ctx.org} and m.id = w.manifest_id
          and m.deleted_at is null where ${filter}) as offered where true`,
        order: newestFirst,
        page,
      }),
    ),
  )
  const { list, ...rest } = found ?? nothingFound
  return envelope(
    'tenders',
    { ...rest, list: JSON.stringify((JSON.parse(list) as OfferedTender[]).map(withFreight)) },
    page,
  )
}

export async function findTender(ctx: Context, id: string): Promise<WireRecord | undefined> {
  const [row] = await ctx.run<WireRecord>(sql`
    select w.revision, ${withLoad(ctx)} as json from tenders_wire w left join objects m on m.org_id = ${ctx.org} and m.id = w.manifest_id and m.deleted_at is null
    where w.org_id = ${ctx.org} and w.id = ${id}`)
  return row && { ...row, json: JSON.stringify(withFreight(JSON.parse(row.json))) }
}

/** A tender `w` with the freight of its manifest `m`, as `withFreight` reads it. */
function withLoad({ org }: Context): Statement {
  return sql`'{"tender":' || w.json || ',"named":' || json_build_object('full_id', m.full_id, 'reference_number', m.json ->> 'referenceNumber')::text
    || ',"load":' || case when m.id is null then 'null' else ${loadOf(org, sql`m.id`, sql`m.json`)}::text end || '}'`
}

/** The manifest of a tender, which does not change. */
export async function findManifestOf(ctx: Context, id: string): Promise<string | undefined> {
  const [row] = await ctx.run<{ manifest_id: string }>(
    sql`select manifest_id from tenders where org_id = ${ctx.org} and id = ${id}`,
  )
  return row?.manifest_id
}

/** All tenders of a manifest, locked; expired ones say so by the time of this statement. */
export async function lockTendersOf(ctx: Context, manifest: string): Promise<Tender[]> {
  await ctx.run(
    sql`select id from tenders where org_id = ${ctx.org} and manifest_id = ${manifest} order by id for update`,
  )
  const rows = await ctx.run<{ json: string }>(
    sql`select json from tenders_wire where org_id = ${ctx.org} and manifest_id = ${manifest} order by id`,
  )
  return rows.map(({ json }) => JSON.parse(json))
}

export type NewStoredTender = Pick<
  Tender,
  'id' | 'manifest_id' | 'partner_carrier_id' | 'currency_id' | 'rate' | 'message' | 'created_by'
>

export async function insertTender(ctx: Context, tender: NewStoredTender, seconds: number): Promise<void> {
  const { id, manifest_id, partner_carrier_id, currency_id, rate, message, created_by } = tender
  await ctx
    .run(sql`
      insert into tenders (org_id, id, manifest_id, partner_carrier_id, currency_id, rate, message, expires_at, created_by)
      values (${ctx.org}, ${id}, ${manifest_id}, ${partner_carrier_id}, ${currency_id}, ${rate}, ${message}, now() + ${seconds} * interval '1 second', ${created_by})`)
    .catch((error) => {
      if (violatedConstraint(error) === 'tender_is_open_once')
        throw conflict(
          'tender_open',
          'This manifest is offered to this carrier already. Cancel that tender first, or wait for its answer.',
        )
      throw error
    })
}

export type Change = Partial<Pick<Tender, 'currency_id' | 'counter_rate' | 'agreed_rate' | 'answer' | 'answered_by'>> &
  Pick<Tender, 'id' | 'state'>

/** Writes what a tender has become. The index lets one carrier have a manifest, whatever else is decided at the same time. */
export async function saveTender(ctx: Context, before: Tender, change: Change): Promise<void> {
  const next = { ...before, agreed_rate: null, ...change }
  await ctx
    .run(sql`
      update tenders set state = ${next.state}, currency_id = ${next.currency_id}, counter_rate = ${next.counter_rate}, agreed_rate = ${next.agreed_rate},
        answer = ${next.answer}, answered_by = ${next.answered_by}, ${when(change.answered_by, sql`answered_at = statement_timestamp(),`)}
        revision = revision + 1, updated_at = statement_timestamp()
      where org_id = ${ctx.org} and id = ${next.id}`)
    .catch((error) => {
      if (violatedConstraint(error) === 'tender_is_accepted_once')
        throw conflict('manifest_taken', 'Another carrier has accepted this manifest.')
      throw error
    })
}

/** Closes those of these tenders that are still open, and with `cancelled` those that were accepted too; answers which they were. */
export async function closeTenders(
  ctx: Context,
  ids: readonly string[],
  state: 'cancelled' | 'expired',
): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await ctx.run<{ id: string }>(sql`
    update tenders set state = ${state}, agreed_rate = null, revision = revision + 1, updated_at = statement_timestamp()
    where org_id = ${ctx.org} and id = any(${ids}::uuid[])
      and state = any(${['open', 'countered', ...(state === 'cancelled' ? ['accepted'] : [])]}::text[]) returning id`)
  return rows.map(({ id }) => id)
}

/** Records events of tenders, each with the tender as it is now. */
export function recordTenders(ctx: Context, events: readonly EventOf[]): Promise<void> {
  const ids = [...new Set(events.map(({ id }) => id))]
  return recordEach(
    ctx,
    'tender',
    events,
    sql`select id, revision, json from tenders_wire where org_id = ${ctx.org} and id = any(${ids}::uuid[])`,
  )
}
