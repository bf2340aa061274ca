import type { Pool } from '../db/connect.ts'
import { type Statement, sql } from '../db/sql.ts'

/** Something that attempts are counted against, by its hash, and how many failures it has free. */
export type Subject = { hash: string; most: number }

/** Counts an attempt against each subject, and says which of them refuse it and how many seconds are left. */
export async function insertAttempt({ run }: Pool, subjects: readonly Subject[], rememberedSeconds: number): Promise<{ refused: boolean; wait: number }[]> {
  const hashes = subjects.map(({ hash }) => hash)
  const most = subjects.map(({ most }) => most)
  // By the clock and not by `now()`: of attempts made at once, one that began earlier may have waited for one that began later.
  return run<{ refused: boolean; wait: number }>(sql`
    insert into sign_in_failures as f (subject_sha256, failures, blocked_until, expires_at)
    select decode(subject, 'hex'), 1, 'epoch', now() + ${rememberedSeconds} * interval '1 second' from unnest(${hashes}::text[]) as s(subject) order by 1
    on conflict (subject_sha256) do update set
      refused = f.expires_at > now() and f.blocked_until > clock_timestamp(),
      failures = case when f.expires_at <= now() then 1 when f.blocked_until > clock_timestamp() then f.failures else f.failures + 1 end,
      blocked_until = case when f.expires_at <= now() or f.blocked_until > clock_timestamp() then f.blocked_until
        else clock_timestamp() - interval '1 millisecond' + interval '1 second' * least(${rememberedSeconds}, power(2, greatest(0, least(20, f.failures + 1 - (
          select least_free from unnest(${hashes}::text[], ${most}::int[]) as l(subject, least_free) where decode(subject, 'hex') = f.subject_sha256)))) - 1) end,
      expires_at = case when f.blocked_until > clock_timestamp() then f.expires_at else now() + ${rememberedSeconds} * interval '1 second' end
    returning refused, greatest(0, ceil(extract(epoch from blocked_until - clock_timestamp())))::int as wait`)
}

export async function deleteFailures({ run }: Pool, hashes: readonly string[]): Promise<void> {
  await run(sql`delete from sign_in_failures where ${lockedAmong(hashes)}`)
}

/** Takes one failure back. */
export async function lowerFailures({ run }: Pool, hashes: readonly string[]): Promise<void> {
  await run(sql`update sign_in_failures set failures = greatest(0, failures - 1) where ${lockedAmong(hashes)}`)
}

/** Locked in the order in which attempts lock them, so that neither waits for the other in a circle. */
function lockedAmong(hashes: readonly string[]): Statement {
  return sql`subject_sha256 in (
    select subject_sha256 from sign_in_failures where subject_sha256 = any (select decode(hash, 'hex') from unnest(${hashes}::text[]) as hash) order by 1 for update)`
}
