/** What an integrator writes: an application that sends people to sign in, and hears from them at its callback. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { type Application, newApplication, type Person, product, tokenFrom } from './product.ts'

export type Client = Application & {
  origin: string
  /** Where to send someone, with a state and a verifier of its own. */
  begin(extra?: Record<string, string>): { url: string; state: string; verifier: string }
  /** The access token for a code that arrived at the callback. */
  exchange(returned: URL, verifier: string): Promise<Record<string, string>>
  /** What was sent to the callback as a form, as if it had come in its address. */
  posted(state: string): URL | undefined
}

export async function startClient(
  asked: { name?: string; scopes?: string[] } = {},
  host = '127.0.0.1',
): Promise<Client> {
  const posts: URL[] = []
  const server = createServer(async (request, response) => {
    const asked = new URL(request.url ?? '/', `http://${request.headers.host}`)
    if (request.method === 'POST') {
      asked.search = await text(request)
      posts.push(asked)
    }
    // As some applications do: it leads on to another of its addresses.
    if (asked.pathname === '/callback' && asked.searchParams.get('state')?.startsWith('onward')) {
      response.writeHead(303, { location: `http://localhost:${asked.port}/onward` }).end()
      return
    }
    response
      .setHeader('content-type', 'text/html')
      .end(
        '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Client</title><h1>Back at the client</h1>',
      )
  }).listen(0, host)
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const application = await newApplication(`${origin}/callback`, asked)
  const { client_id, client_secret, callback: redirect_uri } = application
  return {
    ...application,
    origin,
    posted: (state) => posts.find(({ searchParams }) => searchParams.get('state') === state),
    begin(extra = {}) {
      const [state, verifier] = [randomBytes(8).toString('hex'), randomBytes(32).toString('base64url')]
      const code_challenge = createHash('sha256').update(verifier).digest('base64url')
      const query = {
        client_id,
        redirect_uri,
        response_type: 'code',
        state,
        code_challenge,
        code_challenge_method: 'S256',
        ...extra,
      }
      return { url: `${product().demo.authorize_url}?${new URLSearchParams(query)}`, state, verifier }
    },
    exchange: (returned, code_verifier) =>
      tokenFrom({
        grant_type: 'authorization_code',
        code: returned.searchParams.get('code') ?? '',
        redirect_uri,
        code_verifier,
        client_id,
        client_secret,
      }),
  }
}

export async function signIn(page: Page, { email, password }: Pick<Person, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Signs in, allows, and comes back with a token: the whole flow, for tests of what comes after it. */
export async function letIn(page: Page, client: Client, person: Person): Promise<string> {
  const { url, verifier } = client.begin()
  await page.goto(url)
  if (await page.getByLabel('Password').isVisible()) await signIn(page, person)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${client.callback}?**`)
  const { access_token = '' } = await client.exchange(new URL(page.url()), verifier)
  return access_token
}
