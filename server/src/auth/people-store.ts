import type { Pool } from '../db/connect.ts'
import type { Database } from '../db/database.ts'
import { sql, when } from '../db/sql.ts'

export type Membership = { org_id: string; organization: string; role: string; name: string }

export async function findPersonByEmail({ run }: Pool, email: string): Promise<{ id: string; email: string; password_hash: string | null } | undefined> {
  const [person] = await run<{ id: string; email: string; password_hash: string | null }>(sql`
    select id, email, password_hash from people where lower(email) = lower(${email})`)
  return person
}

export async function findEmail({ run }: Pool, person: string): Promise<string | undefined> {
  const [found] = await run<{ email: string }>(sql`select email from people where id = ${person}`)
  return found?.email
}

/** The organizations in which a person is an enabled user, and has accepted to be; or the one that is named. */
export async function findMemberships({ run }: Pool, person: string, org?: string): Promise<Membership[]> {
  return run<Membership>(sql`
    select u.org_id, o.name as organization, u.role, u.name from users u join organizations o on o.org_id = u.org_id
    where u.id = ${person} and u.disabled_at is null and u.joined_at is not null ${when(org, sql`and u.org_id = ${org ?? null}`)} order by o.name, u.org_id`)
}

export async function findUserName(database: Database, org: string, person: string): Promise<string | undefined> {
  const [user] = await database.read<{ name: string }>(org, sql`select name from users where org_id = ${org} and id = ${person}`)
  return user?.name
}

export async function savePassword({ run }: Pool, person: string, hash: string): Promise<void> {
  await run(sql`update people set password_hash = ${hash}, updated_at = now() where id = ${person}`)
}
