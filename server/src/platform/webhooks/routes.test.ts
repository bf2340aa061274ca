import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook } from '../../../../sdk/src/webhooks.ts'
import { openReceiver, type Received } from '../../../test/receiver.ts'
import { type Caller, callerIn, newCaller, openService, type Service } from '../../../test/service.ts'
import { createJoinedUser } from '../../identity/users/actions.ts'
import { scopeNames } from '../access/scopes.ts'
import { signToken } from '../access/tokens/access-token.ts'
import { newId } from '../core/values/ids.ts'
import { readAllOrganizations } from '../db/schema/organizations.ts'
import { type Statement, sql } from '../db/sql/sql.ts'
import { publish } from '../events/feed/publishing.ts'
import { record } from '../events/record.ts'
import { deleteOldIn } from './attempts/retention.ts'
import { deliveryJob } from './delivering.ts'
import { fanOut } from './fan-out.ts'
import { type AttemptOutcome, openSender, type Sender } from './sending/sending.ts'
import { findFaults } from './verifying/verify.ts'

const path = '/api/v1/webhooks'
const service = await openService({ WEBHOOK_ALLOW_PRIVATE: 'true' })
const { database } = service
const receiver = await openReceiver()
const patient = openSender({ allowPrivate: true, timeoutMs: 60_000, bodyMs: 100 })
const hasty = openSender({ allowPrivate: true, timeoutMs: 300 })
/** Waits for an answer only where there will be one, however busy the machine is. */
const sender: Sender = {
  send: (outgoing) => (outgoing.url.includes('/hang') ? hasty : patient).send(outgoing),
  close() {},
}
after(async () => {
  patient.close()
  hasty.close()
  await receiver.close()
})

const hour = 3_600_000

/** An application of a new organization: it has no role, and may do what its scopes say. */
async function newApplication(within: Service): Promise<Caller> {
  const caller = await newCaller(within)
  const { keyring, settings } = within
  const grant = { sub: 'app', client_id: 'app', org_id: caller.org, scopes: scopeNames }
  const token = signToken(keyring, { issuer: settings.authUrl, audience: settings.audience }, grant)
  const call: Caller['call'] = (method, url, body, headers = {}) =>
    caller.call(method, url, body, { ...headers, authorization: `Bearer ${token}` })
  return { ...caller, token, call, get: (url, headers) => call('GET', url, undefined, headers) }
}

/** An organization with a clock of its own, and someone who delivers in it when asked to. */
async function newPlace() {
  const caller = await newApplication(service)
  const clock = { ahead: 0 }
  const warnings: object[] = []
  const process = () =>
    deliveryJob({
      database,
      sender,
      aheadMs: () => clock.ahead,
      lookEveryMs: 0,
      onlyIn: caller.org,
      log: { warn: (facts) => void warnings.push(facts) },
    })
  const first = process()
  await publish(caller.org, (work) => database.transaction(caller.org, work))
  const run = (by = first) => by.run(new AbortController().signal)
  return {
    ...caller,
    clock,
    warnings,
    process,
    run,
    /** Publishes what was recorded, makes deliveries of it, and sends what is due. */
    async deliver(by = first) {
      await publish(caller.org, (work) => database.transaction(caller.org, work))
      await run(by)
    },
    async make(at: string, body: object = {}) {
      const answer = await caller.call('POST', path, { url: `${receiver.origin}/${at}`, ...body })
      assert.equal(answer.statusCode, 201, answer.body)
      return answer.json().webhook
    },
    /** Something happens: the ids of its events. */
    happen: (times = 1) =>
      caller.ctx.transaction(async (ctx) => {
        const events: string[] = []
        for (let n = 0; n < times; n++)
          events.push(
            await record(ctx, {
              type: 'bill_item_type.created',
              subject: { type: 'bill_item_type', id: newId() },
              revision: 1,
              data: `{"name":"Fuel ${n} “✓”"}`,
            }),
          )
        return events
      }),
    async deliveries(id: string, query = '') {
      const answer = await caller.get(`${path}/${id}/deliveries?limit=200${query}`)
      assert.equal(answer.statusCode, 200, answer.body)
      return answer.json().webhook_deliveries
    },
    webhook: async (id: string) => (await caller.get(`${path}/${id}`)).json().webhook,
  }
}

/** What arrived at a path. */
function arrived(at: string): Received[] {
  return receiver.received.filter((one) => one.path === `/${at}`)
}

/** Of what arrived at a path, the events: the same id once for each time that it came. */
function idsAt(at: string): string[] {
  return arrived(at).map(({ headers }) => String(headers['webhook-id']))
}

function typesOf(received: readonly Received[]): string[] {
  return received.map(({ body }) => JSON.parse(body).type)
}

