import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { embeddedAddress } from '../../src/platform/db/postgres/embedded.ts'
import { freePort } from '../process/database.ts'
import { call, type Lading, newDataDir, startLading, usedDataDir } from '../process/lading.ts'
import { openReceiver, type Received, type Receiver } from '../receiver.ts'
import { type Client, clientOf, kill, newToken, workersOf } from './application.ts'
import { inPlace, type Result, seconds } from './place.ts'

const billsAtOnce = 500
const lots = 20
/** Until everything has arrived, leases of processes that were killed and retries included. */
const arriveWithinMs = 2 * 60_000
/**
 * With a dead endpoint next to it a healthy one waits no longer than this times what it waits alone. Both are measured in turn, so that whatever else the
 * machine is doing falls on both, and over so many events each that five of them are above the p99; times are whole milliseconds, hence the least.
 */
const mostDelay = 1.5
const leastMs = 2
const turns = 5
const eventsOfTurn = 100

/**
 * 10,000 events to endpoints that fail, hang, redirect, close, answer 100 MB or one byte at a time, and to healthy ones, while workers and then the whole
 * server are killed: each event is at each healthy endpoint, with a signature that is right.
 */
export function webhooks(): Promise<Result> {
  return inPlace(async (t) => {
    const dataDir = newDataDir(t, await usedDataDir(t))
    const port = await freePort()
    const base = `http://127.0.0.1:${port}`
    const env = {
      PORT: String(port),
      WORKERS: '2',
      RATE_LIMIT_TOKEN: '0',
      RATE_LIMIT_ORGANIZATION: '0',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      WEBHOOK_RATE: '5000',
    }
    let server = await startReady(t, dataDir, env)
    const receiver = await openReceiver()
    t.after(receiver.close)
    const faults: string[] = []
    const client = clientOf(base, await newToken(t, embeddedAddress(dataDir), base))

    const secrets = new Map<string, string>()
    const add = async (path: string, event_types = ['bill.*']) => {
      const { webhook } = await client('POST', '/webhooks', { url: `${receiver.origin}/${path}`, event_types })
      secrets.set(`/${path}`, webhook.secret)
      return webhook.id as string
    }
    for (const path of ['ok/one', 'ok/two']) await add(path)
    await delaysOf(receiver, '/ok/one', client, 'warm')
    const hanging = await add('hang')
    const delays = { alone: [] as number[], amongDead: [] as number[] }
    for (let turn = 0; turn < turns; turn++) {
      await client('PUT', `/webhooks/${hanging}`, { enabled: false })
      delays.alone.push(...(await delaysOf(receiver, '/ok/one', client, `alone-${turn}`)))
      await client('PUT', `/webhooks/${hanging}`, { enabled: true })
      delays.amongDead.push(...(await delaysOf(receiver, '/ok/one', client, `dead-${turn}`)))
    }
    const [alone, amongDead] = [p99(delays.alone), p99(delays.amongDead)]
    for (const path of ['fail', 'redirect', 'close', 'slow-head', 'flaky']) await add(path)
    for (const path of ['large', 'trickle']) await add(path, ['bill_item_type.*'])
    receiver.behave('/flaky', (response) => void response.writeHead(Math.random() < 0.2 ? 503 : 200).end())
    if (amongDead > mostDelay * alone && amongDead > alone + leastMs)
      faults.push(
        `Next to a dead endpoint the p99 of a healthy one was ${Math.round(amongDead)} ms, alone ${Math.round(alone)} ms.`,
      )

    const made = makeBills(client)
    for (let n = 0; n < 50; n++) await client('POST', '/bill_item_types', { name: `Type ${n}` })
    for (const lot of [4, 8]) {
      await until(() => made.lots() >= lot)
      kill(workersOf(server)[0])
    }
    await until(() => made.lots() >= 12)
    kill(server.pid)
    await server.ended
    server = await startReady(t, dataDir, env)
    await made.over

    const wanted = { bills: await idsOf(client, 'bill.created'), types: await idsOf(client, 'bill_item_type.created') }
    const since = performance.now()
    const missing = () => [
      ...['/ok/one', '/ok/two', '/flaky'].flatMap((path) => missingAt(receiver, path, wanted.bills)),
      ...['/large', '/trickle'].flatMap((path) => missingAt(receiver, path, wanted.types)),
    ]
    while (missing().length > 0 && performance.now() - since < arriveWithinMs) await sleep(500)
    const lost = missing()
    if (lost.length > 0) faults.push(`${lost.length} deliveries did not arrive, such as ${lost[0]}.`)
    const wrong = receiver.received.filter((one) => !isSigned(one, secrets.get(one.path) ?? ''))
    if (wrong.length > 0) faults.push(`${wrong.length} requests had a wrong signature.`)
    const healthy = receiver.received.filter(({ path }) => path === '/ok/one' || path === '/ok/two')
    const figures = {
      events: wanted.bills.length + wanted.types.length,
      'requests received': receiver.received.length,
      'of those twice at healthy endpoints':
        healthy.length - new Set(healthy.map(({ path, headers }) => path + headers['webhook-id'])).size,
      'p99 of a healthy endpoint alone': `${Math.round(alone)} ms`,
      'p99 of a healthy endpoint next to a dead one': `${Math.round(amongDead)} ms`,
      'until the last had arrived': seconds(performance.now() - since),
    }
    return { name: 'webhooks', figures, faults }
  })
}

