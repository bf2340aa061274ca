import Type, { type Static } from 'typebox'
import { invalid, quote } from '../core/refusal.ts'
import { named } from '../core/schema/names.ts'
import { Id, Moment, nullable, paging, Time } from '../core/schema/schema.ts'

const text = (description: string, example: string) => Type.String({ description, examples: [example] })
const maybe = (description: string, example: string) => nullable(text(description, example))

export const RequestLogEntry = Type.Object(
  {
    id: Id('The entry; later ones have larger ids.'),
    occurred_at: Time('When it was answered.'),
    method: maybe('The method; null in a summary, as are all fields but `id`, `occurred_at` and `not_kept`.', 'PUT'),
    path: maybe('The path, up to 2,000 characters.', '/api/v1/bills/01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'),
    query: maybe(
      'What stood behind the path, with secrets masked, up to 4,000 characters.',
      'limit=20&status_ids=sent',
    ),
    status: nullable(Type.Integer({ description: 'The status of the answer.', examples: [412] })),
    duration_ms: nullable(
      Type.Number({ description: 'From its arrival to the end of its answer, in milliseconds.', examples: [7.4] }),
    ),
    request_id: maybe(
      'Its id, which the answer carried in `X-Request-Id`, and which the events that it made carry.',
      '01932b5e-7a10-7f7e-8a53-6c1d2e3f4a5b',
    ),
    application: Type.Union(
      [
        named(
          'ActingApplication',
          Type.Object({
            id: nullable(Id('The application; null for the console, and when it was deleted.')),
            client_id: text('Its client id.', 'AaHdRN9SdeWjHnwoDlusJgnfGEIToFXKYKjLaI'),
            name: maybe('Its name; null when it was deleted.', 'Warehouse sync'),
          }),
        ),
        Type.Null(),
      ],
      { description: 'The application whose token it was.' },
    ),
    user: Type.Union(
      [
        named(
          'ConcernedUser',
          Type.Object({
            id: Id('The user.'),
            name: maybe('What people call them; null when there is no such user any more.', 'Sam Ortega'),
            email: maybe('What they sign in with.', 'sam@blueridge.example'),
          }),
        ),
        Type.Null(),
      ],
      { description: 'The user for whom the application acted; null where it acted for itself.' },
    ),
    idempotency_key: maybe('The header Idempotency-Key.', 'b3e1c7d2-5f0a-4a52-9c0e-7d1f3a9b6e44'),
    prefer: maybe('The header Prefer, up to 500 characters.', 'dry-run'),
    dry_run: Type.Boolean({
      description: 'Whether it asked for a dry run, by `Prefer` or in the query: then nothing was kept.',
      examples: [false],
    }),
    error_code: maybe('The code of the refusal.', 'stale'),
    error_message: maybe(
      'What the refusal said. `[masked]` where it was about a secret, which it may repeat.',
      'Somebody else changed it meanwhile. Read it again, and repeat the change.',
    ),
    body: maybe(
      'Of a write: the JSON that was sent, with secrets masked, up to 8,192 characters. Null where the body was no JSON, of an imported file, and of a request that was not yours where your token lacks a scope that the one which asked had.',
      '{"notes":"Call first"}',
    ),
    body_cut: Type.Boolean({ description: 'Whether the body was longer than what is kept of it.', examples: [false] }),
    body_type: maybe('Of a write: the Content-Type of its body.', 'application/json'),
    body_bytes: nullable(
      Type.Integer({
        description: 'Of a write: the length of its body in bytes, where the client said it.',
        examples: [22],
      }),
    ),
    not_kept: nullable(
      Type.Integer({
        description:
          'In a summary: so many more requests of this minute were not kept, because there were too many. Else null.',
        examples: [null],
      }),
    ),
  },
  { $id: 'RequestLogEntry', description: 'A request to the API, or a summary of those that were not kept.' },
)

export const RequestLogEntryWithAnswer = Type.Object(
  {
    ...RequestLogEntry.properties,
    answer_body: maybe(
      'The JSON that was answered, with secrets masked: up to 4,096 characters, and 2,048 of a read that succeeded. Null where there was none, of files, of a refusal about a secret, and of a request that was not yours where your token lacks a scope that the one which asked had.',
      '{"bill":{"id":"01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15"}}',
    ),
    answer_cut: Type.Boolean({
      description: 'Whether the answer was longer than what is kept of it.',
      examples: [false],
    }),
    answer_type: maybe('The Content-Type of the answer.', 'application/json; charset=utf-8'),
  },
  { $id: 'RequestLogEntryWithAnswer', description: 'A request to the API with what was answered.' },
)

export const RequestLogSearch = Type.Object({
  request_id: Type.Optional(
    Type.String({
      maxLength: 128,
      description: 'Keeps those with this request id.',
      examples: ['01932b5e-7a10-7f7e-8a53-6c1d2e3f4a5b'],
    }),
  ),
  status: Type.Optional(
    Type.String({
      maxLength: 3,
      description: 'Keeps those answered with this status, or with one of a class such as `4xx`.',
      examples: ['4xx'],
    }),
  ),
  method: Type.Optional(
    Type.Enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'], {
      description: 'Keeps those with this method.',
      examples: ['PUT'],
    }),
  ),
  path: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'Keeps those whose path begins with this.',
      examples: ['/api/v1/bills'],
    }),
  ),
  application_id: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Keeps those of this application, by its id or client id.',
      examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'],
    }),
  ),
  from_console: Type.Optional(
    Type.Boolean({
      description:
        'With `false` leaves out what the console asked for, with `true` keeps nothing else. Summaries count both.',
      examples: [false],
    }),
  ),
  user_id: Type.Optional(Id('Keeps those of this user.')),
  error_code: Type.Optional(
    Type.String({ maxLength: 100, description: 'Keeps those that were refused with this code.', examples: ['stale'] }),
  ),
  from: Type.Optional(Moment('At or after.')),
  to: Type.Optional(Moment('At or before; a date alone means the whole day.')),
  ...paging,
})
export type RequestLogSearch = Static<typeof RequestLogSearch>

/** The statuses that a filter means, the first and the last: `404`, or a class such as `4xx`. */
export function readStatus(text: string): { first: number; last: number } {
  const [, digit, rest = ''] = /^([1-5])(\d\d|xx)$/i.exec(text) ?? []
  if (!digit)
    throw invalid(
      'status',
      'unknown_value',
      `"status" must be a status such as 404, or a class such as 4xx, not ${quote(text)}.`,
    )
  if (/x/i.test(rest)) return { first: Number(digit) * 100, last: Number(digit) * 100 + 99 }
  return { first: Number(text), last: Number(text) }
}
