import { transaction } from '../../context.ts'
import { invalid } from '../../core/refusal.ts'
import type { Database } from '../../db/database.ts'
import { findGrant, revokeGrant, revokeGrantsOfApplication, revokeGrantsOfUser } from '../grants.ts'
import { systemContext } from '../organizations/actions.ts'
import { requireGoodPassword } from '../passwords.ts'
import { emailOf, membershipsOf, setPassword, signIn } from '../people.ts'
import { deleteSessions } from './store.ts'

/** A new password ends every other session and every grant: whoever knew the old one is out. */
export async function changePassword(
  database: Database,
  person: string,
  { current, next, address }: { current: string; next: string; address: string },
  session: string,
): Promise<void> {
  const email = await emailOf(database, person)
  requireGoodPassword(next, 'next')
  if (email === undefined || (await signIn(database, { account: email, address }, current))?.id !== person) {
    throw invalid('current', 'wrong_password', 'The current password is wrong.')
  }
  await setPassword(database, person, next)
  await endSessions(database, person, { except: session })
  for (const { org_id } of await membershipsOf(database, person)) {
    await transaction(systemContext(database, org_id), (ctx) => revokeGrantsOfUser(ctx, person))
  }
}

/** A session ends with everything the console could do in it; what applications were allowed outlives it. */
export async function endSessions(database: Database, person: string, which: { id: string } | { except: string }): Promise<void> {
  for (const grant of await deleteSessions(database, person, which)) await revokeGrant(database, grant)
}

/** A person takes back what they allowed an application in an organization, however often they allowed it. One of the grants names both. */
export async function takeBack(database: Database, person: string, grant: string): Promise<void> {
  const found = await findGrant(database, grant)
  if (found?.user_id === person) await revokeGrantsOfApplication(database, found)
}
