// Runs under every Node that the package promises, so it is plain JavaScript.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import {
  answerOf,
  clientCredentials,
  createLading,
  createPlainLading,
  each,
  follow,
  isRefusal,
  LadingConnectionError,
  LadingError,
  messagesIn,
  verifyWebhook,
  WebhookVerificationError,
} from '@lading/sdk'
import { createSignIn, SignedOut } from '@lading/sdk/sign-in'

const { version } = createRequire(import.meta.url)('@lading/sdk/package.json')
const agent = `lading-sdk/${version} node/${process.versions.node}`
const sent = []
const lading = createLading({
  baseUrl: 'https://tms.example.com',
  token: async () => 'good',
  async fetch(request) {
    sent.push([request.method, request.url, request.headers.get('authorization'), request.headers.get('user-agent')])
    return Response.json({ total: 7 })
  },
})
const { data } = await lading.GET('/api/v1/bills', { params: { query: { status_ids: ['sent', 'paid'], limit: 5 } } })
assert.equal(data.total, 7)
assert.deepEqual(sent, [
  ['GET', 'https://tms.example.com/api/v1/bills?status_ids=sent&status_ids=paid&limit=5', 'Bearer good', agent],
])

// Chromium gives a 204 an empty body.
const chromium = createLading({
  baseUrl: 'https://tms.example.com',
  token: 'good',
  fetch: async () =>
    Object.defineProperty(new Response(null, { status: 204 }), 'body', { value: new ReadableStream() }),
})
const removed = await chromium.DELETE('/api/v1/bills/{billID}', { params: { path: { billID: '1' } }, parseAs: 'text' })
assert.equal(removed.response.status, 204)

// A write whose answer cannot be read is repeated with its key, and then one that got none.
const unreadable = createLading({
  baseUrl: 'https://tms.example.com',
  token: 'good',
  retry: { times: 1, pauseMs: 1 },
  fetch: async () => new Response('{"bill":', { headers: { 'content-type': 'application/json' } }),
})
const unread = await unreadable.POST('/api/v1/bills', { body: {} }).catch((error) => error)
assert.ok(unread instanceof LadingConnectionError && unread.idempotencyKey.length === 32 && unread.attempts === 2)

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
  () =>
    Response.json(
      { error_code: 'bad', error_message: 'Bad.', details: [], request_id: 'r-1' },
      { status: 400, headers: { link: '<https://tms.example.com/docs/errors#bad>; rel="help"' } },
    ),
]
function brokenOff() {
  return new ReadableStream({
    start: (stream) => stream.enqueue(new TextEncoder().encode('{"bills":[')),
    pull: (stream) => stream.error(new TypeError('terminated')),
  })
}
async function madeUp(input, init) {
  const request = new Request(input, init)
  if (request.url.endsWith('/oauth2/token'))
    return Response.json({ access_token: `token ${calls.push('token')}`, expires_in: 3600 })
  calls.push(new URL(request.url).search)
  if (request.method === 'POST') keys.add(request.headers.get('idempotency-key'))
  return answers.shift()()
}
const repeating = createLading({
  baseUrl: 'https://tms.example.com',
  token: clientCredentials({
    authUrl: 'https://tms.example.com',
    clientId: 'id',
    clientSecret: 'secret',
    fetch: madeUp,
  }),
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
assert.deepEqual([refused.idempotencyKey, refused.attempts], [[...keys][0], 3])
assert.equal(refused.docUrl, 'https://tms.example.com/docs/errors#bad')
assert.equal(keys.size, 1)
assert.match([...keys][0], /^[0-9a-f]{32}$/)
assert.equal(answers.length, 0)

// What a service answers that is made up for one case; `asked` are its requests.
function against(answer, options = {}) {
  const asked = []
  const fetch = async (request) => {
    asked.push(request)
    return answer(asked.length, request)
  }
  return {
    asked,
    lading: createLading({
      baseUrl: 'https://tms.example.com',
      token: 'good',
      fetch,
      retry: { pauseMs: 1 },
      ...options,
    }),
  }
}
const failure = (call) =>
  call.then(
    () => assert.fail('it did not fail'),
    (error) => error,
  )
const never = (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
const unreachable = () =>
  Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) }))
const inUtf8 = (text) => new TextEncoder().encode(text)

