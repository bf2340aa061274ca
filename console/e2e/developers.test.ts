import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { deepTest } from '../../server/test/depth.ts'
import { assertGoodPage, becomes, openBrowser, visit } from './browser.ts'
import { openConsole } from './console.ts'
import { adminToken, call, product } from './product.ts'

const browser = await openBrowser()
const hasCurl = spawnSync('curl', ['--version']).error === undefined

type Received = { headers: IncomingHttpHeaders; body: string }

/** A program that is sent events. It answers as the test says. */
async function startReceiver() {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const answer = { status: 200, body: '{"ok":true}' }
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
    for (const look of waiting) look()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    answer,
    /** The requests that match, once there are so many. */
    async until(count: number, matches: (one: Received) => boolean): Promise<Received[]> {
      for (;;) {
        const found = received.filter(matches)
        if (found.length >= count) return found
        const { promise, resolve } = Promise.withResolvers<void>()
        waiting.add(resolve)
        await promise
        waiting.delete(resolve)
      }
    },
  }
}

/** As the specification of Standard Webhooks has it. */
function isSignedWith(secret: string, { headers, body }: Received): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const made = createHmac('sha256', key)
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
    .digest('base64')
  return String(headers['webhook-signature']).split(' ').includes(`v1,${made}`)
}

async function takeSecret(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Signing secret' })
  await dialog.waitFor()
  const secret = (await dialog.locator('code').textContent()) ?? ''
  assert.match(secret, /^whsec_/)
  await page.keyboard.press('Escape')
  await becomes(() => dialog.getByRole('button', { name: 'Done' }).isDisabled(), true)
  await dialog.getByLabel('I have stored the secret').check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  return secret
}

const newName = (what: string) => `${what} ${randomBytes(4).toString('hex')}`

async function createType(name: string): Promise<{ id: string; requestId: string }> {
  const headers = { authorization: `Bearer ${await adminToken()}`, 'content-type': 'application/json' }
  const response = await fetch(`${product().url}/api/v1/bill_item_types`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name }),
  })
  assert.equal(response.status, 201)
  const { bill_item_type } = (await response.json()) as { bill_item_type: { id: string } }
  return { id: bill_item_type.id, requestId: response.headers.get('x-request-id') ?? '' }
}

async function renameType(id: string, name: string): Promise<void> {
  assert.equal((await call(await adminToken(), 'PUT', `/bill_item_types/${id}`, { name })).status, 200)
}

