import Type, { type Static } from 'typebox'
import { changedBetween, Id, nullable, paging, Text, Time, wholeEdit } from '../core/schema/schema.ts'
import { writePosition } from '../events/feed/position.ts'

const url = Type.String({
  minLength: 1,
  maxLength: 2000,
  description:
    'Where events are sent: an http or https address. Addresses of private networks and of the server itself are refused, unless its operator allows them.',
  examples: ['https://hooks.example.com/lading'],
})
const description = nullable(Text('What it is for.', 'Warehouse sync', { maxLength: 500 }))
const eventType = Type.String({ minLength: 1, maxLength: 100 })
const event_types = Type.Array(eventType, {
  minItems: 1,
  maxItems: 100,
  description:
    'What it is sent: `bill.paid`, `bill.*` for all of bills, `*` for everything. A type that does not exist is a 400 that names the near ones; kinds of objects that you defined have types of their own.',
  examples: [['bill.*', 'customer.created']],
})
const enabled = Type.Boolean({
  description: 'Whether events are sent. What happens while it is disabled is not sent later by itself: replay it.',
  examples: [true],
})

const fields = {
  id: Id('Made by the server.'),
  url,
  description,
  event_types,
  enabled,
  disabled_at: nullable(Time('Since when it is disabled; null while it is enabled.')),
  disabled_reason: nullable(
    Type.String({
      description: 'Why it was disabled by the server: it has failed for three days. Null where a person did it.',
      examples: [null],
    }),
  ),
  revision: Type.Integer({
    minimum: 1,
    description: 'Rises by one with every change; the number in the ETag.',
    examples: [1],
  }),
  created_at: Time('When it was created.'),
  updated_at: Time('When it was last changed.'),
}

export const Webhook = Type.Object(
  {
    ...fields,
    last_success_at: nullable(Time('When it last took a delivery.')),
    last_failure_at: nullable(Time('When a delivery to it last failed.')),
    last_error: nullable(
      Type.String({ description: 'Why that one failed.', examples: ['The endpoint answered 500.'] }),
    ),
    failing_since: nullable(
      Time(
        'The first failure since the last success; null while it takes deliveries. After three days it is disabled.',
      ),
    ),
    waiting_count: Type.Integer({ minimum: 0, description: 'How many deliveries wait for an attempt.', examples: [0] }),
  },
  { $id: 'Webhook', description: 'An endpoint that is sent what happens.' },
)

/** As events carry it. */
export const WebhookRecord = Type.Object(fields, {
  $id: 'WebhookRecord',
  description: 'A webhook as it is in events: without how its deliveries go.',
})
export type Webhook = Static<typeof Webhook>

export const NewWebhook = Type.Object({
  url,
  description: Type.Optional(description),
  event_types: Type.Optional(event_types),
  enabled: Type.Optional(enabled),
})
export type NewWebhook = Static<typeof NewWebhook>

export const WebhookEdit = wholeEdit(Webhook, Type.Partial(Type.Object({ url, description, event_types, enabled })))
export type WebhookEdit = Static<typeof WebhookEdit>

export const WebhookSearch = Type.Object({ ...changedBetween, ...paging })
export type WebhookSearch = Static<typeof WebhookSearch>

export const SecretRotation = Type.Object({
  overlap_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 30 * 86_400,
      default: 86_400,
      description:
        'For how long the secret before it signs, too; 0 ends it at once. Of two that are rotated one after the other, only the last signs on.',
      examples: [86_400],
    }),
  ),
})

const moment = (text: string) =>
  Type.Optional(Type.String({ format: 'date-time', description: text, examples: ['2026-11-01T00:00:00Z'] }))

export const ReplayRequest = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Begins behind this position of the feed: `next_after` of `GET /events`.',
        examples: [writePosition(42)],
      }),
    ),
    from: moment('Begins with what happened at this time. Send this or `after`.'),
    to: moment('Ends with what happened at this time; a date alone means the whole day. Without it, now.'),
    event_types: Type.Optional({ ...event_types, description: 'Of the types that the webhook is sent, these only.' }),
  },
  { examples: [{ from: '2026-11-01T00:00:00Z', event_types: ['bill.*'] }] },
)
export type ReplayRequest = Static<typeof ReplayRequest>

export const Replay = Type.Object(
  {
    id: Id('The replay.'),
    webhook_id: Id('The webhook.'),
    from: nullable(Time('The first moment of the span.')),
    to: nullable(Time('Its last moment.')),
    event_types: Type.Array(Type.String(), { description: 'The types that are sent again.', examples: [['bill.*']] }),
    created_at: Time('When it was asked for.'),
  },
  { $id: 'WebhookReplay', description: 'A span of the feed that is sent again, in the background.' },
)

