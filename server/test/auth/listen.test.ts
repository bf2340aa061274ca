import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { main } from '../../src/main.ts'
import type { Settings } from '../../src/settings.ts'
import { readStream } from '../../src/tools/cli/remote/follow.ts'
import { recipes } from '../../src/tools/cli/remote/recipes.ts'
import { whyNotTriggered } from '../../src/tools/cli/remote/without-recipe.ts'
import type { Terminal } from '../../src/tools/cli/terminal.ts'
import { some } from '../depth.ts'
import { startRelay } from '../relay.ts'
import { type Caller, callerIn, newCaller } from '../service.ts'
import { allow, Browser, reachConsent } from './browser.ts'
import { newParty, password, sharedHouse, soon } from './house.ts'

const house = await sharedHouse()
const dataDir = mkdtempSync(join(tmpdir(), 'lading-listen-'))
after(() => rmSync(dataDir, { recursive: true, force: true }))

type Env = Record<string, string>
type Running = {
  said: { out: string; err: string }
  ended: Promise<number>
  stop(): Promise<number>
  says(what: RegExp): Promise<void>
}

/** The command line tool in this process, against the house. */
function run(args: string[], env: Env = {}, url: string | null = house.url, settings: Partial<Settings> = {}): Running {
  const said = { out: '', err: '' }
  const stopping = new AbortController()
  const terminal: Terminal = {
    settings: () => ({ ...house.settings, ...settings, dataDir }),
    out(text) {
      said.out += text
    },
    err(text) {
      said.err += text
    },
    withDatabase: () => assert.fail('it opened a database'),
    exitCode: 0,
    env,
    stop: stopping.signal,
  }
  const ended = main([...args, ...(url ? ['--url', url] : [])], terminal)
  return {
    said,
    ended,
    async stop() {
      stopping.abort()
      return ended
    },
    async says(what) {
      assert.ok(
        await soon(async () => what.test(said.out + said.err), 30_000),
        `${what} is not in: ${said.out}${said.err}`,
      )
    },
  }
}

type Hook = { headers: IncomingHttpHeaders; body: string }

