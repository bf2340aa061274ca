import type { Context } from '../../context.ts'
import { sql } from '../../db/sql/sql.ts'
import type { Answer } from '../answers/answers.ts'

export type KeptAnswer = Answer & { fingerprint: string }

/** Until the end of the transaction; false where another request has the lock. Taken where the organization's rows are, so that it holds for all nodes of a cluster. */
export async function lockKey(ctx: Context, client: string, key: string): Promise<boolean> {
  const [row] = await ctx.run<{ locked: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended(${`${ctx.org} ${client} ${key}`}, 0)) as locked from organizations where org_id = ${ctx.org}`)
  // One that does not exist any more is refused by what the request writes.
  return row?.locked ?? true
}

export async function findAnswer(ctx: Context, client: string, key: string): Promise<KeptAnswer | undefined> {
  const [kept] = await ctx.run<KeptAnswer>(sql`
    select fingerprint, status, headers, body from idempotency_keys where org_id = ${ctx.org} and client_id = ${client} and key = ${key} and expires_at > statement_timestamp()`)
  return kept
}

export async function saveAnswer(
  ctx: Context,
  client: string,
  key: string,
  { fingerprint, status, headers, body }: KeptAnswer,
): Promise<void> {
  // An expired one makes room for its successor, and takes a few others along: nothing else has to clean up. One request of an
  // organization at a time sweeps, so that none waits for another's rows.
  await ctx.run(sql`
    with sweep as materialized (
      select pg_try_advisory_xact_lock(hashtextextended(${`${ctx.org} expired keys`}, 0)) as mine from organizations where org_id = ${ctx.org})
    delete from idempotency_keys where org_id = ${ctx.org} and ((client_id, key) = (${client}, ${key}) or (client_id, key) in (
      select client_id, key from idempotency_keys where org_id = ${ctx.org} and expires_at <= statement_timestamp() and (select mine from sweep) order by expires_at limit 20))`)
  await ctx.run(sql`
    insert into idempotency_keys (org_id, client_id, key, fingerprint, status, headers, body, expires_at)
    values (${ctx.org}, ${client}, ${key}, ${fingerprint}, ${status}, ${headers}, ${body}, now() + interval '24 hours')`)
}