describe('POST /webhooks', { concurrency: true }, () => {
  test('answers 201 with the secret, which is shown this once, and records the event without it', async () => {
    const { call, get, events } = await newPlace()
    const answer = await call('POST', path, {
      url: 'https://hooks.example.com/a',
      description: 'Sync',
      event_types: ['bill.*', 'customer.created'],
    })
    const { secret, ...made } = answer.json().webhook
    assert.deepEqual(
      [answer.statusCode, answer.headers.location, answer.headers.etag],
      [201, `${path}/${made.id}`, '"1"'],
    )
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(made, {
      id: made.id,
      url: 'https://hooks.example.com/a',
      description: 'Sync',
      event_types: ['bill.*', 'customer.created'],
      enabled: true,
      disabled_at: null,
      disabled_reason: null,
      revision: 1,
      created_at: made.created_at,
      updated_at: made.created_at,
      last_success_at: null,
      last_failure_at: null,
      last_error: null,
      failing_since: null,
      waiting_count: 0,
    })
    assert.deepEqual((await get(`${path}/${made.id}`)).json(), { webhook: made })
    assert.deepEqual((await get(path)).json().webhooks, [made])
    const recorded = (await events()).filter(({ subject_id }) => subject_id === made.id)
    assert.deepEqual(
      recorded.map(({ type }) => type),
      ['webhook.created'],
    )
    assert.ok(!JSON.stringify(recorded).includes(secret))
  })

  test('keeps the secret out of what an Idempotency-Key stores, and replays without it', async () => {
    const { call } = await newPlace()
    const headers = { 'idempotency-key': newId() }
    const first = await call('POST', path, { url: 'https://hooks.example.com/' }, headers)
    const again = await call('POST', path, { url: 'https://hooks.example.com/' }, headers)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.deepEqual([again.json().webhook.secret, again.json().webhook.id], [null, first.json().webhook.id])
  })

  test('refuses with 400 what is no address, no type of event, or no list', async () => {
    const { call } = await newPlace()
    for (const [body, code] of [
      [{}, 'required'],
      [{ url: 'ftp://a.example/' }, 'bad_webhook_url'],
      [{ url: 'https://a.example/', event_types: ['Bill paid'] }, 'bad_event_type'],
      [{ url: 'https://a.example/', event_types: [] }, undefined],
      [{ url: 7 }, 'wrong_type'],
    ] as const) {
      const answer = await call('POST', path, body)
      assert.equal(answer.statusCode, 400, JSON.stringify(body))
      if (code) assert.equal(answer.json().details[0].code, code, answer.body)
    }
  })

  test('keeps a type of event once, and names the one that is meant by one in capitals', async () => {
    const { call } = await newPlace()
    const url = 'https://a.example/'
    const made = (await call('POST', path, { url, event_types: ['bill.paid', 'bill.*', 'bill.paid'] })).json().webhook
    assert.deepEqual(made.event_types, ['bill.paid', 'bill.*'])
    const put = await call('PUT', `${path}/${made.id}`, { event_types: ['bill.paid', 'bill.paid'] })
    assert.deepEqual(put.json().webhook.event_types, ['bill.paid'])
    const refused = (await call('POST', path, { url, event_types: ['BILL.PAID'] })).json().details[0]
    assert.deepEqual([refused.code, refused.allowed], ['bad_event_type', ['bill.paid']])
    assert.match(refused.message, /Did you mean "bill\.paid"\?/)
  })

  test('refuses a type of event that never comes, with the near ones; those of kinds of one’s own are known', async () => {
    const { call } = await newPlace()
    const url = 'https://a.example/'
    for (const [type, nearest, others] of [
      ['bill.payed', 'bill.paid', 'bill.created'],
      ['bills.paid', 'bill.paid', 'bill.*'],
      ['invoices.*', 'invoice.*', 'invoice.voided'],
      ['inspection.created', null, null],
      ['inspection.*', null, null],
    ] as const) {
      const answer = await call('POST', path, { url, event_types: ['customer.created', type] })
      assert.deepEqual([answer.statusCode, answer.json().error_code], [400, 'unknown_event_type'], type)
      const { field, message, allowed = [] } = answer.json().details[0]
      assert.equal(field, 'event_types')
      assert.match(
        message,
        nearest
          ? new RegExp(`"${type.replace('*', '\\*')}".*Did you mean "${nearest.replace('*', '\\*')}"`)
          : /OpenAPI/,
      )
      if (others) assert.ok(allowed[0] === nearest && allowed.includes(others), String(allowed))
    }
    const definition = { objectKey: 'inspection', name: 'Inspection', prefix: 'INSP' }
    assert.equal((await call('POST', '/api/v2/platformModel/definitions', definition)).statusCode, 201)
    const made = (await call('POST', path, { url, event_types: ['inspection.created', 'inspection.*', '*'] })).json()
      .webhook
    const put = (event_types: string[]) => call('PUT', `${path}/${made.id}`, { event_types })
    assert.equal((await put(['inspection.restored'])).statusCode, 200)
    assert.equal((await put(['inspection.restored', 'inspection.exploded'])).json().error_code, 'unknown_event_type')
    // The kind is gone, and with it the type; a webhook that asks for it already can still be changed.
    assert.equal((await call('DELETE', '/api/v2/platformModel/definitions/inspection')).statusCode, 204)
    assert.equal((await put(['inspection.restored', 'bill.paid'])).statusCode, 200)
    assert.equal((await put(['inspection.created'])).json().error_code, 'unknown_event_type')
    const replayed = await call('POST', `${path}/${made.id}/replay`, {
      from: '2026-11-01',
      event_types: ['bill.payed'],
    })
    assert.deepEqual([replayed.statusCode, replayed.json().error_code], [400, 'unknown_event_type'])
  })

  test('refuses private addresses with 400 where the operator does not allow them', async () => {
    const strict = await openService()
    const { call } = await newApplication(strict)
    for (const url of [
      'http://127.0.0.1:9/',
      'http://localhost/',
      'http://[::1]/',
      'http://169.254.169.254/',
      'http://2130706433/',
    ]) {
      const answer = await call('POST', path, { url })
      assert.deepEqual([answer.statusCode, answer.json().error_code], [400, 'private_address'], url)
    }
    const made = (await call('POST', path, { url: 'https://hooks.example.com/' })).json().webhook
    const moved = await call('PUT', `${path}/${made.id}`, { url: 'http://10.0.0.1/' })
    assert.deepEqual([moved.statusCode, moved.json().error_code], [400, 'private_address'])
  })
})

