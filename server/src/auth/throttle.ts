import { createHash } from 'node:crypto'
import { Refusal } from '../core/refusal.ts'
import type { Pool } from '../db/connect.ts'
import { deleteFailures, insertAttempt, lowerFailures, type Subject } from './throttle-store.ts'

export type Attempt = { account: string; address: string; application?: string | undefined }

/** How many failures are free before each further one doubles the wait. Guessing one account from one place is stopped soonest. */
const free = { accountFromAddress: 5, account: 20, address: 100, application: 200 }
const rememberedSeconds = 900

/**
 * Counts an attempt before the password is looked at, so that guesses made in parallel are counted too; `forgive` takes it back when the
 * password was right. An account that does not exist is counted like one that does.
 */
export async function countAttempt(pool: Pool, attempt: Attempt): Promise<void> {
  const rows = await insertAttempt(pool, subjectsOf(attempt), rememberedSeconds)
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
  await deleteFailures(pool, hashes.slice(0, 2))
  await lowerFailures(pool, hashes.slice(2))
}

/** The one way to write an account's name: were the search for it more lenient than the count, each way of writing it would have guesses of its own. */
export function accountName({ account }: Pick<Attempt, 'account'>): string {
  return account.trim().toLowerCase()
}

function subjectsOf({ account, address, application }: Attempt): Subject[] {
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
