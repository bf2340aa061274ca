import { transaction } from '../context.ts'
import { quote, Refusal } from '../core/refusal.ts'
import type { Database } from '../db/database.ts'
import type { Settings } from '../settings.ts'
import { endSessions, takeBack } from './account/actions.ts'
import { type AllowedApplication, findAllowedApplications, findSessions, type SignedInSession } from './account/store.ts'
import { revokeGrantsOfUser } from './grants.ts'
import { systemContext } from './organizations/actions.ts'
import { membershipsOf } from './people.ts'
import { findPersonByEmail } from './people-store.ts'

type Parts = { database: Database; settings: Settings }
export type Access = { email: string; sessions: Omit<SignedInSession, 'current'>[]; applications: AllowedApplication[] }

/** Where a person is signed in, and the applications that they allowed to act for them: what /account shows them. */
export async function accessOf(parts: Parts, email: string): Promise<Access> {
  const person = await requirePerson(parts.database, email)
  const memberships = await membershipsOf(parts.database, person.id)
  const sessions = await findSessions(parts.database, person.id, '')
  const applications = await findAllowedApplications(parts, person.id, memberships)
  return { email: person.email, sessions: sessions.map(({ current: _, ...session }) => session), applications }
}

/** Signs a person out everywhere, and takes back all that they allowed applications. */
export async function endAllAccess({ database }: Parts, email: string): Promise<void> {
  const { id } = await requirePerson(database, email)
  await endSessions(database, id, { except: '' })
  for (const { org_id } of await membershipsOf(database, id)) {
    await transaction(systemContext(database, org_id), (ctx) => revokeGrantsOfUser(ctx, id))
  }
}

/** Ends the sessions, and takes back what the applications were allowed, that have these ids; nothing where one of the ids is unknown. */
export async function endAccess(parts: Parts, email: string, ids: readonly string[]): Promise<void> {
  const { sessions, applications } = await accessOf(parts, email)
  const { id: person } = await requirePerson(parts.database, email)
  const unknown = ids.find((id) => ![...sessions, ...applications].some((known) => known.id === id))
  if (unknown) throw new Refusal('not_found', 'not_found', `${email} has no session and has allowed no application with the id ${quote(unknown)}.`)
  for (const { id } of sessions) if (ids.includes(id)) await endSessions(parts.database, person, { id })
  for (const { id } of applications) if (ids.includes(id)) await takeBack(parts.database, person, id)
}

async function requirePerson({ pool }: Database, email: string): Promise<{ id: string; email: string }> {
  const person = await findPersonByEmail(pool, email)
  if (!person) throw new Refusal('not_found', 'not_found', `There is nobody with the e-mail address ${quote(email)}.`)
  return person
}
