import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openReceiver } from '../../../../test/receiver.ts'
import type { Refusal } from '../../core/refusal.ts'
import type { Resolve } from './resolving.ts'
import { openSender } from './sending.ts'
import { requireTarget } from './target.ts'

const receiver = await openReceiver()
const closing: (() => unknown)[] = [receiver.close]
after(async () => {
  for (const close of closing) await close()
})

function sender(options: Partial<Parameters<typeof openSender>[0]> = {}) {
  const made = openSender({ allowPrivate: true, timeoutMs: 500, bodyMs: 100, ...options })
  closing.unshift(made.close)
  return made
}

const patient = sender({ timeoutMs: 20_000 })
const hasty = sender()
const to = (path: string, origin = receiver.origin) => ({
  url: `${origin}/${path}`,
  headers: { 'webhook-id': 'x', 'content-type': 'application/json' },
  body: '{"é":1}',
})

describe('an attempt', { concurrency: true }, () => {
  test('posts the body and the header fields as they are, and answers the status and the beginning of the answer', async () => {
    const { status, error, excerpt } = await patient.send(to('ok/plain?x=1'))
    assert.deepEqual({ status, error, excerpt }, { status: 200, error: null, excerpt: '{"ok":true}' })
    const [{ headers, body } = assert.fail()] = receiver.received.filter(({ path }) => path === '/ok/plain?x=1')
    assert.deepEqual(
      [headers['webhook-id'], headers['content-type'], headers['content-length'], body],
      ['x', 'application/json', '8', '{"é":1}'],
    )
  })

  test('fails on any status but 2xx, and follows no redirect', async () => {
    const failed = await patient.send(to('fail'))
    assert.deepEqual([failed.status, failed.error, failed.excerpt], [500, 'The endpoint answered 500.', 'not now'])
    const redirected = await patient.send(to('redirect/here'))
    assert.equal(redirected.status, 307)
    assert.match(redirected.error ?? '', /Redirects are not followed/)
    const upgraded = await patient.send(to('upgrade'))
    assert.deepEqual([upgraded.status, upgraded.error], [101, 'The endpoint answered 101.'])
    assert.ok(receiver.received.every(({ path }) => path !== '/ok'))
  })

  test('ends at its time limit where there is no answer, or a head that does not end', async () => {
    for (const path of ['hang', 'slow-head']) {
      const { status, error } = await hasty.send(to(path))
      assert.equal(status, null)
      assert.match(
        error ?? '',
        /^(?:There was no answer within 0\.5 s\.|The endpoint could not be reached: Parse Error)/,
      )
    }
  })

  test('reads no more of an answer than it needs: of 100 MB, and of one that never ends', async () => {
    for (const [path, kept] of [
      ['large', 1000],
      ['trickle', undefined],
    ] as const) {
      const { status, error, excerpt } = await patient.send(to(path))
      assert.deepEqual([status, error], [200, null])
      if (kept) assert.equal(excerpt?.length, kept)
    }
  })

  test('fails where the connection closes before the status, and not where it closes behind it', async () => {
    const closed = await patient.send(to('close'))
    assert.deepEqual([closed.status, closed.error], [null, 'The connection was closed before there was an answer.'])
    const early = await patient.send(to('close-early'))
    assert.deepEqual([early.status, early.error, early.excerpt], [200, null, 'begun'])
  })

  test('says in words what kept it from the endpoint', async () => {
    assert.equal((await patient.send({ ...to('ok'), url: 'http://127.0.0.1:1/' })).error, 'The connection was refused.')
    const unknown = sender({ resolve: async () => Promise.reject(new Error('no')) })
    assert.equal(
      (await unknown.send({ ...to('ok'), url: 'http://nowhere.test/' })).error,
      'The name nowhere.test could not be resolved.',
    )
    assert.match(
      (await patient.send({ ...to('ok'), url: `https://127.0.0.1:${receiver.port}/` })).error ?? '',
      /^There is no secure connection: /,
    )
  })

  test('uses a connection again, and makes a new one where the endpoint has closed it', async () => {
    const sockets = new Set<unknown>()
    receiver.behave('/socket', (response, { socket }) => {
      sockets.add(socket)
      response.end()
    })
    for (let n = 0; n < 3; n++) assert.equal((await patient.send(to('socket'))).status, 200)
    assert.equal(sockets.size, 1)
    for (const socket of sockets) (socket as { destroy(): void }).destroy()
    assert.equal((await patient.send(to('socket'))).status, 200)
    assert.equal(sockets.size, 2)
  })
})

