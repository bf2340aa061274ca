/** The load generator: autocannon, one connection for each part of the calls. */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { answerWith } from './helper.ts'
import { type Call, connections as usual } from './rows.ts'
import type { Measured } from './table.ts'

export type Load = { origin: string; token: string; calls: Call[]; seconds: number; connections?: number | undefined; rate?: number | undefined }

answerWith((load: Load) => (load.connections === 1 ? oneByOne(load) : load.rate ? evenly(load, load.rate) : drive(load)))

/** Calls that take seconds are each waited for, where autocannon would drop the one that is under way at the end of a round. */
async function oneByOne({ origin, token, calls, seconds }: Load): Promise<Measured> {
  const ms: number[] = []
  const began = performance.now()
  do {
    const { method, path } = calls[ms.length % calls.length] as Call
    const sent = performance.now()
    const answer = await fetch(`${origin}${path}`, { method, headers: { authorization: `Bearer ${token}` } })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${path} was refused with ${answer.status}`)
    ms.push(performance.now() - sent)
  } while (performance.now() < began + seconds * 1000)
  return { perSecond: ms.length / ((performance.now() - began) / 1000), ms }
}

/** So many in a second, spread over it whatever is answered when: autocannon would send those of a second as fast as it can, and then wait for the next. */
async function evenly({ origin, token, calls, seconds, connections = usual }: Load, rate: number): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const ms: number[] = []
  const underWay = new Set<Promise<void>>()
  const send = async ({ method, path, body }: Call) => {
    const sent = performance.now()
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }) }
    const asked = request(`${origin}${path}`, { agent, method, headers }).end(body)
    const [answer] = await once(asked, 'response')
    await once(answer.resume(), 'end')
    if (answer.statusCode !== 200) throw new Error(`${path} was refused with ${answer.statusCode}`)
    ms.push(performance.now() - sent)
  }
  const began = performance.now()
  for (let sent = 0; sent < seconds * rate; await sleep(1)) {
    for (const due = Math.min(seconds, (performance.now() - began) / 1000) * rate; sent < due; sent++) {
      const one = send(calls[sent % calls.length] as Call).finally(() => underWay.delete(one))
      underWay.add(one)
    }
  }
  await Promise.all(underWay)
  agent.destroy()
  return { perSecond: ms.length / ((performance.now() - began) / 1000), ms }
}

async function drive({ origin, token, calls, seconds, connections = usual }: Load): Promise<Measured> {
  const headers = { authorization: `Bearer ${token}`, ...(calls.some(({ body }) => body) && { 'content-type': 'application/json' }) }
  const requests = calls.map((call) => ({ ...call, headers }))
  const ms: number[] = []
  let connection = 0
  const run = autocannon({
    url: origin,
    connections,
    duration: seconds,
    // autocannon would send every connection round the same list in step.
    setupClient: (client) => client.setRequests(partOf(requests, connection++, connections)),
  })
  run.on('response', (_client, _status, _bytes, took) => ms.push(Math.round(took * 1000) / 1000))
  const { errors, non2xx, requests: sent, duration } = await run
  if (errors + non2xx > 0) throw new Error(`${non2xx} calls were refused and ${errors} failed`)
  return { perSecond: sent.total / duration, ms }
}

function partOf<T>(items: T[], connection: number, connections: number): T[] {
  const part = items.filter((_, index) => index % connections === connection)
  return part.length > 0 ? part : items
}
