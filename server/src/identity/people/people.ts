import { transaction } from '../../platform/context.ts'
import { Refusal, unavailable } from '../../platform/core/refusal.ts'
import type { Database } from '../../platform/db/database.ts'
import { isNodeAway } from '../../platform/db/pool/away.ts'
import { systemContext } from '../../platform/organizations/actions.ts'
import { logRefusedSignIn, logSignIn, recordByUser, recordFailedSignIn } from '../../platform/security-log/record.ts'
import type { PlaceInLine } from '../passwords/line.ts'
import { hashPassword, verifyPassword } from '../passwords/passwords.ts'
import {
  type Attempt,
  accountName,
  countAttempt,
  oneAfterAnother,
  placeOf,
  resetCount,
  takeBack,
} from '../passwords/throttle.ts'
import { findGrant } from './grants.ts'
import {
  type FirstPassword,
  findFirstPasswords,
  findGivenPasswords,
  findMemberships,
  findPeopleByEmail,
  findPerson,
  findUserName,
  type Membership,
  type Owner,
  savePassword,
} from './people-store.ts'

/** What the rooms above need of the people kept here: first sign-ins, resets of passwords, and ends of access. */
export { findFirstPasswords, findPeopleByEmail, saveEndOfAccess } from './people-store.ts'

export type { FirstPassword, Membership, Owner }
export type Person = Owner & { memberships: Membership[] }

/** Where an attempt to sign in comes from: a page in a browser, which may know the person, or an application that was given their password. */
export type Source = { address: string; at: Date; client?: string } & (
  | { knownTo: (owner: Owner) => string | undefined }
  | { application: string }
)

export type SignedIn =
  | { person: Person }
  /** The right password, made up by an admin: it is good for nothing but choosing one's own. */
  | { firstPassword: FirstPassword }

/**
 * Whose password this is, if they are a user of some organization (or of this one). Unknown, wrong and disabled take the same time and look the
 * same.
 */
export async function signIn(
  database: Database,
  account: string,
  password: string,
  source: Source,
  org?: string,
): Promise<SignedIn | null> {
  const { pool } = database
  const name = accountName(account)
  const owners = await findPeopleByEmail(pool, name)
  let away: unknown
  const invited = await findFirstPasswords(pool, name, org).catch((error) => {
    if (!isNodeAway(error)) throw error
    away = error
    return []
  })
  const attempt = attemptOf(name, source, owners)
  const through = 'application' in source && org ? { client: source.application, org } : undefined
  let reason = 'the password is wrong'
  const signedIn = await counted(database, attempt, source.at, async () => {
    const place = placeOf(attempt)
    const matches = await matching(password, owners, place, invited.length === 0)
    const [firstPassword] = await matching(password, invited, place, false)
    const person = await firstWithMemberships(database, matches, org)
    if (person) return { person }
    // Whether a password is wrong can only be said when all have been asked.
    if (away && !firstPassword) throw unavailable('A part of the database is away for a moment. Try again.', away)
    if (matches.length > 0) reason = 'the user is disabled'
    return firstPassword ? { firstPassword } : null
  }).catch((error) => {
    if (error instanceof Refusal) logRefusedSignIn(error.message)
    throw error
  })
  if (!signedIn) recordFailedSignIn(database, name, `Failed to sign in: ${reason}.`, through)
  else if ('person' in signedIn) await recordSignIn(database, signedIn.person, source)
  return signedIn
}

/** Whether this is the password of this person. `session` is where they are signed in already: nobody else's attempts are held against it. */
export async function isPasswordOf(
  database: Database,
  owner: Owner,
  password: string,
  { session, at }: { session: string; at: Date },
): Promise<boolean> {
  const attempt: Attempt = { from: 'known browser', browser: `session ${session}` }
  return (
    (await counted(
      database,
      attempt,
      at,
      async () => (await verifyPassword(password, owner.password_hash, { ahead: true })) || null,
    )) ?? false
  )
}

/** The account with this address that has this password, for someone who holds an invitation to it. */
export async function ownerByInvitation(
  database: Database,
  { email, invitation, at }: { email: string; invitation: string; at: Date },
  password: string,
) {
  return counted(database, { from: 'invitation', invitation }, at, async () => {
    const [owner = null] = await matching(password, await findPeopleByEmail(database.pool, email), {}, true)
    return owner
  })
}

