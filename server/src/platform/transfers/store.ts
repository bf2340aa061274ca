import type { Right } from '../access/roles.ts'
import type { Actor, Context } from '../context.ts'
import type { Cursor } from '../core/schema/cursors.ts'
import { envelope, type FoundRecords, type NextName, nothingFound, pageOf } from '../core/schema/pages.ts'
import type { WireRecord } from '../core/schema/revisions.ts'
import type { Counts } from '../core/schema/rows.ts'
import type { Pool } from '../db/pool/connect.ts'
import { andChanged } from '../db/sql/changed.ts'
import { keyTypesOf, latestIdFirst, pageStatement } from '../db/sql/keyset.ts'
import { sql, when } from '../db/sql/sql.ts'
import type { Format, State, TransferSearch } from './model.ts'

export type NewTransfer = {
  id: string
  direction: 'import' | 'export'
  state: 'receiving' | 'queued'
  resource: string
  objectKey: string | null
  format: Format
  dryRun: boolean
  /** Needed to see it; several with spaces between them are needed all. */
  scope: string
  scopes: readonly string[]
  createdBy: string
  search: object
  revision: number | null
  total: number | null
  keptDays: number
}

export async function insertTransfer(ctx: Context, transfer: NewTransfer): Promise<void> {
  const {
    id,
    direction,
    state,
    resource,
    objectKey,
    format,
    dryRun,
    scope,
    scopes,
    createdBy,
    search,
    revision,
    total,
    keptDays,
  } = transfer
  await ctx.run(sql`
    insert into transfers (org_id, id, direction, state, resource, object_key, format, dry_run, scope, scopes, rights, actor, created_by, request_id, search,
      definition_revision, rows_total, kept_days)
    values (${ctx.org}, ${id}, ${direction}, ${state}, ${resource}, ${objectKey}, ${format}, ${dryRun}, ${scope}, ${scopes}, ${ctx.rights ? [...ctx.rights] : null},
      ${ctx.actor}, ${createdBy}, ${ctx.requestId}, ${search}, ${revision}, ${total}, ${keptDays})`)
}

export type ReceivedFile = {
  rows: number
  bytes: number
  names: readonly string[]
  unknown: readonly string[]
  ignored: readonly string[]
}

/** The file is there: the transfer waits for its first lot. */
export async function saveReceived(
  ctx: Context,
  id: string,
  { rows, bytes, names, unknown, ignored }: ReceivedFile,
  dryRun: boolean,
): Promise<void> {
  await ctx.run(sql`
    update transfers set state = 'queued', has_input = true, rows_total = ${rows}, file_bytes = ${bytes}, column_names = ${names}, unknown_columns = ${unknown},
      ignored_columns = ${ignored}, dry_run = ${dryRun}, served_at = statement_timestamp()
    where org_id = ${ctx.org} and id = ${id} and state = 'receiving'`)
}

/** How many wait or run, and how many files are arriving, or have broken off and are not deleted yet. */
export async function countUnfinished(ctx: Context): Promise<{ waiting: number; arriving: number }> {
  const [row] = await ctx.run<{ waiting: number; arriving: number }>(sql`
    select count(*) filter (where state <> 'receiving')::int as waiting, count(*) filter (where state = 'receiving')::int as arriving
    from transfers where org_id = ${ctx.org} and state in ('receiving', 'queued', 'running')`)
  return row ?? { waiting: 0, arriving: 0 }
}

export type FoundTransfer = WireRecord & { scope: string; state: State; direction: 'import' | 'export' }

export async function findTransfer(ctx: Context, id: string): Promise<FoundTransfer | undefined> {
  const [row] = await ctx.run<FoundTransfer>(
    sql`select revision, json, scope, state, direction from transfers_wire where org_id = ${ctx.org} and id = ${id}`,
  )
  return row
}

