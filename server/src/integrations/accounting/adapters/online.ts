import type { Settings } from '../../../settings.ts'
import { type Adapter, type Application, type Client, RemoteFault, type Tokens } from './adapter.ts'
import { jsonIn, request, retryAfterMs } from './http.ts'
import { takeTurn } from './pace.ts'
import { quickbooks } from './quickbooks.ts'
import { quickbooksFault } from './quickbooks-api.ts'
import { xero } from './xero.ts'
import { xeroFault } from './xero-api.ts'

const adapters: readonly Adapter[] = [quickbooks, xero]
const faults: Record<string, (status: number, body: unknown) => RemoteFault> = {
  quickbooks_online: quickbooksFault,
  xero: xeroFault,
}

export type Services = Settings['connectors']

/** The adapter of an online connector, and where its service is. */
export function adapterOf(connector: string): Adapter | undefined {
  return adapters.find(({ id }) => id === connector)
}

export function addressesOf(adapter: Adapter, services: Services) {
  return adapter.addresses(services[adapter.id]?.url ?? null)
}

/** The application of the connection, or else that of the server. */
export function applicationOf(
  adapter: Adapter,
  services: Services,
  own: { client_id?: string | undefined; client_secret?: string | undefined },
): Application | null {
  if (own.client_id && own.client_secret) return { clientId: own.client_id, clientSecret: own.client_secret }
  const { clientId, clientSecret } = services[adapter.id] ?? {}
  return clientId && clientSecret ? { clientId, clientSecret } : null
}

export function signInAddress(
  adapter: Adapter,
  services: Services,
  { clientId }: Application,
  { state, redirectUri }: { state: string; redirectUri: string },
): string {
  const url = new URL(addressesOf(adapter, services).authorize)
  const asked = { response_type: 'code', client_id: clientId, redirect_uri: redirectUri, scope: adapter.scope, state }
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
  return url.href
}

/** Tokens for a code, or for an earlier refresh token. `sign_in` where the other side does not take it any more. */
export async function askTokens(
  adapter: Adapter,
  services: Services,
  application: Application,
  grant: Record<string, string>,
): Promise<Tokens> {
  const basic = Buffer.from(
    `${encodeURIComponent(application.clientId)}:${encodeURIComponent(application.clientSecret)}`,
  ).toString('base64')
  const { status, headers, text } = await request({
    method: 'POST',
    url: addressesOf(adapter, services).token,
    headers: {
      authorization: `Basic ${basic}`,
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(grant).toString(),
  })
  if (status === 429) throw new RemoteFault('busy', 'The other side asks to come back later.', retryAfterMs(headers))
  if (status >= 500)
    throw new RemoteFault('no_answer', `The other side answered ${status} when it was asked for a token.`)
  const body = (jsonIn(text) ?? {}) as {
    access_token?: string
    refresh_token?: string
    expires_in?: number
    error?: string
    error_description?: string
  }
  if (status >= 400 || !body.access_token) {
    const why = body.error_description ?? body.error ?? `it answered ${status}`
    throw new RemoteFault('sign_in', `The other side gave no token: ${why}.`)
  }
  const refresh_token = body.refresh_token ?? grant.refresh_token ?? ''
  return { access_token: body.access_token, refresh_token, expires_at: Date.now() + (body.expires_in ?? 1800) * 1000 }
}

type ClientParts = Omit<Client, 'ask' | 'addresses'> & {
  /** Whose requests are counted together. */
  connection: string
  services: Services
  /** A good token; `refused` is one that the other side did not take. */
  token(refused?: string): Promise<string>
}

export function clientOf(adapter: Adapter, { connection, services, token, ...rest }: ClientParts): Client {
  const ask: Client['ask'] = async (url, options = {}) => {
    const first = await token()
    const answer = await send(first)
    if (answer.status !== 401) return answer.body
    const second = await send(await token(first))
    if (second.status === 401)
      throw new RemoteFault('sign_in', 'The other side does not take the token of this connection any more.')
    return second.body

    async function send(bearer: string): Promise<{ status: number; body: unknown }> {
      takeTurn(connection, adapter.perMinute)
      const { method = 'GET', headers, body } = options
      const {
        status,
        headers: answered,
        text,
      } = await request({
        ...{ method, url },
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${bearer}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const read = jsonIn(text)
      if (status === 401) return { status, body: read }
      if (status === 429)
        throw new RemoteFault('busy', 'The other side asks to come back later.', retryAfterMs(answered))
      if (status >= 500) throw new RemoteFault('no_answer', `The other side answered ${status}.`)
      if (status >= 400) throw (faults[adapter.id] as (typeof faults)[string])(status, read)
      if (status !== 304 && read === undefined)
        throw new RemoteFault('no_answer', 'The other side answered something that is no JSON.')
      return { status, body: read ?? {} }
    }
  }
  return { ...rest, addresses: addressesOf(adapter, services), ask }
}
