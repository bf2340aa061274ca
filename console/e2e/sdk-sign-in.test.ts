/** The sign-in of the SDK against an authorization server that a test can bend. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { createSignIn, SignedOut } from '../../sdk/src/sign-in.ts'

type Answer = { status?: number; body: object }

async function start(first: { expires_in?: number; nonce?: string } = {}) {
  const asked: URLSearchParams[] = []
  const spent = new Set<string>()
  let nonce = ''
  let refuse = false
  const server = createServer(async (request, response) => {
    if (request.url === '/api')
      return void response
        .writeHead(request.headers.authorization === `Bearer access-${asked.length}` ? 200 : 401)
        .end()
    let text = ''
    for await (const chunk of request) text += chunk
    const { status = 200, body } = answer(new URLSearchParams(text))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const authUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  const signIn = createSignIn({
    authUrl,
    clientId: 'c',
    redirectUri: `${authUrl}/back`,
    scope: 'openid bills',
    audience: `${authUrl}/`,
    storage,
  })

  function answer(form: URLSearchParams): Answer {
    asked.push(form)
    const refresh = form.get('refresh_token') ?? ''
    if (refuse || spent.has(refresh)) return { status: 400, body: { error: 'invalid_grant' } }
    if (refresh) spent.add(refresh)
    const tokens = {
      access_token: `access-${asked.length}`,
      token_type: 'Bearer',
      refresh_token: `refresh-${asked.length}`,
    }
    if (refresh) return { body: { ...tokens, expires_in: 3600 } }
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: authUrl, aud: 'c', sub: 's', iat: now, exp: now + 60, nonce: first.nonce ?? nonce }
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    return {
      body: {
        ...tokens,
        expires_in: first.expires_in ?? 3600,
        id_token: `${part({ alg: 'RS256' })}.${part(claims)}.c2ln`,
      },
    }
  }

  async function begin(returnTo = '/bills?page=2', change: Record<string, string> = {}) {
    const sent = new URL(await signIn.begin(returnTo))
    nonce = sent.searchParams.get('nonce') ?? ''
    return new URL(
      `${authUrl}/back?${new URLSearchParams({ code: 'code', state: sent.searchParams.get('state') ?? '', iss: authUrl, ...change })}`,
    )
  }
  return { signIn, begin, asked, authUrl, kept, refuseFromNowOn: () => (refuse = true) }
}

test('comes back to the path that was asked for, once, and keeps nothing where others read', async () => {
  const { signIn, begin, kept } = await start()
  const back = await begin()
  assert.equal(await signIn.finish(back), '/bills?page=2')
  assert.equal(kept.size, 0)
  await assert.rejects(signIn.finish(back), SignedOut)
})

for (const elsewhere of [
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  '',
]) {
  test(`does not come back to ${JSON.stringify(elsewhere)}`, async () => {
    const { signIn, begin } = await start()
    assert.equal(await signIn.finish(await begin(elsewhere)), '/')
  })
}

test('takes no code that it did not ask for, from another server, or for another sign-in', async () => {
  const { signIn, begin, asked } = await start()
  await assert.rejects(signIn.finish(await begin('/', { state: 'made-up' })), SignedOut)
  await assert.rejects(signIn.finish(await begin('/', { iss: 'https://evil.example' })))
  assert.equal(asked.length, 0)
  const other = await start({ nonce: 'of another sign-in' })
  await assert.rejects(other.signIn.finish(await other.begin()))
})

test('gets one new token for many who need it at once, before the old one is over', async () => {
  const { signIn, begin, asked } = await start({ expires_in: 30 })
  await signIn.finish(await begin())
  const tokens = await Promise.all(Array.from({ length: 20 }, () => signIn.token()))
  assert.deepEqual(new Set(tokens), new Set(['access-2']))
  assert.deepEqual(
    asked.map((form) => form.get('grant_type')),
    ['authorization_code', 'refresh_token'],
  )
})

test('asks again with a new token where the old one is refused, and is signed out where there is none', async () => {
  const { signIn, begin, asked, authUrl, refuseFromNowOn } = await start()
  await signIn.finish(await begin())
  const call = (token: string) => signIn.fetch(`${authUrl}/api`, { headers: { authorization: `Bearer ${token}` } })
  asked.push(new URLSearchParams())
  const stale = await signIn.token()
  const answers = await Promise.all([call(stale), call(stale), call(stale)])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
  assert.equal(asked.length, 3)
  refuseFromNowOn()
  asked.push(new URLSearchParams())
  await assert.rejects(call(await signIn.token()), SignedOut)
  await assert.rejects(signIn.token(), SignedOut)
})