describe('where private addresses are not allowed', { concurrency: true }, () => {
  const named =
    (address: string): Resolve =>
    async () => [{ address, family: address.includes(':') ? 6 : 4 }]

  test('an endpoint with a name is reached at none of them, whatever they are', async () => {
    const before = receiver.received.length
    for (const address of [
      '127.0.0.1',
      '10.0.0.8',
      '169.254.169.254',
      '100.64.3.2',
      '::1',
      'fe80::1',
      '::ffff:127.0.0.1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
    ]) {
      const { status, error } = await sender({ allowPrivate: false, resolve: named(address) }).send(
        to('ok/inner', `http://hooks.test:${receiver.port}`),
      )
      assert.deepEqual([status, error], [null, 'The name hooks.test means no public address.'], address)
    }
    assert.equal(receiver.received.length, before)
  })

  test('a connection goes to the address that was checked: a name that means another one a moment later is not asked for again', async () => {
    const answers = ['192.0.1.1', '127.0.0.1']
    let asked = 0
    const resolve: Resolve = async () => [{ address: answers[Math.min(asked++, 1)] as string, family: 4 }]
    const { status } = await sender({ allowPrivate: false, resolve, timeoutMs: 300 }).send(
      to('ok/rebound', `http://hooks.test:${receiver.port}`),
    )
    assert.equal(status, null)
    assert.equal(asked, 1)
    assert.ok(receiver.received.every(({ path }) => path !== '/ok/rebound'))
  })

  test('neither a literal address nor one that was allowed when the webhook was made is reached', async () => {
    const strict = sender({ allowPrivate: false })
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
    ]) {
      const { error } = await strict.send(to('ok/literal', `http://${host}:${receiver.port}`))
      assert.match(error ?? '', /^The address [\d.:a-f]+ is not public\.$/, host)
    }
    assert.ok(receiver.received.every(({ path }) => path !== '/ok/literal'))
  })
})

describe('the address of a webhook', () => {
  const codeOf = (url: string, allowPrivate = false) => {
    try {
      requireTarget(url, allowPrivate)
      return 'good'
    } catch (error) {
      return (error as Refusal).code
    }
  }

  test('is http or https, on any port, without a password and a fragment', () => {
    for (const url of [
      'https://hooks.example.com/a?b=c',
      'http://hooks.example.com:8080/',
      'https://[2606:4700::1111]:8443/x',
      'https://8.8.8.8',
    ])
      assert.equal(codeOf(url), 'good', url)
    for (const url of [
      '',
      'hooks.example.com',
      'ftp://a.example/',
      'file:///etc/passwd',
      'https://u:p@a.example/',
      'https://a.example/#x',
      'https://a b/',
      'https://a\n.example/',
    ])
      assert.equal(codeOf(url), 'bad_webhook_url', url)
  })

  test('is not one of this machine or a private network, in any spelling, unless that is allowed', () => {
    for (const url of [
      'http://127.0.0.1/',
      'http://2130706433/',
      'http://0177.0.0.1/',
      'http://0x7f.1/',
      'http://127.1/',
      'http://localhost:3000/',
      'http://a.localhost./',
      'http://[::1]/',
      'http://[::ffff:10.0.0.1]/',
      'http://169.254.169.254/latest/meta-data',
      'http://１２７.0.0.1/',
    ]) {
      assert.notEqual(codeOf(url), 'good', url)
      if (/^[\x20-\x7e]+$/.test(url))
        assert.deepEqual([codeOf(url), codeOf(url, true)], ['private_address', 'good'], url)
    }
  })
})
