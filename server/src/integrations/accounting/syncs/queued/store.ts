import type { Actor, Context } from '../../../../platform/context.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../../../../platform/core/schema/pages.ts'
import type { Pool } from '../../../../platform/db/pool/connect.ts'
import { keyTypesOf, newestFirst, type Order, pageStatement } from '../../../../platform/db/sql/keyset.ts'
import { later } from '../../../../platform/db/sql/later.ts'
import { type Statement, sql, when } from '../../../../platform/db/sql/sql.ts'
import { type Claimed, claim } from '../../../../platform/work/queue/queue.ts'
import type { QueueTable } from '../../../../platform/work/queue/table.ts'
import type { SyncedKind } from '../../catalogue.ts'
import type { Outcome, ResultSearch, SyncSearch } from './model.ts'
import type { RecordType } from './records-store.ts'

type New = {
  id: string
  connection_id: string
  what: readonly SyncedKind[]
  retry_of: string | null
  actor: Actor
  created_by: string
}

export async function insertSync(
  ctx: Context,
  { id, connection_id, what, retry_of, actor, created_by }: New,
): Promise<void> {
  await ctx.run(sql`
    insert into connector_syncs (org_id, id, connection_id, what, retry_of, actor, created_by)
    values (${ctx.org}, ${id}, ${connection_id}, ${what}::text[], ${retry_of}, ${JSON.stringify(actor)}::text::jsonb, ${created_by})`)
}

export async function saveHasMore(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`update connector_syncs set has_more = true where org_id = ${ctx.org} and id = ${id}`)
}

/** What failed of a run, what waited for a document, and what it did not come to, for another one. Answers how many. */
export async function insertFailed(ctx: Context, sync: string, of: string): Promise<number> {
  const rows = await ctx.run(sql`
    insert into connector_sync_results as s (org_id, sync_id, place, record_type, record_id, number, remote_id)
    select r.org_id, ${sync}::uuid, r.place, r.record_type, r.record_id, r.number, case when r.record_type = 'payment' then r.remote_id end
    from connector_sync_results r where r.org_id = ${ctx.org} and r.sync_id = ${of} and (r.outcome in ('failed', 'pending') or r.reason = 'waits_for_document')
    returning s.place`)
  return rows.length
}

function wholeOf(org: string): Statement {
  const each = (outcome: Outcome) => sql`${outcome}::text, count(*) filter (where r.outcome = ${outcome}::text)`
  return sql`open_json || ',"counts":' || (
    select json_build_object('total', count(*), ${each('pending')}, ${each('created')}, ${each('updated')}, ${each('removed')}, ${each('unchanged')}, ${each('skipped')},
      ${each('failed')})::text
    from connector_sync_results r where r.org_id = ${org} and r.sync_id = connector_syncs_wire.id) || '}'`
}

export async function findSync(
  ctx: Context,
  connection: string,
  id: string,
): Promise<{ json: string; state: string } | undefined> {
  const [row] = await ctx.run<{ json: string; state: string }>(sql`
    select state, ${wholeOf(ctx.org)} as json from connector_syncs_wire where org_id = ${ctx.org} and connection_id = ${connection} and id = ${id}`)
  return row
}

export async function listSyncs(ctx: Context, connection: string, search: SyncSearch): Promise<string> {
  const page = pageOf('syncs', { ...search, connection }, keyTypesOf(newestFirst))
  const filter = sql`org_id = ${ctx.org} and connection_id = ${connection} ${when(search.status_ids, sql`and state = any(${search.status_ids}::text[])`)}`
  const total = sql`(select count(*)::int from connector_syncs where ${filter})`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({
      total,
      json: wholeOf(ctx.org),
      rows: sql`from connector_syncs_wire where ${filter}`,
      order: newestFirst,
      page,
    }),
  )
  return envelope('syncs', found ?? nothingFound, page)
}

const byPlace: Order = { keys: [{ value: sql`place`, type: 'integer' }], descending: false }

