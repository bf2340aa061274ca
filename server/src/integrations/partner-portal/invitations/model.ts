import Type, { type Static } from 'typebox'
import { idList } from '../../../books/documents/model/kind/search-schema.ts'
import { NewUser, User } from '../../../identity/users/model.ts'
import { changedBetween, Id, nullable, paging } from '../../../platform/core/schema/schema.ts'

export const Invitation = Type.Object(
  {
    ...User.properties,
    role: Type.Enum(['partner'], { description: 'Their role, which is `partner`.', examples: ['partner'] }),
    partner_carrier_id: Id('The carrier whose records they see.'),
    partner_carrier_name: nullable(
      Type.String({ description: 'What the carrier is called.', examples: ['Cascade Carriers'] }),
    ),
  },
  {
    $id: 'PortalInvitation',
    description: 'A person of a carrier who was invited to the partner portal: a user with the role `partner`.',
  },
)

export const NewInvitation = Type.Object({
  email: NewUser.properties.email,
  name: NewUser.properties.name,
  partner_carrier_id: Id('The carrier whose records they see.'),
})
export type NewInvitation = Static<typeof NewInvitation>

export const InvitationSearch = Type.Object({
  partner_carrier_ids: idList('Keeps the people of these carriers.'),
  ...changedBetween,
  ...paging,
})
export type InvitationSearch = Static<typeof InvitationSearch>
