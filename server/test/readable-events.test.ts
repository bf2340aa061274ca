import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { documentKinds } from '../src/books/kinds/kinds.ts'
import { eventNeeds } from '../src/integrations/event-types.ts'
import type { Scope } from '../src/platform/access/scopes.ts'
import { newId } from '../src/platform/core/values/ids.ts'
import { personIn } from './people.ts'
import { type Caller, callerIn, newCaller, sharedService } from './service.ts'

const service = await sharedService()
const v1 = '/api/v1'
type Event = { id: string; type: string }

/** Every event of the feed in pages of a few, as somebody follows it; and where it ended. */
async function feedOf(caller: Caller): Promise<{ events: Event[]; end: string }> {
  const events: Event[] = []
  for (let after = ''; ; ) {
    const page = (await caller.get(`${v1}/events?limit=3${after && `&after=${after}`}`)).json()
    events.push(...page.events)
    if (!page.has_more) return { events, end: page.next_after }
    assert.notEqual(page.next_after, after, 'a page without events moves on')
    after = page.next_after
  }
}

async function office() {
  const { org } = await newCaller(service)
  const admin = await personIn(service, org, 'admin')
  const make = async (path: string, body: object) => {
    const answer = await admin.call('POST', `${v1}/${path}`, body)
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json()
  }
  await make('users', { email: `${newId()}@example.com`, name: 'Sam', role: 'clerk' })
  await make('oauth_applications', {
    name: 'Robot',
    type: 'confidential',
    scopes: ['bills'],
    grant_types: ['client_credentials'],
  })
  const { webhook } = await make('webhooks', {
    url: 'https://hooks.example.com/secret-path?token=hidden',
    event_types: ['bill.*'],
  })
  await make('bills', { currency_id: 'usd', sub_total_amount: 100 })
  await make('invoices', { currency_id: 'usd', sub_total_amount: 100 })
  for (const [direction, party] of [
    ['out', 'partner_carrier_id'],
    ['in', 'customer_id'],
  ])
    await make('payments', { direction, [party as string]: newId(), currency_id: 'usd', amount: 100 })
  await make('customers', { name: 'Acme' })
  return { org, admin, webhook }
}

const nounsOf = (events: readonly Event[]) => [...new Set(events.map(({ type }) => type.split('.')[0]))].sort()

describe('the feed', { concurrency: true }, () => {
  test('shows an admin all, another role nothing of users, applications, webhooks and mails; its end is the same', async () => {
    const { org, admin } = await office()
    const all = await feedOf(admin)
    for (const noun of ['user', 'oauth_application', 'webhook', 'mail', 'bill', 'payment'])
      assert.ok(nounsOf(all.events).includes(noun), noun)
    const reader = await personIn(service, org, 'read_only')
    await feedOf(admin)
    const seen = await feedOf(reader)
    const hidden = ['user', 'oauth_application', 'webhook', 'mail']
    assert.deepEqual(
      nounsOf(seen.events).filter((noun) => hidden.includes(noun as string)),
      [],
    )
    assert.ok(nounsOf(seen.events).includes('bill'))
    assert.equal(seen.end, (await feedOf(admin)).end)
    for (const { id, type } of all.events) {
      const expected = hidden.includes(type.split('.')[0] as string) ? 404 : 200
      assert.equal((await reader.get(`${v1}/events/${id}`)).statusCode, expected, type)
    }
    assert.deepEqual((await reader.get(`${v1}/events?newest_first=true&types=user.*`)).json().events, [])
  })

  test('shows what the scopes of the token allow, and of payments those of its direction', async () => {
    const { org } = await office()
    const limited = (...scopes: Scope[]) => callerIn(service, org, ['webhooks', ...scopes], () => newId(), 'admin')
    assert.deepEqual(nounsOf((await feedOf(limited())).events), ['organization', 'webhook'])
    assert.deepEqual(nounsOf((await feedOf(limited('customers'))).events), ['customer', 'organization', 'webhook'])
    for (const [scope, direction, noun] of [
      ['bills', 'out', 'bill'],
      ['invoices', 'in', 'invoice'],
    ] as const) {
      const { events } = await feedOf(limited(scope))
      assert.deepEqual(nounsOf(events), [noun, 'organization', 'payment', 'webhook'].sort())
      const payments = events.filter(({ type }) => type.startsWith('payment.')) as (Event & {
        data: { direction: string }
      })[]
      assert.deepEqual([...new Set(payments.map(({ data }) => data.direction))], [direction])
    }
  })

  test('as a stream shows the same, and moves on over what it does not show', async () => {
    const { org, admin } = await office()
    const { followFeed } = await import('../src/platform/events/reading/stream.ts')
    const { readableBy } = await import('../src/platform/events/feed/readable.ts')
    const { end, events } = await feedOf(admin)
    const reader = { scopes: new Set(['webhooks', 'bills']), rights: new Set(['read'] as const) }
    const ended = new AbortController()
    const from = {
      after: 0,
      types: undefined,
      readable: readableBy(eventNeeds(documentKinds), reader),
      watch: () => () => {},
      signal: ended.signal,
      quietMs: 10,
    }
    let text = ''
    for await (const part of followFeed(admin.ctx, from)) {
      text += part
      if (part.startsWith(': nothing new')) ended.abort()
    }
    const shown = [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json as string) as Event)
    const limited = callerIn(service, org, ['webhooks', 'bills'], () => newId(), 'read_only')
    assert.deepEqual(
      shown.map(({ id }) => id),
      (await feedOf(limited)).events.map(({ id }) => id),
    )
    assert.ok(shown.length < events.length && end.length > 0)
  })

  test('needs of each noun what its history needs', async () => {
    const { paths } = (await service.app.inject('/openapi.json')).json() as {
      paths: Record<string, { get?: { security: { oauth2?: Scope[] }[]; 'x-right': string; operationId: string } }>
    }
    const { nouns } = eventNeeds(documentKinds)
    for (const [path, { get }] of Object.entries(paths)) {
      const [, plural] = /^\/api\/v1\/(?:partner_portal\/)?(\w+)\/\{\w+\}\/history$/.exec(path) ?? []
      if (!get || !plural) continue
      const noun = get.operationId
        .replace(/^get(.*)History$/, '$1')
        .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
        .toLowerCase()
      const need = nouns.get(named[noun] ?? noun)
      assert.ok(need, `${noun} has no line in event-types.ts`)
      assert.equal(need.administers ?? false, get['x-right'] === 'administer' || noun === 'mail', noun)
      if (need.byDirection) continue
      const scopes = get.security.flatMap(({ oauth2 }) => oauth2 ?? [])
      assert.deepEqual([...need.scopes].sort(), [...new Set(scopes)].sort(), noun)
    }
  })
})

