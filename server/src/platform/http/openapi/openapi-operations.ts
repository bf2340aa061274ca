import { optionalBody } from '../input/json-body.ts'
import { type References, typeOf } from '../input/references.ts'
import { answerInWords } from './openapi-answers.ts'
import {
  apiError,
  apiErrorV2,
  deliveryTaken,
  headerComponents,
  nameOf,
  notModified,
  refusalComponents,
  refusals,
} from './openapi-refusals.ts'
import { inWordsOfOpenapi, Moment, withErrorCodes } from './openapi-schemas.ts'

/** Of an operation that reads one record: it has no ETag, or shows more than its ETag covers, so it is never answered with a 304. */
export const alwaysWhole = 'x-always-whole'

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
  [alwaysWhole]?: boolean
  operationId?: string
  'x-dry-run'?: boolean
  security?: unknown[]
  parameters?: unknown[]
  requestBody?: { content: Record<string, Media>; required?: boolean }
  responses: Record<string, Answer>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>> & { schemas: Record<string, Schema> }
}

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
    description: 'Does it only if the record still has this ETag; the answer is 412 otherwise.',
    schema: { type: 'string' },
    example: '"3"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Answers 304 without a body if the record still has this ETag.',
    schema: { type: 'string' },
    example: '"3"',
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: 'With `handling=strict`, unknown parameters and fields are refused instead of ignored.',
    schema: { type: 'string' },
    example: 'handling=strict',
  },
  PreferOfWrites: {
    name: 'Prefer',
    in: 'header',
    description:
      'With `handling=strict`, unknown parameters and fields are refused instead of ignored. With `dry-run`, as with the query parameter, everything is checked and answered as if it were done, and nothing is kept: no number, no event, no webhook. Several have commas between them.',
    schema: { type: 'string' },
    example: 'dry-run',
  },
  SignedId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'The event. Whoever has seen it before need not do anything about it again.',
    schema: { type: 'string', format: 'uuid' },
    example: '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15',
  },
  SignedTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'When this attempt was made, in seconds since 1970. Refuse what is older than five minutes.',
    schema: { type: 'string' },
    example: '1793957400',
  },
  Signature: {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'One or more signatures with spaces between them, each `v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64.',
    schema: { type: 'string' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
}

/** Gives every operation of the API what it shares with the others: header parameters, refusals, headers of answers, examples. */
export function completeOperations(
  described: object,
  kindOf: References['kindOf'],
  errorCodes: readonly string[],
): object {
  const document = inWordsOfOpenapi(described) as Document
  const { paths, components } = document
  const versions = ['v1', 'v2'].filter((version) =>
    Object.keys(paths).some((path) => path.startsWith(`/api/${version}`)),
  )
  components.schemas = withErrorCodes(
    {
      ...components.schemas,
      ApiError: apiError,
      Moment,
      ...(versions.includes('v2') && { ApiErrorV2: apiErrorV2 }),
    },
    errorCodes,
  ) as Document['components']['schemas']
  components.parameters = parameters
  components.headers = headerComponents
  components.responses = { NotModified: notModified, DeliveryTaken: deliveryTaken, ...refusalComponents(versions) }
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      describeReferences(path, operation, kindOf)
      complete(path, method, operation, components.schemas)
    }
  }
  return document
}

/** Where an id is asked for and other names of the record are understood, the description says so, and not the format. */
function describeReferences(
  path: string,
  { parameters = [], requestBody }: Operation,
  kindOf: References['kindOf'],
): void {
  const inQuery = (parameters as { name?: string; in?: string; schema?: Schema }[]).flatMap(
    ({ name, in: place, schema }) => (place === 'query' && name && schema ? [{ name, schema }] : []),
  )
  for (const { name, schema } of inQuery) {
    const type = typeOf(
      name,
      inQuery.map((one) => one.name),
    )
    if (type && schema.format === 'uuid') say(schema, schema, `With \`${type}\` also`)
    else addNames(name, schema)
  }
  for (const { schema } of Object.values(requestBody?.content ?? {})) addNames('', schema)

  function addNames(name: string, schema: Schema, list?: Schema): void {
    if (schema.format === 'uuid' && kindOf(name, path) !== undefined) say(schema, list ?? schema, 'Also')
    if (schema.items) addNames(name, schema.items, schema)
    for (const [field, inner] of Object.entries(schema.properties ?? {})) addNames(field, inner)
  }

  function say(schema: Schema, said: Schema, also: string): void {
    delete schema.format
    said.description =
      `${said.description ?? ''} ${also} \`ext:<external_id>\`, or the number that people read where there is one.`.trim()
  }
}

