import type { Context } from '../context.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../core/schema/pages.ts'
import { parseDate } from '../core/values/dates.ts'
import { keyTypesOf, type Order, pageStatement } from '../db/sql/keyset.ts'
import { type Statement, sql, when } from '../db/sql/sql.ts'
import { chosenTypes, type EventChoice } from '../events/types.ts'
import type { DeliverySearch } from './model.ts'

const fields = sql`'id', d.id, 'webhook_id', d.webhook_id, 'event_id', d.event_id, 'type', d.type, 'state', d.state, 'attempt_count', d.attempt_count,
  'next_attempt_at', wire_time(d.next_attempt_at), 'created_at', wire_time(d.created_at)`
const attempt = sql`'at', wire_time(a.at), 'status', a.status, 'duration_ms', a.duration_ms, 'error', a.error, 'response_excerpt', a.response_excerpt`

/** The last attempts of the delivery `d`, the first of them first. */
function attemptsOf(org: string, content: Statement): Statement {
  return sql`coalesce((select json_agg(json_build_object(${content}) order by a.number) from (
    select a.number, a.at, a.status, a.duration_ms, a.error, a.response_excerpt, a.url, a.signature from webhook_attempts a
    where a.org_id = ${org} and a.delivery_id = d.id order by a.number desc limit 50) a), '[]'::json)`
}

/** Of one webhook the order is that of its events, for which there is an index. */
const latestEventFirst: Order = { keys: [{ value: sql`d.event_id`, type: 'id' }], descending: true }
const latestFirst: Order = { keys: [{ value: sql`d.id`, type: 'id' }], descending: true }

export async function listDeliveries(ctx: Context, search: DeliverySearch): Promise<string> {
  const { status_ids: states, types, event_id, webhook_id, created_start_at, created_end_at } = search
  const order = webhook_id ? latestEventFirst : latestFirst
  const page = pageOf('webhook_deliveries', search, keyTypesOf(order))
  const since = created_start_at === undefined ? undefined : parseDate(created_start_at, 'start')
  const until = created_end_at === undefined ? undefined : parseDate(created_end_at, 'end')
  const chosen = chosenTypes(types)
  const rows = sql`from webhook_deliveries d join webhooks w on w.org_id = d.org_id and w.id = d.webhook_id
    where d.org_id = ${ctx.org} and w.deleted_at is null ${when(webhook_id, sql`and d.webhook_id = ${webhook_id}`)} ${when(event_id, sql`and d.event_id = ${event_id}`)}
    ${when(states, sql`and d.state = any(${states}::text[])`)} ${when(chosen, ofTypes(chosen))}
    ${when(since, sql`and d.created_at >= ${since}`)} ${when(until, sql`and d.created_at <= ${until}`)}`
  const json = sql`json_build_object(${fields}, 'attempts', ${attemptsOf(ctx.org, attempt)})::text`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({ total: sql`(select count(*)::int ${rows})`, json, rows, order, page }),
  )
  return envelope('webhook_deliveries', found ?? nothingFound, page)
}

function ofTypes(chosen: EventChoice | undefined): Statement {
  return sql`and (d.type = any(${chosen?.names ?? []}::text[]) or split_part(d.type, '.', 1) = any(${chosen?.nouns ?? []}::text[]))`
}

export async function findDelivery(ctx: Context, id: string): Promise<string | undefined> {
  const [row] = await ctx.run<{ json: string }>(sql`
    select json_build_object(${fields}, 'attempts', ${attemptsOf(ctx.org, attempt)})::text as json
    from webhook_deliveries d join webhooks w on w.org_id = d.org_id and w.id = d.webhook_id
    where d.org_id = ${ctx.org} and d.id = ${id} and w.deleted_at is null`)
  return row?.json
}

export type DeliveryRow = { json: string; event_id: string; type: string; event: string }

/** The delivery with the url and the signature of each attempt, and its event. */
export async function findDeliveryWithEvent(ctx: Context, id: string): Promise<DeliveryRow | undefined> {
  const content = sql`${attempt}, 'url', a.url, 'signature', a.signature`
  const [row] = await ctx.run<DeliveryRow>(sql`
    select json_build_object(${fields}, 'attempts', ${attemptsOf(ctx.org, content)})::text as json, d.event_id, d.type, e.json as event
    from webhook_deliveries d join webhooks w on w.org_id = d.org_id and w.id = d.webhook_id join events_wire e on e.org_id = d.org_id and e.id = d.event_id
    where d.org_id = ${ctx.org} and d.id = ${id} and w.deleted_at is null`)
  return row
}

export async function lockDelivery(
  ctx: Context,
  id: string,
): Promise<{ webhook_id: string; enabled: boolean } | undefined> {
  const [row] = await ctx.run<{ webhook_id: string; enabled: boolean }>(sql`
    select d.webhook_id, w.enabled from webhook_deliveries d join webhooks w on w.org_id = d.org_id and w.id = d.webhook_id
    where d.org_id = ${ctx.org} and d.id = ${id} and w.deleted_at is null for update of d`)
  return row
}

/** It waits again, due at once, with all its retries, also while an attempt is under way. */
export async function saveWaiting(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`
    update webhook_deliveries set state = 'pending', failure_count = 0, next_attempt_at = statement_timestamp(), resend_count = resend_count + 1
    where org_id = ${ctx.org} and id = ${id}`)
}

export type NewDelivery = { id: string; webhook: string; event: string; type: string }

/** Each event once for each webhook, due at once; one that is there already stays as it is. */
export async function insertDeliveries(ctx: Context, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return
  await ctx.run(
    sql`${inserted(ctx.org, deliveries)} on conflict on constraint webhook_delivery_is_made_once do nothing`,
  )
}

/** The same, and one that is there already waits again. */
export async function insertDeliveriesAgain(ctx: Context, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return
  await ctx.run(sql`${inserted(ctx.org, deliveries)} on conflict on constraint webhook_delivery_is_made_once
    do update set state = 'pending', failure_count = 0, next_attempt_at = excluded.next_attempt_at, resend_count = d.resend_count + 1`)
}

function inserted(org: string, deliveries: readonly NewDelivery[]): Statement {
  return sql`
    insert into webhook_deliveries as d (org_id, id, webhook_id, event_id, type, next_attempt_at)
    select own.org_id, made.id, made.webhook_id, made.event_id, made.type, statement_timestamp()
    from organizations own cross join unnest(${deliveries.map(({ id }) => id)}::uuid[], ${deliveries.map(({ webhook }) => webhook)}::uuid[],
      ${deliveries.map(({ event }) => event)}::uuid[], ${deliveries.map(({ type }) => type)}::text[]) as made(id, webhook_id, event_id, type)
    where own.org_id = ${org}`
}
