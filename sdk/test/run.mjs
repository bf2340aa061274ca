// Runs under every Node that the package promises, so it is plain JavaScript.
import assert from 'node:assert/strict'
import { answerOf, clientCredentials, createLading, each, LadingError, verifyWebhook, WebhookVerificationError } from '@lading/sdk'
import { createSignIn, SignedOut } from '@lading/sdk/sign-in'

const sent = []
const lading = createLading({
  baseUrl: 'https://tms.example.com',
  token: async () => 'good',
  async fetch(request) {
    sent.push([request.method, request.url, request.headers.get('authorization')])
    return Response.json({ total: 7 })
  },
})
const { data } = await lading.GET('/api/v1/bills', { params: { query: { status_ids: ['sent', 'paid'], limit: 5 } } })
assert.equal(data.total, 7)
assert.deepEqual(sent, [['GET', 'https://tms.example.com/api/v1/bills?status_ids=sent&status_ids=paid&limit=5', 'Bearer good']])

// Pages, tokens that are replaced, retries and errors, against a service that is made up here.
const [calls, keys] = [[], new Set()]
const answers = [
  () => Response.json({ error_code: 'unauthenticated', error_message: 'No.' }, { status: 401 }),
  () => Response.json({ bills: [{ id: 1 }, { id: 2 }], total: 3, next_after: 'second' }),
  () => Promise.reject(new TypeError('fetch failed')),
  () => new Response(null, { status: 503, headers: { 'retry-after': '0' } }),
  () => new Response(brokenOff(), { headers: { 'content-type': 'application/json' } }),
  () => Response.json({ bills: [{ id: 3 }], total: 3, next_after: null }),
  () => new Response('busy', { status: 429, headers: { 'retry-after': '0' } }),
  () => Promise.reject(new TypeError('fetch failed')),
  () => Response.json({ error_code: 'bad', error_message: 'Bad.', details: [], request_id: 'r-1' }, { status: 400 }),
]
function brokenOff() {
  return new ReadableStream({
    start: (stream) => stream.enqueue(new TextEncoder().encode('{"bills":[')),
    pull: (stream) => stream.error(new TypeError('terminated')),
  })
}
async function madeUp(input, init) {
  const request = new Request(input, init)
  if (request.url.endsWith('/oauth2/token')) return Response.json({ access_token: `token ${calls.push('token')}`, expires_in: 3600 })
  calls.push(new URL(request.url).search)
  if (request.method === 'POST') keys.add(request.headers.get('idempotency-key'))
  return answers.shift()()
}
const repeating = createLading({
  baseUrl: 'https://tms.example.com',
  token: clientCredentials({ authUrl: 'https://tms.example.com', clientId: 'id', clientSecret: 'secret', fetch: madeUp }),
  fetch: madeUp,
  retry: { times: 4, pauseMs: 1 },
})
const ids = []
for await (const { id } of each(repeating, '/api/v1/bills')) ids.push(id)
assert.deepEqual(ids, [1, 2, 3])
assert.deepEqual(calls, ['token', '?limit=200', 'token', '?limit=200', ...Array(4).fill('?limit=200&after=second')])
const refused = await answerOf(repeating.POST('/api/v1/bills', { body: {} })).catch((error) => error)
assert.ok(refused instanceof LadingError)
assert.deepEqual([refused.status, refused.code, refused.message, refused.requestId], [400, 'bad', 'Bad.', 'r-1'])
assert.equal(keys.size, 1)
assert.match([...keys][0], /^[0-9a-f]{32}$/)
assert.equal(answers.length, 0)

const kept = new Map()
const signIn = createSignIn({
  authUrl: 'https://tms.example.com',
  clientId: 'page',
  redirectUri: 'https://page.example/back',
  scope: 'openid',
  audience: 'https://tms.example.com/',
  storage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) },
})
assert.match(await signIn.begin('/bills'), /^https:\/\/tms\.example\.com\/oauth2\/authorize\?response_type=code&.*code_challenge_method=S256/)
await assert.rejects(signIn.token(), SignedOut)

// The example of the specification of Standard Webhooks.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const body = '{"test": 2432232314}'
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
const headers = { 'Webhook-Id': 'msg_p5jXN8AQM9LWM0D4loKWxJek', 'Webhook-Timestamp': '1614265330', 'Webhook-Signature': `v1,AAAA ${signature}` }
const now = () => new Date(1614265330_000)
const other = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
for (const [given, secrets] of [
  [headers, secret],
  [new Headers(headers), [other, secret]],
])
  assert.deepEqual(await verifyWebhook(new TextEncoder().encode(body), given, secrets, { now }), { test: 2432232314 })
for (const [code, refuse] of [
  ['wrong_signature', () => verifyWebhook(`${body} `, headers, secret, { now })],
  ['wrong_signature', () => verifyWebhook(body, headers, other, { now })],
  ['wrong_signature', () => verifyWebhook(body, { ...headers, 'Webhook-Signature': 'v1a,x v1,***' }, secret, { now })],
  ['bad_timestamp', () => verifyWebhook(body, headers, secret)],
  ['bad_timestamp', () => verifyWebhook(body, { ...headers, 'Webhook-Timestamp': 'x' }, secret, { now })],
  ['missing_header', () => verifyWebhook(body, {}, secret, { now })],
]) {
  const refusal = await refuse().catch((error) => error)
  assert.ok(refusal instanceof WebhookVerificationError, code)
  assert.equal(refusal.code, code)
}
