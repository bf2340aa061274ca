import { type Context, together } from '../../context.ts'
import { leaseMs } from '../../core/turns/leases.ts'
import type { Pool } from '../../db/pool/connect.ts'
import { later } from '../../db/sql/later.ts'
import { sql } from '../../db/sql/sql.ts'
import type { Claimed } from '../../work/queue/queue.ts'
import type { QueueTable } from '../../work/queue/table.ts'

export const deliveryQueue: QueueTable = {
  name: 'webhook_deliveries',
  dueAt: 'next_attempt_at',
  withoutTime: 'done',
}

export type Endpoint = { org: string; webhook: string }

/** The webhooks to which something is to be sent now, with the rights of the schema's owner. */
export async function listDue({ run }: Pool, aheadMs: number): Promise<Endpoint[]> {
  return run<Endpoint>(sql`
    select w.org_id as org, w.id as webhook from webhooks w where w.enabled and exists (
      select from webhook_deliveries d where d.org_id = w.org_id and d.webhook_id = w.id and d.next_attempt_at <= ${later(aheadMs)}
        and (d.leased_until is null or d.leased_until <= ${later(aheadMs)}))`)
}

export type WebhookTarget = { url: string; secrets: string[] }
export type ClaimedDelivery = Claimed<{
  id: string
  event_id: string
  type: string
  failure_count: number
  resend_count: number
  event: string
}>

/**
 * Takes what is due to a webhook, the oldest first, for as long as the lease lasts. A claim that is lost with a crash of the database is a delivery that is
 * sent twice, so nobody waits for the disk. Deliveries and events are looked up by their ids in a way that leaves PostgreSQL no other: until it has counted the
 * rows of an organization, it takes it for one with a single row, and would read all of them instead. It is no claim of `work/queue`, because PostgreSQL then
 * chose another index: until it has counted, all that waits for a webhook would be read.
 */
export async function claimDue(
  ctx: Context,
  webhook: string,
  { most, aheadMs }: { most: number; aheadMs: number },
): Promise<{ sending: WebhookTarget | undefined; claimed: ClaimedDelivery[]; now: Date }> {
  const [, [time], [sending], claimed] = await together(
    ctx.run(sql`set local synchronous_commit = off`),
    ctx.run<{ now: Date }>(sql`select ${later(aheadMs)} as now`),
    ctx.run<WebhookTarget>(sql`
      select url, array_remove(array[secret, case when previous_secret_until > ${later(aheadMs)} then previous_secret end], null) as secrets
      from webhooks where org_id = ${ctx.org} and id = ${webhook} and enabled`),
    ctx.run<ClaimedDelivery>(sql`
      with due as (
        select d.id from webhook_deliveries d join webhooks w on w.org_id = d.org_id and w.id = d.webhook_id
        where d.org_id = ${ctx.org} and d.webhook_id = ${webhook} and w.enabled and d.next_attempt_at <= ${later(aheadMs)}
          and (d.leased_until is null or d.leased_until <= ${later(aheadMs)})
        order by d.next_attempt_at, d.id limit ${most} for update of d skip locked
      ), claimed as (
        update webhook_deliveries d set leased_until = ${later(aheadMs + leaseMs)} where d.org_id = ${ctx.org} and d.id = any (array(select id from due))
        returning d.id, d.event_id, d.type, d.failure_count, d.resend_count, d.leased_until)
      select c.id, c.event_id, c.type, c.failure_count, c.resend_count, c.leased_until, e.json as event from claimed c
      cross join lateral (select json from events_wire where org_id = ${ctx.org} and id = c.event_id offset 0) as e order by c.id`),
  )
  return { sending, claimed, now: time?.now ?? new Date() }
}

export type Result = {
  id: string
  at: string
  url: string
  signature: string
  status: number | null
  duration_ms: number
  error: string | null
  excerpt: string | null
  /** When it is tried again, where it is. */
  next_attempt_at: string | null
  /** As it was when the attempt began. */
  resend_count: number
}

/**
 * Writes what came of many attempts at once. One that was taken meanwhile, as after a lease had passed, stays taken; one that was asked to be sent again
 * meanwhile is still to be sent, with all its retries, whatever came of this attempt. Answers whether there are such.
 */
