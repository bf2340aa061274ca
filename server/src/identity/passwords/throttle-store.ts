import type { Run } from '../../platform/db/sql/rows.ts'
import { join, type Statement, sql } from '../../platform/db/sql/sql.ts'

export type Count = { failures: number; blockedUntil: Date; expiresAt: Date }

type Row = { hash: string; failures: number; blocked_until: Date; expires_at: Date }

/**
 * The counts of these subjects, by their hashes, locked until the transaction ends. Those that are missing are made first: attempts that come at
 * once would each find nothing to lock otherwise.
 */
export async function lockCounts(run: Run, hashes: readonly string[], expiresAt: Date): Promise<Map<string, Count>> {
  const missing = hashes.toSorted().map((hash) => sql`(decode(${hash}, 'hex'), 0, 'epoch', ${expiresAt}::timestamptz)`)
  await run(sql`
    insert into sign_in_failures (subject_sha256, failures, blocked_until, expires_at) values ${join(missing, sql`, `)} on conflict (subject_sha256) do nothing`)
  const rows = await run<Row>(sql`
    select encode(subject_sha256, 'hex') as hash, failures, blocked_until, expires_at from sign_in_failures where ${among(hashes)} order by subject_sha256 for update`)
  return new Map(
    rows.map(({ hash, failures, blocked_until, expires_at }) => [
      hash,
      { failures, blockedUntil: blocked_until, expiresAt: expires_at },
    ]),
  )
}

export async function saveCounts(run: Run, counts: readonly (readonly [string, Count])[]): Promise<void> {
  const rows = counts.map(([hash, { failures, blockedUntil, expiresAt }]) => ({
    hash,
    failures,
    blocked_until: blockedUntil,
    expires_at: expiresAt,
  }))
  await run(sql`
    update sign_in_failures f set failures = c.failures, blocked_until = c.blocked_until, expires_at = c.expires_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c(hash text, failures int, blocked_until timestamptz, expires_at timestamptz)
    where f.subject_sha256 = decode(c.hash, 'hex')`)
}

export async function deleteCount(run: Run, hash: string): Promise<void> {
  await run(sql`delete from sign_in_failures where ${among([hash])}`)
}

/** Takes one failure back from each, and the wait that it caused. Locked in the order in which attempts lock them, so that nobody waits in a circle. */
export async function lowerCounts(run: Run, hashes: readonly string[], at: Date): Promise<void> {
  await run(sql`
    update sign_in_failures set failures = greatest(0, failures - 1), blocked_until = least(blocked_until, ${at})
    where subject_sha256 in (select subject_sha256 from sign_in_failures where ${among(hashes)} order by 1 for update)`)
}

function among(hashes: readonly string[]): Statement {
  return sql`subject_sha256 = any (select decode(hash, 'hex') from unnest(${hashes}::text[]) as hash)`
}
