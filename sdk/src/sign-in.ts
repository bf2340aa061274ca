import * as oauth from 'oauth4webapi'

export type SignInOptions = {
  /** Where the authorization server is, such as `https://tms.example.com`. */
  authUrl: string
  clientId: string
  redirectUri: string
  scope: string
  audience: string
  /** Outlives the way to the sign-in page and back, and nothing else: `sessionStorage`. Tokens never go there. */
  storage: {
    getItem(key: string): string | null
    setItem(key: string, value: string): void
    removeItem(key: string): void
  }
}

/** Nobody is signed in any more: the way on is `begin`. */
export class SignedOut extends Error {}

/** Somebody came back without access; `code` is OAuth's word for why, such as `access_denied`. */
export class NotAllowedIn extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export type SignIn = {
  /** The address to send the person to. They come back to `redirectUri`, and from there belong at `returnTo`, a path of ours. */
  begin(returnTo: string, extra?: { prompt?: 'login' | 'consent' | 'none' }): Promise<string>
  /** At `redirectUri`: takes the tokens, and answers where the person wanted to be. */
  finish(returned: URL): Promise<string>
  /** The path that a way to the sign-in page began at, whether or not it led anywhere. */
  returnOf(returned: URL): string
  /** An access token that is good for another minute at least. */
  token(): Promise<string>
  /** `fetch`, which gets a new token once where the service says that the old one is no good. */
  fetch: typeof globalThis.fetch
  /** The address that ends the session in this browser. What we hold is forgotten. */
  end(returnTo: string): string
}

type Tokens = { access: string; refresh: string | undefined; id: string; expires: number }
type Pending = { verifier: string; nonce: string; returnTo: string }

/** Signs a person in from a page in the browser: authorization code with PKCE, tokens in memory only. */
export function createSignIn({ authUrl, clientId, redirectUri, scope, audience, storage }: SignInOptions): SignIn {
  const server: oauth.AuthorizationServer = {
    issuer: authUrl,
    authorization_endpoint: `${authUrl}/oauth2/authorize`,
    token_endpoint: `${authUrl}/oauth2/token`,
    end_session_endpoint: `${authUrl}/oauth2/logout`,
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
  }
  const client: oauth.Client = { client_id: clientId }
  // Plain http is for loopback addresses, on which every installation begins.
  const manner = { [oauth.allowInsecureRequests]: authUrl.startsWith('http:') }
  let tokens: Tokens | undefined
  let renewing: Promise<void> | undefined

  return {
    async begin(returnTo, extra = {}) {
      const [state, nonce, verifier] = [
        oauth.generateRandomState(),
        oauth.generateRandomNonce(),
        oauth.generateRandomCodeVerifier(),
      ]
      storage.setItem(keyOf(state), JSON.stringify({ verifier, nonce, returnTo: ownPath(returnTo) } satisfies Pending))
      const query = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope,
        audience,
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...extra,
      }
      return `${server.authorization_endpoint}?${new URLSearchParams(query)}`
    },

    async finish(returned) {
      const { state, pending } = pendingOf(returned)
      storage.removeItem(keyOf(state))
      if (!pending) throw new SignedOut('This sign-in was not begun here, or was finished already.')
      const answer = validAnswer(returned, state)
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        answer,
        redirectUri,
        pending.verifier,
        manner,
      )
      keep(
        await oauth.processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: pending.nonce,
          requireIdToken: true,
        }),
      )
      return ownPath(pending.returnTo)
    },

    returnOf: (returned) => ownPath(pendingOf(returned).pending?.returnTo ?? '/'),

    async token() {
      if (!tokens || tokens.expires - Date.now() < 60_000) await renew()
      return current().access
    },

    async fetch(input, init) {
      const request = new Request(input, init)
      const again = request.clone()
      const response = await globalThis.fetch(request)
      if (response.status !== 401) return response
      // Others may have had the same answer, and have got a new token meanwhile.
      if (tokens && again.headers.get('authorization') === `Bearer ${tokens.access}`) await renew()
      again.headers.set('authorization', `Bearer ${current().access}`)
      return globalThis.fetch(again)
    },

    end(returnTo) {
      const hint = tokens?.id
      tokens = undefined
      return `${server.end_session_endpoint}?${new URLSearchParams({ client_id: clientId, post_logout_redirect_uri: returnTo, ...(hint && { id_token_hint: hint }) })}`
    },
  }

  function pendingOf(returned: URL): { state: string; pending: Pending | null } {
    const state = returned.searchParams.get('state') ?? ''
    const kept = storage.getItem(keyOf(state))
    return { state, pending: kept ? JSON.parse(kept) : null }
  }

  function validAnswer(returned: URL, state: string): URLSearchParams {
    try {
      return oauth.validateAuthResponse(server, client, returned, state)
    } catch (error) {
      if (error instanceof oauth.AuthorizationResponseError)
        throw new NotAllowedIn(error.error, error.error_description ?? error.error)
      throw error
    }
  }

  /** One at a time: a refresh token can be used once, and its second use would end all of them. */
  function renew(): Promise<void> {
    renewing ??= refresh().finally(() => {
      renewing = undefined
    })
    return renewing
  }

  async function refresh(): Promise<void> {
    const { refresh, id } = current()
    if (!refresh) throw new SignedOut()
    const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refresh, manner)
    if (response.status === 400 || response.status === 401) {
      tokens = undefined
      throw new SignedOut()
    }
    keep(await oauth.processRefreshTokenResponse(server, client, response), id)
  }

  function keep(
    { access_token, refresh_token, id_token, expires_in = 3600 }: oauth.TokenEndpointResponse,
    id?: string,
  ): void {
    tokens = {
      access: access_token,
      refresh: refresh_token,
      id: id_token ?? id ?? '',
      expires: Date.now() + expires_in * 1000,
    }
  }

  function current(): Tokens {
    if (!tokens) throw new SignedOut()
    return tokens
  }
}

function keyOf(state: string): string {
  return `lading sign-in ${state}`
}

/** A path here and nowhere else: `//elsewhere.example` and `/\elsewhere.example` are addresses to a browser. */
function ownPath(path: string): string {
  return /^\/(?![/\\])[^\p{Cc}\\]*$/u.test(path) ? path : '/'
}
