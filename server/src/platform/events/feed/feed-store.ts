import type { Context } from '../../context.ts'
import type { Pool } from '../../db/pool/connect.ts'
import type { Run } from '../../db/sql/rows.ts'
import { type Statement, sql, when } from '../../db/sql/sql.ts'
import type { EventChoice } from '../types.ts'
import { noHash } from './chain.ts'
import { digestOfContent } from './chain-sql.ts'
import type { ChainEnd } from './chain-store.ts'
import type { UnpublishedEvent } from './order.ts'
import type { ReadableEvents } from './readable.ts'
import { readableOnly } from './readable-sql.ts'

/** Whose feed, and the way to the database. */
type Reader = { readonly org: string; readonly run: Run }

export type Head = {
  /** The position of the newest event. */
  last: number
  /** Events up to this position cannot be asked for any more. */
  keptFrom: number
}

export type PublishedEvent = {
  position: number
  id: string
  type: string
  subject_type: string
  subject_id: string
  json: string
}

/** Of which record the events are, or of which kind of record; of which types; which request made them; and which of them the caller may read. */
export type Filter = {
  types?: EventChoice | undefined
  subject_type?: string | undefined
  subject_id?: string | undefined
  request_id?: string | undefined
  readable?: ReadableEvents | undefined
}

/** Events behind one position and up to another. */
export type Span = { after: number; upTo: number; limit: number }

/** The position of the newest event, and how far the chain of hashes has come. */
export type LockedFeed = { last: number; chained: ChainEnd }

/** Locks the feed: until the transaction ends nobody else gives positions or hashes in it. Writers never wait for it. */
export async function lockFeed({ org, run }: Reader): Promise<LockedFeed> {
  type Found = {
    last_position: string
    chained_position: string | null
    chained_id: string | null
    chained_hash: Buffer | null
  }
  const lock = () =>
    run<Found>(
      sql`select last_position, chained_position, chained_id, chained_hash from feeds where org_id = ${org} for update`,
    )
  let [found] = await lock()
  if (!found) {
    await run(sql`insert into feeds (org_id) values (${org}) on conflict (org_id) do nothing`)
    found = (await lock())[0]
  }
  const { last_position = '0', chained_position = null, chained_id = null, chained_hash = null } = found ?? {}
  return {
    last: Number(last_position),
    chained: {
      position: chained_position === null ? null : Number(chained_position),
      id: chained_id,
      hash: chained_hash ?? noHash,
    },
  }
}

/** An event with the SHA-256 of its content. */
export type DigestedEvent = UnpublishedEvent & { digest: Buffer }

/** Committed events without a position, those with the smallest ids first. */
export async function listUnpublished({ org, run }: Reader, most: number): Promise<DigestedEvent[]> {
  return run<DigestedEvent>(sql`
    select e.id, e.type, e.subject_type, e.subject_id, e.revision, ${digestOfContent} as digest from events e
    where e.org_id = ${org} and e.position is null order by e.id limit ${most}`)
}

/** All events without a position of the records that these are about. */
export async function listUnpublishedOf(
  { org, run }: Reader,
  events: readonly UnpublishedEvent[],
): Promise<UnpublishedEvent[]> {
  return run<UnpublishedEvent>(sql`
    select e.id, e.type, e.subject_type, e.subject_id, e.revision
    from (select distinct subject_type, subject_id from unnest(${events.map((event) => event.subject_type)}::text[],
      ${events.map((event) => event.subject_id)}::uuid[]) as asked(subject_type, subject_id)) about
    join events e on e.subject_type = about.subject_type and e.subject_id = about.subject_id where e.org_id = ${org} and e.position is null`)
}

export type PlacedEvent = { id: string; position: number; hash: Buffer | null }

