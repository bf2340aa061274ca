/** What the OpenAPI document says of the deliveries: a webhook for each type of event, with its schema. */

type Noun = { noun: string; schema: string | null; verbs: readonly string[] }

const pieces = { id: 'The event; the same in each attempt.', timestamp: 'When it happened.' }

export function describeWebhooks(nouns: readonly Noun[]): Record<string, object> {
  return Object.fromEntries(
    nouns.flatMap(({ noun, schema, verbs }) =>
      verbs.map((verb) => [`${noun}.${verb}`, { post: operationOf(noun, verb, schema) }]),
    ),
  )
}

function operationOf(noun: string, verb: string, schema: string | null): object {
  const type = `${noun}.${verb}`
  return {
    operationId: `on_${noun}_${verb}`.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    tags: ['Webhooks'],
    summary: type,
    description: `Sent after \`${type}\` was recorded, to each webhook that asks for it, at least once.`,
    security: [],
    parameters: ['WebhookId', 'WebhookTimestamp', 'WebhookSignature'].map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    requestBody: { required: true, content: { 'application/json': { schema: deliveryOf(type, schema) } } },
    responses: {
      200: {
        description:
          'Any status from 200 to 299 takes the delivery. After anything else, and where there is no answer in 10 s, it is sent again.',
      },
    },
  }
}

function deliveryOf(type: string, schema: string | null): object {
  const constant = { type: 'string', const: type, description: 'What happened.', examples: [type] }
  return {
    type: 'object',
    required: ['id', 'type', 'timestamp', 'data'],
    properties: {
      id: {
        type: 'string',
        format: 'uuid',
        description: pieces.id,
        examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'],
      },
      type: constant,
      timestamp: {
        type: 'string',
        format: 'date-time',
        description: pieces.timestamp,
        examples: ['2026-11-15T09:30:00.000Z'],
      },
      data: {
        allOf: [
          { $ref: '#/components/schemas/Event' },
          {
            type: 'object',
            required: ['type', 'data'],
            properties: {
              type: constant,
              data: schema
                ? { $ref: `#/components/schemas/${schema}` }
                : { type: 'object', description: 'The record.', examples: [{}] },
            },
          },
        ],
      },
    },
  }
}
