/** What the OpenAPI document says of the deliveries: a webhook for each type of event, with its schema. */

import Type from 'typebox'
import { named } from '../core/schema/names.ts'
import { Id, Time } from '../core/schema/schema.ts'

type Noun = { noun: string; schema: string | null; verbs: readonly string[] }

const anyDelivery = Type.Object({
  id: Id('The event; the same in each attempt.'),
  type: Type.String({ description: 'What happened.', examples: ['bill.paid'] }),
  timestamp: Time('When it happened.'),
  data: Type.Ref('#/components/schemas/Event'),
})

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
    parameters: ['SignedId', 'SignedTimestamp', 'Signature'].map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    requestBody: { required: true, content: { 'application/json': { schema: deliveryOf(type, schema) } } },
    responses: { 200: { $ref: '#/components/responses/DeliveryTaken' } },
  }
}

function deliveryOf(type: string, schema: string | null): object {
  const constant = { type: 'string', const: type }
  const data = schema
    ? { $ref: `#/components/schemas/${schema}` }
    : { type: 'object', description: 'The record.', examples: [{}] }
  const event = { type: 'object', required: ['type', 'data'], properties: { type: constant, data } }
  return {
    allOf: [
      named('EventDelivery', anyDelivery),
      { type: 'object', required: ['type', 'data'], properties: { type: constant, data: event } },
    ],
  }
}
