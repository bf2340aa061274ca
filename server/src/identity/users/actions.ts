import { awaitRevocation, revoke } from '../../platform/access/tokens/revocations.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { conflict, invalid, notFound, quote } from '../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../../platform/core/schema/revisions.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { record } from '../../platform/events/record.ts'
import { sendMail } from '../../platform/mail/send.ts'
import { recordSecurity } from '../../platform/security-log/record.ts'
import { requireGoodPassword } from '../passwords/password-rules.ts'
import { hashPassword } from '../passwords/passwords.ts'
import { revokeGrantsOfUser } from '../people/grants.ts'
import { endSessionsOfUser } from '../people/sessions.ts'
import { join, mailInvitation, newFirstPassword, newInvitation, type SignInPages } from './invitations.ts'
import {
  approvesSince,
  edit,
  leftAt,
  type NewUser,
  requireCarrierOfPartner,
  type User,
  type UserEdit,
} from './model.ts'
import {
  type Admin,
  findOrganizationName,
  findUser,
  holdPartnerCarrier,
  insertUser,
  lockAdmins,
  lockUser,
  saveUser,
} from './store.ts'

/** `invitation` is the secret part of the link that lets them in; null when they have a first password instead. */
export type CreatedUser = WireRecord & { id: string; invitation: string | null }

/**
 * Invites someone, by a link, which is mailed to them where `mailing` says how, or by a first password. Either opens nothing but the page on which they accept, with a password of their own: it takes
 * their consent to join. Whether their address has an account elsewhere is no business of this organization, so nothing here depends on it.
 */
export async function createUser(
  ctx: Context,
  { email, name, role = 'member', password, partner_carrier_id }: NewUser,
  mailing?: SignInPages,
): Promise<CreatedUser> {
  requireCarrierOfPartner({ role, partner_carrier_id })
  if (password !== undefined) requireGoodPassword(password, [email, name, await findOrganizationName(ctx)])
  const password_hash = password === undefined ? null : await hashPassword(password)
  return transaction(ctx, async (ctx) => {
    const id = newId()
    const carrier = partner_carrier_id?.toLowerCase() ?? null
    await requirePartnerCarrier(ctx, carrier)
    await insertUser(ctx, { id, email, name, role, partner_carrier_id: carrier })
    if (password_hash !== null) await newFirstPassword(ctx, id, password_hash)
    const invitation = password_hash === null ? await newInvitation(ctx, id) : null
    if (invitation && mailing) await mailInvitation(ctx, { id, email, name }, invitation, mailing)
    const created = await readBack(ctx, id)
    await record(ctx, {
      type: 'user.created',
      subject: { type: 'user', id },
      revision: created.revision,
      data: created.json,
    })
    const way = password_hash === null ? 'by a link' : 'with a first password'
    await recordSecurity(ctx, { type: 'user.created', user: id, summary: `Invited ${name} as ${role}, ${way}.` })
    return { ...created, id, invitation }
  })
}

/** A user who has a password of their own from the start: of the demo, where whoever runs the installation is the admin. */
export async function createJoinedUser(
  ctx: Context,
  { password, ...user }: NewUser & { password: string },
): Promise<CreatedUser> {
  const password_hash = await hashPassword(password)
  return transaction(ctx, async (ctx) => {
    const { id } = await createUser(ctx, user)
    await join(ctx, { user_id: id, email: user.email }, { password_hash })
    return { ...(await readBack(ctx, id)), id, invitation: null }
  })
}

export function updateUser(ctx: Context, id: string, input: UserEdit, expected: ExpectedRevision): Promise<WireRecord> {
  return change(ctx, id, expected, 'user.updated', async ({ ctx, current, admins }) => {
    const { changes, previous } = edit(current, input)
    if (Object.keys(changes).length === 0) return null
    await requirePartnerCarrier(ctx, changes.partner_carrier_id)
    if (changes.role) {
      if (changes.role !== 'admin') requireAnotherAdmin(admins, id)
      // Tokens carry the role: what those say that are there already does not count any more, on any process, when this is answered.
      await revoke(ctx, 'role', id)
    }
    const said = [
      changes.role && `Changed the role of ${current.name} from ${current.role} to ${changes.role}.`,
      changes.partner_carrier_id && `Changed the carrier of ${current.name}.`,
      changes.name && `Changed the name of ${current.name} to ${changes.name}.`,
    ]
    return { next: { ...current, ...changes }, previous, summary: said.filter(Boolean).join(' ') }
  })
}