/** Gives the events their positions, which follow the last one, and their hashes where the chain has come that far. */
export async function savePositions({ org, run }: Reader, placed: readonly PlacedEvent[]): Promise<void> {
  const { position, hash } = placed.at(-1) as PlacedEvent
  await run(sql`
    update events e set position = given.position, hash = given.hash
    from unnest(${placed.map(({ id }) => id)}::uuid[], ${placed.map(({ position }) => position)}::bigint[], ${placed.map(({ hash }) => hash)}::bytea[]) as given(id, position, hash)
    where e.org_id = ${org} and e.id = given.id and e.position is null`)
  await run(sql`
    update feeds set last_position = ${position}, chained_position = case when ${hash}::bytea is null then chained_position else ${position} end,
      chained_hash = coalesce(${hash}::bytea, chained_hash) where org_id = ${org}`)
}

/** The organizations that have committed events without a position. */
export async function listOrganizationsBehind({ run }: Pool): Promise<string[]> {
  const rows = await run<{ org_id: string }>(sql`select distinct org_id from events where position is null`)
  return rows.map(({ org_id }) => org_id)
}

/** In seconds; 0 where every event has its position. */
export async function findOldestUnpublished({ run }: Pool): Promise<number> {
  const [row] = await run<{ seconds: number }>(sql`
    select coalesce(extract(epoch from statement_timestamp() - min(occurred_at)), 0)::float8 as seconds from events where position is null`)
  return Math.max(row?.seconds ?? 0, 0)
}

export async function findHead({ org, run }: Reader): Promise<Head> {
  const [row] = await run<{ last_position: string; kept_from: string }>(
    sql`select last_position, kept_from from feeds where org_id = ${org}`,
  )
  return { last: Number(row?.last_position ?? 0), keptFrom: Number(row?.kept_from ?? 0) }
}

/** The heads of the feeds of these organizations, in one round trip, with the rights of the schema's owner. */
export async function listHeads({ run }: Pool, orgs: readonly string[]): Promise<Map<string, number>> {
  const rows = await run<{ org_id: string; last_position: string }>(
    sql`select org_id, last_position from feeds where org_id = any(${orgs}::uuid[])`,
  )
  return new Map(rows.map(({ org_id, last_position }) => [org_id, Number(last_position)]))
}

/** Events with a position, in the order of the feed. */
export async function listPublished(
  { org, run }: Reader,
  { after, upTo, limit }: Span,
  filter: Filter = {},
): Promise<PublishedEvent[]> {
  const rows = await run<PublishedEvent & { position: string }>(sql`
    select position, id, type, subject_type, subject_id, json from events_wire
    where org_id = ${org} and position > ${after} and position <= ${upTo} ${matching(filter)} order by position limit ${limit}`)
  return rows.map((row) => ({ ...row, position: Number(row.position) }))
}

/** A page of the feed, and all that is said with it, in one round trip. `last` is null where the organization has no feed yet. */
export type FoundPage = {
  list: string
  count: number
  end: number | null
  last: number | null
  keptFrom: number
  behind: boolean
}

/** So many events at most, and so many positions are looked at for them. */
export type PageSize = { limit: number; most: number }

/** The oldest first. `after` null: from the oldest that can be asked for. */
export async function findPage(
  ctx: Context,
  after: number | null,
  { limit, most }: PageSize,
  filter: Filter,
): Promise<FoundPage> {
  const from = sql`coalesce(${after}::bigint, (select kept_from from feeds where org_id = ${ctx.org}))`
  const among = sql`position > ${from} and position <= ${from} + ${most}::bigint`
  return findAmong(ctx, { among, order: sql`order by position`, end: sql`max(position)`, limit }, filter)
}

/** The newest first, behind `after` only. `before` null: from the newest. */
export async function findPageBefore(
  ctx: Context,
  { after, before }: { after: number | null; before: number | null },
  { limit, most }: PageSize,
  filter: Filter,
): Promise<FoundPage> {
  const end = sql`coalesce(${before}::bigint, (select last_position + 1 from feeds where org_id = ${ctx.org}))`
  const start = sql`coalesce(${after}::bigint, (select kept_from from feeds where org_id = ${ctx.org}))`
  const among = sql`position > ${start} and position < ${end} and position >= ${end} - ${most}::bigint`
  return findAmong(ctx, { among, order: sql`order by position desc`, end: sql`min(position)`, limit }, filter)
}

type Among = { among: Statement; order: Statement; end: Statement; limit: number }