describe('webhooks in the console', () => {
  test('an admin creates one, sees what it was sent and what came back, sends again, replays, rotates, changes and deletes it', async (t) => {
    const receiver = await startReceiver()
    const page = await visit(t, browser)
    await openConsole(page, 'admin', '/developers/webhooks/new')
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByText('Enter an address that begins with https://.').waitFor()
    await page.getByLabel('Address').fill(receiver.url)
    await page.getByLabel('Description').fill('Dock gate')
    await page.getByLabel('Only some types').check()
    await page.getByRole('combobox', { name: 'Types of events' }).fill('bills')
    await page.keyboard.press('Enter')
    await page.getByText('“bills” is no type of event.').waitFor()
    await page.getByRole('combobox', { name: 'Types of events' }).fill('bill_item_type.craeted')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByText('Did you mean "bill_item_type.created"?').waitFor()
    await page.getByRole('combobox', { name: 'Types of events' }).press('Backspace')
    await page.getByRole('combobox', { name: 'Types of events' }).fill('bill_item_type.*')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'hidden' })
    await assertGoodPage(page)
    await page.getByRole('button', { name: 'Create webhook' }).click()
    const secret = await takeSecret(page)
    await page.getByRole('heading', { name: 'Dock gate', level: 1 }).waitFor()
    await page.getByText('Nothing sent yet').waitFor()
    assert.ok(!(await page.content()).includes(secret))
    const webhook = page.url()

    const name = newName('Webhook charge')
    const mine = ({ body }: Received) => body.includes(name)
    await createType(name)
    const [first] = (await receiver.until(1, mine)) as [Received]
    assert.ok(isSignedWith(secret, first))
    await page.reload()
    await page
      .getByRole('row', { name: /bill_item_type\.created Delivered 1 200 in/ })
      .first()
      .waitFor()
    await page.getByText('Healthy').waitFor()

    Object.assign(receiver.answer, { status: 503, body: '{"error":"The dock is closed"}' })
    await page.getByRole('button', { name: 'Send test event' }).click()
    await page.getByRole('heading', { name: 'Delivery of webhook.test' }).waitFor()
    await page.getByText('The endpoint answered 503.').waitFor()
    await page.getByText('Failed, will retry').waitFor()
    const request = page.getByRole('region', { name: 'Request of attempt 1' })
    const isTest = ({ body }: Received) => body.includes('webhook.test')
    const [refused] = (await receiver.until(1, isTest)) as [Received]
    const sent = (await request.textContent()) ?? ''
    for (const field of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      assert.ok(sent.includes(`${field}: ${refused.headers[field]}`), field)
    assert.match(
      (await page.getByRole('region', { name: 'Response of attempt 1' }).textContent()) ?? '',
      /The dock is closed/,
    )
    await assertGoodPage(page)

    Object.assign(receiver.answer, { status: 200, body: '{"ok":true}' })
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Delivered').first().waitFor()
    const tests = await receiver.until(2, isTest)
    assert.equal(tests.at(-1)?.headers['webhook-id'], refused.headers['webhook-id'])
    assert.ok(tests.every((one) => isSignedWith(secret, one)))

    await page.goto(webhook)
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('button', { name: 'Create new secret' }).click()
    const second = await takeSecret(page)
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const again = (await receiver.until(2, mine)).at(-1) as Received
    assert.equal(again.headers['webhook-id'], first.headers['webhook-id'])
    assert.deepEqual([isSignedWith(secret, again), isSignedWith(second, again)], [true, true])
    await page.getByRole('combobox', { name: 'State' }).click()
    await page.getByRole('option', { name: 'Given up' }).click()
    await page.getByText('No delivery matches the filters.').waitFor()
    await page.goto(webhook)
    await page.getByRole('table').waitFor()
    await assertGoodPage(page)

    for (const verb of ['Disable', 'Enable'] as const) {
      await page.getByRole('button', { name: verb }).click()
      const dialog = page.getByRole('dialog', { name: `${verb} Dock gate` })
      await dialog.getByRole('button', { name: verb }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByLabel('Description').fill('Dock gate 2')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('heading', { name: 'Dock gate 2', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
    await page.getByText('No webhooks yet').or(page.getByRole('table')).waitFor()
    await becomes(() => page.getByRole('link', { name: 'Dock gate 2' }).count(), 0)
  })

  deepTest('members see them and cannot change them; the request log is for admins', async (t) => {
    const page = await visit(t, browser)
    await openConsole(page, 'member', '/developers/webhooks')
    await page.getByText('Only admins can create and change webhooks.').waitFor()
    await becomes(() => page.getByRole('link', { name: 'New webhook' }).count(), 0)
    await page.getByRole('link', { name: 'Request log' }).click()
    await page.getByText('Only admins can open this page').waitFor()
    await page.getByRole('link', { name: 'Events', exact: true }).click()
    await page.getByRole('table').waitFor()
  })
})

describe('events in the console', () => {
  deepTest(
    'are shown as they happen, without a gap where the stream breaks off; each with its JSON, what changed, and where it was delivered',
    async (t) => {
      const receiver = await startReceiver()
      const token = await adminToken()
      const made = await call<{ webhook: { id: string } }>(token, 'POST', '/webhooks', {
        url: receiver.url,
        description: 'Yard',
        event_types: ['bill_item_type.updated'],
      })
      assert.equal(made.status, 201)
      const page = await visit(t, browser)
      await openConsole(page, 'admin', '/developers/events')
      await page.getByRole('combobox', { name: 'Types' }).fill('bill_item_type.*')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      await page.getByText('Live', { exact: true }).waitFor()
      const [before, name] = [newName('First charge'), newName('Second charge')]
      const rows = (named: string) => page.getByRole('row').filter({ hasText: named })
      await page.getByLabel('Show new events at once').uncheck()
      await page.getByText('Paused', { exact: true }).waitFor()
      const { id } = await createType(before)
      // The first stream breaks off at once; the next one begins where the list ended.
      const broken = { contentType: 'text/event-stream', body: ': nothing new\n\n' }
      await page.route('**/api/v1/events/stream*', (route) => route.fulfill(broken), { times: 1 })
      await page.getByLabel('Show new events at once').check()
      await rows(before).waitFor()
      await renameType(id, name)
      await rows(name).waitFor()
      await becomes(async () => [await rows(before).count(), await rows(name).count()], [1, 1])
      await assertGoodPage(page)

      await rows(name).getByRole('link').click()
      await page.getByRole('heading', { name: 'bill_item_type.updated' }).waitFor()
      const changed = page.getByRole('region', { name: 'What changed' })
      await becomes(() => changed.getByText(before).count(), 1)
      assert.match((await changed.textContent()) ?? '', new RegExp(name))
      const event = JSON.parse((await page.getByRole('region', { name: 'The event' }).textContent()) ?? '') as {
        id: string
        data: { name: string }
      }
      assert.equal(event.data.name, name)
      await page
        .getByRole('region', { name: 'Deliveries' })
        .getByRole('row', { name: /Yard Delivered/ })
        .waitFor()
      assert.equal((await receiver.until(1, () => true))[0]?.headers['webhook-id'], event.id)
      await page.getByRole('link', { name: 'All events of this record' }).click()
      await rows(before).waitFor()
      await becomes(() => page.getByRole('row').count(), 3)
      await fetch(`${product().url}/api/v1/webhooks/${made.body.webhook.id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${token}` },
      })
    },
  )
})

describe('the request log in the console', () => {
  test('says of a dry run that it was one, why a request was refused, and what was answered', async (t) => {
    const name = newName('Tried charge')
    const headers = { authorization: `Bearer ${await adminToken()}`, 'content-type': 'application/json' }
    const ask = async (query: string, body: object, more = {}) => {
      const response = await fetch(`${product().url}/api/v1/bill_item_types${query}`, {
        method: 'POST',
        headers: { ...headers, ...more },
        body: JSON.stringify(body),
      })
      return {
        requestId: response.headers.get('x-request-id'),
        answer: (await response.json()) as Record<string, unknown>,
      }
    }
    const tried = await ask('', { name }, { prefer: 'dry-run' })
    const refused = await ask('?dry_run=true', { name: '' })
    const page = await visit(t, browser)
    await openConsole(page, 'admin', `/developers/request-log?request_id=${refused.requestId}`)
    const row = page.getByRole('row').filter({ hasText: '/api/v1/bill_item_types' })
    await row.getByText('Dry run').waitFor()
    await row.getByText(String(refused.answer.error_message)).waitFor()
    await openConsole(page, 'admin', `/developers/request-log?request_id=${tried.requestId}`)
    await row.getByRole('link').click()
    await page.getByRole('heading', { name: 'POST /api/v1/bill_item_types' }).waitFor()
    await page.getByText('Dry run').waitFor()
    await page.getByRole('region', { name: 'What was answered' }).getByText(`"name": "${name}"`).waitFor()
    await page.getByRole('region', { name: 'Repeat it' }).getByText("-H 'Prefer: dry-run'").waitFor()
    await assertGoodPage(page)
  })

  deepTest(
    'shows what was asked and answered, as a curl command too, and leads to the events that it made',
    async (t) => {
      const name = newName('Logged charge')
      const { id, requestId } = await createType(name)
      const path = `/api/v1/bill_item_types/${id}`
      await call(await adminToken(), 'PUT', `/bill_item_types/${id}`, { name: '', password: 'hidden' })
      const page = await visit(t, browser)
      await openConsole(page, 'admin', '/developers/request-log')
      const ofConsole = page.getByRole('cell', { name: 'Console', exact: true })
      await page.locator('table[aria-busy=false]').waitFor()
      assert.equal(await ofConsole.count(), 0)
      await page.getByRole('combobox', { name: 'Application' }).click()
      await page.getByRole('option', { name: 'All, and the console' }).click()
      await ofConsole.first().waitFor()
      await page.getByLabel('Path begins with').fill(path)
      await page.getByLabel('Status').fill('4xx')
      // The list moves when it is filtered, and a click would miss its row.
      await page.waitForURL('**status=4xx**')
      await page.locator('table[aria-busy=false]').waitFor()
      await page.getByRole('row').filter({ hasText: path }).getByRole('link').click()
      await page.getByRole('heading', { name: `PUT ${path}` }).waitFor()
      await page.getByRole('region', { name: 'Events that it made' }).getByText('None: it changed nothing.').waitFor()
      await page.getByText('Replace every [masked]').waitFor()
      await page.getByRole('alert').filter({ hasText: '"name" cannot be empty' }).waitFor()
      await page.getByRole('region', { name: 'What was answered' }).getByText('"error_code":').waitFor()
      assert.ok(!(await page.content()).includes('hidden"'))
      await assertGoodPage(page)

      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.getByRole('button', { name: 'Copy curl' }).click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      const command = await page.evaluate<string>('navigator.clipboard.readText()')
      await page.context().clearPermissions()
      assert.match(command, /\$LADING_TOKEN/)
      if (hasCurl) {
        const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', `${command} -s`], {
          env: { ...process.env, LADING_TOKEN: await adminToken() },
        })
        assert.match(stdout, /"error_code":/)
      }

      await page.getByRole('link', { name: 'Request log' }).first().click()
      await page.getByRole('combobox', { name: 'Method' }).click()
      await page.getByRole('option', { name: 'POST' }).click()
      await page.getByLabel('Request id').fill(requestId)
      await page.waitForURL(`**request_id=${requestId}**`)
      await page.locator('table[aria-busy=false]').waitFor()
      await page.getByRole('link', { name: 'POST /api/v1/bill_item_types' }).click()
      const events = page.getByRole('region', { name: 'Events that it made' })
      await events.getByText(name).waitFor()
      await events.getByRole('link', { name: 'Show them in the list of events' }).click()
      await page.getByRole('row').filter({ hasText: name }).waitFor()
      await becomes(() => page.getByRole('row').count(), 2)
    },
  )
})