describe('a webhook', { concurrency: true }, () => {
  test('is changed by PUT with only what is sent, and by If-Match; what changes nothing records nothing', async () => {
    const { make, call, events } = await newPlace()
    const { secret: _, ...made } = await make('ok')
    const at = `${path}/${made.id}`
    const same = await call('PUT', at, made)
    assert.deepEqual([same.statusCode, same.json().webhook.revision], [200, 1])
    const changed = await call('PUT', at, { event_types: ['bill.paid'], description: 'X' }, { 'if-match': '"1"' })
    assert.deepEqual(
      [changed.statusCode, changed.json().webhook.event_types, changed.json().webhook.url, changed.headers.etag],
      [200, ['bill.paid'], made.url, '"2"'],
    )
    assert.equal((await call('PUT', at, { description: 'Y' }, { 'if-match': '"1"' })).statusCode, 412)
    const [, last] = (await events()).filter(({ subject_id }) => subject_id === made.id)
    assert.deepEqual([last?.type, last?.previous], ['webhook.updated', { event_types: ['*'], description: null }])
  })

  test('is in the security log when it is created, changed, disabled, enabled, given a new secret or deleted, with its host and nothing more of its address', async () => {
    const { make, call, get } = await newPlace()
    const { id } = await make('ok?key=hunter2')
    const at = `${path}/${id}`
    await call('PUT', at, { url: 'https://hooks.example.com/hunter2', description: 'X' }, { 'user-agent': 'Test' })
    await call('PUT', at, { enabled: false })
    await call('PUT', at, { enabled: false })
    await call('PUT', at, { enabled: true })
    await call('POST', `${at}/rotate_secret`, { overlap_seconds: 0 })
    await call('DELETE', at)
    const { security_events } = (await get('/api/v1/security_events')).json()
    const before = new URL(receiver.origin).host
    assert.deepEqual(
      security_events.map(({ type, summary }: { type: string; summary: string }) => [type, summary]),
      [
        ['webhook.deleted', 'Deleted the webhook that sent to hooks.example.com.'],
        [
          'webhook.secret_rotated',
          'Made a new secret for the webhook that sends to hooks.example.com. The old one is void.',
        ],
        ['webhook.enabled', 'Enabled the webhook that sends to hooks.example.com.'],
        ['webhook.disabled', 'Disabled the webhook that sends to hooks.example.com.'],
        [
          'webhook.updated',
          `Changed the webhook that sent to ${before}: url, description. It sends to hooks.example.com now.`,
        ],
        ['webhook.created', `Created a webhook that sends to ${before}.`],
      ],
    )
    const { actor, user_agent, request_id } = security_events[4]
    assert.deepEqual([actor.type, actor.id, user_agent, typeof request_id], ['application', 'app', 'Test', 'string'])
  })

  test('of another organization is not there, nor are its deliveries', async () => {
    const mine = await newPlace()
    const other = await newPlace()
    const { id } = await mine.make('ok/mine')
    await mine.deliver()
    const [{ id: delivery }] = await mine.deliveries(id)
    for (const [method, url] of [
      ['GET', `${path}/${id}`],
      ['PUT', `${path}/${id}`],
      ['DELETE', `${path}/${id}`],
      ['GET', `${path}/${id}/deliveries`],
      ['POST', `${path}/${id}/test`],
      ['POST', `${path}/${id}/rotate_secret`],
      ['GET', `/api/v1/webhook_deliveries/${delivery}`],
      ['POST', `/api/v1/webhook_deliveries/${delivery}/redeliver`],
    ] as const)
      assert.equal(
        (await other.call(method, url, method === 'GET' ? undefined : {})).statusCode,
        404,
        `${method} ${url}`,
      )
    assert.equal((await other.call('POST', `${path}/${id}/replay`, { from: '2020-01-01' })).statusCode, 404)
    assert.equal((await other.get(path)).json().total, 0)
    assert.equal((await other.get('/api/v1/webhook_deliveries')).json().total, 0)
  })

  test('that is deleted is gone with its deliveries, and gets nothing more', async () => {
    const { ctx, make, call, get, happen, deliver, deliveries, events, org } = await newPlace()
    const { id } = await make('ok/deleted')
    await deliver()
    const [{ id: delivery }] = await deliveries(id)
    assert.equal((await call('DELETE', `${path}/${id}`)).statusCode, 204)
    await happen()
    await deliver()
    assert.deepEqual(typesOf(arrived('ok/deleted')), ['webhook.created'])
    assert.equal((await get(`${path}/${id}`)).statusCode, 404)
    assert.equal((await get(`/api/v1/webhook_deliveries/${delivery}`)).statusCode, 404)
    assert.equal((await events()).filter(({ type }) => type === 'webhook.deleted').length, 1)
    await deleteOldIn(ctx, 0)
    const left = await database.transaction(org, (run) =>
      run({
        text: 'select (select count(*) from webhooks where org_id = $1) + (select count(*) from webhook_deliveries where org_id = $1) + (select count(*) from webhook_attempts where org_id = $1) as n',
        values: [org],
      }),
    )
    assert.deepEqual(left, [{ n: '0' }])
  })

  test('is read by anyone with the scope, and changed by admins only', async () => {
    const { org, make } = await newPlace()
    const { id } = await make('ok')
    const without = callerIn(service, org, ['bills'])
    assert.equal((await without.get(path)).statusCode, 403)
    const member = callerIn(service, org, ['webhooks'])
    assert.equal((await member.get(`${path}/${id}`)).statusCode, 200)
    for (const [method, url] of [
      ['POST', path],
      ['PUT', `${path}/${id}`],
      ['DELETE', `${path}/${id}`],
      ['POST', `${path}/${id}/test`],
      ['POST', `${path}/${id}/replay`],
      ['POST', `${path}/${id}/rotate_secret`],
      ['POST', `/api/v1/webhook_deliveries/${newId()}/redeliver`],
    ] as const) {
      const refused = await member.call(method, url, {})
      assert.deepEqual([refused.statusCode, refused.json().error_code], [403, 'admin_required'], `${method} ${url}`)
    }
  })
})

