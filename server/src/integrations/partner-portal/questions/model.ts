import Type, { type Static } from 'typebox'
import { idList } from '../../../books/documents/model/kind/search-schema.ts'
import { named } from '../../../platform/core/schema/names.ts'
import { changedBetween, Id, paging, Text, Time } from '../../../platform/core/schema/schema.ts'

export const questionStates = ['open', 'answered', 'closed'] as const

export const QuestionMessage = Type.Object(
  {
    side: Type.Enum(['partner', 'organization'], { description: 'Who said it.', examples: ['partner'] }),
    author_id: Type.String({
      description: 'The user, the application or the signed link.',
      examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'],
    }),
    author_name: Type.String({ description: 'What the author is called.', examples: ['Lee Park'] }),
    text: Text('What was said.', 'Detention of 2 hours is missing. Why?', { maxLength: 4000 }),
    created_at: Time('When.'),
  },
  { description: 'A message of a thread.' },
)

export const BillQuestion = Type.Object(
  {
    id: Id('The thread.'),
    org_id: Id('The organization.'),
    bill_id: Id('The bill that it is about.'),
    partner_carrier_id: Id('The carrier that asks.'),
    state: Type.Enum(questionStates, {
      description:
        '`open` waits for our answer; `answered` has it; `closed` was closed by us. A message of the carrier opens it again.',
      examples: ['open'],
    }),
    last_message_at: Time('When something was last said.'),
    revision: Type.Integer({
      minimum: 1,
      description: 'Rises by one with every change; the number in the ETag.',
      examples: [1],
    }),
    created_at: Time('When it was asked.'),
    updated_at: Time('When it was last changed.'),
    messages: Type.Array(QuestionMessage, { description: 'All that was said, the first first.' }),
  },
  { $id: 'BillQuestion', description: 'What a carrier asks about a bill, and what was answered.' },
)
export type BillQuestion = Static<typeof BillQuestion>

export const Message = named(
  'SendMessage',
  Type.Object({
    text: Text('What to say.', 'Detention of 2 hours is missing. Why?', { maxLength: 4000 }),
  }),
)
export type Message = Static<typeof Message>

export const BillQuestionSearch = Type.Object({
  bill_ids: idList('Keeps those about these bills.'),
  partner_carrier_ids: idList('Keeps those of these carriers.'),
  status_ids: Type.Optional(
    Type.Array(Type.Enum(questionStates), {
      maxItems: 10,
      description: 'Keeps those in these states.',
      examples: [['open']],
    }),
  ),
  ...changedBetween,
  ...paging,
})
export type BillQuestionSearch = Static<typeof BillQuestionSearch>
