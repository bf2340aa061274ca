import type { Context } from '../../context.ts'
import type { Database } from '../../db/database.ts'
import type { Pool } from '../../db/pool/connect.ts'
import type { Run } from '../../db/sql/rows.ts'
import { join, sql } from '../../db/sql/sql.ts'

/** `role` revokes what the tokens of a user say of their role, not the tokens. */
export type RevocationKind = 'token' | 'grant' | 'application' | 'user' | 'role'
export type Revocation = { org_id: string; kind: RevocationKind; subject: string; issued_until: Date; expires_at: Date }

/** What one reading found, the snapshot that it saw, and where the next reading begins. */
export type Reading = { snapshot: string; next: string; revocations: Revocation[] }

/** Every process listens here for new revocations. */
export const channel = 'lading_revocations'

/** Returns the id of the transaction that they are written in. */
export async function insertRevocations(
  ctx: Context,
  kind: RevocationKind,
  subjects: readonly string[],
  rememberedSeconds: number,
): Promise<string> {
  await ctx.run(sql`delete from revocations where org_id = ${ctx.org} and expires_at < now()`)
  const writing = await writingOf(ctx.run, ctx.org)
  const rows = subjects.map(
    (subject) =>
      sql`(${ctx.org}::uuid, ${kind}, ${subject}, statement_timestamp(), statement_timestamp() + ${rememberedSeconds} * interval '1 second', ${writing}::text::xid8)`,
  )
  await ctx.run(sql`
    insert into revocations (org_id, kind, subject, issued_until, expires_at, written_by) values ${join(rows, sql`, `)}
    on conflict (org_id, kind, subject) do update
      set issued_until = excluded.issued_until, expires_at = excluded.expires_at, written_by = excluded.written_by`)
  await ctx.run(sql`select pg_notify(${channel}, '')`)
  return writing
}

/**
 * The id of the transaction under way. Asked of the table itself: on a cluster it is in one place, and the ids and snapshots of that place are those
 * that all processes compare.
 */
async function writingOf(run: Run, org: string): Promise<string> {
  const [row] = await run<{ id: string }>(
    sql`select pg_current_xact_id()::text as id from (select 1) as always left join revocations on org_id = ${org} limit 1`,
  )
  return row?.id as string
}

/** Moves the moment up to which tokens are revoked to now; returns the id of the transaction that does. */
export async function stampRevocations(
  database: Database,
  org: string,
  kind: RevocationKind,
  subjects: readonly string[],
): Promise<string | undefined> {
  return database.transaction(org, async (run) => {
    const writing = await writingOf(run, org)
    const stamped = await run(sql`
      update revocations set issued_until = statement_timestamp(), written_by = ${writing}::text::xid8
      where org_id = ${org} and kind = ${kind} and subject = any(${subjects}::text[]) returning 1`)
    await run(sql`select pg_notify(${channel}, '')`)
    return stamped.length > 0 ? writing : undefined
  })
}

/** Those that are dated later than now, which only a clock that was ahead can have done. */
export async function listAhead({
  run,
}: Pool): Promise<{ org_id: string; kind: RevocationKind; subjects: string[] }[]> {
  return run(sql`
    select org_id, kind, array_agg(subject) as subjects from revocations where issued_until > statement_timestamp() + interval '1 minute' group by org_id, kind`)
}

/** The id of the transaction that revoked it, if it is revoked. */
export async function findRevocation(ctx: Context, kind: RevocationKind, subject: string): Promise<string | undefined> {
  const [row] = await ctx.run<{ written_by: string }>(
    sql`select written_by::text from revocations where org_id = ${ctx.org} and kind = ${kind} and subject = ${subject}`,
  )
  return row?.written_by
}

/** Those of all organizations that a reading may not have shown, `since` being the `next` of it. */
export async function listRevocations({ run }: Pool, since: string): Promise<Reading> {
  const rows = await run<Revocation & { snapshot: string; next: string }>(sql`
    select pg_current_snapshot()::text as snapshot, pg_snapshot_xmin(pg_current_snapshot())::text as next, org_id, kind, subject, issued_until, expires_at
    from (select 1) as always left join revocations on written_by >= ${since}::text::xid8`)
  const { snapshot, next } = rows[0] as Omit<Reading, 'revocations'>
  return { snapshot, next, revocations: rows.filter(({ kind }) => kind !== null) }
}

/** Those that have not renewed their row for a minute are gone, or come back with a row of their own. */
export async function saveProcess({ run }: Pool, id: string, snapshot: string | null): Promise<void> {
  await run(
    sql`delete from serving_processes where renewed_at < statement_timestamp() - interval '1 minute' and id <> ${id}`,
  )
  await run(sql`
    insert into serving_processes (id, renewed_at, seen) values (${id}, statement_timestamp(), ${snapshot}::text::pg_snapshot)
    on conflict (id) do update set renewed_at = excluded.renewed_at, seen = excluded.seen`)
}

export async function deleteProcess({ run }: Pool, id: string): Promise<void> {
  await run(sql`delete from serving_processes where id = ${id}`)
}

/** How many processes, of those that renewed their row within this time, have not read what a transaction wrote. */
export async function countProcessesBehind({ run }: Pool, transaction: string, withinMs: number): Promise<number> {
  const [row] = await run<{ behind: number }>(sql`
    select count(*)::int as behind from serving_processes
    where renewed_at > statement_timestamp() - ${withinMs} * interval '1 millisecond'
      and (seen is null or not pg_visible_in_snapshot(${transaction}::text::xid8, seen))`)
  return row?.behind ?? 0
}