describe('a delivery', { concurrency: true }, () => {
  test('is the event in an envelope, signed as Standard Webhooks has it, of the types that were asked for', async () => {
    const { make, happen, deliver, deliveries, get, call } = await newPlace()
    const { id, secret } = await make('ok/signed', { event_types: ['bill_item_type.*'] })
    await make('ok/other', { event_types: ['bill.paid'] })
    await happen(2)
    await call('POST', '/api/v1/bills', {})
    await deliver()
    const received = arrived('ok/signed')
    assert.deepEqual(typesOf(received), ['bill_item_type.created', 'bill_item_type.created'])
    assert.deepEqual(arrived('ok/other'), [])
    for (const { headers, body } of received) {
      const sent = new Webhook(secret).verify(body, headers) as {
        id: string
        type: string
        timestamp: string
        data: Record<string, unknown>
      }
      assert.deepEqual(Object.keys(sent), ['id', 'type', 'timestamp', 'data'])
      assert.deepEqual(await verifyWebhook(body, headers, secret), sent)
      assert.deepEqual((await get(`/api/v1/events/${sent.id}`)).json().event, sent.data)
      assert.deepEqual(
        [sent.data.id, sent.data.type, sent.data.occurred_at, headers['webhook-id']],
        [sent.id, sent.type, sent.timestamp, sent.id],
      )
    }
    const [newest] = await deliveries(id)
    const [attempt] = newest.attempts
    assert.deepEqual(
      [
        newest.state,
        newest.event_id,
        newest.attempt_count,
        newest.next_attempt_at,
        attempt.status,
        attempt.error,
        attempt.response_excerpt,
      ],
      ['succeeded', received.at(-1)?.headers['webhook-id'], 1, null, 200, null, '{"ok":true}'],
    )
    const detail = (await get(`/api/v1/webhook_deliveries/${newest.id}`)).json().webhook_delivery
    assert.equal(detail.request_body, received.at(-1)?.body)
    for (const [name, value] of Object.entries(detail.attempts[0].request_headers))
      assert.equal(received.at(-1)?.headers[name], value, name)
  })

  test('that fails is tried again after 5 s, 30 s, 2 min, 15 min, 1 h, 6 h and 24 h with the same id, and is then given up', async () => {
    const { make, happen, deliver, run, clock, deliveries, webhook } = await newPlace()
    const { id, secret } = await make('fail/schedule', { event_types: ['bill_item_type.*'] })
    await happen()
    await deliver()
    for (const wait of [5_000, 30_000, 120_000, 900_000, hour, 6 * hour, 24 * hour]) {
      const [before] = await deliveries(id)
      assert.equal(before.state, 'failed')
      const { at, duration_ms } = before.attempts.at(-1)
      const due = Date.parse(before.next_attempt_at)
      const waited = due - Date.parse(at)
      assert.ok(waited >= wait * 0.9 - 1 && waited <= wait * 1.1 + duration_ms + 5_000, `${waited} of ${wait}`)
      // Far enough before it for a slow machine not to come to that time by itself.
      clock.ahead = due - 60_000 - Date.now()
      await run()
      assert.equal((await deliveries(id))[0].attempt_count, before.attempt_count, `not before ${wait}`)
      clock.ahead = due + 1 - Date.now()
      await run()
      assert.equal((await deliveries(id))[0].attempt_count, before.attempt_count + 1)
    }
    const [last] = await deliveries(id)
    assert.deepEqual(
      [last.state, last.attempt_count, last.next_attempt_at, last.attempts.length],
      ['given_up', 8, null, 8],
    )
    const received = arrived('fail/schedule')
    assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 1)
    assert.equal(new Set(received.map(({ headers }) => headers['webhook-timestamp'])).size, 8)
    assert.ok(new Webhook(secret).sign(received[0]?.headers['webhook-id'] ?? '', new Date(), ''))
    const { failing_since, last_error, waiting_count, enabled } = await webhook(id)
    assert.deepEqual(
      [typeof failing_since, last_error, waiting_count, enabled],
      ['string', 'The endpoint answered 500.', 0, true],
    )
  })

  test('arrives at every healthy endpoint, whatever others do: fail, hang, redirect, send 100 MB, trickle, close', async () => {
    const { make, happen, deliver, run, deliveries } = await newPlace()
    const mark = newId()
    const bad = await Promise.all(
      ['fail', 'hang', 'redirect', 'close'].map((how) => make(`${how}/${mark}`, { event_types: ['bill_item_type.*'] })),
    )
    const good = ['ok', 'large', 'trickle', 'close-early'].map((how) => `${how}/${mark}`)
    for (const at of good) await make(at, { event_types: ['bill_item_type.*'] })
    await happen(6)
    await deliver()
    const isAt = (at: string) => new Set(idsAt(at)).size === 6
    const isTried = async ({ id }: { id: string }) =>
      (await deliveries(id)).every(({ attempts }: { attempts: unknown[] }) => attempts.length > 0)
    // What a busy machine could not begin in time is left for the next run.
    while (!good.every(isAt) || (await Promise.all(bad.map(isTried))).includes(false)) await run()
    for (const { id } of bad) {
      const made = await deliveries(id)
      assert.equal(made.length, 6)
      assert.ok(
        made.every(
          ({ state, attempts }: { state: string; attempts: unknown[] }) => state === 'failed' && attempts.length > 0,
        ),
      )
    }
    assert.ok(
      !arrived('ok').some(
        ({ headers }) => headers['webhook-id'] === arrived(`redirect/${mark}`)[0]?.headers['webhook-id'],
      ),
    )
  })

  test('is made once for each event and webhook, and sent by one of several processes, however they meet', async () => {
    const { make, happen, deliver, run, process, deliveries } = await newPlace()
    const run2 = newId()
    const { id } = await make(`ok/${run2}`, { event_types: ['bill_item_type.*'] })
    await happen(40)
    const others = [process(), process(), process()]
    await deliver()
    await Promise.all(others.map((other) => run(other)))
    await happen(40)
    await Promise.all([deliver(), ...others.map((other) => deliver(other))])
    await run()
    const received = arrived(`ok/${run2}`)
    assert.deepEqual([received.length, new Set(received.map(({ headers }) => headers['webhook-id'])).size], [80, 80])
    assert.equal((await deliveries(id, '&states=succeeded')).length, 80)
  })

  test('that a process took and did not finish is sent by another once its lease has passed', async () => {
    const { make, happen, deliver, process, run, clock, org, deliveries } = await newPlace()
    const at = `ok/${newId()}`
    const { id } = await make(at, { event_types: ['bill_item_type.*'] })
    await happen()
    // As if the process stood still between the attempt and its result.
    let answer: ((answered: AttemptOutcome) => void) | undefined
    const send = () =>
      new Promise<AttemptOutcome>((resolve) => {
        answer = resolve
      })
    const still = deliveryJob({ database, sender: { send, close() {} }, lookEveryMs: 0, onlyIn: org })
    await publish(org, (work) => database.transaction(org, work))
    const running = still.run(new AbortController().signal)
    await until(async () => answer !== undefined)
    const other = process()
    await deliver(other)
    assert.deepEqual(arrived(at), [])
    clock.ahead = 31_000
    await run(other)
    assert.equal(arrived(at).length, 1)
    answer?.({
      status: null,
      error: 'The connection was closed before there was an answer.',
      durationMs: 1,
      excerpt: null,
    })
    await running
    const [delivery] = await deliveries(id)
    assert.deepEqual([delivery.state, delivery.attempt_count, delivery.next_attempt_at], ['succeeded', 2, null])
  })

  test('is sent again on demand with its id, and refused with 409 while the webhook is disabled', async () => {
    const { make, happen, deliver, run, deliveries, call } = await newPlace()
    const at = `fail/${newId()}`
    const { id } = await make(at, { event_types: ['bill_item_type.*'] })
    await happen()
    await deliver()
    const [{ id: delivery, attempt_count }] = await deliveries(id)
    receiver.behave(`/${at}`, 'ok')
    for (const more of [1, 2]) {
      const answer = await call('POST', `/api/v1/webhook_deliveries/${delivery}/redeliver`)
      assert.deepEqual([answer.statusCode, answer.json().webhook_delivery.state], [200, 'pending'])
      await run()
      const [after] = await deliveries(id)
      assert.deepEqual([after.state, after.attempt_count], ['succeeded', attempt_count + more])
    }
    assert.equal(new Set(idsAt(at)).size, 1)
    await call('PUT', `${path}/${id}`, { enabled: false })
    const refused = await call('POST', `/api/v1/webhook_deliveries/${delivery}/redeliver`)
    assert.deepEqual([refused.statusCode, refused.json().error_code], [409, 'webhook_disabled'])
  })

  for (const [asked, outcome] of [
    ['by hand', 'failed'],
    ['by hand', 'succeeded'],
    ['by a replay', 'failed'],
  ] as const)
    test(`asked for ${asked} during its last attempt is sent again with all its retries, though that ${outcome}`, async () => {
      const { org, make, happen, deliver, clock, deliveries, call } = await newPlace()
      const { id } = await make(`fail/${newId()}`, { event_types: ['bill_item_type.*'] })
      await happen()
      await deliver()
      const [{ id: delivery }] = await deliveries(id)
      await database.transaction(org, (run) =>
        run(sql`update webhook_deliveries set failure_count = 7 where org_id = ${org} and id = ${delivery}`),
      )
      clock.ahead = hour
      const failed: AttemptOutcome = { status: 500, error: 'The endpoint answered 500.', durationMs: 1, excerpt: null }
      let answer: ((answered: AttemptOutcome) => void) | undefined
      const send = () =>
        new Promise<AttemptOutcome>((resolve) => {
          if (answer) resolve(failed)
          else answer = resolve
        })
      const slow = deliveryJob({
        database,
        sender: { send, close() {} },
        lookEveryMs: 0,
        onlyIn: org,
        aheadMs: () => clock.ahead,
      })
      const running = slow.run(new AbortController().signal)
      await until(async () => answer !== undefined)
      if (asked === 'by hand')
        assert.equal((await call('POST', `/api/v1/webhook_deliveries/${delivery}/redeliver`)).statusCode, 200)
      else assert.equal((await call('POST', `${path}/${id}/replay`, { from: '2020-01-01' })).statusCode, 202)
      await until(async () => (await deliveries(id))[0].state === 'pending')
      answer?.(outcome === 'failed' ? failed : { ...failed, status: 200, error: null })
      await running
      const [{ state, attempt_count, next_attempt_at }] = await deliveries(id)
      assert.deepEqual([state, attempt_count, typeof next_attempt_at], ['failed', 3, 'string'])
    })

  test('can be searched for by state, type, event and time, page by page', async () => {
    const { make, happen, deliver, get, call } = await newPlace()
    const { id } = await make('ok/search')
    await make('fail/search', { event_types: ['bill_item_type.*'] })
    await happen(3)
    await call('POST', '/api/v1/bills', {})
    await deliver()
    const total = async (query: string) => (await get(`/api/v1/webhook_deliveries?${query}`)).json().total
    assert.deepEqual(
      await Promise.all(
        ['', 'states=failed', 'states=succeeded&types=bill_item_type.*', 'types=bill.created', `webhook_id=${id}`].map(
          total,
        ),
      ),
      [9, 3, 3, 1, 6],
    )
    const [{ event_id }] = (await get(`${path}/${id}/deliveries?types=bill_item_type.created&limit=1`)).json()
      .webhook_deliveries
    assert.equal(await total(`event_id=${event_id}`), 2)
    assert.deepEqual(await Promise.all(['created_start_at=2100-01-01', 'created_end_at=2000-01-01'].map(total)), [0, 0])
    const seen: string[] = []
    for (let after: string | null = ''; after !== null; ) {
      const page: { webhook_deliveries: { id: string }[]; next_after: string | null } = (
        await get(`${path}/${id}/deliveries?limit=2${after && `&after=${after}`}`)
      ).json()
      seen.push(...page.webhook_deliveries.map((one) => one.id))
      after = page.next_after
    }
    assert.deepEqual([seen.length, new Set(seen).size], [6, 6])
    assert.equal((await get(`${path}/${newId()}/deliveries`)).statusCode, 404)
    assert.equal((await get('/api/v1/webhook_deliveries?states=nonsense')).statusCode, 400)
  })

  test('is deleted with its attempts after the days for which it is kept', async () => {
    const { ctx, make, happen, deliver, deliveries, webhook } = await newPlace()
    const { id } = await make('ok/old')
    await happen(3)
    await deliver()
    await deleteOldIn(ctx, Date.now() - 3_600_000)
    assert.equal((await deliveries(id)).length, 4)
    await deleteOldIn(ctx, Date.now() + 60_000)
    assert.equal((await deliveries(id)).length, 0)
    assert.equal((await webhook(id)).enabled, true)
  })
})