/** The newest first; those that these scopes may see. */
export async function listTransfers(
  ctx: Context,
  search: TransferSearch,
  scopes: readonly string[],
  nextName: NextName,
): Promise<string> {
  const page = pageOf('transfers', search, keyTypesOf(latestIdFirst))
  const { status_ids: states, direction } = search
  // One that has not ended goes on at every moment.
  const changed = andChanged(
    ctx.org,
    'transfers',
    search,
    sql`id`,
    sql`coalesce(changed.ended_at, statement_timestamp())`,
  )
  const filter = sql`org_id = ${ctx.org} ${changed} and string_to_array(scope, ' ') <@ ${scopes}::text[] ${when(states, sql`and state = any(${states}::text[])`)}
    ${when(direction, sql`and direction = ${direction}`)}`
  const total = sql`(select count(*)::int from transfers_wire where ${filter})`
  const [found = nothingFound] = await ctx.run<FoundRecords>(
    pageStatement({ total, rows: sql`from transfers_wire where ${filter}`, order: latestIdFirst, page }),
  )
  return envelope('transfers', found, page, nextName)
}

export type Sizes = {
  state: State
  scope: string
  direction: 'import' | 'export'
  resource: string
  format: Format
  result: number
  failures: number
  ended: boolean
}

export async function findSizes(ctx: Context, id: string): Promise<Sizes | undefined> {
  const [row] = await ctx.run<Omit<Sizes, 'result' | 'failures'> & { result: string; failures: string }>(sql`
    select state, scope, direction, resource, format, result_bytes as result, failures_bytes as failures, ended_at is not null as ended from transfers
    where org_id = ${ctx.org} and id = ${id} and state <> 'receiving'`)
  return row && { ...row, result: Number(row.result), failures: Number(row.failures) }
}

/** The state that it had, locked until the transaction ends. */
export async function lockState(ctx: Context, id: string): Promise<State | undefined> {
  const [row] = await ctx.run<{ state: State }>(
    sql`select state from transfers where org_id = ${ctx.org} and id = ${id} and state <> 'receiving' for update`,
  )
  return row?.state
}

export async function saveEnd(
  ctx: Context,
  id: string,
  state: State,
  error: { code: string; message: string } | null = null,
): Promise<void> {
  await ctx.run(sql`
    update transfers set state = ${state}, error_code = ${error?.code ?? null}, error_message = ${error?.message ?? null}, ended_at = statement_timestamp(),
      retry_at = null, revision = revision + 1
    where org_id = ${ctx.org} and id = ${id}`)
}

/** A transfer whose organization may have the next lot, with what its context needs. */
export type Turn = {
  org_id: string
  id: string
  direction: 'import' | 'export'
  actor: Actor
  request_id: string | null
  scopes: string[]
  rights: Right[] | null
}

/** One transfer of each organization that has something to do, and of those the organization first that has waited longest. */
export async function listTurns({ run }: Pool): Promise<Turn[]> {
  return run<Turn>(sql`
    select org_id, id, direction, actor, request_id, scopes, rights from (
      select distinct on (org_id) org_id, id, direction, actor, request_id, scopes, rights, served_at from transfers
      where state in ('queued', 'running') and (retry_at is null or retry_at <= statement_timestamp()) order by org_id, served_at) as waiting
    order by served_at`)
}

export type LockedTransfer = {
  id: string
  direction: 'import' | 'export'
  resource: string
  object_key: string | null
  format: Format
  dry_run: boolean
  scopes: string[]
  column_names: string[]
  search: Record<string, unknown>
  last_key: Cursor | null
  definition_revision: number | null
  rows_total: number | null
  rows_done: number
  result_bytes: number
  failures_bytes: number
  lot_rows: number
}

/**
 * The transfer, if no other process is at it, and it was not ended meanwhile. A lot waits for nobody's locks for long, and a process that stands still
 * in the middle of one loses it.
 */
export async function lockForLot(ctx: Context, id: string): Promise<LockedTransfer | undefined> {
  await ctx.run({
    text: "set local lock_timeout = '500ms'; set local statement_timeout = '10s'; set local idle_in_transaction_session_timeout = '10s'",
    values: [],
  })
  const [row] = await ctx.run<LockedTransfer>(sql`
    select id, direction, resource, object_key, format, dry_run, scopes, column_names, search, last_key, definition_revision, rows_total, rows_done,
      result_bytes::float8 as result_bytes, failures_bytes::float8 as failures_bytes, lot_rows
    from transfers where org_id = ${ctx.org} and id = ${id} and state in ('queued', 'running') for update skip locked`)
  return row
}