/** Where an operation calls a record otherwise than its events do. */
const named: Record<string, string> = {
  partner_carrier: 'partner',
  oauth_application: 'oauth_application',
  bill_question: 'bill_question',
}

describe('webhooks', { concurrency: true }, () => {
  test('show their address to who administers, and the host to others, in lists, alone and in deliveries; their history is for admins', async () => {
    const { org, admin, webhook } = await office()
    const reader = await personIn(service, org, 'read_only')
    const at = `${v1}/webhooks/${webhook.id}`
    assert.equal((await admin.get(at)).json().webhook.url, 'https://hooks.example.com/secret-path?token=hidden')
    assert.equal((await reader.get(at)).json().webhook.url, 'https://hooks.example.com/…')
    assert.equal((await reader.get(`${v1}/webhooks`)).json().webhooks[0].url, 'https://hooks.example.com/…')
    assert.deepEqual(
      Object.keys((await reader.get(at)).json().webhook).sort(),
      Object.keys((await admin.get(at)).json().webhook).sort(),
    )
    assert.equal((await reader.get(`${at}/history`)).statusCode, 403)
    assert.equal((await admin.get(`${at}/history`)).statusCode, 200)
  })

  test('are made with the scopes of what they send', async () => {
    const { org } = await office()
    const limited = callerIn(service, org, ['webhooks', 'bills'], () => newId(), 'admin')
    const make = (event_types: string[]) =>
      limited.call('POST', `${v1}/webhooks`, { url: 'https://hooks.example.com/x', event_types })
    for (const types of [['*'], ['user.created'], ['bill.*', 'customer.*']]) {
      const answer = await make(types)
      assert.deepEqual([answer.statusCode, answer.json().error_code], [403, 'insufficient_scope'], types.join())
    }
    const made = await make(['bill.*', 'payee.*'])
    assert.equal(made.statusCode, 201, made.body)
    assert.equal(
      (await limited.call('PUT', `${v1}/webhooks/${made.json().webhook.id}`, { event_types: ['*'] })).statusCode,
      403,
    )
    assert.equal(
      (await limited.call('PUT', `${v1}/webhooks/${made.json().webhook.id}`, { description: 'x' })).statusCode,
      200,
    )
  })
})

test('a signed link takes the scope of its record', async () => {
  const { org } = await newCaller(service)
  const caller = callerIn(service, org, ['partner_portal'])
  for (const [body, scope] of [
    [{ bill_id: newId() }, 'bills'],
    [{ manifest_id: newId() }, 'manifests'],
  ] as const) {
    const answer = await caller.call('POST', `${v1}/partner_portal/links`, body)
    assert.deepEqual([answer.statusCode, answer.json().error_code], [403, 'insufficient_scope'])
    assert.match(answer.json().error_message, new RegExp(scope))
  }
})
