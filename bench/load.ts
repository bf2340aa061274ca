/** The load generator: autocannon, one connection for each part of the calls. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { answerWith } from './helper.ts'
import { type Call, connections as usual } from './rows.ts'
import type { Measured } from './table.ts'

export type Load = {
  origin: string
  token: string
  calls: Call[]
  seconds: number
  connections?: number | undefined
  rate?: number | undefined
}

answerWith((load: Load) =>
  load.connections === 1 ? oneByOne(load) : load.rate ? evenly(load, load.rate) : drive(load),
)

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
  const all = await Promise.all(Array.from({ length: connections }, () => openConnection(origin, token)))
  const free = [...all]
  const waiting: (() => void)[] = []
  const ms: number[] = []
  const send = async (call: Call) => {
    const sent = performance.now()
    if (free.length === 0) await new Promise<void>((done) => waiting.push(done))
    const connection = free.pop() as Connection
    const status = await connection.ask(call)
    ms.push(performance.now() - sent)
    free.push(connection)
    waiting.shift()?.()
    if (status !== 200) throw new Error(`${call.path} was refused with ${status}`)
  }
  const underWay = new Set<Promise<void>>()
  const began = performance.now()
  for (let sent = 0; sent < seconds * rate; await sleep(1)) {
    for (const due = Math.min(seconds, (performance.now() - began) / 1000) * rate; sent < due; sent++) {
      const one = send(calls[sent % calls.length] as Call).finally(() => underWay.delete(one))
      underWay.add(one)
    }
  }
  await Promise.all(underWay)
  for (const { close } of all) close()
  return { perSecond: ms.length / ((performance.now() - began) / 1000), ms }
}

/** Takes one call at a time, and answers its status. */
type Connection = { ask(call: Call): Promise<number>; close(): void }

/** Of an answer it reads the status and the length. Node's own client takes twice the CPU, of a machine that it shares with what it measures. */
async function openConnection(origin: string, token: string): Promise<Connection> {
  const { hostname, port, host } = new URL(origin)
  const socket = connect(Number(port), hostname).setNoDelay()
  await once(socket, 'connect')
  let received: Buffer = Buffer.alloc(0)
  let asked: PromiseWithResolvers<number> | undefined
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const end = received.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = received.toString('latin1', 0, end)
    const [, status] = /^HTTP\/1\.1 (\d+)/.exec(head) ?? []
    const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? []
    if (!status || !length) return void asked?.reject(new Error(`an answer without a status or a length: ${head}`))
    if (received.length < end + 4 + Number(length)) return
    received = Buffer.alloc(0)
    asked?.resolve(Number(status))
  })
  socket.on('error', (error) => asked?.reject(error))
  socket.on('close', () => asked?.reject(new Error('the connection was closed')))
  return {
    ask({ method, path, body }) {
      asked = Promise.withResolvers()
      const about = body ? `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` : ''
      socket.write(
        `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n${about}\r\n${body ?? ''}`,
      )
      return asked.promise
    },
    close: () => socket.destroy(),
  }
}

async function drive({ origin, token, calls, seconds, connections = usual }: Load): Promise<Measured> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(calls.some(({ body }) => body) && { 'content-type': 'application/json' }),
  }
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