describe('the secret', { concurrency: true }, () => {
  test('is rotated with an overlap in which both sign, and without one when that is over or was not wanted', async () => {
    const { make, happen, deliver, call, clock, events } = await newPlace()
    const at = `ok/${newId()}`
    const { id, secret: old } = await make(at, { event_types: ['bill_item_type.*'] })
    const rotated = await call('POST', `${path}/${id}/rotate_secret`, { overlap_seconds: 3600 })
    assert.deepEqual([rotated.statusCode, rotated.headers.etag], [200, '"2"'])
    const { secret } = rotated.json().webhook
    const accepts = async (...secrets: string[]) => {
      await happen()
      await deliver()
      const { headers, body } = arrived(at).at(-1) as Received
      const [id = '', time = ''] = [headers['webhook-id'], headers['webhook-timestamp']]
      return secrets.map((one) =>
        headers['webhook-signature']
          ?.split(' ')
          .includes(new Webhook(one).sign(id, new Date(Number(time) * 1000), body)),
      )
    }
    assert.notEqual(secret, old)
    assert.deepEqual(await accepts(old, secret), [true, true])
    clock.ahead = 3_601_000
    assert.deepEqual(await accepts(old, secret), [false, true])
    const { secret: third } = (await call('POST', `${path}/${id}/rotate_secret`, { overlap_seconds: 0 })).json().webhook
    assert.deepEqual(await accepts(secret, third), [false, true])
    assert.equal((await events()).filter(({ type }) => type === 'webhook.secret_rotated').length, 2)
  })
})