export type Progress = {
  rows: number
  counts: Counts
  resultBytes: number
  failuresBytes: number
  lastKey: string | null
  lotRows: number
  isLast: boolean
}

export async function saveProgress(
  ctx: Context,
  id: string,
  { rows, counts, resultBytes, failuresBytes, lastKey, lotRows, isLast }: Progress,
): Promise<void> {
  await ctx.run(
    sql`update transfers set started_at = statement_timestamp() where org_id = ${ctx.org} and id = ${id} and started_at is null`,
  )
  await ctx.run(sql`
    update transfers set state = ${isLast ? 'done' : 'running'}, ${when(isLast, sql`ended_at = statement_timestamp(),`)} rows_done = rows_done + ${rows},
      rows_created = rows_created + ${counts.created}, rows_updated = rows_updated + ${counts.updated}, rows_unchanged = rows_unchanged + ${counts.unchanged},
      rows_failed = rows_failed + ${counts.failed}, result_bytes = result_bytes + ${resultBytes}, failures_bytes = failures_bytes + ${failuresBytes},
      last_key = ${lastKey}::text::jsonb, lot_rows = ${lotRows}, served_at = statement_timestamp(), attempts = 0, retry_at = null,
      revision = revision + 1
    where org_id = ${ctx.org} and id = ${id}`)
}

/** The lot was rolled back: it is tried again later, half as large. Answers how often that happened in a row. */
export async function saveAttempt(ctx: Context, id: string): Promise<number> {
  const [row] = await ctx.run<{ attempts: number }>(sql`
    update transfers set attempts = attempts + 1, lot_rows = greatest(lot_rows / 2, 1), served_at = statement_timestamp()
    where org_id = ${ctx.org} and id = ${id} and state in ('queued', 'running') returning attempts`)
  if (!row) return 0
  const pauseSeconds = Math.min(2 ** (row.attempts - 1), 60)
  await ctx.run(
    sql`update transfers set retry_at = statement_timestamp() + ${pauseSeconds} * interval '1 second' where org_id = ${ctx.org} and id = ${id}`,
  )
  return row.attempts
}

export type CleanableTransfer = { org_id: string; id: string; expired: boolean }

/** How many of an organization are kept once they have ended, and with how many bytes of files. */
export type KeptTransfers = { count: number; bytes: number }

/**
 * Transfers that have been kept long enough or never arrived whole, those before the last ones of an organization that are kept, and imports that have
 * ended and still have the rows of their file. The last one stays however large it is: somebody is about to fetch it.
 */
export async function listCleanable({ run }: Pool, { count, bytes }: KeptTransfers): Promise<CleanableTransfer[]> {
  return run<CleanableTransfer>(sql`
    select org_id, id, expired from (
      select org_id, id, ended_at is not null and has_input as has_input,
        coalesce(ended_at + kept_days * interval '1 day' < statement_timestamp(), false)
          or (state = 'receiving' and created_at < statement_timestamp() - interval '2 hours')
          or (ended_at is not null and place > 1 and (place > ${count}::int or bytes > ${bytes}::float8)) as expired
      from (
        select org_id, id, state, ended_at, has_input, kept_days, created_at,
          row_number() over (partition by org_id, ended_at is null order by ended_at desc, id desc) as place,
          sum(result_bytes + failures_bytes) over (partition by org_id, ended_at is null order by ended_at desc, id desc) as bytes
        from transfers) as placed) as transfer
    where expired or has_input`)
}

export async function saveWithoutInput(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`update transfers set has_input = false where org_id = ${ctx.org} and id = ${id}`)
}

export async function deleteTransfer(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`delete from transfers where org_id = ${ctx.org} and id = ${id}`)
}
