/** How the OpenAPI document describes what can go wrong: the answers that all operations share, and the two shapes of their bodies. */

import { nameKeyword } from '../../core/schema/names.ts'

type Answer = {
  description: string
  headers: Record<string, unknown>
  content: Record<string, { schema: { $ref: string }; example: unknown }>
}

export const refusals: Record<
  number,
  { name: string; description: string; code: string; message: string; headers?: string[] }
> = {
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
  405: {
    name: 'MethodNotAllowed',
    description: 'The path is there, but not for the method that was sent; `Allow` names those that it takes.',
    code: 'method_not_allowed',
    message: 'PATCH is not possible here; allowed: DELETE, GET, HEAD, OPTIONS, PUT.',
    headers: ['Allow'],
  },
  406: {
    name: 'NotAcceptable',
    description: '`Accept` rules out application/json, or the forms that an export has.',
    code: 'not_acceptable',
    message: 'This answers application/json, which Accept: "text/html" rules out.',
  },
  409: {
    name: 'Conflict',
    description:
      'The state of things stands against it: a taken external id, a record in use, an `Idempotency-Key` still in flight.',
    code: 'in_use',
    message: 'This bill item type is used by lines of bills or invoices, so it cannot be deleted.',
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
    description:
      'The rate limit of the token or the organization is used up (`rate_limited`), or the organization has too much under way at once (`organization_busy`, for exports `too_many_streams`). `Retry-After` says how long to wait.',
    code: 'rate_limited',
    message: 'This access token may make 6000 requests a minute and has made them. Try again in 12 s.',
    headers: ['Retry-After'],
  },
  500: {
    name: 'Fault',
    description: 'A fault of ours, logged under the request id.',
    code: 'internal_error',
    message: 'Something went wrong on our side. Try again; if it stays, report the request id.',
  },
  503: {
    name: 'Unavailable',
    description:
      'The database is away or cannot do it for a moment, too much happens at once, or the server is draining. `outcome` says whether a write was saved.',
    code: 'unavailable',
    message: 'The database is away for a moment. Try again.',
    headers: ['Retry-After'],
  },
}

const headers: Record<string, { description: string; example: string }> = {
  'WWW-Authenticate': {
    description: 'The challenge of RFC 6750.',
    example: 'Bearer realm="lading", error="invalid_token"',
  },
  'Retry-After': { description: 'Seconds to wait.', example: '12' },
  Link: {
    description: 'The page that explains the code of the error.',
    example: '<https://tms.example.com/docs/errors#not_found>; rel="help"',
  },
  Allow: { description: 'The methods that the path takes.', example: 'DELETE, GET, HEAD, OPTIONS, PUT' },
  RateLimit: {
    description:
      'How many requests are left (`r`) for the token and the organization, and for how many seconds (`t`). Every request with a good token has it.',
    example: '"token";r=5999;t=12, "organization";r=59999;t=12',
  },
  'RateLimit-Policy': {
    description: 'The limits in force: how many requests (`q`) in how many seconds (`w`). Every answer has it.',
    example: '"token";q=6000;w=60, "organization";q=60000;w=60',
  },
  'X-Ignored-Parameters': {
    description:
      'Query parameters that mean nothing here and were ignored, each with the known name that it comes close to.',
    example: 'status_id; did you mean status_ids?',
  },
  'X-Ignored-Fields': {
    description:
      'What of the body was ignored: what is not the client’s to set, and what nobody knows, each of these with the known name that it comes close to; of more than ten their number.',
    example: 'id, revision, bill_items[0].unit_prise; did you mean unit_price?',
  },
  'Preference-Applied': {
    description: 'The preferences of `Prefer` that were followed: with `dry-run` nothing was kept.',
    example: 'dry-run',
  },
  ETag: { description: 'The revision of the record, for `If-Match` and `If-None-Match`.', example: '"3"' },
}

/** The refusals of these versions of the API, by the names that operations refer to them with. */
export function refusalComponents(versions: readonly string[]): Record<string, Answer> {
  return Object.fromEntries(
    versions.flatMap((version) =>
      Object.entries(refusals).map(([status, refusal]) => [
        nameOf(refusal.name, version),
        refusalAnswer(Number(status), refusal, version),
      ]),
    ),
  )
}