/** The times from an event to its arrival, of events that happen one after the other. */
async function delaysOf(receiver: Receiver, path: string, client: Client, series: string): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < eventsOfTurn; n++) {
    const { bill } = (await client('POST', '/bills', { external_id: `${series}-${n}` })) as {
      bill: { id: string; created_at: string }
    }
    await until(() => receiver.received.some((one) => one.path === path && one.body.includes(bill.id)))
    const arrived = receiver.received.find((one) => one.path === path && one.body.includes(bill.id)) as Received
    times.push(arrived.at - Date.parse(bill.created_at))
  }
  return times
}

function p99(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
}

function makeBills(client: Client): { lots(): number; over: Promise<void> } {
  let done = 0
  async function make(): Promise<void> {
    for (; done < lots; done++) {
      const bills = Array.from({ length: billsAtOnce }, (_, n) => ({
        external_id: `lot-${done}-${n}`,
        currency_id: 'usd',
      }))
      await client('POST', '/bills/bulk', { bills })
    }
  }
  return { lots: () => done, over: make() }
}

async function idsOf(client: Client, type: string): Promise<string[]> {
  const ids: string[] = []
  for (let after = '', more = true; more; ) {
    const page = (await client('GET', `/events?limit=200&types=${type}${after && `&after=${after}`}`)) as {
      events: { id: string }[]
      next_after: string
      has_more: boolean
    }
    ids.push(...page.events.map(({ id }) => id))
    after = page.next_after
    more = page.has_more
  }
  return ids
}

/** Events from before an endpoint was there are not sent to it. */
function missingAt({ received }: Receiver, path: string, ids: readonly string[]): string[] {
  const arrived = new Set(received.filter((one) => one.path === path).map(({ headers }) => headers['webhook-id']))
  const first = ids.findIndex((id) => arrived.has(id))
  return ids
    .slice(Math.max(first, 0))
    .filter((id) => !arrived.has(id))
    .map((id) => `${id} at ${path}`)
}

function isSigned({ headers, body }: Received, secret: string): boolean {
  const [id = '', at = '', signature] = [
    headers['webhook-id'],
    headers['webhook-timestamp'],
    headers['webhook-signature'],
  ]
  return secret !== '' && new Webhook(secret).sign(id, new Date(Number(at) * 1000), body) === signature
}

async function startReady(t: TestContext, dataDir: string, env: Record<string, string>): Promise<Lading> {
  const server = startLading(t, dataDir, env)
  const url = await server.ready()
  await until(async () => (await call(`${url}/health/ready`)).status === 200)
  return server
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(5)
}
