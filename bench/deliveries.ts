import { setTimeout as sleep } from 'node:timers/promises'
import type { Helper } from './helper.ts'
import type { Product } from './product.ts'
import type { Measured } from './table.ts'

export type Endpoint = Helper<'count' | 'times', { origin: string; taken: number; ms: number[] }>

/** Deliveries of webhooks for as long as a round takes, and longer. */
export type Deliveries = {
  /** Begins many, waits until they are under way, and answers how to count those of the round. */
  begin(): Promise<{ perSecond(): Promise<number> }>
  /** Waits until nothing is on its way any more. */
  end(): Promise<void>
}

/** Each is sent all events of the organization again. */
const webhooks = 12

export async function openDeliveries(product: Product, endpoint: Endpoint): Promise<Deliveries> {
  const call = callerOf(product)
  const { origin: url } = await endpoint.ask('count')
  const ids: string[] = []
  for (let n = 0; n < webhooks; n++) {
    const { webhook } = await call('POST', '/webhooks', { url, event_types: ['bill_item_type.created'] })
    if (webhook) ids.push(webhook.id)
  }

  async function begin() {
    const before = (await endpoint.ask('count')).taken
    for (const id of ids) await call('POST', `/webhooks/${id}/replay`, { from: '2020-01-01' })
    while ((await endpoint.ask('count')).taken === before) await sleep(10)
    const { taken } = await endpoint.ask('count')
    const since = performance.now()
    return {
      perSecond: async () => ((await endpoint.ask('count')).taken - taken) / ((performance.now() - since) / 1000),
    }
  }

  async function end() {
    while ((await call('GET', '/webhook_deliveries?limit=0&status_ids=pending,failed')).total > 0) await sleep(100)
  }

  return { begin, end }
}

/** How long changes take to reach a healthy endpoint, with and without one next to it that never answers. */
export type Arrivals = { measure(withDead: boolean, change: () => Promise<Measured>): Promise<Measured> }

export async function openArrivals(product: Product, endpoint: Endpoint): Promise<Arrivals> {
  const call = callerOf(product)
  const { origin: url } = await endpoint.ask('count')
  const create = async (path: string) =>
    (await call('POST', '/webhooks', { url: `${url}${path}`, event_types: ['bill_item_type.updated'] })).webhook?.id
  const [, dead] = [await create('/timed'), await create('/dead')]
  return {
    async measure(withDead, change) {
      await call('PUT', `/webhooks/${dead}`, { enabled: withDead })
      await endpoint.ask('times')
      const { ms: changes, perSecond } = await change()
      const ms: number[] = []
      for (let left = 300; ms.length < changes.length && left > 0; left--) {
        await sleep(100)
        ms.push(...(await endpoint.ask('times')).ms)
      }
      if (ms.length < changes.length)
        throw new Error(`only ${ms.length} of ${changes.length} changes reached the healthy endpoint within 30 seconds`)
      return { perSecond, ms }
    },
  }
}

function callerOf({ origin, seed }: Product) {
  return async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${seed.types.application}`, 'content-type': 'application/json' }
    const answer = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Record<string, { id: string }> & { total: number }
  }
}
