import type { Context } from '../../../../platform/context.ts'
import { sql } from '../../../../platform/db/sql/sql.ts'
import { markLength } from '../../adapters/adapter.ts'

/** A `payment` is what is one there: its id is that of the payment here, or of the allocation where a payment there settles one document. */
export type RecordType = 'bill' | 'invoice' | 'payment'
export type Key = { connection_id: string; record_type: RecordType; record_id: string }

export type KnownRecord = {
  record_id: string
  state: 'sending' | 'synced' | 'refused' | 'removed'
  remote_id: string | null
  remote_version: string | null
  content: unknown
  content_hash: string | null
  request_id: string | null
  refusals: number
  /** Of the record here, as it is there. */
  revision: number | null
  updated_at: Date
}

/** Whether the other side has it, or may have it. What was refused is there as it was before, where it was. */
export function mayBeThere(known: KnownRecord | undefined): boolean {
  return known !== undefined && (known.state === 'sending' || (known.remote_id !== null && known.state !== 'removed'))
}

/** The same of a row `r` of `connector_records`. */
export const rowMayBeThere = sql`(r.state = 'sending' or (r.remote_id is not null and r.state <> 'removed'))`

const columns = sql`record_id, state, remote_id, remote_version, content, content_hash, request_id, refusals, revision, updated_at`

export async function listRecords(
  ctx: Context,
  connection: string,
  type: RecordType,
  ids: readonly string[],
): Promise<Map<string, KnownRecord>> {
  const rows = await ctx.run<KnownRecord>(sql`
    select ${columns} from connector_records
    where org_id = ${ctx.org} and connection_id = ${connection} and record_type = ${type} and record_id = any(${ids}::uuid[])`)
  return new Map(rows.map((row) => [row.record_id, row]))
}

/** Those that have one of these ids there. */
export async function listByRemote(
  ctx: Context,
  connection: string,
  type: RecordType,
  remoteIds: readonly string[],
): Promise<Map<string, KnownRecord>> {
  const rows = await ctx.run<KnownRecord & { remote_id: string }>(sql`
    select ${columns} from connector_records
    where org_id = ${ctx.org} and connection_id = ${connection} and record_type = ${type} and remote_id = any(${remoteIds}::text[]) and state <> 'removed'`)
  return new Map(rows.map((row) => [row.remote_id, row]))
}

/** Before a request is made: whoever comes after a crash knows that it may have arrived. */
export async function saveSending(
  ctx: Context,
  { connection_id, record_type, record_id }: Key,
  requestId: string,
): Promise<void> {
  await ctx.run(sql`
    insert into connector_records as r (org_id, connection_id, record_type, record_id, state, request_id)
    values (${ctx.org}, ${connection_id}, ${record_type}, ${record_id}, 'sending', ${requestId})
    on conflict (org_id, connection_id, record_type, record_id) do update set state = 'sending', request_id = excluded.request_id,
      remote_id = case when r.state = 'removed' then null else r.remote_id end, remote_version = case when r.state = 'removed' then null else r.remote_version end,
      updated_at = excluded.updated_at`)
}

export type SentRecord = { remote_id: string; version: string | null; content: unknown; hash: string; revision: number }

/** False where another process has ended this request meanwhile. */
export async function saveSynced(
  ctx: Context,
  key: Key,
  requestId: string,
  { remote_id, version, content, hash, revision }: SentRecord,
): Promise<boolean> {
  const rows = await ctx.run(sql`
    update connector_records set state = 'synced', remote_id = ${remote_id}, remote_version = ${version}, content = ${JSON.stringify(content)}::text::jsonb,
      content_hash = ${hash}, revision = ${revision}, error = null, synced_at = statement_timestamp(), updated_at = statement_timestamp()
    where ${isOf(ctx, key)} and state = 'sending' and request_id = ${requestId} returning record_id`)
  return rows.length > 0
}

