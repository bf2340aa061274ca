import Type, { type Static } from 'typebox'
import { idList } from '../../../books/documents/model/kind/search-schema.ts'
import { changedBetween, Id, nullable, paging, Time } from '../../../platform/core/schema/schema.ts'
import { ExpiresIn, usualLinkSeconds } from '../durations.ts'

export const linkStates = ['open', 'expired', 'revoked'] as const

export const PortalLink = Type.Object(
  {
    id: Id('The link.'),
    org_id: Id('The organization.'),
    manifest_id: nullable(Id('The manifest that it shows; null where it shows a bill.')),
    bill_id: nullable({
      ...Id('The bill that it shows; null where it shows a manifest.'),
      examples: [null],
    } as unknown as ReturnType<typeof Id>),
    partner_carrier_id: Id(
      'The carrier as which it is opened. Should the record get another carrier, the link shows nothing.',
    ),
    state: Type.Enum(linkStates, { description: 'Whether it can be opened.', examples: ['open'] }),
    expires_at: Time('Until when it can be opened.'),
    revoked_at: nullable({ ...Time('When it was revoked.'), examples: [null] } as unknown as ReturnType<typeof Time>),
    last_opened_at: nullable(Time('When it was last opened.')),
    revision: Type.Integer({
      minimum: 1,
      description: 'Rises by one with every change; the number in the ETag.',
      examples: [1],
    }),
    created_by: Type.String({ description: 'Who made it.', examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'] }),
    created_at: Time('When it was made.'),
    updated_at: Time('When it was last changed.'),
  },
  { $id: 'PortalLink', description: 'A signed link that shows one record in the partner portal to whoever holds it.' },
)
export type PortalLink = Static<typeof PortalLink>

export const NewPortalLink = Type.Object(
  {
    manifest_id: Type.Optional(nullable(Id('The manifest to show.'))),
    bill_id: Type.Optional(nullable(Id('The bill to show, in the place of a manifest.'))),
    partner_carrier_id: Type.Optional(
      nullable(
        Id(
          'The carrier as which it is opened: of a manifest that is offered to several. Where it is left out, the carrier of the record.',
        ),
      ),
    ),
    expires_in: Type.Optional(ExpiresIn('For how long it can be opened.', usualLinkSeconds)),
  },
  { examples: [{ manifest_id: '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15', expires_in: usualLinkSeconds }] },
)
export type NewPortalLink = Static<typeof NewPortalLink>

export const PortalLinkSearch = Type.Object({
  manifest_ids: idList('Keeps those of these manifests.'),
  bill_ids: idList('Keeps those of these bills.'),
  partner_carrier_ids: idList('Keeps those of these carriers.'),
  status_ids: Type.Optional(
    Type.Array(Type.Enum(linkStates), {
      maxItems: 10,
      description: 'Keeps those in these states.',
      examples: [['open']],
    }),
  ),
  ...changedBetween,
  ...paging,
})
export type PortalLinkSearch = Static<typeof PortalLinkSearch>
