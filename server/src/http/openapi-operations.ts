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

const refusals: Record<number, { name: string; description: string; code: string; message: string; headers?: string[] }> = {
  400: {
    name: 'BadRequest',
    description: 'The request is wrong: malformed JSON, a wrong type, an unknown value. `details` names each field.',
    code: 'wrong_type',
    message: '"limit" must be an integer, not "ten".',
  },
  401: {
    name: 'Unauthenticated',
    description: 'No access token, or one that is wrong, expired or revoked.',
    code: 'invalid_token',
    message: 'The access token has expired.',
    headers: ['WWW-Authenticate'],
  },
  403: {
    name: 'Forbidden',
    description: 'The access token lacks the scope, or the user the role.',
    code: 'insufficient_scope',
    message: 'The access token lacks the scope "bills".',
    headers: ['WWW-Authenticate'],
  },
  404: {
    name: 'NotFound',
    description: 'There is no such record in this organization.',
    code: 'not_found',
    message: 'There is no bill item type "01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15" in this organization.',
  },
  406: {
    name: 'NotAcceptable',
    description: '`Accept` rules out application/json, or the forms that an export has.',
    code: 'not_acceptable',
    message: 'This answers application/json, which Accept: "text/html" rules out.',
  },
  409: {
    name: 'Conflict',
    description: 'The state of things stands against it: a taken external id, a record in use, an `Idempotency-Key` still in flight.',
    code: 'in_use',
    message: 'This bill item type is used by lines of bills, so it cannot be deleted.',
  },
  412: {
    name: 'Stale',
    description: 'The record was changed meanwhile: `If-Match` does not hold.',
    code: 'stale',
    message: 'This was changed meanwhile: its ETag is "4" now, not "3". Read it again and repeat the change.',
    headers: ['ETag'],
  },
  413: {
    name: 'TooLarge',
    description: 'The body is larger than 1 MiB, or, for an import, than the server takes.',
    code: 'body_too_large',
    message: 'The body is larger than 1 MiB. Send less at a time.',
  },
  415: {
    name: 'UnsupportedMedia',
    description: 'The body is not JSON, or, for an import, not CSV.',
    code: 'unsupported_media_type',
    message: 'The body must be JSON: send Content-Type: application/json, not "text/csv".',
  },
  422: {
    name: 'KeyReused',
    description: 'The `Idempotency-Key` was used for another request.',
    code: 'idempotency_key_reused',
    message: 'This Idempotency-Key was used for another request. Make a new key for each thing you want done.',
  },
  429: {
    name: 'TooMany',
    description: 'The rate limit of the token or the organization is used up.',
    code: 'rate_limited',
    message: 'This access token may make 6000 requests a minute and has made them. Try again in 12 s.',
    headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  },
  500: {
    name: 'Fault',
    description: 'A fault of ours, logged under the request id.',
    code: 'internal_error',
    message: 'Something went wrong on our side. Try again; if it stays, report the request id.',
  },
  503: {
    name: 'Unavailable',
    description: 'The database is away for a moment, or the server is draining.',
    code: 'unavailable',
    message: 'The database is away for a moment. Try again.',
    headers: ['Retry-After'],
  },
}

const headers: Record<string, { description: string; example: string }> = {
  'WWW-Authenticate': { description: 'The challenge of RFC 6750.', example: 'Bearer realm="lading", error="invalid_token"' },
  'Retry-After': { description: 'Seconds to wait.', example: '12' },
  RateLimit: { description: 'What is left and for how long, in seconds.', example: '"token";r=0;t=12' },
  'RateLimit-Policy': { description: 'The limits in force.', example: '"token";q=6000;w=60' },
  ETag: { description: 'The revision of the record, for `If-Match` and `If-None-Match`.', example: '"3"' },
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
  components.responses = Object.fromEntries(
    versions.flatMap((version) =>
      Object.entries(refusals).map(([status, refusal]) => [nameOf(refusal.name, version), refusalAnswer(Number(status), refusal, version)]),
    ),
  )
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

function nameOf(name: string, version: string): string {
  return version === 'v2' ? `${name}V2` : name
}

function refusalAnswer(status: number, { description, code, message, headers: names = [] }: (typeof refusals)[number], version: string): Answer {
  const detail = status === 400 ? [{ field: 'limit', code, message }] : []
  const requestId = '01932b5e-7a10-7f7e-8a53-6c1d2e3f4a5b'
  const example =
    version === 'v2'
      ? { statusCode: status, error: description.split(':')[0], message, code, details: detail, requestId }
      : { error_code: code, error_message: message, details: detail, request_id: requestId }
  return {
    description,
    headers: Object.fromEntries(names.map((name) => [name, headerOf(name)])),
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${version === 'v2' ? 'ApiErrorV2' : 'ApiError'}` }, example } },
  }
}

function headerOf(name: string): unknown {
  return { description: headers[name]?.description, schema: { type: 'string' }, example: headers[name]?.example }
}

const details = {
  type: 'array',
  description: 'One entry for each field that is wrong.',
  items: {
    type: 'object',
    required: ['field', 'code', 'message'],
    properties: {
      field: { type: 'string', description: 'Where: a parameter, or the path of a field with dots.' },
      code: { type: 'string', description: 'What, for programs.' },
      message: { type: 'string', description: 'What and what to do, for people.' },
      allowed: { type: 'array', items: { type: 'string' }, description: 'The values that would have been right, where they can be listed.' },
    },
  },
}

const apiError = {
  type: 'object',
  description: 'The body of every answer that is not a success, in v1.',
  required: ['error_code', 'error_message', 'details', 'request_id'],
  properties: {
    error_code: { type: 'string', description: 'What went wrong, for programs.' },
    error_message: { type: 'string', description: 'What went wrong and what to do, for people.' },
    details,
    request_id: { type: 'string', description: 'Also in the header X-Request-Id, and in our log.' },
  },
}

const apiErrorV2 = {
  type: 'object',
  description: 'The body of every answer that is not a success, in v2.',
  required: ['statusCode', 'error', 'message', 'code', 'details', 'requestId'],
  properties: {
    statusCode: { type: 'integer' },
    error: { type: 'string' },
    message: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    code: { type: 'string' },
    details,
    requestId: { type: 'string' },
  },
}
