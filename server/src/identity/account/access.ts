import { transaction } from '../../platform/context.ts'
import { quote, Refusal } from '../../platform/core/refusal.ts'
import type { Database } from '../../platform/db/database.ts'
import { systemContext } from '../../platform/organizations/actions.ts'
import { revokeGrantsOfUser } from '../people/grants.ts'
import { findPeopleByEmail, membershipsOf, saveEndOfAccess } from '../people/people.ts'
import { endSessions } from '../people/sessions.ts'
import { takeBack } from './actions.ts'
import { findAllowedApplications, findSessions, type SignedInSession } from './store.ts'

type Person = { id: string; email: string }
/** What an application may do in one organization, by the id of one of its grants. */
type Allowed = { id: string; application: string; organization: string; created_at: Date }
export type Access = { email: string; sessions: Omit<SignedInSession, 'current'>[]; applications: Allowed[] }

/** Where the accounts with this address are signed in, and the applications that they allowed to act for them: what /account shows them. */
export async function accessOf(database: Database, email: string): Promise<Access> {
  const all = await Promise.all(
    (await requirePeople(database, email)).map((person) => accessOfPerson(database, person)),
  )
  return {
    email,
    sessions: all.flatMap(({ sessions }) => sessions),
    applications: all.flatMap(({ applications }) => applications),
  }
}

/** Signs the accounts with this address out everywhere, and takes back all that they allowed applications. */
export async function endAllAccess(database: Database, email: string): Promise<void> {
  for (const { id } of await requirePeople(database, email)) {
    await saveEndOfAccess(database.pool, id)
    await endSessions(database, id, { except: '' })
    for (const { org_id, user_id } of await membershipsOf(database, id)) {
      await transaction(systemContext(database, org_id), (ctx) => revokeGrantsOfUser(ctx, user_id))
    }
  }
}

/** Ends the sessions, and takes back what the applications were allowed, that have these ids; nothing where one of the ids is unknown. */
export async function endAccess(database: Database, email: string, ids: readonly string[]): Promise<void> {
  const people = await requirePeople(database, email)
  const all = await Promise.all(
    people.map(async (person) => ({ person: person.id, ...(await accessOfPerson(database, person)) })),
  )
  const known = new Set(all.flatMap(({ sessions, applications }) => [...sessions, ...applications].map(({ id }) => id)))
  const unknown = ids.find((id) => !known.has(id))
  if (unknown)
    throw new Refusal(
      'not_found',
      'not_found',
      `${email} has no session and has allowed no application with the id ${quote(unknown)}.`,
    )
  for (const { person, sessions, applications } of all) {
    for (const { id } of sessions) if (ids.includes(id)) await endSessions(database, person, { id })
    for (const { id } of applications) if (ids.includes(id)) await takeBack(database, person, id)
  }
}

async function accessOfPerson(database: Database, { id }: Person): Promise<Omit<Access, 'email'>> {
  const sessions = await findSessions(database, id, '')
  const allowed = await findAllowedApplications(database, await membershipsOf(database, id))
  const applications = allowed.flatMap(({ application, access }) =>
    access.map(({ grant, organization, since }) => ({ id: grant, application, organization, created_at: since })),
  )
  return { sessions: sessions.map(({ current: _, ...session }) => session), applications }
}

/** Several accounts may have one address: each belongs to organizations that do not know of the other's. */
async function requirePeople({ pool }: Database, email: string): Promise<Person[]> {
  const people = await findPeopleByEmail(pool, email)
  if (people.length === 0)
    throw new Refusal('not_found', 'not_found', `There is nobody with the e-mail address ${quote(email)}.`)
  return people
}
