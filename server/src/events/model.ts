import Type from 'typebox'
import { Id, nullable, Time } from '../core/schema.ts'

export const Event = Type.Object(
  {
    id: Id('The event; later ones have larger ids.'),
    type: Type.String({ description: 'What happened: noun.verb.', examples: ['bill.sent'] }),
    org_id: Id('The organization.'),
    occurred_at: Time('When.'),
    actor: Type.Object(
      { type: Type.String({ examples: ['user'] }), id: Type.String({ examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'] }) },
      { description: 'Who did it.', additionalProperties: true },
    ),
    subject: Type.Object({ type: Type.String({ examples: ['bill'] }), id: Id('The record.') }, { description: 'What it happened to.' }),
    revision: nullable(Type.Integer({ description: 'The revision it made.', examples: [3] })),
    data: Type.Unknown({ description: 'The record as it was afterwards; of one that is gone, as it was last.', examples: [{}] }),
    previous: Type.Unknown({ description: 'What the changed fields were before.', examples: [{}] }),
    request_id: nullable(Type.String({ description: 'The request that did it.', examples: ['01932b5e-7a10-7f7e-8a53-6c1d2e3f4a5b'] })),
  },
  { $id: 'Event', description: 'Something that happened, recorded in the transaction in which it did.' },
)
