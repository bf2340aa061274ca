import Type, { type Static } from 'typebox'
import { changedBetween, Id, paging, Time } from '../../platform/core/schema/schema.ts'

export const interchangeStatuses = ['accepted', 'accepted_with_errors', 'rejected'] as const

const text = (description: string, example: string) => Type.String({ description, examples: [example] })
const status = Type.Enum([...interchangeStatuses], {
  description:
    '`accepted_with_errors` was taken although something that the standard asks for is missing or wrong; of a `rejected` one nothing was taken.',
  examples: ['accepted'],
})
const control_number = text('Its control number (ISA13).', '000000123')

export const EdiInterchange = Type.Object(
  {
    id: Id('The interchange.'),
    org_id: Id('The organization.'),
    sender: text('Who sent it: qualifier and id.', '02:CSCD'),
    receiver: text('To whom: qualifier and id.', 'ZZ:BLUERIDGE'),
    sent_on: text('When it was made, as its sender writes it: YYMMDD.', '261115'),
    control_number,
    source: Type.Enum(['api', 'directory', 'email'], { description: 'How it arrived.', examples: ['api'] }),
    status,
    problems: Type.Array(
      Type.Object({
        segment: text('The segment.', 'B3'),
        place: Type.Integer({ description: 'Which segment of the file, counted from 1.', examples: [4] }),
        element: Type.Union([Type.Integer(), Type.Null()], {
          description: 'Which element of it; null where the segment itself is wrong.',
          examples: [6],
        }),
        message: text('What is wrong.', 'Segment 4 (B3), element B306: the date is missing.'),
      }),
      { description: 'What is wrong with it.' },
    ),
    carrier_invoice_ids: Type.Array(Type.String({ format: 'uuid' }), {
      description: 'The carrier invoices that it became.',
      examples: [['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15']],
    }),
    acknowledgement_number: text('The control number of its functional acknowledgement.', '000000042'),
    created_at: Time('When it arrived.'),
  },
  {
    $id: 'EdiInterchange',
    description:
      'An EDI interchange that arrived, taken or not. `GET …/acknowledgement` answers the functional acknowledgement (997) of it.',
  },
)

export const EdiInterchangeSearch = Type.Object({
  status_ids: Type.Optional(
    Type.Array(status, {
      maxItems: 10,
      description: 'Keeps those with one of these outcomes.',
      examples: [['rejected']],
    }),
  ),
  control_number: Type.Optional(
    Type.String({ maxLength: 20, description: 'Keeps those with this control number.', examples: ['000000123'] }),
  ),
  ...changedBetween,
  ...paging,
})
export type EdiInterchangeSearch = Static<typeof EdiInterchangeSearch>