export async function saveResults(ctx: Context, results: readonly Result[]): Promise<boolean> {
  const [row] = await ctx.run<{ asked: boolean | null }>(sql`
    with results as (
      select * from jsonb_to_recordset(${JSON.stringify(results)}::text::jsonb) as r(id uuid, at timestamptz, url text, signature text, status int, duration_ms int,
        error text, excerpt text, next_attempt_at timestamptz, resend_count int)
    ), saved as (
      update webhook_deliveries d set attempt_count = d.attempt_count + 1, leased_until = null,
        failure_count = case when d.resend_count <> r.resend_count then d.failure_count when r.error is null then 0 else d.failure_count + 1 end,
        state = case when d.resend_count <> r.resend_count then d.state when r.error is null or d.state = 'succeeded' then 'succeeded' when r.next_attempt_at is null then 'given_up' else 'failed' end,
        next_attempt_at = case when d.resend_count <> r.resend_count then d.next_attempt_at when r.error is not null and d.state <> 'succeeded' then r.next_attempt_at end
      from results r where d.org_id = ${ctx.org} and d.id = any (${results.map(({ id }) => id)}::uuid[]) and d.id = r.id returning d.id, d.attempt_count, d.resend_count <> r.resend_count as asked
    ), noted as (
      insert into webhook_attempts as a (org_id, delivery_id, number, at, url, signature, status, duration_ms, error, response_excerpt)
      select own.org_id, s.id, s.attempt_count, r.at, r.url, r.signature, r.status, r.duration_ms, r.error, r.excerpt
      from organizations own cross join saved s join results r on r.id = s.id where own.org_id = ${ctx.org} returning a.delivery_id)
    select bool_or(s.asked) as asked from saved s join noted n on n.delivery_id = s.id`)
  return row?.asked ?? false
}

export type Health = { failing_since: Date | null; enabled: boolean }

/** How it went lately. Any success ends a time of failure. `now` is the time of the database, as a value: a cluster takes no other in a condition. */
export async function saveHealth(
  ctx: Context,
  webhook: string,
  { succeeded, lastError, now }: { succeeded: boolean; lastError: string | null; now: Date },
): Promise<Health | undefined> {
  const [row] = await ctx.run<Health>(sql`
    update webhooks set last_success_at = case when ${succeeded}::boolean then ${now}::timestamptz else last_success_at end,
      last_failure_at = case when ${lastError}::text is null then last_failure_at else ${now}::timestamptz end, last_error = coalesce(${lastError}, last_error),
      failing_since = case when ${succeeded}::boolean then null else coalesce(failing_since, ${now}::timestamptz) end
    where org_id = ${ctx.org} and id = ${webhook} returning failing_since, enabled`)
  return row
}

/** How many deliveries wait in all organizations, and for how long the oldest that is due has; endpoints that fail make theirs wait by themselves. */
export async function findWaiting({ run }: Pool): Promise<{ waiting: number; oldestSeconds: number }> {
  const [row] = await run<{ waiting: number; oldest: number | null }>(sql`
    select count(*)::int as waiting, extract(epoch from statement_timestamp() - min(d.next_attempt_at) filter (where w.failing_since is null))::float8 as oldest
    from webhook_deliveries d join webhooks w on w.org_id = d.org_id and w.id = d.webhook_id where w.enabled and d.next_attempt_at is not null`)
  return { waiting: row?.waiting ?? 0, oldestSeconds: Math.max(row?.oldest ?? 0, 0) }
}

/** Of all organizations. A reason stands only where it was not a person who disabled it. */
export async function countUnhealthy({ run }: Pool): Promise<{ failing: number; disabled: number }> {
  const [row] = await run<{ failing: number; disabled: number }>(sql`
    select count(*) filter (where enabled and failing_since is not null)::int as failing,
      count(*) filter (where not enabled and disabled_reason is not null and deleted_at is null)::int as disabled from webhooks`)
  return row ?? { failing: 0, disabled: 0 }
}

/** The organizations that have webhooks, also such as were deleted. */
export async function listOrganizationsWithWebhooks({ run }: Pool): Promise<string[]> {
  const rows = await run<{ org_id: string }>(sql`select distinct org_id from webhooks`)
  return rows.map(({ org_id }) => org_id)
}

/** Deliveries that were made before this id, or to webhooks that were deleted; how many of them there were. */
export async function deleteOldDeliveries(ctx: Context, before: string, most: number): Promise<number> {
  const old = await ctx.run<{ id: string }>(sql`
    (select id from webhook_deliveries where org_id = ${ctx.org} and id < ${before} order by id limit ${most})
    union (select d.id from webhook_deliveries d join webhooks w on w.org_id = d.org_id and w.id = d.webhook_id
      where d.org_id = ${ctx.org} and w.deleted_at is not null limit ${most})`)
  const ids = old.map(({ id }) => id)
  if (ids.length === 0) return 0
  await ctx.run(sql`delete from webhook_attempts where org_id = ${ctx.org} and delivery_id = any(${ids}::uuid[])`)
  await ctx.run(sql`delete from webhook_deliveries where org_id = ${ctx.org} and id = any(${ids}::uuid[])`)
  return ids.length
}

/** Webhooks that were deleted, and of which nothing is left. */
export async function deleteDeletedWebhooks(ctx: Context): Promise<void> {
  await ctx.run(sql`
    delete from webhooks w where w.org_id = ${ctx.org} and w.deleted_at is not null
      and not exists (select from webhook_deliveries d where d.org_id = ${ctx.org} and d.webhook_id = w.id)
      and not exists (select from webhook_replays r where r.org_id = ${ctx.org} and r.webhook_id = w.id)`)
}