/** Whether an admin of any organization made this password up for somebody with this address, and so knows it. */
export async function isGivenPassword({ pool }: Database, email: string, password: string): Promise<boolean> {
  return (await matching(password, await findGivenPasswords(pool, email), {}, false)).length > 0
}

/** The organizations in which a person is an enabled user. */
export function membershipsOf({ pool }: Database, person: string, org?: string): Promise<Membership[]> {
  return findMemberships(pool, person, org)
}

export function ownerOf({ pool }: Database, person: string): Promise<Owner | undefined> {
  return findPerson(pool, person)
}

export async function emailOf(database: Database, person: string): Promise<string | undefined> {
  return (await ownerOf(database, person))?.email
}

/** Answers the person as they are with it; null where their password was changed meanwhile. */
export async function setPassword({ pool }: Database, owner: Owner, password: string): Promise<Owner | null> {
  const password_hash = await hashPassword(password, { ahead: true })
  return (await savePassword(pool, owner, password_hash)) ? { ...owner, password_hash } : null
}

/** The account behind a token or a session, in the words of OpenID Connect; undefined when nobody is there any more. */
export async function findAccount(database: Database, id: string, grantId?: string) {
  const grant = grantId ? await findGrant(database, grantId) : undefined
  if (grantId && grant?.person_id !== id) return undefined
  const email = await emailOf(database, id)
  if (email === undefined) return undefined
  const name = grant && (await findUserName(database, grant.org_id, grant.user_id))
  return {
    accountId: id,
    claims: async () => ({
      sub: id,
      email,
      email_verified: false,
      ...(name !== undefined && { name }),
      ...(grant && { org_id: grant.org_id }),
    }),
  }
}

/** Which organization somebody in several signs in to is not known yet: it is recorded when they choose one, and there alone. */
async function recordSignIn(database: Database, { id, memberships }: Person, source: Source): Promise<void> {
  const [only, ...others] = memberships
  if (!only || others.length > 0) return logSignIn(id)
  const client = 'application' in source ? source.application : source.client
  const summary =
    'application' in source ? 'Signed in through an application that was given the password.' : 'Signed in.'
  await transaction(systemContext(database, only.org_id), (ctx) =>
    recordByUser(ctx, only.user_id, { type: 'sign_in.succeeded', client, summary }),
  )
}

const nobody = '00000000-0000-0000-0000-000000000000'

/** Counted before anything is looked at; taken back when it was right, or when nothing was looked at. */
function counted<T>({ pool }: Database, attempt: Attempt, at: Date, look: () => Promise<T | null>): Promise<T | null> {
  return oneAfterAnother(attempt, async () => {
    await countAttempt(pool, attempt, at)
    try {
      const found = await look()
      if (found !== null) await resetCount(pool, attempt, at)
      return found
    } catch (error) {
      if (error instanceof Refusal) await takeBack(pool, attempt, at)
      throw error
    }
  })
}

/** Those whose password this is. All are compared, whatever the first one says; `atLeastOnce` compares with nobody's where there is none. */
async function matching<T extends { password_hash: string }>(
  password: string,
  all: readonly T[],
  place: PlaceInLine,
  atLeastOnce: boolean,
): Promise<T[]> {
  const found: T[] = []
  for (const one of all) if (await verifyPassword(password, one.password_hash, place)) found.push(one)
  if (all.length === 0 && atLeastOnce) await verifyPassword(password, null, place)
  return found
}

async function firstWithMemberships(
  database: Database,
  owners: readonly Owner[],
  org?: string,
): Promise<Person | undefined> {
  // Asked for nobody too, so that the time tells nothing.
  if (owners.length === 0) await membershipsOf(database, nobody, org)
  for (const owner of owners) {
    const memberships = await membershipsOf(database, owner.id, org)
    if (memberships.length > 0) return { ...owner, memberships }
  }
  return undefined
}

function attemptOf(account: string, source: Source, owners: readonly Owner[]): Attempt {
  const { address } = source
  if ('application' in source) return { from: 'application', account, address, application: source.application }
  const browser = owners.map(source.knownTo).find((id) => id !== undefined)
  return browser ? { from: 'known browser', browser } : { from: 'page', account, address }
}
