import { createHash, randomBytes } from 'node:crypto'
import { newIdWithin, organizationWithin } from '../../platform/access/organization-ids.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { Refusal } from '../../platform/core/refusal.ts'
import type { Database } from '../../platform/db/database.ts'
import { record } from '../../platform/events/record.ts'
import { sendMail } from '../../platform/mail/send.ts'
import { systemContext } from '../../platform/organizations/actions.ts'
import { recordByUser } from '../../platform/security-log/record.ts'
import { requireGoodPassword } from '../passwords/password-rules.ts'
import { hashPassword } from '../passwords/passwords.ts'
import { type FirstPassword, isGivenPassword, ownerByInvitation } from '../people/people.ts'
import {
  deleteFirstPassword,
  deleteInvitation,
  deleteWaysIn,
  findValidInvitation,
  type InvitedUser,
  insertFirstPassword,
  insertInvitation,
  insertPerson,
  saveJoined,
  saveOrganization,
} from './invitations-store.ts'
import { findOrganizationName, findUser } from './store.ts'

const goodForDays = 7

export type { InvitedUser }

/** Who somebody joins as: a person with an account, or a new one who signs in with this password. */
export type JoiningPerson = { person: string } | { person?: undefined; password_hash: string }
/** The same, with the password that they entered, of an account that they had or of a new one. */
type ByPassword = JoiningPerson & { password_hash: string }

/** The secret in an invitation's link, of which only the hash is kept. What the user was given before is void. */
export async function newInvitation(ctx: Context, user: string): Promise<string> {
  const token = `${newIdWithin(ctx.org)}.${randomBytes(24).toString('base64url')}`
  await deleteWaysIn(ctx, user)
  await insertInvitation(ctx, user, hashOf(token), goodForDays)
  return token
}

/** Where the pages of the authorization server are, for the link in a mail. */
export type SignInPages = { authUrl: string }

/** Mails the link to whom it lets in. */
export async function mailInvitation(
  ctx: Context,
  user: { id: string; email: string; name: string },
  token: string,
  { authUrl }: SignInPages,
): Promise<void> {
  const organization = await findOrganizationName(ctx)
  await sendMail(ctx, {
    kind: 'invitation',
    scope: 'users',
    to: [user.email],
    subject: `Join ${organization} on Lading`,
    text: `Hello ${user.name},\n\nyou were invited to ${organization}. Choose a password here within ${goodForDays} days:\n${authUrl}/invitation/${token}\n\nIf you do not know ${organization}, do nothing.\n`,
    hasSecret: true,
    record: { type: 'user', id: user.id },
  })
}

/** A password with which they come in once, to choose their own. What the user was given before is void. */
export async function newFirstPassword(ctx: Context, user: string, password_hash: string): Promise<void> {
  await deleteWaysIn(ctx, user)
  await insertFirstPassword(ctx, user, password_hash, goodForDays)
}

export async function findInvitation(database: Database, token: string): Promise<InvitedUser | null> {
  const org = organizationOf(token)
  return (org && (await findValidInvitation(database, org, hashOf(token)))) || null
}

/**
 * With the password of an account that has their address, they join with that account. Any other password is the one of a new account: nobody
 * can keep an address from those who cannot show that the account with it is theirs.
 */
export async function chooseAccount(
  database: Database,
  invited: InvitedUser,
  password: string,
  at: Date,
): Promise<ByPassword> {
  const { email, name, organization } = invited
  const account = await existingAccount(database, invited, password, at)
  if (account) return account
  await requireOwnPassword(database, email, password)
  requireGoodPassword(password, [email, name, organization])
  return { password_hash: await hashPassword(password) }
}

/** With the account that has their address and this password, if there is one. */
export async function existingAccount(
  database: Database,
  { org_id, user_id, email }: InvitedUser,
  password: string,
  at: Date,
): Promise<ByPassword | null> {
  const owner = await ownerByInvitation(database, { email, invitation: `${org_id} ${user_id}`, at }, password)
  // An account with a password that somebody else made up is no proof that its owner wants to join.
  if (owner) await requireOwnPassword(database, email, password)
  return owner && { person: owner.id, password_hash: owner.password_hash }
}

/** Who made a password up knows it, and would come in with it wherever it is good. */
async function requireOwnPassword(database: Database, email: string, password: string): Promise<void> {
  if (await isGivenPassword(database, email, password))
    throw new Refusal(
      'invalid',
      'bad_password',
      'This is the password that you were given. Choose one that only you know.',
    )
}

/** Takes the invitation, once; answers the person who joined, or null where it was taken before. */
export function acceptInvitation(
  database: Database,
  token: string,
  invited: InvitedUser,
  joinsAs: JoiningPerson,
): Promise<string | null> {
  return transaction(systemContext(database, invited.org_id), async (ctx) => {
    return (await deleteInvitation(ctx, hashOf(token))) ? join(ctx, invited, joinsAs) : null
  })
}

/** The same for someone who came with a first password, which is void from now on. */
export function acceptWithFirstPassword(
  database: Database,
  { id, ...invited }: FirstPassword,
  joinsAs: JoiningPerson,
): Promise<string | null> {
  return transaction(systemContext(database, invited.org_id), async (ctx) => {
    return (await deleteFirstPassword(ctx, invited.user_id, id)) ? join(ctx, invited, joinsAs) : null
  })
}

/** Answers the person. */
export async function join(
  ctx: Context,
  { user_id, email }: Pick<InvitedUser, 'user_id' | 'email'>,
  joinsAs: JoiningPerson,
): Promise<string> {
  const person =
    joinsAs.person === undefined ? await insertPerson(ctx, user_id, email, joinsAs.password_hash) : joinsAs.person
  await saveJoined(ctx, user_id, person)
  // For signing in while a part of the database is away: who joins does not wait for that to work.
  ctx.afterCommit(({ pool }) => saveOrganization(pool, person, ctx.org).catch(() => {}))
  await deleteWaysIn(ctx, user_id)
  const user = await findUser(ctx, user_id)
  await record(ctx, {
    type: 'user.joined',
    subject: { type: 'user', id: user_id },
    ...(user && { revision: user.revision }),
    data: user?.json ?? '{}',
  })
  await recordByUser(ctx, user_id, {
    type: 'user.joined',
    summary: joinsAs.person ? 'Joined with an account they had.' : 'Joined with a new password.',
  })
  return person
}

function organizationOf(token: string): string | null {
  return organizationWithin(token.split('.')[0] ?? '')
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
