import Type, { type TSchema } from 'typebox'
import { Id, nullable, Time } from '../../core/schema/schema.ts'
import { writePosition } from './position.ts'

export const Event = Type.Object(
  {
    id: Id('The event; later ones have larger ids.'),
    type: Type.String({ description: 'What happened: noun.verb.', examples: ['bill.sent'] }),
    org_id: Id('The organization.'),
    occurred_at: Time('When.'),
    actor: Type.Object(
      {
        type: Type.String({ examples: ['user'] }),
        id: Type.String({ examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'] }),
      },
      { description: 'Who did it.', additionalProperties: true },
    ),
    subject: Type.Object(
      { type: Type.String({ examples: ['bill'] }), id: Id('The record.') },
      { description: 'What it happened to.' },
    ),
    revision: nullable(Type.Integer({ description: 'The revision it made.', examples: [3] })),
    data: Type.Unknown({
      description: 'The record as it was afterwards; of one that is gone, as it was last.',
      examples: [{}],
    }),
    previous: Type.Unknown({ description: 'What the changed fields were before.', examples: [{}] }),
    request_id: nullable(
      Type.String({ description: 'The request that did it.', examples: ['01932b5e-7a10-7f7e-8a53-6c1d2e3f4a5b'] }),
    ),
    hash: nullable(
      Type.String({
        description:
          'SHA-256, in hexadecimal, of the hash of the event before, of its place in the feed and of its content; null until it has its place.',
        examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
      }),
    ),
  },
  { $id: 'Event', description: 'Something that happened, recorded in the transaction in which it did.' },
)

const types = Type.Optional(
  Type.Array(Type.String({ maxLength: 100 }), {
    maxItems: 100,
    description: 'Keeps events of these types: `bill.paid`, `bill.*` for all of bills, `*` for all.',
    examples: [['bill.*', 'customer.created']],
  }),
)
const after = Type.Optional(
  Type.String({
    maxLength: 100,
    description:
      'The position behind which to begin: `next_after` of the answer before. Without it, the oldest event is first.',
  }),
)

export const EventSearch = Type.Object({
  after,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 50,
      description: 'How many events to answer: 50 unless said, at most 200 (a larger one is clamped).',
      examples: [50],
    }),
  ),
  types,
  subject_type: Type.Optional(
    Type.String({ maxLength: 100, description: 'Keeps events of records of this kind.', examples: ['bill'] }),
  ),
  subject_id: Type.Optional(Id('Keeps events of the record with this id.')),
  request_id: Type.Optional(
    Type.String({
      maxLength: 128,
      description: 'Keeps events that were made by this request: the `X-Request-Id` of its answer.',
      examples: ['01932b5e-7a10-7f7e-8a53-6c1d2e3f4a5b'],
    }),
  ),
  newest_first: Type.Optional(
    Type.Boolean({
      description:
        'The newest first, for people who look what happened. Go on with `before`; to follow the feed from there, go on with `next_after`.',
      examples: [true],
    }),
  ),
  before: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'The position before which to begin, the newest first: `next_before` of the answer before.',
    }),
  ),
})

export const StreamSearch = Type.Object({
  after: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'The position behind which to begin. Without it, and without `Last-Event-ID`, the stream begins now.',
    }),
  ),
  types,
})

export const EventPage: TSchema = Type.Object({
  events: Type.Array(Type.Ref('Event')),
  next_after: Type.String({ description: 'Where to go on: send it as `after`.', examples: [writePosition(42)] }),
  next_before: Type.Optional(
    nullable(
      Type.String({
        description:
          'With `newest_first`: send it as `before` for older ones; null where there are none. `next_after` is then the end of the feed.',
        examples: [null],
      }),
    ),
  ),
  has_more: Type.Boolean({
    description: 'Whether there is more behind it already; with `newest_first`, whether there are older ones.',
    examples: [false],
  }),
})
