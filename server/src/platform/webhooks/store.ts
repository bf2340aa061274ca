import type { Context } from '../context.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../core/schema/pages.ts'
import type { WireRecord } from '../core/schema/revisions.ts'
import { andChanged } from '../db/sql/changed.ts'
import { keyTypesOf, type Order, pageStatement } from '../db/sql/keyset.ts'
import { type Statement, sql } from '../db/sql/sql.ts'
import type { Content, WebhookSearch } from './model.ts'

/** Whether the caller may see whole addresses, which may hold secrets. */
const seesAddresses = ({ rights }: Context) => !rights || rights.has('administer')

/** Of the address the host alone. */
const masked = sql`(w.json::jsonb || jsonb_build_object('url', substring(w.json::jsonb ->> 'url' from '^https?://') || substring(w.json::jsonb ->> 'url' from '^https?://(?:[^/?#]*@)?([^/?#]+)') || '/…'))::text`

/** The record with how its deliveries go, which is not part of its revision. */
const shownTo = (
  ctx: Context,
) => sql`left(${seesAddresses(ctx) ? sql`w.json` : masked}, -1) || ',' || substr(json_build_object('last_success_at', wire_time(w.last_success_at), 'last_failure_at', wire_time(w.last_failure_at),
  'last_error', w.last_error, 'failing_since', wire_time(w.failing_since), 'waiting_count', coalesce(waiting.count, 0))::text, 2)`

function withHealth(org: string): Statement {
  return sql`webhooks_wire w left join (
    select webhook_id, count(*)::int as count from webhook_deliveries where org_id = ${org} and next_attempt_at is not null group by webhook_id) waiting
    on waiting.webhook_id = w.id where w.org_id = ${org}`
}

const newestFirst: Order = {
  keys: [
    { value: sql`w.created_at`, type: 'time' },
    { value: sql`w.id`, type: 'id' },
  ],
  descending: true,
}

export async function listWebhooks(ctx: Context, search: WebhookSearch): Promise<string> {
  const page = pageOf('webhooks', search, keyTypesOf(newestFirst))
  const changed = andChanged(ctx.org, 'webhooks', search, sql`w.id`)
  const total = sql`(select count(*)::int from webhooks w where w.org_id = ${ctx.org} and w.deleted_at is null${changed})`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({
      total,
      json: shownTo(ctx),
      rows: sql`from ${withHealth(ctx.org)}${changed}`,
      order: newestFirst,
      page,
    }),
  )
  return envelope('webhooks', found ?? nothingFound, page)
}

export async function findWebhook(ctx: Context, id: string): Promise<WireRecord | undefined> {
  const [row] = await ctx.run<WireRecord>(
    sql`select w.revision, ${shownTo(ctx)} as json from ${withHealth(ctx.org)} and w.id = ${id}`,
  )
  return row
}

/** The record as events carry it. */
export async function findRecord(ctx: Context, id: string): Promise<WireRecord | undefined> {
  const [row] = await ctx.run<WireRecord>(
    sql`select revision, json from webhooks_wire where org_id = ${ctx.org} and id = ${id}`,
  )
  return row
}

export type LockedWebhook = Content & { id: string; revision: number; secret: string }

export async function lockWebhook(ctx: Context, id: string): Promise<LockedWebhook | undefined> {
  const [row] = await ctx.run<LockedWebhook>(sql`
    select id, url, description, event_types, enabled, revision, secret from webhooks
    where org_id = ${ctx.org} and id = ${id} and deleted_at is null for no key update`)
  return row
}

/** Its deliveries begin with what is published from now on. */
export async function insertWebhook(
  ctx: Context,
  id: string,
  secret: string,
  { url, description, event_types, enabled }: Content,
): Promise<void> {
  await ctx.run(sql`
    insert into webhooks (org_id, id, url, description, event_types, enabled, disabled_at, secret, position, complete_after)
    select own.org_id, ${id}, ${url}, ${description}, ${event_types}, ${enabled}, case when ${enabled}::boolean then null else now() end, ${secret},
      coalesce(f.last_position, 0), coalesce(f.last_position, 0)
    from organizations own left join feeds f on f.org_id = own.org_id where own.org_id = ${ctx.org}`)
}

export async function saveWebhook(ctx: Context, id: string, { url, description, event_types }: Content): Promise<void> {
  await ctx.run(sql`
    update webhooks set url = ${url}, description = ${description}, event_types = ${event_types}, revision = revision + 1, updated_at = now(),
      complete_after = case when event_types = ${event_types}::text[] then complete_after else position end
    where org_id = ${ctx.org} and id = ${id}`)
}

/** What was published while it was disabled is not sent by itself. */
export async function saveEnabled(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`
    update webhooks set enabled = true, disabled_at = null, disabled_reason = null, failing_since = null,
      position = greatest(position, coalesce((select last_position from feeds where org_id = ${ctx.org}), 0)),
      complete_after = greatest(position, coalesce((select last_position from feeds where org_id = ${ctx.org}), 0))
    where org_id = ${ctx.org} and id = ${id}`)
}

export async function saveDisabled(ctx: Context, id: string, reason: string | null): Promise<void> {
  await ctx.run(
    sql`update webhooks set enabled = false, disabled_at = now(), disabled_reason = ${reason} where org_id = ${ctx.org} and id = ${id}`,
  )
}

/** Where admins are told about it; at most so many as a mail has room for. */
export async function listAdminAddresses(ctx: Context): Promise<string[]> {
  const rows = await ctx.run<{ email: string }>(sql`
    select email from users where org_id = ${ctx.org} and role = 'admin' and disabled_at is null and joined_at is not null order by id limit 50`)
  return rows.map(({ email }) => email)
}

export async function saveRevision(ctx: Context, id: string): Promise<void> {
  await ctx.run(
    sql`update webhooks set revision = revision + 1, updated_at = now() where org_id = ${ctx.org} and id = ${id}`,
  )
}

export async function saveSecret(
  ctx: Context,
  { id, secret: previous }: LockedWebhook,
  secret: string,
  overlapSeconds: number,
): Promise<void> {
  const kept = overlapSeconds > 0
  const until = kept ? sql`now() + ${overlapSeconds} * interval '1 second'` : sql`null`
  await ctx.run(sql`
    update webhooks set secret = ${secret}, previous_secret = ${kept ? previous : null}, previous_secret_until = ${until}, revision = revision + 1, updated_at = now()
    where org_id = ${ctx.org} and id = ${id}`)
}

/** One that is disabled. Nobody sees it from now on; what belongs to it is deleted in lots. */
export async function saveDeleted(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`
    update webhooks set deleted_at = now(), secret = '', previous_secret = null, previous_secret_until = null
    where org_id = ${ctx.org} and id = ${id}`)
  await ctx.run(sql`delete from webhook_replays where org_id = ${ctx.org} and webhook_id = ${id}`)
}
