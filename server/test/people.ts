import { systemContext } from '../src/auth/organizations/actions.ts'
import type { Role } from '../src/auth/roles.ts'
import { createJoinedUser } from '../src/auth/users/actions.ts'
import { newId } from '../src/core/ids.ts'
import { type Caller, callerIn, type Service } from './service.ts'

export type Person = Caller & { id: string }

/** A user of the organization with a token of their own. */
export async function personIn(service: Service, org: string, role: Role = 'member'): Promise<Person> {
  const password = 'walnut parade orbit lantern'
  const { id } = await createJoinedUser(systemContext(service.database, org), { email: `${newId()}@example.com`, name: 'Pat Person', role, password })
  return { ...callerIn(service, org, undefined, () => id, role), id }
}
