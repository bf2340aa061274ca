import type { Database } from '../../platform/db/database.ts'
import { isNodeAway } from '../../platform/db/pool/away.ts'
import type { Pool } from '../../platform/db/pool/connect.ts'
import type { Run } from '../../platform/db/sql/rows.ts'
import { sql, when } from '../../platform/db/sql/sql.ts'

export type Membership = { org_id: string; organization: string; user_id: string; role: string; name: string }

/** Someone who has an account; `password_hash` is of the one password that they sign in with, `access_ends` how often all their access was ended. */
export type Owner = { id: string; email: string; password_hash: string; access_ends: number }

/** A password that an admin made up for someone who has not joined yet. */
export type FirstPassword = {
  id: string
  org_id: string
  organization: string
  user_id: string
  name: string
  email: string
  password_hash: string
}

/** The oldest first. There are several where whoever accepted an invitation could not show that an account with their address was theirs. */
export async function findPeopleByEmail({ run }: Pool, email: string): Promise<Owner[]> {
  return run<Owner>(sql`
    select id, email, password_hash, access_ends from people where lower(email) = lower(${email}) and password_hash is not null order by created_at, id`)
}

export async function findPerson({ run }: Pool, id: string): Promise<Owner | undefined> {
  const [person] = await run<Owner>(
    sql`select id, email, password_hash, access_ends from people where id = ${id} and password_hash is not null`,
  )
  return person
}

/**
 * The organizations in which a person is an enabled user; or the one that is named. While a node of a cluster is away, those on the other nodes; where
 * that leaves none it fails.
 */
export async function findMemberships({ run }: Pool, person: string, org?: string): Promise<Membership[]> {
  try {
    return await listMemberships(run, person, org)
  } catch (error) {
    if (org || !isNodeAway(error)) throw error
    const [known] = await run<{ org_ids: string[] }>(sql`select org_ids from people where id = ${person}`)
    const asked = await Promise.allSettled((known?.org_ids ?? []).map((org) => listMemberships(run, person, org)))
    const found = asked.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (known && found.length === 0) throw error
    return found.toSorted((one, other) => (one.organization < other.organization ? -1 : 1))
  }
}

function listMemberships(run: Run, person: string, org: string | undefined): Promise<Membership[]> {
  return run<Membership>(sql`
    select u.org_id, o.name as organization, u.id as user_id, u.role, u.name from users u join organizations o on o.org_id = u.org_id
    where u.person_id = ${person} and u.disabled_at is null ${when(org, sql`and u.org_id = ${org ?? null}`)} order by o.name, u.org_id`)
}

/** The first passwords that are good now for an address, in all organizations or in the one that is named. */
export async function findFirstPasswords({ run }: Pool, email: string, org?: string): Promise<FirstPassword[]> {
  return run<FirstPassword>(sql`
    select f.id, f.org_id, o.name as organization, f.user_id, u.name, u.email, f.password_hash
    from users u join first_passwords f on f.org_id = u.org_id and f.user_id = u.id join organizations o on o.org_id = u.org_id
    where u.email_key = lower(${email}) and u.joined_at is null and u.disabled_at is null and f.expires_at > statement_timestamp()
      ${when(org, sql`and u.org_id = ${org ?? null}`)} order by f.id`)
}

/** The passwords that admins of any organization made up for an address, the newest first, also those that are void. */
export async function findGivenPasswords({ run }: Pool, email: string): Promise<{ password_hash: string }[]> {
  return run<{ password_hash: string }>(sql`
    select g.password_hash from users u join given_passwords g on g.org_id = u.org_id and g.user_id = u.id
    where u.email_key = lower(${email}) order by g.given_at desc limit 20`)
}

export async function findUserName(database: Database, org: string, user: string): Promise<string | undefined> {
  const [row] = await database.read<{ name: string }>(
    org,
    sql`select name from users where org_id = ${org} and id = ${user}`,
  )
  return row?.name
}

/** Answers false where the password is no longer the one that `owner` has: of several who change it at once only one does. */
export async function savePassword({ run }: Pool, { id, password_hash }: Owner, hash: string): Promise<boolean> {
  const saved = await run(
    sql`update people set password_hash = ${hash}, updated_at = now() where id = ${id} and password_hash = ${password_hash} returning 1`,
  )
  return saved.length > 0
}

export async function saveEndOfAccess({ run }: Pool, person: string): Promise<void> {
  await run(sql`update people set access_ends = access_ends + 1, updated_at = now() where id = ${person}`)
}