function complete(path: string, method: string, operation: Operation, schemas: Record<string, Schema>): void {
  const version = path.startsWith('/api/v2') ? 'v2' : 'v1'
  const writes = method !== 'get'
  // There is one organization for each token, so no id names it.
  const isOrganization = path.endsWith('/organization')
  const one = path.includes('{') || isOrganization
  // A record, and no list of what belongs to it.
  const isAlwaysWhole = Boolean(operation[alwaysWhole])
  delete operation[alwaysWhole]
  const isRecord = (isOrganization || /\}(?:\/external|\/content)?$/.test(path)) && !isAlwaysWhole
  const secured = Boolean(operation.security?.length)
  const canBeTried = operation['x-dry-run'] === true
  const shared = [
    writes ? 'IdempotencyKey' : isRecord ? 'IfNoneMatch' : null,
    writes && one ? 'IfMatch' : null,
    canBeTried ? 'PreferOfWrites' : 'Prefer',
  ].filter((name) => name !== null)
  if (secured)
    operation.parameters = [
      ...(operation.parameters ?? []),
      ...shared.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ]
  const etag = writes ? one || method === 'post' : isRecord
  const headers = [
    ...(etag ? ['ETag'] : []),
    ...(writes ? ['X-Ignored-Fields'] : []),
    ...(canBeTried ? ['Preference-Applied'] : []),
    'X-Ignored-Parameters',
    ...(secured ? ['RateLimit'] : []),
    'RateLimit-Policy',
  ]
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (answer.description === 'Default Response') {
      const schema = Object.values(answer.content ?? {})[0]?.schema
      answer.description = answerInWords({
        operationId: operation.operationId ?? '',
        path,
        method,
        status: Number(status),
        schema,
      })
    }
    describe(answer, headers, schemas)
  }
  if (operation.requestBody) completeBody(operation.requestBody, schemas)
  if (secured && !writes && isRecord)
    operation.responses[304] = { $ref: '#/components/responses/NotModified' } as Answer
  const possible = [
    400,
    ...(secured ? [401, 403, 429] : []),
    // A conversion needs a rate, which may not be there.
    ...(one || path.endsWith('/convert') ? [404] : []),
    405,
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

function describe(answer: Answer, headers: readonly string[], schemas: Record<string, Schema>): void {
  for (const media of Object.values(answer.content ?? {})) media.example = exampleOf(media.schema, schemas)
  const shown = headers.filter((name) => answer.content !== undefined || name !== 'ETag')
  answer.headers = Object.fromEntries(shown.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function completeBody(body: NonNullable<Operation['requestBody']>, schemas: Record<string, Schema>): void {
  for (const media of Object.values(body.content)) {
    const { [optionalBody]: isOptional, ...schema } = media.schema
    media.schema = schema
    if (isOptional) body.required = Array.isArray(schema.required) && schema.required.length > 0
    media.example ??= exampleOf(schema, schemas, { sent: true })
  }
}

/**
 * Examples stand at the fields, once; that of an operation is put together from them, so it always fits its schema. In one that is sent, fields that
 * would be ignored are left out.
 */
function exampleOf(schema: Schema, schemas: Record<string, Schema>, { sent = false } = {}): unknown {
  const inner = (part: Schema) => exampleOf(part, schemas, { sent })
  if (schema.examples) return schema.examples[0]
  if (schema.$ref) return inner(schemas[schema.$ref.split('/').at(-1) as string] ?? {})
  if (schema.properties) {
    const shown = Object.entries(schema.properties).filter(
      ([, part]) => !sent || !/^Ignored/.test(String(part.description)),
    )
    return Object.fromEntries(shown.map(([name, part]) => [name, inner(part)]))
  }
  if (schema.items) return [inner(schema.items)]
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(inner))
  if (schema.anyOf?.[0]) return inner(schema.anyOf[0])
  return schema.enum?.[0] ?? null
}