// Methods: ids, filters, bodies and options where they belong, pages of lists, files as they come, refusals thrown.
{
  const { asked, lading } = against(async (times, request) => {
    const { url, method } = request
    const isSecond = url.includes('after=') || (await request.clone().text()).includes('"after"')
    if (url.endsWith('/pdf')) return new Response('%PDF', { headers: { 'content-type': 'application/pdf' } })
    if (method === 'DELETE') return new Response(null, { status: 204 })
    if (url.endsWith('/void')) return Response.json({ error_code: 'stale', error_message: 'No.' }, { status: 412 })
    return Response.json({ bills: [{ id: times }], total: 2, next_after: isSecond ? null : 'p1' })
  })
  const last = () => {
    const { method, url, headers } = asked.at(-1)
    return [method, url.slice('https://tms.example.com/api'.length), headers]
  }
  const list = lading.bills.list({ status_ids: ['sent', 'paid'], offset: 1 })
  assert.equal(asked.length, 0)
  assert.equal((await list).total, 2)
  assert.equal((await list.then((page) => page)).total, 2)
  assert.deepEqual(
    [asked.length, last().slice(0, 2)],
    [1, ['GET', '/v1/bills?status_ids=sent&status_ids=paid&offset=1']],
  )
  const ids = []
  for await (const { id } of list) ids.push(id)
  assert.deepEqual(ids, [2, 3])
  assert.equal(last()[1], '/v1/bills?limit=200&status_ids=sent&status_ids=paid&after=p1')
  for await (const { total } of lading.objects.search({ objectKey: 'order' }).pages()) assert.equal(total, 2)
  assert.deepEqual(await asked.at(-1).json(), { limit: 200, objectKey: 'order', after: 'p1' })

  await lading.bills.update('ext:a/b', { notes: null }, { ifMatch: 3, dryRun: true, idempotencyKey: 'k' })
  assert.deepEqual(last().slice(0, 2), ['PUT', '/v1/bills/ext%3Aa%2Fb?dry_run=true'])
  assert.deepEqual([last()[2].get('if-match'), last()[2].get('idempotency-key')], ['"3"', 'k'])
  assert.deepEqual(await asked.at(-1).json(), { notes: null })
  await lading.bills.retrieve('7', { asOf: '2026-10-31', headers: { prefer: 'handling=strict' } })
  assert.deepEqual([last()[1], last()[2].get('prefer')], ['/v1/bills/7?as_of=2026-10-31', 'handling=strict'])
  await lading.objects.import(new Blob(['name\n']), { objectKey: 'customer', dryRun: true })
  assert.equal(last()[1], '/v2/platformModel/objects/import?objectKey=customer&dryRun=true')
  assert.deepEqual([last()[2].get('content-type'), await asked.at(-1).text()], ['text/csv', 'name\n'])
  await lading.organization.logo.set(new Blob(['…'], { type: 'image/jpeg' }))
  assert.equal(last()[2].get('content-type'), 'image/jpeg')
  await lading.reports.spend({ group_by: 'month' }, { accept: 'text/csv' }).then((response) => response.text())
  assert.equal(last()[2].get('accept'), 'text/csv')
  assert.equal(await (await lading.bills.pdf('7')).text(), '%PDF')
  assert.equal(await lading.bills.delete('7'), undefined)
  const attached_to = [{ type: 'bill', id: '7' }]
  await lading.documents.create({ file: new Blob(['x']), file_name: 'pod.pdf', attached_to })
  const form = await asked.at(-1).formData()
  assert.deepEqual([form.get('file').name, JSON.parse(form.get('attached_to'))], ['pod.pdf', attached_to])

  const refusal = await failure(lading.bills.void('7', { reason: 'Twice.' }))
  assert.ok(isRefusal(refusal, 'already_paid', 'stale') && !isRefusal(refusal, 'already_paid'))
  assert.throws(() => lading.bills.delete(''), /"billID" must be an id, not ""/)
  assert.throws(() => lading.bills.items.update('7', undefined, {}), /"itemID" must be an id, not undefined/)
  assert.equal(createPlainLading({ baseUrl: 'https://tms.example.com', token: 'good' }).bills, undefined)
}

