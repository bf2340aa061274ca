import { consoleClientId } from '../access/console-client.ts'
import type { VerifiedToken } from '../access/tokens/access-token.ts'
import { type Context, together } from '../context.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../core/schema/pages.ts'
import { parseDate } from '../core/values/dates.ts'
import { firstIdAt } from '../core/values/ids.ts'
import type { Database } from '../db/database.ts'
import type { Pool } from '../db/pool/connect.ts'
import { keyTypesOf, latestIdFirst, pageStatement } from '../db/sql/keyset.ts'
import { each, nothing, type Statement, searching, sql, when } from '../db/sql/sql.ts'
import { type RequestLogSearch, readStatus } from './model.ts'
import type { Batch } from './waiting.ts'

/** May be repeated: an entry that is there already stays as it is, and a summary has the later count. */
export async function insertEntries(database: Database, org: string, { entries, summaries }: Batch): Promise<void> {
  if (entries.length + summaries.length === 0) return
  const rows = JSON.stringify([...entries, ...summaries])
  await database.transaction(org, async (run) => {
    // No answer depends on it, so it need not wait for the disk: where the machine of the database fails, a moment of the log is lost.
    const set = run({ text: 'set local synchronous_commit = off', values: [] })
    const written = run(sql`
      insert into request_log (org_id, id, occurred_at, method, path, query, status, duration_ms, request_id, client_id, user_id, idempotency_key,
        prefer, dry_run, error_code, error_message, body, body_cut, body_type, body_bytes, answer_body, answer_cut, answer_type, answer_scopes, not_kept)
      select own.org_id, e.id, e.occurred_at, e.method, e.path, e.query, e.status, e.duration_ms, e.request_id, e.client_id, e.user_id, e.idempotency_key,
        e.prefer, coalesce(e.dry_run, false), e.error_code, e.error_message, e.body, coalesce(e.body_cut, false), e.body_type, e.body_bytes,
        e.answer_body, coalesce(e.answer_cut, false), e.answer_type, coalesce(e.answer_scopes, '{}'), e.not_kept
      from organizations own cross join jsonb_to_recordset(${rows}::text::jsonb) as e(id uuid, occurred_at timestamptz, method text, path text, query text,
        status smallint, duration_ms double precision, request_id text, client_id text, user_id uuid, idempotency_key text,
        prefer text, dry_run boolean, error_code text, error_message text, body text, body_cut boolean, body_type text, body_bytes bigint,
        answer_body text, answer_cut boolean, answer_type text, answer_scopes text[], not_kept integer)
      where own.org_id = ${org}
      on conflict (org_id, id) do update set not_kept = excluded.not_kept`)
    await together(set, written)
  })
}

/** Lists them with the newest first. */
export async function listEntries(ctx: Context, search: RequestLogSearch, reader: Reader): Promise<string> {
  const page = pageOf('request_log', search, keyTypesOf(latestIdFirst))
  const { request_id, method, path, from_console, user_id, error_code, from, to } = search
  // An id says when it was made, so a span of time is one of ids.
  const first = from === undefined ? undefined : firstIdAt(parseDate(from, 'start')?.getTime() ?? 0)
  const behind = to === undefined ? undefined : firstIdAt((parseDate(to, 'end')?.getTime() ?? 0) + 1)
  const filter = sql`org_id = ${ctx.org} ${when(request_id, sql`and request_id = ${request_id}`)} ${statusIs(search.status)}
    ${when(method, sql`and method = ${method}`)} ${when(path, sql`and starts_with(path, ${path})`)} ${applicationIs(ctx, search.application_id)} ${consoleIs(from_console)}
    ${when(user_id, sql`and user_id = ${user_id}`)} ${when(error_code, sql`and error_code = ${error_code} and status >= 400`)}
    ${when(first, sql`and id >= ${first}`)} ${when(behind, sql`and id < ${behind}`)}`
  const total = sql`(select count(*)::int from request_log where ${filter})`
  const [found] = await ctx.run<FoundRecords>(
    searching(
      pageStatement({
        total,
        json: jsonFor(reader),
        rows: sql`from request_log_wire where ${filter}`,
        order: latestIdFirst,
        page,
      }),
    ),
  )
  return envelope('request_log', found ?? nothingFound, page)
}

/** What failed says so in the statement too, because the index of failures holds nothing else. */
function statusIs(status: string | undefined): Statement {
  if (status === undefined) return nothing
  const { first, last } = readStatus(status)
  return sql`${first >= 400 ? sql`and status >= 400` : nothing} and status between ${first} and ${last}`
}

/** By its id or its client id: events name an application by the second. */
function applicationIs(ctx: Context, application: string | undefined): Statement {
  return when(
    application,
    sql`and client_id = coalesce((select a.client_id from applications a where a.org_id = ${ctx.org} and a.id::text = lower(${application})), ${application})`,
  )
}

/** A summary has no application, and is of all requests of its minute. */
function consoleIs(wanted: boolean | undefined): Statement {
  if (wanted === undefined) return nothing
  return wanted ? sql`and client_id = ${consoleClientId}` : sql`and client_id is distinct from ${consoleClientId}`
}

type Reader = Pick<VerifiedToken, 'client_id' | 'sub' | 'scopes'>

type Kept = { json: string; answer: { answer_body: string | null; answer_cut: boolean; answer_type: string | null } }

/** With what was sent and answered, for whoever did it, or has all scopes of who did: what somebody else wrote is not for a token that may not read it. */
export async function findEntry(ctx: Context, id: string, reader: Reader): Promise<Kept | undefined> {
  const [row] = await ctx.run<{ json: string } & Kept['answer']>(sql`
    select ${jsonFor(reader)} as json, answer_cut, answer_type, case when ${sees(reader)} then answer_body end as answer_body
    from request_log_wire where org_id = ${ctx.org} and id = ${each('uuid', id)}`)
  if (!row) return undefined
  const { json, ...answer } = row
  return { json, answer }
}

function sees({ client_id, sub, scopes }: Reader): Statement {
  return sql`(answer_scopes <@ ${[...scopes]}::text[] or (client_id = ${client_id} and coalesce(user_id::text, client_id) = ${sub}))`
}

/** The entry, without what was sent where that is not the reader's to see. */
function jsonFor(reader: Reader): Statement {
  return sql`case when ${sees(reader)} then json else (json::jsonb || '{"body":null}'::jsonb)::text end`
}

/** Of one organization, with the rights of the schema's owner. */
export async function deleteOldRequests({ run }: Pool, org: string, before: number, most: number): Promise<number> {
  const deleted = await run(sql`
    delete from request_log where org_id = ${org} and id in (
      select id from request_log where org_id = ${org} and id < ${firstIdAt(before)} order by id limit ${most})
    returning 1`)
  return deleted.length
}