/** Shut out when this is answered, on every process; what they did stays. */
export function disableUser(ctx: Context, id: string, expected: ExpectedRevision): Promise<WireRecord> {
  return change(ctx, id, expected, 'user.disabled', async ({ ctx, current, admins }) => {
    if (current.disabled_at) {
      await awaitRevocation(ctx, 'user', id)
      return null
    }
    requireAnotherAdmin(admins, id)
    await revokeGrantsOfUser(ctx, id)
    await endSessionsOfUser(ctx, id)
    await tellOfDisabled(ctx, current, admins)
    return {
      next: { ...current, disabled_at: new Date().toISOString() },
      previous: { disabled_at: null },
      summary: `Disabled ${current.name}.`,
    }
  })
}

export function enableUser(ctx: Context, id: string, expected: ExpectedRevision): Promise<WireRecord> {
  return change(ctx, id, expected, 'user.enabled', async ({ current }) => {
    if (!current.disabled_at) return null
    return {
      next: { ...current, disabled_at: null },
      previous: { disabled_at: current.disabled_at },
      summary: `Enabled ${current.name}.`,
    }
  })
}

/** A new link for someone who has not joined yet; the old one, or their first password, is void. */
export function inviteAgain(ctx: Context, id: string, mailing?: SignInPages): Promise<CreatedUser> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, id, null)
    if (current.joined_at) throw conflict('already_joined', 'This user has joined already and needs no invitation.')
    const invitation = await newInvitation(ctx, id)
    if (mailing) await mailInvitation(ctx, current, invitation, mailing)
    const user = await readBack(ctx, id)
    await record(ctx, { type: 'user.invited', subject: { type: 'user', id }, revision: user.revision, data: user.json })
    await recordSecurity(ctx, {
      type: 'user.invited',
      user: id,
      summary: `Gave ${current.name} a new link to join with.`,
    })
    return { ...user, id, invitation }
  })
}

type Change = { next: User; previous: Partial<User>; summary: string } | null

function change(
  ctx: Context,
  id: string,
  expected: ExpectedRevision,
  type: 'user.updated' | 'user.disabled' | 'user.enabled',
  decide: (before: { ctx: Context; current: User; admins: readonly Admin[] }) => Promise<Change>,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    // The admins first and the user after them: in one order, nobody waits in a circle.
    const admins = await lockAdmins(ctx)
    const current = await lock(ctx, id, expected)
    const decided = await decide({ ctx, current, admins })
    if (!decided) return readBack(ctx, id)
    const next = { ...decided.next, approves_since: approvesSince(decided.next) }
    await saveUser(ctx, next, leftAt(current, next))
    const changed = await readBack(ctx, id)
    await record(ctx, {
      type,
      subject: { type: 'user', id },
      revision: changed.revision,
      data: changed.json,
      previous: decided.previous,
    })
    await recordSecurity(ctx, { type, user: id, summary: decided.summary })
    return changed
  })
}

/** `admins` are those of before: where one shuts the others out, these are told as well, since nobody else would notice. */
async function tellOfDisabled(ctx: Context, { id, name, email, role }: User, admins: readonly Admin[]): Promise<void> {
  if (admins.length === 0) return
  const organization = await findOrganizationName(ctx)
  await sendMail(ctx, {
    kind: 'notice',
    scope: 'users',
    to: admins.map((admin) => admin.email),
    subject: `${name} was disabled in ${organization}`,
    text: `${name} (${email}, ${role}) was disabled in ${organization} and cannot sign in any more.\n\nWho did it stands in the console under Security log. If that should not have happened, another admin can enable them again under People.`,
    record: { type: 'user', id },
  })
}

/** An organization without an admin could never be managed again. */
function requireAnotherAdmin(admins: readonly Admin[], id: string): void {
  if (admins.length === 1 && admins[0]?.id === id)
    throw conflict('last_admin', 'This is the last admin of the organization. Make someone else an admin first.')
}

async function requirePartnerCarrier(ctx: Context, id: string | null | undefined): Promise<void> {
  if (id && !(await holdPartnerCarrier(ctx, id)))
    throw invalid(
      'partner_carrier_id',
      'unknown_partner_carrier',
      `There is no partner carrier ${quote(id)} in this organization.`,
    )
}

async function lock(ctx: Context, id: string, expected: ExpectedRevision): Promise<User> {
  const current = await lockUser(ctx, id)
  if (!current) throw notFound('user', id)
  requireExpected(expected, current.revision)
  return current
}

async function readBack(ctx: Context, id: string): Promise<WireRecord> {
  const found = await findUser(ctx, id)
  if (!found) throw new Error(`user ${id} is gone within its own transaction`)
  return found
}
