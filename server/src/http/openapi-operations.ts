import { apiError, apiErrorV2, headerOf, nameOf, refusalComponents, refusals } from './openapi-refusals.ts'

type Schema = {
  [key: string]: unknown
  properties?: Record<string, Schema>
  items?: Schema
  $ref?: string
  type?: string | string[]
  examples?: unknown[]
  allOf?: Schema[]
  anyOf?: Schema[]
  enum?: unknown[]
}
type Media = { schema: Schema; example?: unknown }
type Answer = { description: string; content?: Record<string, Media>; headers?: Record<string, unknown>; $ref?: string }
type Operation = {
  security?: unknown[]
  parameters?: unknown[]
  requestBody?: { content: Record<string, Media>; required?: boolean }
  responses: Record<string, Answer>
}
type Document = { paths: Record<string, Record<string, Operation>>; components: Record<string, Record<string, unknown>> & { schemas: Record<string, Schema> } }

const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Makes a retry safe: for 24 hours the same key answers the same response, and nothing is done twice.',
    schema: { type: 'string', maxLength: 255 },
    example: 'b3e1c7d2-5f0a-4a52-9c0e-7d1f3a9b6e44',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Do it only if the record still has this ETag; else 412.',
    schema: { type: 'string' },
    example: '"3"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Answer 304 if the record still has this ETag.',
    schema: { type: 'string' },
    example: '"3"',
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: '`handling=strict` refuses unknown parameters and fields instead of ignoring them.',
    schema: { type: 'string' },
    example: 'handling=strict',
  },
}

/** Gives every operation of the API what it shares with the others: header parameters, refusals, examples. */
export function completeOperations(document: object): object {
  const { paths, components } = document as Document
  const versions = ['v1', 'v2'].filter((version) => Object.keys(paths).some((path) => path.startsWith(`/api/${version}`)))
  components.schemas = { ...components.schemas, ApiError: apiError, ...(versions.includes('v2') && { ApiErrorV2: apiErrorV2 }) }
  components.parameters = parameters
  components.responses = refusalComponents(versions)
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) complete(path, method, operation, components.schemas)
  }
  return document
}

function complete(path: string, method: string, operation: Operation, schemas: Record<string, Schema>): void {
  const version = path.startsWith('/api/v2') ? 'v2' : 'v1'
  const writes = method !== 'get'
  const one = path.includes('{')
  const shared = [writes ? 'IdempotencyKey' : one ? 'IfNoneMatch' : null, writes && one ? 'IfMatch' : null, 'Prefer'].filter((name) => name !== null)
  const secured = Boolean(operation.security?.length)
  if (secured) operation.parameters = [...(operation.parameters ?? []), ...shared.map((name) => ({ $ref: `#/components/parameters/${name}` }))]
  for (const answer of Object.values(operation.responses)) describe(answer, one || method === 'post', schemas)
  for (const media of Object.values(operation.requestBody?.content ?? {})) media.example ??= exampleOf(media.schema, schemas)
  const possible = [
    400,
    ...(secured ? [401, 403, 429] : []),
    ...(one ? [404] : []),
    406,
    ...(writes ? [409, 413, 415, 422] : []),
    ...(writes && one ? [412] : []),
    500,
    503,
  ]
  for (const status of possible) {
    const { name } = refusals[status] as { name: string }
    operation.responses[status] ??= { $ref: `#/components/responses/${nameOf(name, version)}` } as Answer
  }
}

function describe(answer: Answer, hasEtag: boolean, schemas: Record<string, Schema>): void {
  if (answer.description === 'Default Response') answer.description = 'Done.'
  for (const media of Object.values(answer.content ?? {})) media.example = exampleOf(media.schema, schemas)
  if (hasEtag && answer.content) answer.headers = { ETag: headerOf('ETag') }
}

/** Examples stand at the fields, once; that of an operation is put together from them, so it always fits its schema. */
function exampleOf(schema: Schema, schemas: Record<string, Schema>): unknown {
  if (schema.$ref) return exampleOf(schemas[schema.$ref.split('/').at(-1) as string] ?? {}, schemas)
  if (schema.examples) return schema.examples[0]
  if (schema.properties) return Object.fromEntries(Object.entries(schema.properties).map(([name, inner]) => [name, exampleOf(inner, schemas)]))
  if (schema.items) return [exampleOf(schema.items, schemas)]
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, schemas)))
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf[0], schemas)
  return schema.enum?.[0] ?? null
}