export function nameOf(name: string, version: string): string {
  return version === 'v2' ? `${name}V2` : name
}

function refusalAnswer(
  status: number,
  { description, code, message, headers: names = [] }: (typeof refusals)[number],
  version: string,
): Answer {
  const detail = status === 400 ? [{ field: 'limit', code, message }] : []
  const requestId = '01932b5e-7a10-7f7e-8a53-6c1d2e3f4a5b'
  const help = `https://tms.example.com/docs/errors#${code}`
  const example =
    version === 'v2'
      ? {
          statusCode: status,
          error: description.split(':')[0],
          message,
          code,
          details: detail,
          requestId,
          docUrl: help,
        }
      : { error_code: code, error_message: message, details: detail, request_id: requestId, doc_url: help }
  // What comes before the token is looked at, or from another path, is not counted.
  const counted = status === 401 || status === 405 || status === 503 ? [] : ['RateLimit']
  return {
    description,
    headers: Object.fromEntries(
      [...names, 'Link', ...counted, 'RateLimit-Policy'].map((name) => [
        name,
        { $ref: `#/components/headers/${name}` },
      ]),
    ),
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${version === 'v2' ? 'ApiErrorV2' : 'ApiError'}` },
        example,
      },
    },
  }
}

export const headerComponents = Object.fromEntries(
  Object.entries(headers).map(([name, { description, example }]) => [
    name,
    { description, schema: { type: 'string' }, example },
  ]),
)

/** The answer to `If-None-Match` with the ETag that the record still has. */
export const notModified = {
  description: 'The record still has the ETag that `If-None-Match` names; there is no body.',
  headers: Object.fromEntries(
    ['ETag', 'RateLimit', 'RateLimit-Policy'].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  ),
}

/** What a webhook is to answer to a delivery. */
export const deliveryTaken = {
  description:
    'Any status from 200 to 299 takes the delivery. After anything else, and where there is no answer in 10 s, it is sent again.',
}

const details = {
  type: 'array',
  description: 'One entry for each field that is wrong.',
  items: {
    [nameKeyword]: 'ErrorDetail',
    type: 'object',
    required: ['field', 'code', 'message'],
    properties: {
      field: { type: 'string', description: 'Where: a parameter, or the path of a field with dots.' },
      code: { type: 'string', description: 'What, for programs.' },
      message: { type: 'string', description: 'What and what to do, for people.' },
      allowed: {
        type: 'array',
        items: { type: 'string' },
        description: 'The values that would have been right, where they can be listed.',
      },
    },
  },
}

const outcome = {
  type: 'string',
  enum: ['not_written', 'unknown'],
  description:
    'With 503, of a write: `not_written` where nothing of it was saved, `unknown` where the connection to the database was lost so that all, some or nothing of it may be saved. Repeat the request with the same `Idempotency-Key`: it is then done once, and answered with what was done. A 503 without it is to be treated as `unknown` where there was something to write.',
}

const docUrl = {
  type: 'string',
  description:
    'The page that explains the code, also in the header Link. It is missing where the request was no HTTP that could be read.',
}

export const apiError = {
  type: 'object',
  description: 'The body of every answer that is not a success, in v1.',
  required: ['error_code', 'error_message', 'details', 'request_id'],
  properties: {
    error_code: { type: 'string', description: 'What went wrong, for programs.' },
    error_message: { type: 'string', description: 'What went wrong and what to do, for people.' },
    details,
    outcome,
    request_id: { type: 'string', description: 'Also in the header X-Request-Id, and in our log.' },
    doc_url: docUrl,
  },
}

export const apiErrorV2 = {
  type: 'object',
  description: 'The body of every answer that is not a success, in v2.',
  required: ['statusCode', 'error', 'message', 'code', 'details', 'requestId'],
  properties: {
    statusCode: { type: 'integer', description: 'The status of the answer.' },
    error: { type: 'string', description: 'The name of the status.' },
    message: {
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
      description: 'What went wrong and what to do, for people; a list where several fields are wrong.',
    },
    code: { type: 'string', description: 'What went wrong, for programs.' },
    details,
    outcome,
    requestId: { type: 'string', description: 'Also in the header X-Request-Id, and in our log.' },
    docUrl,
  },
}
