import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, describe, test } from 'node:test'
import OAuth2Strategy from 'passport-oauth2'
import { deepOnly } from '../depth.ts'
import { authorize, deny } from './browser.ts'
import { newParty, type Party, sharedHouse, tryToken } from './house.ts'

const house = await sharedHouse()
const audience = `${house.url}/`

/** `audience` on both requests, as users of the library add parameters of their own. */
class Strategy extends OAuth2Strategy {
  override authorizationParams(): object {
    return { audience }
  }
  override tokenParams(): object {
    return { audience }
  }
}

type Outcome = { redirect?: string; user?: Record<string, string>; failure?: unknown }

/** A small client with a callback address: what passport does around a strategy, without a framework. */
async function openClient(): Promise<{ url: string; use(strategy: Strategy): void }> {
  let current: Strategy
  const session: Record<string, unknown> = {}
  const server = createServer(async (request, response) => {
    const query = Object.fromEntries(new URL(request.url ?? '/', 'http://client').searchParams)
    const outcome = await new Promise<Outcome>((resolve) => {
      const attempt = Object.assign(Object.create(current) as Strategy, {
        redirect: (redirect: string) => resolve({ redirect }),
        success: (user: Record<string, string>) => resolve({ user }),
        fail: (failure: unknown) => resolve({ failure }),
        error: (failure: unknown) => resolve({ failure: String(failure) }),
      })
      attempt.authenticate(Object.assign(request, { query, session }), {})
    })
    if (outcome.redirect) response.writeHead(302, { location: outcome.redirect }).end()
    else response.writeHead(outcome.user ? 200 : 401).end(JSON.stringify(outcome))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  after(() => server.closeAllConnections())
  after(() => server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}/callback`,
    use: (strategy) => {
      current = strategy
    },
  }
}

function strategyFor({ application }: Party, callbackURL: string, options: object): Strategy {
  return new Strategy(
    {
      authorizationURL: `${house.url}/oauth2/authorize`,
      tokenURL: `${house.url}/oauth2/token`,
      clientID: application.client_id,
      clientSecret: application.client_secret,
      callbackURL,
      scope: ['bills', 'orders'],
      state: true,
      ...options,
    },
    (accessToken, refreshToken, params, _profile, done) =>
      done(null, { accessToken, refreshToken, scope: params.scope }),
  )
}

describe('passport-oauth2', deepOnly, () => {
  for (const [what, type, options] of [
    ['with a secret', 'confidential', {}],
    ['with a secret and PKCE', 'confidential', { pkce: true }],
    ['without a secret, with PKCE, as a public application', 'public', { pkce: true }],
  ] as const) {
    test(`brings a person from the client to our pages and back ${what}`, async () => {
      const client = await openClient()
      const party = await newParty(house, { type, redirect_uris: [client.url], scopes: ['bills', 'orders', 'users'] })
      client.use(strategyFor(party, client.url, options))
      const start = await fetch(client.url, { redirect: 'manual' })
      const asked = new URL(start.headers.get('location') ?? '')
      const back = await authorize(house, party, Object.fromEntries(asked.searchParams))
      const answer = await fetch(back)
      const { user, failure } = (await answer.json()) as Outcome
      assert.equal(answer.status, 200, JSON.stringify(failure))
      assert.equal(user?.scope, 'bills orders')
      assert.equal(await tryToken(house, user?.accessToken ?? ''), 200)
      assert.ok(user?.refreshToken)
    })
  }

  test('is told of a person who says no', async () => {
    const client = await openClient()
    const party = await newParty(house, { redirect_uris: [client.url] })
    client.use(strategyFor(party, client.url, {}))
    const asked = new URL((await fetch(client.url, { redirect: 'manual' })).headers.get('location') ?? '')
    const back = await deny(house, party, Object.fromEntries(asked.searchParams))
    const answer = await fetch(back)
    assert.equal(answer.status, 401)
    assert.match(await answer.text(), /did not allow it/)
  })
})