export async function listResults(ctx: Context, sync: string, search: ResultSearch): Promise<string> {
  const page = pageOf('results', { ...search, sync }, keyTypesOf(byPlace))
  const filter = sql`org_id = ${ctx.org} and sync_id = ${sync} ${when(search.outcomes, sql`and outcome = any(${search.outcomes}::text[])`)}`
  const total = sql`(select count(*)::int from connector_sync_results where ${filter})`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({ total, rows: sql`from connector_sync_results_wire where ${filter}`, order: byPlace, page }),
  )
  return envelope('results', found ?? nothingFound, page)
}

export type Turn = { org_id: string; id: string; connection_id: string; actor: Actor }

/** The oldest run of each connection that can go on now, with the rights of the schema's owner. */
export async function listTurns({ run }: Pool, aheadMs: number): Promise<Turn[]> {
  return run<Turn>(sql`
    select s.org_id, s.id, s.connection_id, s.actor from (
      select distinct on (org_id, connection_id) org_id, id, connection_id, actor, leased_until, waits_until from connector_syncs
      where state = 'running' order by org_id, connection_id, id) as s
    where (s.leased_until is null or s.leased_until <= ${later(aheadMs)}) and (s.waits_until is null or s.waits_until <= ${later(aheadMs)})`)
}

export const syncQueue: QueueTable = {
  name: 'connector_syncs',
  dueAt: 'waits_until',
  withoutTime: 'due',
  waits: ['state', 'running'],
}

export type ClaimedSync = Claimed<{ id: string; connection_id: string; what: SyncedKind[] }>

export async function claimSync(ctx: Context, id: string, aheadMs: number): Promise<ClaimedSync | undefined> {
  const [row] = await claim<ClaimedSync>(ctx, syncQueue, {
    of: sql`q.id = ${id}`,
    set: sql`, waits_until = null`,
    returning: sql`q.id, q.connection_id, q.what`,
    aheadMs,
  })
  return row
}

export type SyncEnd = { state: 'done' | 'failed' | 'cancelled'; reason?: string; error?: string; document_id?: string }

/** False where it has ended already. The lines of a file are not needed any more. */
export async function saveEnd(
  ctx: Context,
  { id, connection_id }: Pick<ClaimedSync, 'id' | 'connection_id'>,
  ended: SyncEnd,
): Promise<boolean> {
  const { state, reason = null, error = null, document_id = null } = ended
  const rows = await ctx.run(sql`
    update connector_syncs set state = ${state}, reason = ${reason}, error = ${error}, document_id = ${document_id}, leased_until = null, waits_until = null,
      finished_at = statement_timestamp() where org_id = ${ctx.org} and id = ${id} and state = 'running' returning id`)
  if (rows.length === 0) return false
  await ctx.run(
    sql`update connections set last_sync_at = statement_timestamp() where org_id = ${ctx.org} and id = ${connection_id}`,
  )
  await ctx.run(
    sql`update connector_sync_results set lines = null where org_id = ${ctx.org} and sync_id = ${id} and lines is not null`,
  )
  return true
}

/** Of a payment that could not be recorded there is no record here yet, only what it is there. */
export type PendingResult = {
  place: number
  record_type: RecordType
  record_id: string | null
  remote_id: string | null
  attempts: number
}

export async function listPending(ctx: Context, sync: string, limit: number): Promise<PendingResult[]> {
  return ctx.run<PendingResult>(sql`
    select place, record_type, record_id, remote_id, attempts from connector_sync_results
    where org_id = ${ctx.org} and sync_id = ${sync} and outcome = 'pending' order by place limit ${limit}`)
}

export type Result = {
  place: number
  outcome: Outcome
  remote_id?: string | null
  reason?: string | null
  error?: string | null
  lines?: string | null
  record_id?: string | null
}

