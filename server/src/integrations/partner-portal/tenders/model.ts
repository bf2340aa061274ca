import Type, { type Static } from 'typebox'
import { Amount } from '../../../books/documents/model/fields/amount.ts'
import { idList } from '../../../books/documents/model/kind/search-schema.ts'
import { freightProperties } from '../../../freight/loads/schema.ts'
import { conflict } from '../../../platform/core/refusal.ts'
import { named } from '../../../platform/core/schema/names.ts'
import { changedBetween, Id, nullable, paging, Text, Time } from '../../../platform/core/schema/schema.ts'
import { ExpiresIn, usualTenderSeconds } from '../durations.ts'

export const tenderStates = ['open', 'countered', 'accepted', 'declined', 'cancelled', 'expired'] as const
export type TenderState = (typeof tenderStates)[number]

export const rateOf = (description: string) =>
  ({ ...Amount(description, 185000), minimum: 0 }) as ReturnType<typeof Amount>
export const note = (description: string, example: string) => Text(description, example, { maxLength: 2000 })

export const state = Type.Enum(tenderStates, {
  description:
    'Where it stands: `open` waits for the carrier, `countered` for us; `accepted`, `declined`, `cancelled` and `expired` are over. An open one has expired when its time is over.',
  examples: ['open'],
})

const place = (description: string) =>
  nullable(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description,
        examples: [{ city: 'Oakland', state: 'CA', postal: '94607', country: 'US' }],
      },
    ),
  )

export const Tender = Type.Object(
  {
    id: Id('The tender.'),
    org_id: Id('The organization.'),
    manifest_id: Id('The manifest that is offered.'),
    partner_carrier_id: Id('The carrier that it is offered to.'),
    state,
    currency_id: nullable(
      Type.String({ description: 'The lower-case ISO 4217 code of the rates.', examples: ['usd'] }),
    ),
    rate: nullable(rateOf('What is offered for it; null where the carrier is asked for a rate.')),
    counter_rate: nullable(rateOf('What the carrier asks for instead.')),
    agreed_rate: nullable(rateOf('What was agreed; null until it is accepted.')),
    message: nullable(note('What the carrier should know.', 'Reefer at 2 °C, no team needed.')),
    answer: nullable(note('What the carrier said to it.', 'Can load from 14:00.')),
    expires_at: Time('Until when the carrier can answer.'),
    answered_at: nullable(Time('When the carrier last answered.')),
    answered_by: nullable(
      Type.String({
        description: 'Who answered for the carrier: a user, or a signed link.',
        examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'],
      }),
    ),
    manifest: Type.Optional(
      nullable(
        Type.Object(
          {
            full_id: Type.String({ description: 'The id that people read.', examples: ['MAN-12'] }),
            reference_number: nullable(
              Type.String({ description: 'The number of the trip.', examples: ['TRIP-5521'] }),
            ),
            start: place('Where it starts: as the manifest says, or else its first stop.'),
            end: place('Where it ends: as the manifest says, or else its last stop.'),
            ...freightProperties,
          },
          {
            description:
              'The freight that is offered, as it is now; null where the manifest was deleted. Events leave it out.',
          },
        ),
      ),
    ),
    revision: Type.Integer({
      minimum: 1,
      description: 'Rises by one with every change; the number in the ETag.',
      examples: [1],
    }),
    created_by: Type.String({ description: 'Who made it.', examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'] }),
    created_at: Time('When it was made.'),
    updated_at: Time('When it was last changed.'),
  },
  { $id: 'Tender', description: 'A manifest that is offered to a carrier.' },
)
/** As it is stored, without the freight. */
export type Tender = Omit<Static<typeof Tender>, 'manifest'>

export const NewTender = Type.Object({
  manifest_id: Id('The manifest to offer.'),
  partner_carrier_id: Id('The carrier to offer it to.'),
  rate: Type.Optional(nullable(rateOf('What is offered for it. Without a rate the carrier is asked for one.'))),
  currency_id: Type.Optional(
    nullable(
      Type.String({
        minLength: 3,
        maxLength: 3,
        description: 'The currency of the rate; that of the manifest where it is left out.',
        examples: ['usd'],
      }),
    ),
  ),
  message: Type.Optional(nullable(note('What the carrier should know.', 'Reefer at 2 °C, no team needed.'))),
  expires_in: Type.Optional(ExpiresIn('For how long the carrier can answer.', usualTenderSeconds)),
})
export type NewTender = Static<typeof NewTender>

export const TenderSearch = Type.Object({
  manifest_ids: idList('Keeps those of these manifests.'),
  partner_carrier_ids: idList('Keeps those to these carriers.'),
  status_ids: Type.Optional(
    Type.Array(Type.Enum(tenderStates), {
      maxItems: 10,
      description: 'Keeps those in these states.',
      examples: [['open', 'countered']],
    }),
  ),
  ...changedBetween,
  ...paging,
})
export type TenderSearch = Static<typeof TenderSearch>

export const Counter = Type.Object({
  rate: rateOf('What the carrier asks for.'),
  currency_id: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 3,
      description: 'The currency, where the tender has none.',
      examples: ['usd'],
    }),
  ),
  answer: Type.Optional(note('A note on it.', 'Can load from 14:00.')),
})
export type Counter = Static<typeof Counter>

export const AnsweredTender = named(
  'AnswerTender',
  Type.Object({ answer: Type.Optional(note('A note on it.', 'Can load from 14:00.')) }),
)
export type AnsweredTender = Static<typeof AnsweredTender>

/** The body says why we decided so. */
export const Decision = named(
  'DecideTender',
  Type.Object({
    reason: Type.Optional(note('Why, for the history of the tender.', 'The shipper moved the load to Friday.')),
  }),
)
export type Decision = Static<typeof Decision>

/** Refuses what cannot be done with a tender any more; `state` is what it is at this moment. */
export function requireState({ state }: Pick<Tender, 'state'>, allowed: readonly TenderState[], what: string): void {
  if (allowed.includes(state)) return
  if (state === 'expired')
    throw conflict('tender_expired', `The time of this tender is over, so it cannot be ${what}. Ask for a new one.`)
  throw conflict('tender_closed', `This tender is ${state}, so it cannot be ${what}.`, [
    { field: 'state', code: 'tender_closed', message: 'These states allow it.', allowed },
  ])
}
