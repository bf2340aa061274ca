import { addressesOf } from '../../platform/addresses.ts'
import type { Settings } from '../../settings.ts'
import { type ApiDescription, type ListedOperation, operationsByTag, type Parameter } from './operations.ts'

/** The form that Postman and the tools like it import: https://schema.postman.com, collection 2.1. */
const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/** Kept by the request that gets a token, and sent by all the others. */
const keepToken = [
  'const { access_token, refresh_token } = pm.response.json()',
  "if (access_token) pm.collectionVariables.set('token', access_token)",
  "if (refresh_token) pm.collectionVariables.set('refresh_token', refresh_token)",
]

/**
 * Every operation as a request that works once there is a token, and a folder whose requests get one. Optional parameters are there but off: an
 * example is not a value. It carries no secret; `client_id` and the like are empty variables.
 */
export function postmanCollection(document: ApiDescription, settings: Settings): object {
  const { title, description = '', version } = document.info
  const { base_url, token_url, audience } = addressesOf(settings)
  const values = {
    base_url,
    token: '',
    token_url,
    audience,
    client_id: '',
    client_secret: '',
    username: '',
    password: '',
    refresh_token: '',
  }
  return {
    info: { name: title, description, version, schema },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: Object.entries(values).map(([key, value]) => ({ key, value, type: 'string' })),
    item: [
      authorization(),
      ...[...operationsByTag(document)].map(([name, operations]) => ({ name, item: operations.map(requestOf) })),
    ],
  }
}

function authorization(): object {
  const client = { client_id: '{{client_id}}', client_secret: '{{client_secret}}', audience: '{{audience}}' }
  return {
    name: 'Authorization',
    description:
      'Fill in the variables client_id and client_secret (for the password flow username and password too), then send one of these: it sets the variable token.',
    auth: { type: 'noauth' },
    item: [
      tokenRequest('Get a token with client credentials', { grant_type: 'client_credentials', ...client }),
      tokenRequest('Get a token with a password', {
        grant_type: 'password',
        username: '{{username}}',
        password: '{{password}}',
        ...client,
      }),
      tokenRequest('Refresh the token', { grant_type: 'refresh_token', refresh_token: '{{refresh_token}}', ...client }),
    ],
  }
}

function tokenRequest(name: string, form: Record<string, string>): object {
  return {
    name,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: keepToken } }],
    request: {
      method: 'POST',
      header: [],
      body: {
        mode: 'urlencoded',
        urlencoded: Object.entries(form).map(([key, value]) => ({ key, value, type: 'text' })),
      },
      url: { raw: '{{token_url}}', host: ['{{token_url}}'] },
    },
    response: [],
  }
}

function requestOf({ method, path, operation, parameters, body }: ListedOperation): object {
  const [type, media] = Object.entries(body?.content ?? {})[0] ?? []
  const inPlace = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place)
  const headers = inPlace('header').map(fieldOf)
  return {
    name: operation.summary,
    request: {
      method,
      ...(operation.security?.length === 0 && { auth: { type: 'noauth' } }),
      description: operation.description ?? '',
      header: type ? [{ key: 'Content-Type', value: type }, ...headers] : headers,
      url: urlOf(path, inPlace('path'), inPlace('query').map(fieldOf)),
      ...(type && { body: bodyOf(type, media?.example) }),
    },
    response: [],
  }
}

type Field = { key: string; value: string; description: string; disabled?: true }

function fieldOf({ name, required, description = '', example }: Parameter): Field {
  // A new one with every request that is sent; the example would be the same for all.
  const value = name === 'Idempotency-Key' ? '{{$guid}}' : textOf(example)
  return { key: name, value, description, ...(!required && { disabled: true }) }
}

function urlOf(path: string, variables: readonly Parameter[], query: readonly Field[]): object {
  const named = path.replace(/\{(\w+)\}/g, ':$1')
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${encodeURIComponent(value)}`)
  return {
    raw: `{{base_url}}${named}${sent.length > 0 ? `?${sent.join('&')}` : ''}`,
    host: ['{{base_url}}'],
    path: named.split('/').slice(1),
    ...(query.length > 0 && { query }),
    ...(variables.length > 0 && {
      variable: variables.map(({ name, description = '' }) => ({ key: name, value: '', description })),
    }),
  }
}

function bodyOf(type: string, example: unknown): object {
  if (type !== 'application/json') return { mode: 'raw', raw: typeof example === 'string' ? example : '' }
  return { mode: 'raw', raw: JSON.stringify(example ?? {}, null, 2), options: { raw: { language: 'json' } } }
}

function textOf(example: unknown): string {
  if (example === undefined || example === null) return ''
  return Array.isArray(example)
    ? example.map(textOf).join(',')
    : typeof example === 'object'
      ? JSON.stringify(example)
      : String(example)
}
