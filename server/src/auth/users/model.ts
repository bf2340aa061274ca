import Type, { type Static } from 'typebox'
import { Id, nullable, paging, Text, Time, wholeEdit } from '../../core/schema.ts'
import { roleNames } from '../roles.ts'

const email = Type.String({ format: 'email', maxLength: 254, description: 'What they sign in with.', examples: ['sam@blueridge.example'] })
const name = Text('What people call them.', 'Sam Ortega', { maxLength: 200 })
const role = Type.Enum(roleNames, {
  description:
    'What they may do. `admin` everything; `member` everything but administration; `clerk` enters and changes records; `approver` approves and rejects bills; `payer` records payments; `read_only` changes nothing. Everyone reads.',
  examples: ['member'],
})

export const User = Type.Object(
  {
    id: Id('The user in this organization; the same person has other ids in others.'),
    email,
    name,
    role,
    disabled_at: nullable(Time('Since when they are shut out; null while they are not.')),
    revision: Type.Integer({ minimum: 1, description: 'Rises by one with every change; the number in the ETag.', examples: [1] }),
    created_at: Time('When they were added.'),
    updated_at: Time('When they were last changed.'),
    joined_at: nullable(Time('When they accepted the invitation; null until then.')),
    last_login_at: nullable(Time('When they last signed in to this organization.')),
  },
  { $id: 'User', description: 'A person in one organization.' },
)
export type User = Static<typeof User>

export const NewUser = Type.Object({
  email,
  name,
  role: Type.Optional(role),
  password: Type.Optional(
    Type.String({
      minLength: 10,
      maxLength: 1024,
      description:
        'A first password, good for 7 days: with it they come in once, and choose their own. Without it the answer carries an `invitation_url` to pass on.',
      examples: ['correct horse battery staple'],
    }),
  ),
})
export type NewUser = Static<typeof NewUser>

export const UserEdit = wholeEdit(User, Type.Partial(Type.Object({ name, role })))
export type UserEdit = Static<typeof UserEdit>

export const UserSearch = Type.Object({
  search_term: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Keeps the users that contain this in their name or e-mail address; upper and lower case are the same.',
      examples: ['sam'],
    }),
  ),
  ...paging,
})
export type UserSearch = Static<typeof UserSearch>

export function edit(current: User, input: UserEdit): { changes: UserEdit; previous: Partial<User> } {
  const changed = (['name', 'role'] as const).filter((field) => input[field] !== undefined && input[field] !== current[field])
  return {
    changes: Object.fromEntries(changed.map((field) => [field, input[field]])),
    previous: Object.fromEntries(changed.map((field) => [field, current[field]])),
  }
}
