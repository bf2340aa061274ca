import { transaction } from '../../platform/context.ts'
import { invalid } from '../../platform/core/refusal.ts'
import type { Database } from '../../platform/db/database.ts'
import { systemContext } from '../../platform/organizations/actions.ts'
import { recordByUser } from '../../platform/security-log/record.ts'
import { requireGoodPassword } from '../passwords/password-rules.ts'
import { awaitEndOfGrant, findGrant, revokeGrantsOfApplication, revokeGrantsOfUser } from '../people/grants.ts'
import { isPasswordOf, membershipsOf, type Owner, setPassword } from '../people/people.ts'
import { endSessions, keepSession } from '../people/sessions.ts'

type NewPassword = { current: string; next: string; session: string; at: Date }

/** A new password ends every other session and every grant: whoever knew the old one is out. Answers the person as they are with it. */
export async function changePassword(
  database: Database,
  owner: Owner,
  { current, next, session, at }: NewPassword,
): Promise<Owner> {
  const memberships = await membershipsOf(database, owner.id)
  requireGoodPassword(
    next,
    [owner.email, ...memberships.flatMap(({ name, organization }) => [name, organization])],
    'next',
  )
  const wrong = invalid('current', 'wrong_password', 'The current password is wrong.')
  if (!(await isPasswordOf(database, owner, current, { session, at }))) throw wrong
  const summary = 'Changed their password. Other browsers and all applications are signed out.'
  const changed = await replacePassword(database, owner, next, { summary, keptSession: session })
  if (!changed) throw wrong
  return changed
}

/** The same for who has shown in another way that the account is theirs. Null, and nothing is done, where the password was changed meanwhile. */
export async function replacePassword(
  database: Database,
  owner: Owner,
  next: string,
  { summary, keptSession = '' }: { summary: string; keptSession?: string },
): Promise<Owner | null> {
  const memberships = await membershipsOf(database, owner.id)
  requireGoodPassword(
    next,
    [owner.email, ...memberships.flatMap(({ name, organization }) => [name, organization])],
    'next',
  )
  const changed = await setPassword(database, owner, next)
  if (!changed) return null
  await keepSession(database, changed, keptSession)
  await endSessions(database, owner.id, { except: keptSession })
  for (const { org_id, user_id } of memberships) {
    await transaction(systemContext(database, org_id), async (ctx) => {
      await revokeGrantsOfUser(ctx, user_id)
      await recordByUser(ctx, user_id, { type: 'password.changed', summary })
    })
  }
  return changed
}

/** A person takes back what they allowed an application in an organization, however often they allowed it. One of the grants names both. */
export async function takeBack(database: Database, person: string, grant: string): Promise<void> {
  const found = await findGrant(database, grant)
  if (!found) await awaitEndOfGrant(database, grant)
  else if (found.person_id === person) await revokeGrantsOfApplication(database, found)
}