/** What a developer runs on their machine; it answers 204, and 500 to what it was told to refuse. */
async function startReceiver(refused?: RegExp) {
  const hooks: Hook[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    hooks.push({ headers: request.headers, body })
    response.writeHead(refused?.test(body) ? 500 : 204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return { hooks, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

const secret = `whsec_${Buffer.from('a key of thirty-two bytes, or so').toString('base64')}`

/** As the receiver checks it. */
function assertSigned({ headers, body }: Hook): void {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(signed)
    .digest('base64')
  assert.equal(headers['webhook-signature'], `v1,${expected}`)
  assert.ok(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000) < 300)
}

/** Something happens, and is in the feed. */
async function createType(caller: Caller, name: string): Promise<void> {
  assert.equal((await caller.call('POST', '/api/v1/bill_item_types', { name })).statusCode, 201)
  assert.equal((await caller.get('/api/v1/events')).statusCode, 200)
}

describe('lading listen', { concurrency: true }, () => {
  test('sends each event on, signed, and shows what came back; after a lost connection it goes on where it was', async () => {
    const relay = await startRelay(Number(new URL(house.url).port))
    after(() => relay.close())
    const caller = await newCaller(house)
    const receiver = await startReceiver(/"Toll"/)
    const args = ['listen', '--forward-to', receiver.url, '--types', 'bill_item_type.*', '--secret', secret]
    const listening = run(args, { LADING_TOKEN: caller.token }, `http://127.0.0.1:${relay.port}`)
    await listening.says(/Listening at .* to bill_item_type\.\* of A test organization/)
    assert.match(listening.said.out, new RegExp(secret.replaceAll('+', '\\+')))
    await caller.call('POST', '/api/v1/pay_terms', { name: 'Net 30', number_of_days: 30 })
    await createType(caller, 'Fuel')
    await listening.says(/bill_item_type\.created {2}\S+ {2}204 in \d+ ms/)
    relay.drop()
    await listening.says(/Lost the connection/)
    await createType(caller, 'Toll')
    await listening.says(/bill_item_type\.created {2}\S+ {2}500 in \d+ ms/)
    assert.equal(await listening.stop(), 0)
    assert.deepEqual(
      receiver.hooks.map(({ body }) => JSON.parse(body).data.data.name),
      ['Fuel', 'Toll'],
    )
    for (const hook of receiver.hooks) {
      assertSigned(hook)
      const { id, type, timestamp, data } = JSON.parse(hook.body)
      assert.deepEqual([id, type, timestamp], [data.id, 'bill_item_type.created', data.occurred_at])
      assert.equal(hook.headers['webhook-id'], id)
    }
  })

  test('without an address it shows events; a receiver that is not there is shown as such; in JSON there is one object on each line', async () => {
    const caller = await newCaller(house)
    // What happened before is in the feed before.
    await caller.get('/api/v1/events')
    const env = { LADING_TOKEN: caller.token }
    const showing = run(['listen'], env)
    const sending = run(['listen', '--forward-to', 'http://127.0.0.1:3/hook', '--json'], env)
    await Promise.all([showing.says(/Listening/), sending.says(/"listening"/)])
    await createType(caller, 'Fuel')
    await Promise.all([showing.says(/bill_item_type\.created/), sending.says(/bill_item_type\.created/)])
    assert.deepEqual([await showing.stop(), await sending.stop()], [0, 0])
    const [first, second] = sending.said.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.match(first.listening.secret, /^whsec_/)
    assert.deepEqual([second.event.data.name, second.answer.status], ['Fuel', null])
    assert.match(second.answer.error, /ECONNREFUSED/)
  })

  test('signs a person in through the browser', async () => {
    const free = createServer().listen(0, '127.0.0.1')
    await once(free, 'listening')
    const callback = `http://127.0.0.1:${(free.address() as AddressInfo).port}/callback`
    free.close()
    await once(free, 'close')
    const party = await newParty(house, { redirect_uris: [callback] })
    const env = { LADING_CLIENT_SECRET: party.application.client_secret }
    const listening = run(
      ['listen', '--sign-in', '--client-id', party.application.client_id, '--callback', callback],
      env,
    )
    await listening.says(/Open this address/)
    const address = new URL(/http\S+authorize\S+/.exec(listening.said.err)?.[0] ?? '')
    const browser = new Browser(house)
    const back = await allow(browser, party, await reachConsent(browser, party, `${address.pathname}${address.search}`))
    assert.match(await (await fetch(back)).text(), /You are signed in/)
    await listening.says(/of An organization/)
    await createType(callerIn(house, party.org), 'Fuel')
    await listening.says(/bill_item_type\.created/)
    assert.equal(await listening.stop(), 0)
  })

  test('says in one line what is wrong: no scope, a bad token, nobody there, nothing to sign in with, a wrong option', async () => {
    const poor = await newCaller(house, ['bills'])
    const tries: [args: string[], env: Env, url: string, code: number, said: RegExp][] = [
      [[], { LADING_TOKEN: poor.token }, house.url, 1, /^lading: The access token lacks the scope "webhooks"\.\n$/],
      [[], { LADING_TOKEN: 'nonsense' }, house.url, 1, /^lading: The access token in LADING_TOKEN is not good/],
      [
        [],
        { LADING_TOKEN: poor.token },
        'http://127.0.0.1:3',
        1,
        /^lading: There is no Lading at http:\/\/127\.0\.0\.1:3 \(ECONNREFUSED\)/,
      ],
      [['--client-id', 'x'], {}, house.url, 1, /^lading: LADING_CLIENT_SECRET is not set/],
      [['--sign-in'], {}, house.url, 2, /^lading: --sign-in needs the application/],
      [['--secret', 'hunter2'], {}, house.url, 2, /It must be whsec_/],
      [['--forward-to', 'localhost'], {}, house.url, 2, /It must be an address/],
    ]
    for (const [args, env, url, code, said] of tries) {
      const { ended, said: words } = run(['listen', ...args], env, url)
      assert.equal(await ended, code, words.err)
      assert.match(words.err, said)
      assert.equal(words.out, '')
    }
  })

  test('a message of the stream is read whatever pieces it comes in', async () => {
    async function* pieces() {
      for (const byte of Buffer.from(
        'retry: 5\nid: a\n\n: quiet\n\nid: b\r\ndata: {"n":\r\ndata: "ü"}\r\n\r\ndata: cut',
      ))
        yield Uint8Array.of(byte)
    }
    assert.deepEqual(await Array.fromAsync(readStream(pieces())), [
      { retry: 5, id: 'a' },
      { id: 'b', data: '{"n":\n"ü"}' },
    ])
  })
})

describe('lading trigger', () => {
  test('makes it happen in the demo organization, by its keys, at the address that these are good for', async () => {
    const party = await newParty(house)
    const { client_id, client_secret } = party.application
    const { url: base_url, settings } = house
    const demo = { base_url, audience: settings.audience, client_id, client_secret, username: party.email, password }
    writeFileSync(join(dataDir, 'demo.json'), JSON.stringify(demo))
    const elsewhere = { publicUrl: 'http://127.0.0.1:9', audience: 'http://127.0.0.1:9/' }
    const { ended, said } = run(['trigger', 'bill.paid'], {}, null, elsewhere)
    assert.equal(await ended, 0, said.err)
    const [, id = ''] = /^bill\.paid happened to (\S+):\n {2}POST \/api\/v1\/bills\n/.exec(said.out) ?? []
    const { events } = (await callerIn(house, party.org).get(`/api/v1/bills/${id}/history`)).json()
    assert.deepEqual([events[0].type, events[0].actor_name], ['bill.paid', 'Ada Admin'])
  })

  test('each type that it lists happens', async () => {
    const caller = await newCaller(house)
    for (const type of some(Object.keys(recipes))) {
      const { ended, said } = run(['trigger', type, '--json'], { LADING_TOKEN: caller.token })
      assert.equal(await ended, 0, `${type}: ${said.err}`)
      const { subject_id } = JSON.parse(said.out)
      const events = await caller.events()
      assert.ok(
        events.some((event) => event.type === type && event.subject_id === subject_id),
        type,
      )
    }
    const document = (await house.app.inject('/openapi.json')).json() as { webhooks: Record<string, unknown> }
    for (const type of Object.keys(document.webhooks))
      assert.ok(recipes[type] || whyNotTriggered(type), `${type} has no recipe, and no reason why not`)
    const refused = run(['trigger', 'payment_run.issued'], { LADING_TOKEN: caller.token })
    assert.equal(await refused.ended, 2)
    assert.match(refused.said.err, /"payment_run\.issued" cannot be triggered: it would change what is paid to whom/)
    const unknown = run(['trigger', 'bill.eaten'], { LADING_TOKEN: caller.token })
    assert.equal(await unknown.ended, 2)
    assert.match(unknown.said.err, /"bill\.eaten" is none of the events/)
    const help = run(['trigger', '--help'])
    assert.equal(await help.ended, 0)
    for (const type of Object.keys(recipes)) assert.ok(help.said.out.includes(type), type)
  })
})
