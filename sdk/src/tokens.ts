import type { TokenSource } from './client.ts'
import { isLost, LadingConnectionError, LadingError, type Sent } from './errors.ts'
import { fetchRepeatedly, retryPolicy } from './retries.ts'
import { readTimeout, within } from './timeouts.ts'
import { userAgent } from './user-agent.ts'

/** What the token endpoint answers. */
export type TokenAnswer = {
  access_token: string
  token_type: string
  expires_in?: number
  refresh_token?: string
  scope?: string
}

export type TokenOptions = {
  /** Where the authorization server is, such as `https://tms.example.com`. */
  authUrl: string
  clientId: string
  clientSecret?: string
  /** Scopes with spaces between them; all that the application has unless set. */
  scope?: string
  audience?: string
  /**
   * Called with every new set of tokens before they are used. A refresh token is good once: keep the new one here, or the next start of the program
   * has none. If it fails, so does the request that needed the token.
   */
  onTokens?: (tokens: TokenAnswer) => void | Promise<void>
  fetch?: typeof globalThis.fetch
  /** How long each attempt to get a token may take, in milliseconds: no limit unless set. */
  timeout?: number
}

/** Tokens of the application itself, for programs without a person. */
export function clientCredentials(options: TokenOptions & { clientSecret: string }): TokenSource {
  return tokenSource(options, () => ({ grant_type: 'client_credentials', ...requested(options) }))
}

/** Tokens of a user by their password, and from then on by refresh tokens, where the application may use those. */
export function passwordGrant(options: TokenOptions & { username: string; password: string }): TokenSource {
  const { username, password } = options
  return tokenSource(options, () => ({ grant_type: 'password', username, password, ...requested(options) }))
}

/** Tokens of a user who let the application in before: `refreshToken` is the one that `onTokens` was called with last. */
export function refreshTokenGrant(options: TokenOptions & { refreshToken: string }): TokenSource {
  return tokenSource(options, null, options.refreshToken)
}

type Fields = Record<string, string>

/** How long before its end a token is replaced; of one that is good for less, half its time. */
const marginMs = 60_000

function tokenSource(options: TokenOptions, firstRequest: (() => Fields) | null, refreshToken?: string): TokenSource {
  let current: { access: string; goodUntil: number } | undefined
  let refresh = refreshToken
  let underway: Promise<string> | undefined
  const timeout = readTimeout(options.timeout)

  return {
    async get() {
      return current && Date.now() < current.goodUntil ? current.access : renewOnce()
    },
    // Another request may have got a new one meanwhile.
    async renew(refused) {
      return current && current.access !== refused ? current.access : renewOnce()
    },
  }

  /** Everyone who needs a new token waits for the same request: the second use of a refresh token would end all tokens of its family. */
  function renewOnce(): Promise<string> {
    underway ??= renewed().finally(() => {
      underway = undefined
    })
    return underway
  }

  async function renewed(): Promise<string> {
    const answer = await nextAnswer()
    // A refresh token that was not replaced stays good.
    refresh = answer.refresh_token ?? refresh
    await options.onTokens?.(answer)
    const lifetimeMs = (answer.expires_in ?? 3600) * 1000
    current = { access: answer.access_token, goodUntil: Date.now() + Math.max(lifetimeMs - marginMs, lifetimeMs / 2) }
    return answer.access_token
  }

  async function nextAnswer(): Promise<TokenAnswer> {
    if (refresh === undefined) return request((firstRequest as () => Fields)())
    try {
      return await request({ grant_type: 'refresh_token', refresh_token: refresh })
    } catch (error) {
      if (!firstRequest || !(error instanceof LadingError) || error.code !== 'invalid_grant') throw error
      refresh = undefined
      return request(firstRequest())
    }
  }

  async function request(fields: Fields): Promise<TokenAnswer> {
    const { authUrl, clientId, clientSecret, fetch = (...request) => globalThis.fetch(...request) } = options
    const body = new URLSearchParams({
      ...fields,
      client_id: clientId,
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
    })
    const headers = { accept: 'application/json', ...(userAgent !== undefined && { 'user-agent': userAgent }) }
    const sent: Sent = { idempotencyKey: undefined, attempts: 0 }
    const send = () => {
      sent.attempts++
      const address = `${authUrl.replace(/(?<!\/)\/+$/, '')}/oauth2/token`
      return within(timeout, async (expired) =>
        readAnswer(await fetch(address, { method: 'POST', body, headers, ...(expired && { signal: expired }) })),
      )
    }
    // A refresh token whose answer was lost may have been used already, and must not be sent again.
    const response = await fetchRepeatedly(send, retryPolicy({}), {
      isSafe: fields.grant_type !== 'refresh_token',
    }).catch((error: unknown) => {
      throw isLost(error) ? new LadingConnectionError(error, sent) : error
    })
    const answer: unknown = await response.json().catch(() => undefined)
    if (!response.ok) throw new LadingError(response, answer, sent)
    return answer as TokenAnswer
  }
}

/** To its end, so that an answer that breaks off is repeated as well. */
async function readAnswer(response: Response): Promise<Response> {
  return response.body ? new Response(await response.arrayBuffer(), response) : response
}

function requested({ scope, audience }: TokenOptions): Fields {
  return { ...(scope !== undefined && { scope }), ...(audience !== undefined && { audience }) }
}