async function findAmong(ctx: Context, { among, order, end, limit }: Among, filter: Filter): Promise<FoundPage> {
  const [row] = await ctx.run<{
    list: string | null
    count: number
    end: string | null
    last: string | null
    kept_from: string | null
    behind: boolean
  }>(sql`
    select page.list, page.count, page.position as "end", f.last_position as last, f.kept_from,
      exists (select from events where org_id = ${ctx.org} and position is null) as behind
    from (
      select string_agg(json, ',' ${order}) as list, count(*)::int as count, ${end} as position from (
        select position, json from events_wire where org_id = ${ctx.org} and ${among} ${matching(filter)}
        ${when(filter.request_id, sql`and id in (select id from events where org_id = ${ctx.org} and request_id = ${filter.request_id})`)}
        ${order} limit ${limit}) found) page
    left join feeds f on f.org_id = ${ctx.org}`)
  const number = (text: string | null | undefined) => (text === null || text === undefined ? null : Number(text))
  return {
    list: row?.list ?? '',
    count: row?.count ?? 0,
    end: number(row?.end),
    last: number(row?.last),
    keptFrom: number(row?.kept_from) ?? 0,
    behind: row?.behind ?? false,
  }
}

export async function findEvent(
  ctx: Context,
  id: string,
  readable: ReadableEvents | undefined,
): Promise<string | undefined> {
  const [row] = await ctx.run<{ json: string }>(
    sql`select json from events_wire where org_id = ${ctx.org} and id = ${id} ${readableOnly(readable)}`,
  )
  return row?.json
}

/** The organizations whose feeds may have events from before so many days. */
export async function listFeedsOlderThan({ run }: Pool, days: number): Promise<string[]> {
  const rows = await run<{ org_id: string }>(sql`
    select org_id from feeds where last_position > kept_from and (oldest_at is null or oldest_at < statement_timestamp() - ${days} * interval '1 day')`)
  return rows.map(({ org_id }) => org_id)
}

/** The first event of a feed that is not older than so many days. */
export async function findOldestKept(
  { org, run }: Reader,
  days: number,
): Promise<{ position: number; occurred_at: Date } | undefined> {
  const [row] = await run<{ position: string; occurred_at: Date }>(sql`
    select position, occurred_at from events where org_id = ${org} and position > 0 and position > (select kept_from from feeds where org_id = ${org})
      and occurred_at >= statement_timestamp() - ${days} * interval '1 day' order by position limit 1`)
  return row && { ...row, position: Number(row.position) }
}

/** From now on nothing up to this position can be asked for. */
export async function saveKeptFrom({ org, run }: Reader, position: number, oldestAt: Date | null): Promise<void> {
  await run(
    sql`update feeds set kept_from = ${position}, oldest_at = ${oldestAt} where org_id = ${org} and kept_from <= ${position}`,
  )
}

function matching({ types, subject_type, subject_id, readable }: Filter): Statement {
  return sql`${when(types, sql`and (type = any(${types?.names}::text[]) or split_part(type, '.', 1) = any(${types?.nouns}::text[]))`)}
    ${when(subject_type, sql`and subject_type = ${subject_type}`)} ${when(subject_id, sql`and subject_id = ${subject_id}::uuid`)} ${readableOnly(readable)}`
}

/** Feeds that have not exactly one event at each position up to the last, in sentences; with the rights of the schema's owner. */
export async function listFeedFaults(run: Run): Promise<string[]> {
  const rows = await run<{ org_id: string; last_position: string; events: string; highest: string }>(sql`
    select f.org_id, f.last_position, coalesce(e.events, 0) as events, coalesce(e.highest, 0) as highest from feeds f
    left join (select org_id, count(*) as events, max(position) as highest from events where position > 0 group by org_id) e on e.org_id = f.org_id
    where coalesce(e.events, 0) <> f.last_position or coalesce(e.highest, 0) <> f.last_position`)
  return rows.map(
    ({ org_id, last_position, events, highest }) =>
      `The change feed of ${org_id} ends at ${last_position}, but has ${events} events, the last of them at ${highest}.`,
  )
}
