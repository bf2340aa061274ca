import { createJoinedUser } from '../src/identity/users/actions.ts'
import type { Role } from '../src/platform/access/roles.ts'
import { newId } from '../src/platform/core/values/ids.ts'
import { sql } from '../src/platform/db/sql/sql.ts'
import { systemContext } from '../src/platform/organizations/actions.ts'
import { type Caller, callerIn, type Service } from './service.ts'

export type Person = Caller & { id: string }

/** A user of the organization with a token of their own, who has been there for long unless they are new. */
export async function personIn(
  service: Service,
  org: string,
  role: Role = 'member',
  { isNew = false } = {},
): Promise<Person> {
  const password = 'walnut parade orbit lantern'
  const { id } = await createJoinedUser(systemContext(service.database, org), {
    email: `${newId()}@example.com`,
    name: 'Pat Person',
    role,
    password,
  })
  if (!isNew) await beThereFor(service, org, id, 30)
  return { ...callerIn(service, org, undefined, () => id, role), id }
}

/** As if the user had joined, and could approve, so many days ago. */
export async function beThereFor({ database }: Service, org: string, id: string, days: number): Promise<void> {
  const since = new Date(Date.now() - days * 86_400_000)
  await systemContext(database, org).transaction(async ({ run }) => {
    await run(sql`update users set joined_at = ${since} where org_id = ${org} and id = ${id}`)
    await run(
      sql`update users set approves_since = ${since} where org_id = ${org} and id = ${id} and approves_since is not null`,
    )
  })
}
