import { setTimeout as sleep } from 'node:timers/promises'
import type { Helper } from './helper.ts'
import type { Product } from './product.ts'

export type Endpoint = Helper<'count', { origin: string; taken: number }>

/** Deliveries of webhooks for as long as a round takes, and longer. */
export type Deliveries = {
  /** Begins many, waits until they are under way, and answers how to count those of the round. */
  begin(): Promise<{ perSecond(): Promise<number> }>
  /** Waits until nothing is on its way any more. */
  end(): Promise<void>
}

/** Each is sent all events of the organization again. */
const webhooks = 12

export async function openDeliveries({ origin, seed }: Product, endpoint: Endpoint): Promise<Deliveries> {
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${seed.types.application}`, 'content-type': 'application/json' }
    const answer = await fetch(`${origin}/api/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Record<string, { id: string }> & { total: number }
  }
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
    return { perSecond: async () => ((await endpoint.ask('count')).taken - taken) / ((performance.now() - since) / 1000) }
  }

  async function end() {
    while ((await call('GET', '/webhook_deliveries?limit=0&states=pending,failed')).total > 0) await sleep(100)
  }

  return { begin, end }
}