describe('POST /webhooks/:id/test', { concurrency: true }, () => {
  test('sends a webhook.test event to that webhook alone, whatever types it asks for', async () => {
    const { make, call, deliver, get } = await newPlace()
    const [at, other] = [`ok/${newId()}`, `ok/${newId()}`]
    const { id } = await make(at, { event_types: ['bill.paid'] })
    await make(other)
    await deliver()
    const answer = await call('POST', `${path}/${id}/test`)
    assert.equal(answer.statusCode, 200, answer.body)
    const { webhook_delivery } = answer.json()
    assert.deepEqual([webhook_delivery.type, webhook_delivery.state], ['webhook.test', 'pending'])
    await deliver()
    assert.deepEqual(typesOf(arrived(at)), ['webhook.test'])
    assert.ok(!typesOf(arrived(other)).includes('webhook.test'))
    const { state, attempts } = (await get(`/api/v1/webhook_deliveries/${webhook_delivery.id}`)).json().webhook_delivery
    assert.deepEqual([state, attempts[0].status], ['succeeded', 200])
  })
})

describe('POST /webhooks/:id/replay', { concurrency: true }, () => {
  test('of very many does not hold up what happens meanwhile', async () => {
    const { org, call, make, happen, deliveries, run } = await newPlace()
    const publishAll = () => publish(org, (work) => database.transaction(org, work))
    const fanOutOnce = () => fanOut(database, org, () => {})
    await happen(90)
    await publishAll()
    const at = `ok/${newId()}`
    const { id } = await make(at, { event_types: ['bill_item_type.*'] })
    assert.equal((await call('POST', `${path}/${id}/replay`, { from: '2020-01-01' })).statusCode, 202)
    assert.deepEqual(await fanOutOnce(), { more: true })
    const before = await deliveries(id)
    await happen()
    await publishAll()
    assert.deepEqual(await fanOutOnce(), { more: true })
    const after = await deliveries(id)
    assert.ok(before.length < 90 && after.length < 91, 'it has not come to its end yet')
    const newest = after
      .map(({ event_id }: { event_id: string }) => event_id)
      .sort()
      .at(-1)
    await run()
    const sent = idsAt(at)
    assert.deepEqual([sent.length, new Set(sent).size], [91, 91])
    assert.equal(newest, sent.sort().at(-1))
  })

  test('sends a span again with the ids that the events had, and what was never sent', async () => {
    const { make, happen, deliver, call, get, deliveries } = await newPlace()
    const at = `ok/${newId()}`
    await happen(2)
    await deliver()
    const { next_after } = (await get('/api/v1/events')).json()
    const { id } = await make(at, { event_types: ['bill_item_type.*'] })
    await happen(3)
    await deliver()
    assert.equal(arrived(at).length, 3)
    const again = await call('POST', `${path}/${id}/replay`, { after: next_after })
    assert.deepEqual([again.statusCode, again.json().webhook_replay.webhook_id], [202, id])
    await deliver()
    const ids = () => idsAt(at)
    assert.deepEqual([ids().length, new Set(ids()).size], [6, 3])
    await call('POST', `${path}/${id}/replay`, { from: '2020-01-01', to: '2100-01-01' })
    await deliver()
    assert.deepEqual([ids().length, new Set(ids()).size], [11, 5])
    await call('POST', `${path}/${id}/replay`, { from: '2020-01-01', event_types: ['bill.*'] })
    await call('POST', `${path}/${id}/replay`, { from: '2020-01-01', to: '2020-02-01' })
    await deliver()
    assert.equal(ids().length, 11)
    assert.equal((await deliveries(id)).length, 5)
  })

  test('refuses a span without a beginning, with two, or the wrong way round, and a position that is none', async () => {
    const { make, call } = await newPlace()
    const { id } = await make('ok')
    for (const [body, code] of [
      [{}, 'bad_span'],
      [{ after: 'x', from: '2020-01-01' }, 'bad_span'],
      [{ from: '2021-01-01', to: '2020-01-01' }, 'bad_span'],
      [{ after: 'x' }, 'invalid_position'],
      [{ from: 'yesterday' }, undefined],
    ] as const) {
      const answer = await call('POST', `${path}/${id}/replay`, body)
      assert.equal(answer.statusCode, 400, answer.body)
      if (code) assert.equal(answer.json().error_code, code)
    }
    const { writePosition } = await import('../events/feed/position.ts')
    const beyond = await call('POST', `${path}/${id}/replay`, { after: writePosition(10_000_000) })
    assert.deepEqual([beyond.statusCode, beyond.json().error_code], [410, 'position_expired'])
  })
})