export async function saveResults(ctx: Context, sync: string, results: readonly Result[]): Promise<void> {
  await ctx.run(sql`
    update connector_sync_results r set outcome = n.outcome, remote_id = n.remote_id, reason = n.reason, error = n.error, lines = n.lines,
      record_id = coalesce(n.record_id, r.record_id),
      attempts = r.attempts + 1, finished_at = statement_timestamp()
    from (select * from jsonb_to_recordset(${JSON.stringify(results)}::text::jsonb)
      as w(place int, outcome text, record_id uuid, remote_id text, reason text, error text, lines text)) n
    where r.org_id = ${ctx.org} and r.sync_id = ${sync} and r.place = n.place and r.outcome = 'pending'`)
}

/** A record whose answer did not come is tried again later. Answers how often it was tried. */
export async function saveAttempt(ctx: Context, sync: string, place: number): Promise<number> {
  const [row] = await ctx.run<{ attempts: number }>(sql`
    update connector_sync_results set attempts = attempts + 1 where org_id = ${ctx.org} and sync_id = ${sync} and place = ${place} returning attempts`)
  return row?.attempts ?? 0
}

/** A result behind the others, of a record that nobody knew of before. */
export async function insertResult(
  ctx: Context,
  sync: string,
  type: RecordType,
  result: Omit<Result, 'place' | 'lines'> & { number: string | null },
): Promise<void> {
  const { record_id = null, number, outcome, remote_id = null, reason = null, error = null } = result
  await ctx.run(sql`
    insert into connector_sync_results (org_id, sync_id, place, record_type, record_id, number, outcome, remote_id, reason, error, attempts, finished_at)
    select own.org_id, ${sync}::uuid, 1 + coalesce((select max(r.place) from connector_sync_results r where r.org_id = ${ctx.org} and r.sync_id = ${sync}), 0),
      ${type}::text, ${record_id}::uuid, ${number}::text, ${outcome}::text, ${remote_id}::text, ${reason}::text, ${error}::text, 1, statement_timestamp()
    from organizations own where own.org_id = ${ctx.org}`)
}

/** The lines of a file in their order. */
export async function findLines(ctx: Context, sync: string): Promise<string | null> {
  const [row] = await ctx.run<{ text: string | null }>(
    sql`select string_agg(lines, '' order by place) as text from connector_sync_results where org_id = ${ctx.org} and sync_id = ${sync} and lines is not null`,
  )
  return row?.text ?? null
}

export async function findPaymentsUntil(ctx: Context, connection: string): Promise<string | null> {
  const [row] = await ctx.run<{ until: string | null }>(
    sql`select payments_until as until from connections where org_id = ${ctx.org} and id = ${connection}`,
  )
  return row?.until ?? null
}

export async function savePaymentsUntil(ctx: Context, connection: string, until: string): Promise<void> {
  await ctx.run(sql`update connections set payments_until = ${until} where org_id = ${ctx.org} and id = ${connection}`)
}

/** The documents that payments there settle, with whom they are from. */
export async function listParties(
  ctx: Context,
  type: 'bill' | 'invoice',
  ids: readonly string[],
): Promise<{ id: string; party_id: string | null; currency_id: string }[]> {
  return type === 'bill'
    ? ctx.run(
        sql`select id, partner_carrier_id as party_id, currency_id from bills where org_id = ${ctx.org} and id = any(${ids}::uuid[])`,
      )
    : ctx.run(
        sql`select id, customer_id as party_id, currency_id from invoices where org_id = ${ctx.org} and id = any(${ids}::uuid[])`,
      )
}

/** A status that a sync changes by what it met. */
export async function saveMet(
  ctx: Context,
  connection: string,
  status: 'connected' | 'error',
  error: string | null,
): Promise<void> {
  await ctx.run(sql`
    update connections set status = ${status}, error = ${error} where org_id = ${ctx.org} and id = ${connection} and status in ('connected', 'error')
      and (status <> ${status} or error is distinct from ${error})`)
}
