import type { Context } from '../context.ts'
import type { Pool } from '../db/connect.ts'
import { sql } from '../db/sql.ts'

export type RevocationKind = 'token' | 'grant' | 'application' | 'user'
export type Revocation = { org_id: string; kind: RevocationKind; subject: string; issued_until: Date; expires_at: Date }

/** Every process listens here for new revocations. */
export const channel = 'lading_revocations'

export async function insertRevocations(ctx: Context, kind: RevocationKind, subjects: readonly string[], rememberedSeconds: number): Promise<void> {
  await ctx.run(sql`delete from revocations where org_id = ${ctx.org} and expires_at < now()`)
  await ctx.run(sql`
    insert into revocations (org_id, kind, subject, issued_until, expires_at)
    select ${ctx.org}, ${kind}, subject, clock_timestamp(), clock_timestamp() + ${rememberedSeconds} * interval '1 second'
    from unnest(${subjects}::text[]) as asked (subject)
    on conflict (org_id, kind, subject) do update set issued_until = excluded.issued_until, expires_at = excluded.expires_at`)
  await ctx.run(sql`select pg_notify(${channel}, '')`)
}

export async function listRevocations({ run }: Pool, since: Date): Promise<Revocation[]> {
  return run<Revocation>(sql`select org_id, kind, subject, issued_until, expires_at from revocations where issued_until > ${since}`)
}
