import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { findGrant } from './grants.ts'
import { verifyPassword } from './passwords.ts'
import { type Attempt, accountName, countAttempt, forgive } from './throttle.ts'

export type Membership = { org_id: string; organization: string; role: string; name: string }
export type Person = { id: string; email: string; memberships: Membership[] }

/**
 * The person whose password this is, if they are a user of some organization (or of this one). Unknown, wrong and disabled take the same time and
 * look the same.
 */
export async function signIn(database: Database, attempt: Attempt, password: string, org?: string): Promise<Person | null> {
  return checkPassword(database, attempt, password, async ({ id, email }) => {
    const memberships = await membershipsOf(database.pool, id, org)
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
  const [person] = await pool.run<{ id: string; email: string; password_hash: string | null }>(sql`
    select id, email, password_hash from people where lower(email) = lower(${accountName(attempt)})`)
  const matches = await verifyPassword(password, person?.password_hash ?? null)
  // Asked for nobody too, so that the time tells nothing.
  const admitted = await admit(person ?? { id: '00000000-0000-0000-0000-000000000000', email: '' })
  if (!person || !matches || !admitted) return null
  await forgive(pool, attempt)
  return admitted
}

/** The organizations in which a person is an enabled user, and has accepted to be. */
export async function membershipsOf(pool: Database['pool'], person: string, org?: string): Promise<Membership[]> {
  return pool.run<Membership>(sql`
    select u.org_id, o.name as organization, u.role, u.name from users u join organizations o on o.org_id = u.org_id
    where u.id = ${person} and u.disabled_at is null and u.joined_at is not null ${org ? pool.run(sql`and u.org_id = ${org}`) : pool.run(sql``)} order by o.name, u.org_id`)
}

/** The account behind a token or a session, in the words of OpenID Connect; undefined when nobody is there any more. */
export async function findAccount(database: Database, id: string, grantId?: string) {
  const grant = grantId ? await findGrant(database, grantId) : undefined
  if (grantId && grant?.user_id !== id) return undefined
  const [person] = await database.pool.run<{ email: string }>(sql`select email from people where id = ${id}`)
  if (!person) return undefined
  const [user] = grant ? await database.read<{ name: string }>(grant.org_id, sql`select name from users where org_id = ${grant.org_id} and id = ${id}`) : []
  return {
    accountId: id,
    claims: async () => ({ sub: id, email: person.email, email_verified: false, ...(user && { name: user.name }), ...(grant && { org_id: grant.org_id }) }),
  }
}