export const states = ['pending', 'succeeded', 'failed', 'given_up'] as const
const state = Type.Enum(states, {
  description:
    '`pending` before its first attempt, `failed` while there are more to come, `given_up` after the last one.',
  examples: ['succeeded'],
})

const attempt = {
  at: Time('When it was sent.'),
  status: nullable(
    Type.Integer({ description: 'The status of the answer; null where there was none.', examples: [200] }),
  ),
  duration_ms: Type.Integer({ minimum: 0, description: 'How long it took.', examples: [84] }),
  error: nullable(Type.String({ description: 'Why it failed; null where it did not.', examples: [null] })),
  response_excerpt: nullable(
    Type.String({ description: 'The first 1,000 bytes of the answer.', examples: ['{"ok":true}'] }),
  ),
}

const delivery = {
  id: Id('The delivery.'),
  webhook_id: Id('The webhook.'),
  event_id: Id('The event; also the `webhook-id` of every attempt.'),
  type: Type.String({ description: 'The type of the event.', examples: ['bill.paid'] }),
  state,
  attempt_count: Type.Integer({ minimum: 0, description: 'How often it was sent.', examples: [1] }),
  next_attempt_at: nullable(Time('When it is sent next; null when nothing is to come.')),
  created_at: Time('When it was made.'),
}

export const Delivery = Type.Object(
  {
    ...delivery,
    attempts: Type.Array(Type.Object(attempt), { description: 'The last 50 attempts, the first of them first.' }),
  },
  { $id: 'WebhookDelivery', description: 'An event on its way to a webhook.' },
)

const headers = Type.Record(Type.String(), Type.String(), {
  description: 'The header fields as they were sent.',
  examples: [
    {
      'webhook-id': '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15',
      'webhook-timestamp': '1793957400',
      'webhook-signature': 'v1,K5oZfzN9…',
    },
  ],
})

/** What only the answer for one delivery has: it may be long. */
export const DeliveryDetail = Type.Object(
  {
    ...delivery,
    attempts: Type.Array(
      Type.Object({
        ...attempt,
        request_url: Type.String({ description: 'Where it was sent.', examples: ['https://hooks.example.com/lading'] }),
        request_headers: headers,
      }),
      { description: 'The last 50 attempts, the first of them first.' },
    ),
    request_body: Type.String({
      description: 'The body, the same in every attempt.',
      examples: ['{"id":"01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15","type":"bill.paid"}'],
    }),
  },
  { $id: 'WebhookDeliveryDetail', description: 'A delivery with what was sent and what came back.' },
)

const filters = {
  status_ids: Type.Optional(
    Type.Array(state, {
      maxItems: 10,
      description: 'Keeps those in one of these states.',
      examples: [['failed', 'given_up']],
    }),
  ),
  types: Type.Optional(
    Type.Array(eventType, {
      maxItems: 100,
      description: 'Keeps those of events of these types: `bill.paid`, `bill.*`.',
      examples: [['bill.*']],
    }),
  ),
  event_id: Type.Optional(Id('Keeps those of this event.')),
  created_start_at: moment('Made at or after.'),
  created_end_at: moment('Made at or before; a date alone means the whole day.'),
}

export const DeliverySearch = Type.Object({
  ...filters,
  webhook_id: Type.Optional(Id('Keeps those to this webhook.')),
  ...paging,
})
export type DeliverySearch = Static<typeof DeliverySearch>
export const DeliverySearchOfOne = Type.Object({ ...filters, ...paging })

const editable = ['url', 'description', 'event_types', 'enabled'] as const
export type Content = Pick<Webhook, (typeof editable)[number]>

export function withDefaults({ url, description = null, event_types = ['*'], enabled = true }: NewWebhook): Content {
  return { url, description, event_types: [...new Set(event_types)], enabled }
}

export function edit(current: Content, sent: WebhookEdit): { changes: Partial<Content>; previous: Partial<Content> } {
  const input = sent.event_types ? { ...sent, event_types: [...new Set(sent.event_types)] } : sent
  const changed = editable.filter(
    (field) => input[field] !== undefined && JSON.stringify(input[field]) !== JSON.stringify(current[field]),
  )
  return {
    changes: Object.fromEntries(changed.map((field) => [field, input[field]])),
    previous: Object.fromEntries(changed.map((field) => [field, current[field]])),
  }
}