/** What the other side had before it still has. */
export async function saveRefused(
  ctx: Context,
  key: Key,
  requestId: string,
  error: string,
  { isGone = false } = {},
): Promise<boolean> {
  const rows = await ctx.run(sql`
    update connector_records set state = case when ${isGone}::boolean then 'removed' else 'refused' end, refusals = refusals + 1, error = ${error},
      updated_at = statement_timestamp()
    where ${isOf(ctx, key)} and state = 'sending' and request_id = ${requestId} returning record_id`)
  return rows.length > 0
}

/** The other side would not take it out: it is there as before. */
export async function saveKept(ctx: Context, key: Key, error: string): Promise<void> {
  await ctx.run(sql`update connector_records set refusals = refusals + 1, error = ${error} where ${isOf(ctx, key)}`)
}

/** As after a refusal, what is sent later is another request. */
export async function saveRemoved(ctx: Context, key: Key): Promise<void> {
  await ctx.run(sql`
    update connector_records set state = 'removed', refusals = refusals + 1, error = null, synced_at = statement_timestamp(), updated_at = statement_timestamp() where ${isOf(ctx, key)}`)
}

/** They are there as they are here also in these revisions. */
export async function saveSeen(ctx: Context, seen: readonly (Key & { revision: number })[]): Promise<void> {
  if (seen.length === 0) return
  await ctx.run(sql`
    update connector_records r set revision = n.revision
    from jsonb_to_recordset(${JSON.stringify(seen)}::text::jsonb) as n(connection_id uuid, record_type text, record_id uuid, revision int)
    where r.org_id = ${ctx.org} and r.connection_id = n.connection_id and r.record_type = n.record_type and r.record_id = n.record_id and r.state = 'synced'`)
}

/** Which of these ends of ids are of records whose answer was lost. */
export async function listUnderWay(ctx: Context, connection: string, marks: readonly string[]): Promise<Set<string>> {
  const rows = await ctx.run<{ mark: string }>(sql`
    select right(record_id::text, ${markLength}::int) as mark from connector_records
    where org_id = ${ctx.org} and connection_id = ${connection} and record_type = 'payment' and state = 'sending' and remote_id is null
      and right(record_id::text, ${markLength}::int) = any(${marks}::text[])`)
  return new Set(rows.map(({ mark }) => mark))
}

export type MadeRecord = Key & {
  remote_id: string
  version: string | null
  content: unknown
  hash: string | null
  revision: number | null
  state: 'synced' | 'refused'
}

/** Of records that are made here, or written into a file: there is nothing to wait for. */
export async function saveRecords(ctx: Context, rows: readonly MadeRecord[]): Promise<void> {
  if (rows.length === 0) return
  await ctx.run(sql`
    insert into connector_records (org_id, connection_id, record_type, record_id, state, remote_id, remote_version, content, content_hash, revision, synced_at)
    select own.org_id, n.connection_id, n.record_type, n.record_id, n.state, n.remote_id, n.version, n.content, n.hash, n.revision, statement_timestamp()
    from organizations own cross join jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as n(connection_id uuid, record_type text, record_id uuid, state text, remote_id text, version text, content jsonb, hash text, revision int)
    where own.org_id = ${ctx.org}
    on conflict (org_id, connection_id, record_type, record_id) do update set state = excluded.state, remote_id = excluded.remote_id,
      remote_version = excluded.remote_version, content = excluded.content, content_hash = excluded.content_hash, revision = excluded.revision, error = null, synced_at = excluded.synced_at,
      updated_at = excluded.updated_at`)
}

export async function deleteRecord(ctx: Context, key: Key): Promise<void> {
  await ctx.run(sql`delete from connector_records where ${isOf(ctx, key)}`)
}

function isOf({ org }: Context, { connection_id, record_type, record_id }: Key) {
  return sql`org_id = ${org} and connection_id = ${connection_id} and record_type = ${record_type} and record_id = ${record_id}`
}
