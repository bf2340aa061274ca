import type { Actor, Context } from '../context.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../core/schema/pages.ts'
import { parseDate } from '../core/values/dates.ts'
import { newId } from '../core/values/ids.ts'
import type { Pool } from '../db/pool/connect.ts'
import { keyTypesOf, latestIdFirst, pageStatement } from '../db/sql/keyset.ts'
import { sql, when } from '../db/sql/sql.ts'
import type { SecurityEventSearch, SecurityEventType } from './model.ts'

export type NewSecurityEvent = {
  type: SecurityEventType
  actor: Actor | null
  user: string | null
  client: string | null
  summary: string
  address: string | null
  userAgent: string | null
  requestId: string | null
}

export async function insertSecurityEvent(ctx: Context, event: NewSecurityEvent): Promise<void> {
  const { type, actor, user, client, summary, address, userAgent, requestId } = event
  await ctx.run(sql`
    insert into security_events (org_id, id, type, actor, user_id, client_id, summary, address, user_agent, request_id)
    values (${ctx.org}, ${newId()}, ${type}, ${actor}, ${user}, ${client}, ${summary}, ${address}, ${userAgent}, ${requestId})`)
}

/** Lists them with the newest first. */
export async function listSecurityEvents(ctx: Context, search: SecurityEventSearch): Promise<string> {
  const page = pageOf('security_events', search, keyTypesOf(latestIdFirst))
  const { types, user_id, occurred_start_at, occurred_end_at } = search
  const since = occurred_start_at === undefined ? undefined : parseDate(occurred_start_at, 'start')
  const until = occurred_end_at === undefined ? undefined : parseDate(occurred_end_at, 'end')
  const filter = sql`org_id = ${ctx.org} ${when(types, sql`and type = any(${types}::text[])`)} ${when(user_id, sql`and user_id = ${user_id}`)}
    ${when(since, sql`and occurred_at >= ${since}`)} ${when(until, sql`and occurred_at <= ${until}`)}`
  const total = sql`(select count(*)::int from security_events where ${filter})`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({ total, rows: sql`from security_events_wire where ${filter}`, order: latestIdFirst, page }),
  )
  return envelope('security_events', found ?? nothingFound, page)
}

/** The users who an attempt to sign in with this address may have been about: those who sign in with it, and those who were invited by it. */
export async function findUsersByAddress({ run }: Pool, account: string): Promise<{ org_id: string; id: string }[]> {
  return run<{ org_id: string; id: string }>(sql`
    select org_id, id from users where person_id in (select id from people where lower(email) = lower(${account}))
    union select org_id, id from users where email_key = lower(${account}) and joined_at is null`)
}

/** Of one organization, with the rights of the schema's owner. */
export async function deleteOldSecurityEvents({ run }: Pool, org: string, days: number, most: number): Promise<number> {
  const deleted = await run(sql`
    delete from security_events where org_id = ${org} and id in (
      select id from security_events where org_id = ${org} and occurred_at < statement_timestamp() - ${days} * interval '1 day' order by occurred_at limit ${most})
    returning 1`)
  return deleted.length
}
