import Type, { type Static } from 'typebox'
import { approvingRoles, roleNames } from '../../platform/access/roles.ts'
import { invalid } from '../../platform/core/refusal.ts'
import { changedBetween, Id, nullable, paging, Text, Time, wholeEdit } from '../../platform/core/schema/schema.ts'

const email = Type.String({
  format: 'email',
  maxLength: 254,
  description: 'What they sign in with.',
  examples: ['sam@blueridge.example'],
})
const name = Text('What people call them.', 'Sam Ortega', { maxLength: 200 })
const role = Type.Enum(roleNames, {
  description:
    'What they may do. `admin` everything; `member` everything but administration; `clerk` enters and changes records; `approver` approves and rejects bills; `payer` records payments and takes the files of payment runs to the bank; `read_only` changes nothing. Everyone reads, but for `partner`, which belongs to one carrier and sees what is its own in the partner portal.',
  examples: ['member'],
})

const partnerCarrierId = Type.Unsafe<string | null>({
  ...nullable(Id('The carrier whose records they see in the partner portal: of the role `partner`, and of no other.')),
  examples: [null],
})

export const User = Type.Object(
  {
    id: Id('The user in this organization; the same person has other ids in others.'),
    email,
    name,
    role,
    partner_carrier_id: partnerCarrierId,
    disabled_at: nullable(Time('Since when they are shut out; null while they are not.')),
    revision: Type.Integer({
      minimum: 1,
      description: 'Rises by one with every change; the number in the ETag.',
      examples: [1],
    }),
    created_at: Time('When they were added.'),
    updated_at: Time('When they were last changed.'),
    joined_at: nullable(Time('When they accepted the invitation; null until then.')),
    last_login_at: nullable(Time('When they last signed in to this organization.')),
    approves_since: nullable(
      Time(
        'Since when they can sign in with a role that approves; null where they cannot. For `new_approver_days` of the organization they decide nothing about where money goes.',
      ),
    ),
  },
  { $id: 'User', description: 'A person in one organization.' },
)
export type User = Static<typeof User>

export const NewUser = Type.Object({
  email,
  name,
  role: Type.Optional(role),
  partner_carrier_id: Type.Optional(partnerCarrierId),
  password: Type.Optional(
    Type.String({
      minLength: 10,
      maxLength: 1024,
      description:
        'A first password, good for 7 days: with it they come in once, and choose their own. Without it they are invited by a link. It is refused where there is a mail server.',
      examples: ['correct horse battery staple'],
    }),
  ),
})
export type NewUser = Static<typeof NewUser>

export const UserEdit = wholeEdit(User, Type.Partial(Type.Object({ name, role, partner_carrier_id: partnerCarrierId })))
export type UserEdit = Static<typeof UserEdit>

export const UserSearch = Type.Object({
  search_term: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        'Keeps the users that contain this in their name or e-mail address; upper and lower case are the same.',
      examples: ['sam'],
    }),
  ),
  ...changedBetween,
  ...paging,
})
export type UserSearch = Static<typeof UserSearch>

const editable = ['name', 'role', 'partner_carrier_id'] as const

/** Who gets another role than `partner` has no carrier any more. */
export function edit(current: User, sent: UserEdit): { changes: UserEdit; previous: Partial<User> } {
  const leaves = sent.role !== undefined && sent.role !== 'partner' && sent.partner_carrier_id === undefined
  const input = leaves ? { ...sent, partner_carrier_id: null } : sent
  const changed = editable.filter((field) => input[field] !== undefined && input[field] !== current[field])
  const changes = Object.fromEntries(changed.map((field) => [field, input[field]])) as UserEdit
  requireCarrierOfPartner({ ...current, ...changes })
  return { changes, previous: Object.fromEntries(changed.map((field) => [field, current[field]])) }
}

/** Who can approve again begins anew. */
export function approvesSince(user: User): string | null {
  return isActive(user) && approvingRoles.includes(user.role) ? (user.approves_since ?? new Date().toISOString()) : null
}

/** Undefined where it stays as it is. */
export function leftAt(before: User, after: User): string | null | undefined {
  if (isActive(before) === isActive(after)) return undefined
  return isActive(after) ? null : new Date().toISOString()
}

/** Whether somebody can act in the organization, and is one of its own people. */
function isActive({ joined_at, disabled_at, role }: User): boolean {
  return joined_at !== null && disabled_at === null && role !== 'partner'
}

/** A carrier where the role is `partner`, and none otherwise. The database refuses it too. */
export function requireCarrierOfPartner({
  role,
  partner_carrier_id,
}: Pick<User, 'role'> & { partner_carrier_id?: string | null | undefined }): void {
  if (role === 'partner' && !partner_carrier_id)
    throw invalid(
      'partner_carrier_id',
      'partner_carrier_required',
      'A user with the role "partner" belongs to a carrier: send its id as "partner_carrier_id".',
    )
  if (role !== 'partner' && partner_carrier_id)
    throw invalid(
      'partner_carrier_id',
      'not_a_partner',
      `A user with the role "${role}" belongs to no carrier: leave "partner_carrier_id" out, or send null.`,
    )
}
