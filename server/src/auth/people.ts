import type { Database } from '../db/database.ts'
import { findGrant } from './grants.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { findEmail, findMemberships, findPersonByEmail, findUserName, type Membership, savePassword } from './people-store.ts'
import { type Attempt, accountName, countAttempt, forgive } from './throttle.ts'

export type { Membership }
export type Person = { id: string; email: string; memberships: Membership[] }

/**
 * The person whose password this is, if they are a user of some organization (or of this one). Unknown, wrong and disabled take the same time and
 * look the same.
 */
export async function signIn(database: Database, attempt: Attempt, password: string, org?: string): Promise<Person | null> {
  return checkPassword(database, attempt, password, async ({ id, email }) => {
    const memberships = await membershipsOf(database, id, org)
    return memberships.length > 0 ? { id, email, memberships } : null
  })
}

/** Whether this is the password of the account, whatever organizations it is in: for someone about to join their first. */
export async function ownsAccount(database: Database, attempt: Attempt, password: string): Promise<boolean> {
  return (await checkPassword(database, attempt, password, async () => true)) ?? false
}

async function checkPassword<T>(
  { pool }: Database,
  attempt: Attempt,
  password: string,
  admit: (person: { id: string; email: string }) => Promise<T | null>,
): Promise<T | null> {
  await countAttempt(pool, attempt)
  const person = await findPersonByEmail(pool, accountName(attempt))
  const matches = await verifyPassword(password, person?.password_hash ?? null)
  // Asked for nobody too, so that the time tells nothing.
  const admitted = await admit(person ?? { id: '00000000-0000-0000-0000-000000000000', email: '' })
  if (!person || !matches || !admitted) return null
  await forgive(pool, attempt)
  return admitted
}

/** The organizations in which a person is an enabled user, and has accepted to be. */
export function membershipsOf({ pool }: Database, person: string, org?: string): Promise<Membership[]> {
  return findMemberships(pool, person, org)
}

export function emailOf({ pool }: Database, person: string): Promise<string | undefined> {
  return findEmail(pool, person)
}

export async function setPassword({ pool }: Database, person: string, password: string): Promise<void> {
  await savePassword(pool, person, await hashPassword(password))
}

/** The account behind a token or a session, in the words of OpenID Connect; undefined when nobody is there any more. */
export async function findAccount(database: Database, id: string, grantId?: string) {
  const grant = grantId ? await findGrant(database, grantId) : undefined
  if (grantId && grant?.user_id !== id) return undefined
  const email = await emailOf(database, id)
  if (email === undefined) return undefined
  const name = grant && (await findUserName(database, grant.org_id, id))
  return {
    accountId: id,
    claims: async () => ({ sub: id, email, email_verified: false, ...(name !== undefined && { name }), ...(grant && { org_id: grant.org_id }) }),
  }
}
