import Type, { type Static } from 'typebox'
import { named } from '../core/schema/names.ts'
import { Id, nullable, paging, Time } from '../core/schema/schema.ts'

/** What is in the security log, in the order in which the console lists it. */
export const securityEventTypes = [
  'sign_in.succeeded',
  'sign_in.failed',
  'session.ended',
  'password.changed',
  'user.created',
  'user.invited',
  'user.joined',
  'user.updated',
  'user.disabled',
  'user.enabled',
  'oauth_application.created',
  'oauth_application.updated',
  'oauth_application.secret_rotated',
  'oauth_application.disabled',
  'oauth_application.enabled',
  'oauth_application.deleted',
  'webhook.created',
  'webhook.updated',
  'webhook.secret_rotated',
  'webhook.disabled',
  'webhook.enabled',
  'webhook.deleted',
  'grant.created',
  'grant.revoked',
  'portal_link.created',
  'portal_link.revoked',
  'organization.updated',
  'payee.changed',
  'payee.revealed',
  'payment_run.downloaded',
] as const
export type SecurityEventType = (typeof securityEventTypes)[number]

const type = Type.Enum(securityEventTypes, { description: 'What happened: noun.verb.', examples: ['sign_in.failed'] })
const at = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', description, examples: ['2026-11-01T00:00:00Z'] }))
const text = (description: string, example: string) => Type.String({ description, examples: [example] })

export const SecurityEvent = Type.Object(
  {
    id: Id('The entry; later ones have larger ids.'),
    type,
    occurred_at: Time('When.'),
    summary: text('What happened, in a sentence.', 'Failed to sign in: the password is wrong.'),
    actor: Type.Union(
      [
        Type.Object(
          {
            type: text('`user`, `application` or `system`.', 'user'),
            id: text('Its id.', '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'),
          },
          { additionalProperties: true },
        ),
        Type.Null(),
      ],
      { description: 'Who did it; null where nobody has proved who they are.' },
    ),
    user: Type.Union(
      [
        named(
          'ConcernedUser',
          Type.Object({
            id: Id('The user.'),
            name: nullable(text('What people call them; null when there is no such user any more.', 'Sam Ortega')),
            email: nullable(text('What they sign in with.', 'sam@blueridge.example')),
          }),
        ),
        Type.Null(),
      ],
      { description: 'Whom it concerns.' },
    ),
    application: Type.Union(
      [
        Type.Object({
          client_id: text('Its client id.', 'AaHdRN9SdeWjHnwoDlusJgnfGEIToFXKYKjLaI'),
          name: nullable(
            text('Its name; null for the console, and when the application was deleted.', 'Warehouse sync'),
          ),
        }),
        Type.Null(),
      ],
      { description: 'The application that it concerns, or through which it happened.' },
    ),
    address: nullable(text('The network address of whoever did it.', '203.0.113.7')),
    user_agent: nullable(text('What their browser or program calls itself.', 'Mozilla/5.0 (X11; Linux x86_64)')),
    request_id: nullable(text('The request that did it.', '01932b5e-7a10-7f7e-8a53-6c1d2e3f4a5b')),
  },
  {
    $id: 'SecurityEvent',
    description: 'An entry of the security log: a sign-in, or a change of who may do what and of where data is sent.',
  },
)

export const SecurityEventSearch = Type.Object({
  types: Type.Optional(
    Type.Array(type, { maxItems: 50, description: 'Keeps those of these types.', examples: [['sign_in.failed']] }),
  ),
  user_id: Type.Optional(Id('Keeps those that concern this user.')),
  occurred_start_at: at('At or after.'),
  occurred_end_at: at('At or before; a date alone means the whole day.'),
  ...paging,
})
export type SecurityEventSearch = Static<typeof SecurityEventSearch>
