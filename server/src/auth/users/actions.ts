import { type Context, transaction } from '../../context.ts'
import { conflict, notFound } from '../../core/refusal.ts'
import { type Expected, type Revised, requireExpected } from '../../core/revisions.ts'
import { record } from '../../events/record.ts'
import { revokeGrantsOfUser } from '../grants.ts'
import { hashPassword, requireGoodPassword } from '../passwords.ts'
import { awaitRevocation } from '../revocations.ts'
import { newInvitation } from './invitations.ts'
import { edit, type NewUser, type User, type UserEdit } from './model.ts'
import { findOrInsertPerson, findUser, insertUser, lockAdmins, lockUser, saveUser } from './store.ts'

/** `invitation` is the secret part of the link that lets them in; null when they can sign in right away. */
export type CreatedUser = Revised & { id: string; invitation: string | null }

/**
 * Adds a person to the organization. With a password, a person new to Lading can sign in at once. Everyone else gets an invitation: it takes
 * their own consent to join, and nobody but them sets the password of an account that exists.
 */
export async function createUser(ctx: Context, { email, name, role = 'member', password }: NewUser): Promise<CreatedUser> {
  if (password !== undefined) requireGoodPassword(password)
  const password_hash = password === undefined ? null : await hashPassword(password)
  return transaction(ctx, async (ctx) => {
    const { id, known } = await findOrInsertPerson(ctx, email, password_hash)
    const joined = !known && password !== undefined
    await insertUser(ctx, id, { name, role, joined })
    const invitation = joined ? null : await newInvitation(ctx, id)
    const created = await present(ctx, id)
    await record(ctx, { type: 'user.created', subject: { type: 'user', id }, revision: created.revision, data: created.json })
    return { ...created, id, invitation }
  })
}

export function updateUser(ctx: Context, id: string, input: UserEdit, expected: Expected): Promise<Revised> {
  return change(ctx, id, expected, 'user.updated', async ({ current, admins }) => {
    const { changes, previous } = edit(current, input)
    if (Object.keys(changes).length === 0) return null
    if (changes.role === 'member') requireAnotherAdmin(admins, id)
    return { next: { ...current, ...changes }, previous }
  })
}

/** Shut out when this is answered, on every process; what they did stays. */
export function disableUser(ctx: Context, id: string, expected: Expected): Promise<Revised> {
  return change(ctx, id, expected, 'user.disabled', async ({ ctx, current, admins }) => {
    if (current.disabled_at) {
      await awaitRevocation(ctx, 'user', id)
      return null
    }
    requireAnotherAdmin(admins, id)
    await revokeGrantsOfUser(ctx, id)
    return { next: { ...current, disabled_at: new Date().toISOString() }, previous: { disabled_at: null } }
  })
}

export function enableUser(ctx: Context, id: string, expected: Expected): Promise<Revised> {
  return change(ctx, id, expected, 'user.enabled', async ({ current }) => {
    if (!current.disabled_at) return null
    return { next: { ...current, disabled_at: null }, previous: { disabled_at: current.disabled_at } }
  })
}

/** A new link for someone who has not joined yet; the old one is void. */
export function inviteAgain(ctx: Context, id: string): Promise<CreatedUser> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, id, null)
    if (current.joined_at) throw conflict('already_joined', 'This user has joined already and needs no invitation.')
    const invitation = await newInvitation(ctx, id)
    const user = await present(ctx, id)
    await record(ctx, { type: 'user.invited', subject: { type: 'user', id }, revision: user.revision, data: user.json })
    return { ...user, id, invitation }
  })
}

type Change = { next: User; previous: Partial<User> } | null

function change(
  ctx: Context,
  id: string,
  expected: Expected,
  type: `user.${string}`,
  decide: (before: { ctx: Context; current: User; admins: readonly string[] }) => Promise<Change>,
): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    // The admins first and the user after them: in one order, nobody waits in a circle.
    const admins = await lockAdmins(ctx)
    const current = await lock(ctx, id, expected)
    const decided = await decide({ ctx, current, admins })
    if (!decided) return present(ctx, id)
    await saveUser(ctx, decided.next)
    const changed = await present(ctx, id)
    await record(ctx, { type, subject: { type: 'user', id }, revision: changed.revision, data: changed.json, previous: decided.previous })
    return changed
  })
}

/** An organization without an admin could never be managed again. */
function requireAnotherAdmin(admins: readonly string[], id: string): void {
  if (admins.length === 1 && admins[0] === id) throw conflict('last_admin', 'This is the last admin of the organization. Make someone else an admin first.')
}

async function lock(ctx: Context, id: string, expected: Expected): Promise<User> {
  const current = await lockUser(ctx, id)
  if (!current) throw notFound('user', id)
  requireExpected(expected, current.revision)
  return current
}

async function present(ctx: Context, id: string): Promise<Revised> {
  const found = await findUser(ctx, id)
  if (!found) throw new Error(`user ${id} is gone within its own transaction`)
  return found
}
