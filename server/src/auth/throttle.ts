import { createHash } from 'node:crypto'
import { Refusal } from '../core/refusal.ts'
import type { Pool } from '../db/connect.ts'
import { sql } from '../db/sql.ts'

export type Attempt = { account: string; address: string; application?: string | undefined }

/** How many failures are free before each further one doubles the wait. Guessing one account from one place is stopped soonest. */
const free = { accountFromAddress: 5, account: 20, address: 100, application: 200 }
const rememberedSeconds = 900

/**
 * Counts an attempt before the password is looked at, so that guesses made in parallel are counted too; `forgive` takes it back when the
 * password was right. An account that does not exist is counted like one that does.
 */
export async function countAttempt(pool: Pool, attempt: Attempt): Promise<void> {
  const subjects = subjectsOf(attempt)
  // By the clock and not by `now()`: of attempts made at once, one that began earlier may have waited for one that began later.
  const rows = await pool.run<{ refused: boolean; wait: number }>(sql`
    insert into sign_in_failures as f (subject_sha256, failures, blocked_until, expires_at)
    select decode(subject, 'hex'), 1, 'epoch', now() + ${rememberedSeconds} * interval '1 second' from unnest(${subjects.map(({ hash }) => hash)}::text[]) as s(subject) order by 1
    on conflict (subject_sha256) do update set
      refused = f.expires_at > now() and f.blocked_until > clock_timestamp(),
      failures = case when f.expires_at <= now() then 1 when f.blocked_until > clock_timestamp() then f.failures else f.failures + 1 end,
      blocked_until = case when f.expires_at <= now() or f.blocked_until > clock_timestamp() then f.blocked_until
        else clock_timestamp() - interval '1 millisecond' + interval '1 second' * least(${rememberedSeconds}, power(2, greatest(0, least(20, f.failures + 1 - (
          select least_free from unnest(${subjects.map(({ hash }) => hash)}::text[], ${subjects.map(({ most }) => most)}::int[]) as l(subject, least_free) where decode(subject, 'hex') = f.subject_sha256)))) - 1) end,
      expires_at = case when f.blocked_until > clock_timestamp() then f.expires_at else now() + ${rememberedSeconds} * interval '1 second' end
    returning refused, greatest(0, ceil(extract(epoch from blocked_until - clock_timestamp())))::int as wait`)
  const waits = rows.filter(({ refused }) => refused).map(({ wait }) => Math.max(1, wait))
  if (waits.length === 0) return
  const wait = Math.max(...waits)
  throw new Refusal('too_many', 'too_many_attempts', `Too many failed attempts to sign in. Try again in ${wait} s.`, {
    headers: { 'retry-after': String(wait) },
  })
}

/** The password was right: the account starts afresh; what was counted against the address and the application shrinks by this one. */
export async function forgive(pool: Pool, attempt: Attempt): Promise<void> {
  const hashes = subjectsOf(attempt).map(({ hash }) => hash)
  // Locked in the order in which attempts lock them, so that neither waits for the other in a circle.
  const within = (some: string[]) =>
    pool.run(sql`subject_sha256 in (
    select subject_sha256 from sign_in_failures where subject_sha256 = any (select decode(hash, 'hex') from unnest(${some}::text[]) as hash) order by 1 for update)`)
  await pool.run(sql`delete from sign_in_failures where ${within(hashes.slice(0, 2))}`)
  await pool.run(sql`update sign_in_failures set failures = greatest(0, failures - 1) where ${within(hashes.slice(2))}`)
}

/** The one way to write an account's name: were the search for it more lenient than the count, each way of writing it would have guesses of its own. */
export function accountName({ account }: Pick<Attempt, 'account'>): string {
  return account.trim().toLowerCase()
}

function subjectsOf({ account, address, application }: Attempt): { hash: string; most: number }[] {
  const name = accountName({ account })
  return [
    { hash: hash(`account ${name} from ${address}`), most: free.accountFromAddress },
    { hash: hash(`account ${name}`), most: free.account },
    { hash: hash(`address ${address}`), most: free.address },
    ...(application ? [{ hash: hash(`application ${application}`), most: free.application }] : []),
  ]
}

function hash(subject: string): string {
  return createHash('sha256').update(subject).digest('hex')
}