// A payment that got no answer can be repeated with the key that the error has.
{
  const { asked, lading } = against(unreachable)
  const error = await failure(lading.POST('/api/v1/payments', { body: {} }))
  assert.ok(error instanceof LadingConnectionError)
  assert.ok(error.cause instanceof TypeError)
  assert.deepEqual([error.name, error.timedOut, error.attempts, asked.length], ['LadingConnectionError', false, 4, 4])
  assert.equal(error.idempotencyKey, asked[3].headers.get('idempotency-key'))
  assert.equal(
    error.message,
    'The service could not be reached (fetch failed: ECONNREFUSED). The request was sent 4 times. Whether it was done is not known: repeat it with the same idempotency key.',
  )
  const own = await failure(
    lading.POST('/api/v1/payments', { body: {}, params: { header: { 'Idempotency-Key': 'mine' } } }),
  )
  assert.equal(own.idempotencyKey, 'mine')
  const alone = against(unreachable, { retry: false })
  const lost = await failure(alone.lading.POST('/api/v1/payments', { body: {} }))
  assert.deepEqual([lost.attempts, lost.idempotencyKey], [1, alone.asked[0].headers.get('idempotency-key')])
  assert.equal(lost.idempotencyKey.length, 32)
  const read = await failure(lading.GET('/api/v1/payments'))
  assert.deepEqual([read.idempotencyKey, read.attempts], [undefined, 4])
}
// Neither are answers that break off lost silently, of whatever kind and without retries.
{
  const breaks = (type) =>
    new ReadableStream({
      start: (stream) => stream.enqueue(inUtf8('{"bills":[')),
      pull: (stream) => stream.error(new TypeError(type)),
    })
  for (const type of ['application/json', 'application/pdf']) {
    const { lading } = against(() => new Response(breaks('terminated'), { headers: { 'content-type': type } }), {
      retry: false,
    })
    const error = await failure(
      lading.GET('/api/v1/bills/{billID}/pdf', { params: { path: { billID: '1' } }, parseAs: 'blob' }),
    )
    assert.ok(error instanceof LadingConnectionError, type)
    assert.deepEqual([error.attempts, error.cause.message], [1, 'terminated'])
  }
}
// A token that cannot be got: the error is of the request that needed it, and one of the caller's own stays what it is.
{
  const refusing = async () => Response.json({ error: 'invalid_client', error_description: 'Who?' }, { status: 401 })
  const token = clientCredentials({
    authUrl: 'https://tms.example.com',
    clientId: 'id',
    clientSecret: 'x',
    fetch: refusing,
  })
  const { lading } = against(unreachable, { token })
  const errors = await Promise.all([
    failure(lading.POST('/api/v1/bills', { body: {} })),
    failure(lading.POST('/api/v1/bills', { body: {} })),
  ])
  for (const error of errors) {
    assert.ok(error instanceof LadingError)
    assert.deepEqual([error.status, error.code, error.message, error.attempts], [401, 'invalid_client', 'Who?', 0])
  }
  assert.notEqual(errors[0].idempotencyKey, errors[1].idempotencyKey)
  class Own extends Error {}
  let gets = 0
  const failing = (from) => () => {
    if (++gets >= from) throw new Own('no')
    return 'good'
  }
  const first = await failure(against(unreachable, { token: failing(1) }).lading.POST('/api/v1/bills', { body: {} }))
  assert.ok(first instanceof Own)
  gets = 0
  const second = await failure(against(unreachable, { token: failing(2) }).lading.POST('/api/v1/bills', { body: {} }))
  assert.ok(second instanceof LadingConnectionError && second.cause instanceof Own)
  assert.deepEqual([second.attempts, typeof second.idempotencyKey], [1, 'string'])
}
// A timeout is a connection error that says so; it is repeated as one. Whoever aborts gets their own reason.
{
  const { asked, lading } = against((_, { signal }) => never(signal), { timeout: 5, retry: { times: 1, pauseMs: 1 } })
  const error = await failure(lading.POST('/api/v1/bills', { body: {} }))
  assert.ok(error instanceof LadingConnectionError)
  assert.deepEqual(
    [error.timedOut, error.attempts, error.idempotencyKey],
    [true, 2, asked[0].headers.get('idempotency-key')],
  )
  assert.match(error.message, /^The service did not answer within 5 ms\. The request was sent 2 times\./)
  const other = against((_, { signal }) => never(signal), { retry: false }).lading
  assert.match((await failure(other.GET('/api/v1/bills', { timeout: 7 }))).message, /within 7 ms/)
  assert.match((await failure(each(other, '/api/v1/bills', { timeout: 8 }).next())).message, /within 8 ms/)
  const stop = new AbortController()
  const stopped = failure(lading.GET('/api/v1/bills', { timeout: Infinity, signal: stop.signal }))
  setTimeout(() => stop.abort(new RangeError('enough')), 20)
  assert.equal((await stopped).message, 'enough')
  assert.throws(() => against(unreachable, { timeout: 0 }), /"timeout" must be a number of milliseconds above 0, not 0/)
  assert.match(
    (await failure(lading.GET('/api/v1/bills', { timeout: 'soon' }))).message,
    /"timeout" must be .* not "soon"/,
  )
  const silent = new ReadableStream({ start: (stream) => stream.enqueue(inUtf8('%PDF')) })
  const part = against(() => new Response(silent, { headers: { 'content-type': 'application/pdf' } }), {
    timeout: 20,
  }).lading
  const broken = await failure(
    part.GET('/api/v1/bills/{billID}/pdf', { params: { path: { billID: '1' } }, parseAs: 'blob' }),
  )
  assert.ok(broken instanceof LadingConnectionError && broken.timedOut)
}
// The feed has a position behind its last page as well: there `each` ends.
{
  const { asked, lading } = against((times) =>
    Response.json({ events: [{ id: times }], next_after: `p${times}`, has_more: times < 3 }),
  )
  const found = []
  for await (const { id } of each(lading, '/api/v1/events', { params: { query: { after: 'p0' } } })) found.push(id)
  assert.deepEqual(found, [1, 2, 3])
  assert.deepEqual(
    asked.map(({ url }) => new URL(url).searchParams.get('after')),
    ['p0', 'p1', 'p2'],
  )
}
// The stream is opened again behind the last position, whatever ended it, until the signal.
{
  const streamed = (...parts) =>
    new Response(new Blob(parts).stream(), { headers: { 'content-type': 'text/event-stream' } })
  const breaking = () =>
    new ReadableStream({
      start: (stream) => stream.enqueue(inUtf8('id: p3\ndata: {"id":3}\n\nid: p4\n\n')),
      pull: (stream) => stream.error(new TypeError('terminated')),
    })
  const { asked, lading } = against(
    (times) =>
      [
        () => streamed('retry: 1\nid: p1\n\n', ': nothing new\n\nid: p2\nda', 'ta: {"id":2}\n\n'),
        () => new Response(breaking(), { headers: { 'content-type': 'text/event-stream' } }),
        () => Response.json({}, { status: 503, headers: { 'retry-after': '0' } }),
        unreachable,
        () => streamed('id: p5\ndata: {"id":5}\n\n'),
        () => Response.json({ error_code: 'position_expired', error_message: 'Gone.' }, { status: 410 }),
      ][times - 1](),
    { retry: false },
  )
  const followed = []
  const read = async () => {
    for await (const { event, position } of follow(lading, { types: ['bill.*'] })) followed.push([event.id, position])
  }
  const refusal = await failure(read())
  assert.deepEqual(followed, [
    [2, 'p2'],
    [3, 'p3'],
    [5, 'p5'],
  ])
  assert.ok(refusal instanceof LadingError && refusal.status === 410)
  assert.deepEqual(
    asked.map(({ headers }) => headers.get('last-event-id')),
    [null, 'p2', 'p4', 'p4', 'p4', 'p5'],
  )
  assert.deepEqual(
    [asked[0].headers.get('accept'), new URL(asked[0].url).search],
    ['text/event-stream', '?types=bill.*'],
  )
  const stop = new AbortController()
  const endless = against(() => streamed('id: p1\ndata: {"id":1}\n\n'))
  let times = 0
  for await (const { event } of follow(endless.lading, { after: 'p0', signal: stop.signal })) {
    times += event.id
    stop.abort()
  }
  assert.equal(times, 1)
  assert.equal(endless.asked[0].headers.get('last-event-id'), 'p0')
  const messages = []
  for await (const message of messagesIn(new Blob(['retry: 5\n\nid: a\r\ndata: 1\r\ndata: 2\r\n\r\n']).stream()))
    messages.push(message)
  assert.deepEqual(messages, [{ retry: 5 }, { id: 'a', data: '1\n2' }])
}

const kept = new Map()
const signIn = createSignIn({
  authUrl: 'https://tms.example.com',
  clientId: 'page',
  redirectUri: 'https://page.example/back',
  scope: 'openid',
  audience: 'https://tms.example.com/',
  storage: {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
  },
})
assert.match(
  await signIn.begin('/bills'),
  /^https:\/\/tms\.example\.com\/oauth2\/authorize\?response_type=code&.*code_challenge_method=S256/,
)
await assert.rejects(signIn.token(), SignedOut)

// The example of the specification of Standard Webhooks.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const body = '{"test": 2432232314}'
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
const headers = {
  'Webhook-Id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'Webhook-Timestamp': '1614265330',
  'Webhook-Signature': `v1,AAAA ${signature}`,
}
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
