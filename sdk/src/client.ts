import createClient, { type Client } from 'openapi-fetch'
import { asErrorOf, isLost, LadingConnectionError, LadingError, noteSent, type Sent } from './errors.ts'
import { fetchRepeatedly, type RetryOptions, retryPolicy } from './retries.ts'
import type { components, paths } from './schema.d.ts'
import { readTimeout, within } from './timeouts.ts'
import { userAgent } from './user-agent.ts'

/** The calls by path alone. */
export type PlainLading = Client<paths>
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
  /**
   * How long each attempt may take, in milliseconds; of a file or a stream, how long until it begins and between its parts. No limit unless set. One call
   * has another with a `timeout` of its own: `lading.GET('/api/v1/bills', { timeout: 5_000 })`; `Infinity` is none.
   */
  timeout?: number
}

/** A client without methods, which programs that count their bytes can do without: `const { data, error } = await lading.GET('/api/v1/bill_item_types')`. */
export function createPlainLading({
  baseUrl,
  token,
  fetch = (...sent) => globalThis.fetch(...sent),
  retry = {},
  timeout,
}: Options): PlainLading {
  const source = sourceOf(token)
  const policy = retryPolicy(retry)
  const usualTimeout = readTimeout(timeout)
  return createClient<paths>({
    baseUrl,
    async fetch(request) {
      // openapi-fetch hands over what it does not know of a call as properties of the request.
      const timeout = 'timeout' in request ? readTimeout(request.timeout) : usualTimeout
      const isRead = isReading(request)
      // Also without retries: the error of a write whose answer was lost has the key, with which the caller can repeat it.
      if (!isRead && !request.headers.has('idempotency-key')) request.headers.set('idempotency-key', newKey())
      if (userAgent !== undefined && !request.headers.has('user-agent')) request.headers.set('user-agent', userAgent)
      const sent: Sent = { idempotencyKey: request.headers.get('idempotency-key') ?? undefined, attempts: 0 }
      const counted: typeof fetch = (...attempt) => {
        sent.attempts++
        return fetch(...attempt)
      }
      let tries = 0
      const send = () => {
        tries++
        return within(timeout, async (expired) => readWhole(await withToken(request, source, counted, expired), isRead))
      }
      try {
        const isSafe = isRead || sent.idempotencyKey !== undefined
        const response = await fetchRepeatedly(send, policy, { isSafe, signal: request.signal })
        return noteSent(watchBody(response, timeout, sent), sent)
      } catch (error) {
        throw failureOf(error, sent, tries > 1)
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
async function withToken(
  request: Request,
  source: Source,
  fetch: typeof globalThis.fetch,
  expired: AbortSignal | undefined,
): Promise<Response> {
  const token = await orNoToken(() => source.get())
  const response = await fetch(authorized(request, token, expired))
  if (response.status !== 401 || !source.renew) return response
  await response.body?.cancel()
  const renewed = await orNoToken(() => (source as TokenSource).renew(token))
  return fetch(authorized(request, renewed, expired))
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

/** What the caller is told. An error of their own `token` stays as it is, unless an earlier attempt may have been done. */
function failureOf(error: unknown, sent: Sent, isInDoubt: boolean): unknown {
  const cause = error instanceof NoToken ? error.cause : error
  if (cause instanceof LadingError || cause instanceof LadingConnectionError) return asErrorOf(cause, sent)
  return isLost(cause) || (error instanceof NoToken && isInDoubt) ? new LadingConnectionError(cause, sent) : cause
}

/** An answer that breaks off is lost too, so it is read to its end while the request can still be repeated; a stream of any length is not. */
async function readWhole(response: Response, isRead: boolean): Promise<Response> {
  if (!isJson(response) || !hasBody(response)) return response
  const bytes = await response.arrayBuffer()
  if (!isRead && response.ok) requireJson(bytes)
  return new Response(bytes, response)
}

/** A write whose answer cannot be read is one that got none: with its key it can be repeated. */
function requireJson(bytes: ArrayBuffer): void {
  try {
    JSON.parse(new TextDecoder().decode(bytes))
  } catch (cause) {
    throw new TypeError('The answer cannot be read as JSON.', { cause })
  }
}

/** Chromium gives an answer without content, such as a 204, an empty body, and no browser lets another answer be made with it. */
function hasBody({ body, status }: Response): boolean {
  return body !== null && ![204, 205, 304].includes(status)
}

function isJson({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('application/json') === true
}

/** A file or a stream that breaks off while it is read is a lost connection as well. */
function watchBody(response: Response, timeout: number | undefined, sent: Sent): Response {
  if (isJson(response) || !response.body || !hasBody(response)) return response
  const reader = response.body.getReader()
  const watched = new ReadableStream<Uint8Array>({
    async pull(stream) {
      try {
        const { done, value } = await within(timeout, () => reader.read())
        if (done) stream.close()
        else stream.enqueue(value)
      } catch (error) {
        stream.error(failureOf(error, sent, false))
        await reader.cancel().catch(() => {})
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return new Response(watched, response)
}

function authorized(request: Request, token: string, expired: AbortSignal | undefined): Request {
  const attempt = new Request(request.clone(), expired && { signal: AbortSignal.any([request.signal, expired]) })
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
