import type { Pool } from '../../db/pool/connect.ts'
import type { Run } from '../../db/sql/rows.ts'
import { sql } from '../../db/sql/sql.ts'
import type { ChainedEvent } from './chain.ts'
import { digestOfContent } from './chain-sql.ts'

type Reader = { readonly org: string; readonly run: Run }

/** How far the chain has come. `position` is null while events from before the feed are left; `id` is the last of those that has its hash. */
export type ChainEnd = { position: number | null; id: string | null; hash: Buffer }

/** The next events that have a place and no hash. */
export async function listUnchained(
  { org, run }: Reader,
  { position, id }: ChainEnd,
  most: number,
): Promise<ChainedEvent[]> {
  const next = sql`select e.id, e.position, ${digestOfContent} as digest from events e where e.org_id = ${org}`
  const old =
    position === null
      ? await run<Row>(
          sql`${next} and e.position = 0 and e.id > coalesce(${id}::uuid, ${lowest}::uuid) order by e.id limit ${most}`,
        )
      : []
  const rows =
    old.length > 0
      ? old
      : await run<Row>(
          sql`${next} and e.position > 0 and e.position > ${position ?? 0} order by e.position limit ${most}`,
        )
  return rows.map((row) => ({ ...row, position: Number(row.position) }))
}

export async function listDigests(
  { org, run }: Reader,
  ids: readonly string[],
): Promise<Pick<ChainedEvent, 'id' | 'digest'>[]> {
  return run(
    sql`select e.id, ${digestOfContent} as digest from events e where e.org_id = ${org} and e.id = any(${ids}::uuid[])`,
  )
}

type Row = { id: string; position: string; digest: Buffer }

const lowest = '00000000-0000-0000-0000-000000000000'

export async function saveHashes(
  { org, run }: Reader,
  ids: readonly string[],
  hashes: readonly Buffer[],
): Promise<void> {
  await run(sql`
    update events e set hash = given.hash from unnest(${ids}::uuid[], ${hashes}::bytea[]) as given(id, hash) where e.org_id = ${org} and e.id = given.id`)
}

export async function saveChainEnd({ org, run }: Reader, { position, id, hash }: ChainEnd): Promise<void> {
  await run(
    sql`update feeds set chained_position = ${position}, chained_id = ${id}, chained_hash = ${hash} where org_id = ${org}`,
  )
}

/** The organizations whose chain has not come to the end of their feed. */
export async function listOrganizationsUnchained({ run }: Pool): Promise<string[]> {
  const rows = await run<{ org_id: string }>(sql`
    select o.org_id from organizations o left join feeds f on f.org_id = o.org_id
    where f.org_id is null or f.chained_position is distinct from f.last_position order by o.org_id`)
  return rows.map(({ org_id }) => org_id)
}

/** The first event of each chain that has not the hash that follows from it and the one before, in sentences; with the rights of the schema's owner. */
export async function listChainFaults(run: Run): Promise<string[]> {
  const broken = await run<{ org_id: string; position: string; id: string }>(sql`
    select distinct on (org_id) org_id, position, id from (
      select org_id, position, id, hash, sha256(coalesce(lag(hash) over feed, ${noHashText}::bytea) || int8send(position) || digest) as expected
      from (select e.org_id, e.position, e.id, e.hash, ${digestOfContent} as digest from events e
        join feeds f on f.org_id = e.org_id and e.position <= f.chained_position offset 0) content
      window feed as (partition by org_id order by position, id)) links
    where hash is distinct from expected order by org_id, position, id`)
  const cut = await run<{ org_id: string; chained_position: string }>(sql`
    select f.org_id, f.chained_position from feeds f left join lateral (
      select e.hash from events e where e.org_id = f.org_id and e.position <= f.chained_position order by e.position desc, e.id desc limit 1) last on true
    where f.chained_position is not null and last.hash is distinct from f.chained_hash and (last.hash is not null or f.chained_hash <> ${noHashText}::bytea)
    order by f.org_id`)
  return [
    ...broken.map(
      ({ org_id, position, id }) =>
        `The event ${id} at position ${position} of ${org_id} does not match its hash: it, or the one before, was changed.`,
    ),
    ...cut.map(
      ({ org_id, chained_position }) =>
        `The last event of ${org_id} up to position ${chained_position} is not the one with which its chain ended.`,
    ),
  ]
}

/** What stands before the first hash, as PostgreSQL reads it. */
const noHashText = `\\x${'00'.repeat(32)}`