describe('an endpoint that fails', { concurrency: true }, () => {
  test('for three days is disabled, which is recorded, in the log, and sent to others; enabled again it begins with what is new', async () => {
    const { make, happen, deliver, run, clock, webhook, events, warnings, call, get, deliveries, ctx } =
      await newPlace()
    const [at, watching, ada] = [`fail/${newId()}?key=hunter2`, `ok/${newId()}`, `${newId()}@example.com`]
    await createJoinedUser(ctx, { email: ada, name: 'Ada', role: 'admin', password: 'seven lanterns at dusk' })
    await createJoinedUser(ctx, {
      email: `${newId()}@example.com`,
      name: 'Max',
      role: 'member',
      password: 'seven lanterns at dusk',
    })
    const { id } = await make(at, { event_types: ['bill_item_type.*'] })
    await make(watching, { event_types: ['webhook.disabled'] })
    await happen()
    await deliver()
    clock.ahead = 71 * hour
    await run()
    assert.equal((await webhook(id)).enabled, true)
    clock.ahead = 80 * hour
    await happen()
    await deliver()
    const { enabled, disabled_at, disabled_reason, revision } = await webhook(id)
    assert.deepEqual([enabled, typeof disabled_at, revision], [false, 'string', 2])
    assert.match(
      disabled_reason,
      /^Every delivery has failed since \d{4}-.*Z\. The last one: The endpoint answered 500\.$/,
    )
    const disabled = (await events()).filter(({ type }) => type === 'webhook.disabled')
    assert.deepEqual(
      disabled.map(({ subject_id, actor }) => [subject_id, (actor as { type: string }).type]),
      [[id, 'system']],
    )
    assert.equal(warnings.length, 1)
    const [logged] = (await get('/api/v1/security_events?types=webhook.disabled')).json().security_events
    assert.deepEqual(
      [logged.actor.type, /every delivery had failed for three days/.test(logged.summary)],
      ['system', true],
    )
    const missed = await happen(3)
    await deliver()
    assert.deepEqual(typesOf(arrived(watching)), ['webhook.disabled'])
    const { mails } = (await get('/api/v1/mails')).json()
    assert.deepEqual(
      mails.map(({ kind, to, record_type, record_id }: Record<string, unknown>) => [kind, to, record_type, record_id]),
      [['notice', [ada], 'webhook', id]],
    )
    assert.match(
      mails[0].body_text,
      /^Nothing is sent any more to http:\S+\/fail\/\S+\.\n\nEvery delivery has failed since/,
    )
    assert.doesNotMatch(mails[0].body_text, /hunter2/)
    receiver.behave(`/${at}`, 'ok')
    const again = await call('PUT', `${path}/${id}`, { enabled: true })
    assert.deepEqual(
      [again.json().webhook.disabled_at, again.json().webhook.disabled_reason, again.json().webhook.failing_since],
      [null, null, null],
    )
    const [newest] = await happen()
    clock.ahead = 0
    await deliver()
    // What had its delivery already when the webhook was disabled may come as well.
    assert.deepEqual(
      idsAt(at).filter((event) => event === newest || missed.includes(event)),
      [newest],
    )
    const made: { event_id: string }[] = await deliveries(id)
    assert.ok(!made.some(({ event_id }) => missed.includes(event_id)))
  })

  test('and takes a delivery in between is not disabled', async () => {
    const { make, happen, deliver, clock, webhook } = await newPlace()
    const at = `fail/${newId()}`
    const { id } = await make(at, { event_types: ['bill_item_type.*'] })
    await happen()
    await deliver()
    receiver.behave(`/${at}`, 'ok')
    await happen()
    await deliver()
    assert.equal((await webhook(id)).failing_since, null)
    receiver.behave(`/${at}`, 'fail')
    clock.ahead = 80 * hour
    await happen()
    await deliver()
    const { enabled, failing_since, last_success_at } = await webhook(id)
    assert.deepEqual([enabled, typeof failing_since, typeof last_success_at], [true, 'string', 'string'])
  })

  test('delays no other: while one hangs, what happens is at the others before it gives up', async () => {
    const { make, happen, org } = await newPlace()
    const [hanging, healthy] = [`hang/${newId()}`, `ok/${newId()}`]
    await make(hanging, { event_types: ['bill_item_type.*'] })
    await make(healthy, { event_types: ['bill_item_type.*'] })
    const slow = deliveryJob({ database, sender: patient, lookEveryMs: 0, onlyIn: org })
    const stopping = new AbortController()
    let running = Promise.resolve()
    const stopWaking = slow.wokenBy(() => {
      running = running.then(() => slow.run(stopping.signal)).catch(() => {})
    })
    for (let round = 1; round <= 3; round++) {
      await happen(2)
      await publish(org, (work) => database.transaction(org, work))
      await until(async () => arrived(healthy).length === 2 * round)
    }
    assert.ok(arrived(hanging).length > 0)
    stopWaking()
    stopping.abort()
    receiver.drop(`/${hanging}`)
    await running
  })
})

