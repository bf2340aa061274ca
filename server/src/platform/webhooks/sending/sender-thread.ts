import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { AttemptOutcome, OutgoingRequest, Sender } from './sending.ts'

type Options = { allowPrivate: boolean }
/** What the two threads tell each other. */
export type Order = { number: number; outgoing: OutgoingRequest }
export type Answer = { number: number; answered: AttemptOutcome }
export type ThreadData = { options: Options; port: MessagePort }

type Thread = { order(outgoing: OutgoingRequest): Promise<AttemptOutcome>; end(): void }

/**
 * Sends in a thread of its own, which gets what requests leave of the machine: in the thread that serves them, a delivery would take more than half of the
 * time of a read, and every request would wait for those in front of it. The thread is there only while there is something to send: after `idleMs` without
 * it ends. Connections to endpoints are kept for less.
 */
export function openSenderThread(options: Options, { idleMs = 20_000, name = 'webhooks' } = {}): Sender {
  let thread: Thread | null = null
  let underWay = 0
  let idle: NodeJS.Timeout | undefined

  async function send(outgoing: OutgoingRequest): Promise<AttemptOutcome> {
    clearTimeout(idle)
    underWay++
    thread ??= start()
    try {
      return await thread.order(outgoing)
    } finally {
      underWay--
      if (underWay === 0) idle = setTimeout(close, idleMs).unref()
    }
  }

  function start(): Thread {
    const started = startThread(options, name, () => {
      if (thread === started) thread = null
    })
    return started
  }

  function close(): void {
    clearTimeout(idle)
    thread?.end()
    thread = null
  }

  return { send, close }
}

function startThread(options: Options, name: string, onEnd: () => void): Thread {
  const { port1: port, port2 } = new MessageChannel()
  const data: ThreadData = { options, port: port2 }
  const worker = new Worker(new URL('./sender-thread-program.ts', import.meta.url), {
    workerData: data,
    transferList: [port2],
    name,
  })
  const waiting = new Map<number, { since: number; answer(answered: AttemptOutcome): void }>()
  let orders: Order[] = []
  let count = 0
  let failure = 'The attempt was broken off.'

  port.on('message', (answers: Answer[]) => {
    for (const { number, answered } of answers) {
      waiting.get(number)?.answer(answered)
      waiting.delete(number)
    }
  })
  worker.once('error', (error) => {
    failure = `The attempt was broken off: ${error instanceof Error ? error.message : error}`
  })
  worker.once('exit', () => {
    onEnd()
    port.close()
    // Whether the endpoint has seen them is not known, so they are sent again.
    for (const { since, answer } of waiting.values()) {
      answer({ status: null, error: failure, durationMs: Math.round(performance.now() - since), excerpt: null })
    }
    waiting.clear()
  })
  // It ends with the process: what it was sending is sent again by another.
  worker.unref()
  port.unref()

  function order(outgoing: OutgoingRequest): Promise<AttemptOutcome> {
    return new Promise((answer) => {
      const number = ++count
      waiting.set(number, { since: performance.now(), answer })
      if (orders.length === 0) setImmediate(orderAll)
      orders.push({ number, outgoing })
    })
  }

  function orderAll(): void {
    port.postMessage(orders)
    orders = []
  }

  return { order, end: () => port.close() }
}
