import type { Context } from '../context.ts'
import type { Pool } from '../db/pool/connect.ts'
import { nothing, sql } from '../db/sql/sql.ts'

/** The organizations that have webhooks without deliveries for all of their events, or a replay that is not done. */
export async function listOrganizationsBehind({ run }: Pool): Promise<string[]> {
  const rows = await run<{ org_id: string }>(sql`
    select w.org_id from webhooks w join feeds f on f.org_id = w.org_id where w.enabled and w.position < f.last_position
    union select org_id from webhook_replays`)
  return rows.map(({ org_id }) => org_id)
}

/** Whether the organization has webhooks without deliveries for all of their events, and replays that are not done. */
export async function findOpen(ctx: Context): Promise<{ behind: boolean; replays: boolean }> {
  const [row] = await ctx.run<{ behind: boolean; replays: boolean }>(sql`
    select exists (select from webhooks w join feeds f on f.org_id = w.org_id where w.org_id = ${ctx.org} and w.enabled and w.position < f.last_position) as behind,
      exists (select from webhook_replays where org_id = ${ctx.org}) as replays`)
  return row ?? { behind: false, replays: false }
}

export type LateWebhook = { id: string; position: number; event_types: string[]; last: number }

/** Locks the webhooks that are behind the feed, those that are furthest behind first. They are in step most of the time. */
export async function lockBehind(ctx: Context, most: number, locked: 'skip' | 'wait'): Promise<LateWebhook[]> {
  const patience = locked === 'skip' ? sql`skip locked` : nothing
  const rows = await ctx.run<Omit<LateWebhook, 'position' | 'last'> & { position: string; last: string }>(sql`
    select w.id, w.position, w.event_types, f.last_position as last from webhooks w join feeds f on f.org_id = w.org_id
    where w.org_id = ${ctx.org} and w.enabled and w.position < f.last_position order by w.position, w.id limit ${most} for no key update of w ${patience}`)
  return rows.map((row) => ({ ...row, position: Number(row.position), last: Number(row.last) }))
}

export type FeedEvent = { id: string; type: string; position: number }

export async function listFeed(
  ctx: Context,
  { after, upTo, most }: { after: number; upTo: number; most: number },
): Promise<FeedEvent[]> {
  const rows = await ctx.run<FeedEvent & { position: string }>(sql`
    select id, type, position from events where org_id = ${ctx.org} and position > ${after} and position <= ${upTo} order by position limit ${most}`)
  return rows.map((row) => ({ ...row, position: Number(row.position) }))
}

export async function savePositions(ctx: Context, webhooks: readonly string[], position: number): Promise<void> {
  await ctx.run(
    sql`update webhooks set complete_after = coalesce(complete_after, position), position = ${position} where org_id = ${ctx.org} and id = any(${webhooks}::uuid[])`,
  )
}

export type NewReplay = {
  id: string
  webhook: string
  after: number
  upTo: number
  from: Date | null
  to: Date | null
  eventTypes: readonly string[]
}

export async function insertReplay(
  ctx: Context,
  { id, webhook, after, upTo, from, to, eventTypes }: NewReplay,
): Promise<string> {
  const [row] = await ctx.run(sql`
    insert into webhook_replays (org_id, id, webhook_id, position, until_position, from_at, to_at, event_types)
    values (${ctx.org}, ${id}, ${webhook}, ${after}, ${upTo}, ${from}, ${to}, ${eventTypes})
    returning id, webhook_id, from_at as from, to_at as to, event_types, created_at`)
  return JSON.stringify(row)
}

export type LockedReplay = {
  id: string
  webhook_id: string
  position: number
  until_position: number
  from_at: Date | null
  to_at: Date | null
  event_types: string[]
  webhook_types: string[]
  enabled: boolean
}

/** The oldest replay, unless another process is at it. */
export async function lockReplay(ctx: Context): Promise<LockedReplay | undefined> {
  const [row] = await ctx.run<LockedReplay & { position: string; until_position: string }>(sql`
    select r.id, r.webhook_id, r.position, r.until_position, r.from_at, r.to_at, r.event_types, w.event_types as webhook_types, w.enabled
    from webhook_replays r join webhooks w on w.org_id = r.org_id and w.id = r.webhook_id
    where r.org_id = ${ctx.org} order by r.id limit 1 for update of r skip locked`)
  return row && { ...row, position: Number(row.position), until_position: Number(row.until_position) }
}

/** Of the next positions those whose events happened in the span. */
export async function listSpan(
  ctx: Context,
  { position, from_at, to_at }: LockedReplay,
  upTo: number,
): Promise<FeedEvent[]> {
  const rows = await ctx.run<FeedEvent & { position: string }>(sql`
    select id, type, position from events where org_id = ${ctx.org} and position > ${position} and position <= ${upTo}
      and (${from_at}::timestamptz is null or occurred_at >= ${from_at}) and (${to_at}::timestamptz is null or occurred_at <= ${to_at}) order by position`)
  return rows.map((row) => ({ ...row, position: Number(row.position) }))
}

export async function saveReplay(ctx: Context, id: string, position: number): Promise<void> {
  await ctx.run(sql`update webhook_replays set position = ${position} where org_id = ${ctx.org} and id = ${id}`)
}

export async function deleteReplay(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`delete from webhook_replays where org_id = ${ctx.org} and id = ${id}`)
}

/** Up to where the feed goes, and from where on it can be asked for. */
export async function findFeed(ctx: Context): Promise<{ last: number; keptFrom: number }> {
  const [row] = await ctx.run<{ last_position: string; kept_from: string }>(
    sql`select last_position, kept_from from feeds where org_id = ${ctx.org}`,
  )
  return { last: Number(row?.last_position ?? 0), keptFrom: Number(row?.kept_from ?? 0) }
}