describe('lading doctor', () => {
  /** What it would find in this organization after a change, which is not kept. */
  async function faultsAfter(org: string, statement: Statement | null): Promise<string[]> {
    const undo = new Error('what was broken is put back')
    let faults: string[] = []
    const look = service.pool.transaction(async (run) => {
      if (statement) await run(statement)
      await readAllOrganizations(run)
      faults = (await findFaults(run, 30)).filter((fault) => fault.includes(org))
      throw undo
    }, `begin; set local app.org_id = '${org}'`)
    await assert.rejects(look, undo)
    return faults
  }

  test('finds nothing where webhooks were disabled, changed, tested and behind, and names what is missing, left behind or counted wrong', async () => {
    const { org, make, call, happen, deliver } = await newPlace()
    const { id } = await make(`ok/${newId()}`, { event_types: ['bill_item_type.*'] })
    await happen()
    await deliver()
    await call('PUT', `${path}/${id}`, { enabled: false })
    await happen(2)
    await deliver()
    await call('PUT', `${path}/${id}`, { enabled: true })
    await call('PUT', `${path}/${id}`, { event_types: ['bill_item_type.created', 'webhook.*'] })
    await call('POST', `${path}/${id}/test`)
    await make(`fail/${newId()}`)
    await happen(3)
    await deliver()
    await happen()
    assert.deepEqual(await faultsAfter(org, null), [])
    const mine = sql`org_id = ${org} and webhook_id = ${id}`
    const newest = sql`(select max(id::text)::uuid from webhook_deliveries where ${mine})`
    for (const [what, found] of [
      [
        sql`with gone as (delete from webhook_attempts where org_id = ${org} and delivery_id = ${newest}) delete from webhook_deliveries where org_id = ${org} and id = ${newest}`,
        /has no delivery for 1 events that it asked for/,
      ],
      [
        sql`update webhooks set position = 1000000 where org_id = ${org} and id = ${id}`,
        /is at position 1000000 of a feed that ends at/,
      ],
      [
        sql`update webhook_deliveries set state = 'pending', next_attempt_at = now() - interval '2 hours' where ${mine}`,
        /have been due for more than an hour/,
      ],
      [
        sql`update webhook_deliveries set state = 'pending', next_attempt_at = now(), leased_until = now() + interval '1 day' where ${mine}`,
        /are leased for longer than/,
      ],
      [
        sql`delete from webhook_attempts where org_id = ${org} and delivery_id = ${newest}`,
        /is succeeded after 1 attempts, but 0 are stored/,
      ],
      [
        sql`update webhook_attempts set error = 'no' where org_id = ${org} and delivery_id = ${newest}`,
        /is succeeded after 1 attempts, but 1 are stored/,
      ],
    ] as const)
      assert.match((await faultsAfter(org, what)).join(' '), found, what.text)
  })
})

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10))
}
