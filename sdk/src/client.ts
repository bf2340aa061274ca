import createClient, { type Client } from 'openapi-fetch'
import { fetchRepeatedly, type RetryOptions, retryPolicy } from './retries.ts'
import type { components, paths } from './schema.d.ts'

export type Lading = Client<paths>
export type Schemas = components['schemas']
/** What every operation takes and answers, by its path. */
export type Paths = paths

/** Gets access tokens, and a new one in place of one that the service refused. */
export type TokenSource = { get(): Promise<string>; renew(refused: string): Promise<string> }

export type Options = {
  /** Where the service is, such as `https://tms.example.com`. */
  baseUrl: string
  /** An access token, a function that gets one before every request, or a source such as `clientCredentials(…)`, which renews it too. */
  token: string | (() => string | Promise<string>) | TokenSource
  fetch?: typeof globalThis.fetch
  /** How requests that were lost, or that the service had no time for, are repeated; `false` never does. */
  retry?: RetryOptions | false
}

/** A client typed by the API's own description: `const { data, error } = await lading.GET('/api/v1/bill_item_types')`. */
export function createLading({ baseUrl, token, fetch = (...sent) => globalThis.fetch(...sent), retry = {} }: Options): Lading {
  const source = sourceOf(token)
  const policy = retryPolicy(retry)
  return createClient<paths>({
    baseUrl,
    async fetch(request) {
      const isRead = isReading(request)
      // Without retries a key would only be kept by the service, for nobody.
      if (!isRead && policy.times > 0 && !request.headers.has('idempotency-key')) request.headers.set('idempotency-key', newKey())
      const send = async () => {
        const response = await withToken(request, source, fetch)
        return policy.times > 0 ? readWhole(response) : response
      }
      try {
        return await fetchRepeatedly(send, policy, { isSafe: isRead || request.headers.has('idempotency-key'), signal: request.signal })
      } catch (error) {
        throw error instanceof NoToken ? error.cause : error
      }
    },
  })
}

type Source = { get(): string | Promise<string>; renew?(refused: string): Promise<string> }

function sourceOf(token: Options['token']): Source {
  if (typeof token === 'string') return { get: () => token }
  return typeof token === 'function' ? { get: token } : token
}

/** One attempt; where the token is refused, a second one with a new token. */
async function withToken(request: Request, source: Source, fetch: typeof globalThis.fetch): Promise<Response> {
  const token = await orNoToken(() => source.get())
  const response = await fetch(authorized(request, token))
  if (response.status !== 401 || !source.renew) return response
  await response.body?.cancel()
  const renewed = await orNoToken(() => (source as TokenSource).renew(token))
  return fetch(authorized(request, renewed))
}

/** The source could get no token. It repeats what may be repeated by itself: a refresh token whose answer was lost must not be sent again. */
class NoToken extends Error {}

async function orNoToken(get: () => string | Promise<string>): Promise<string> {
  try {
    return await get()
  } catch (cause) {
    throw new NoToken('There is no token.', { cause })
  }
}

/** An answer that breaks off is lost too, so it is read to its end while the request can still be repeated; a stream of any length is not. */
async function readWhole(response: Response): Promise<Response> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return isJson && response.body ? new Response(await response.arrayBuffer(), response) : response
}

function authorized(request: Request, token: string): Request {
  const attempt = request.clone()
  attempt.headers.set('authorization', `Bearer ${token}`)
  return attempt
}

/** A search with a body is a read as well. */
function isReading({ method, url }: Request): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method) || new URL(url).pathname.endsWith('/search')
}

/** Not `randomUUID`, which browsers lack on pages that came by plain http. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
