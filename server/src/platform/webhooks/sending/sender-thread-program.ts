/** What runs in the thread that `sender-thread.ts` starts: sends what it is asked to, and answers what came of it. */
import { getPriority, setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import type { Answer, Order, ThreadData } from './sender-thread.ts'
import { openSender } from './sending.ts'

/** By how much the priority is lower than that of the thread that serves requests: they come first where there is not enough of the machine for all. */
const lowerBy = 10
/** There is none lower. */
const lowest = 19

const { options, port } = workerData as ThreadData
// Linux gives each thread a priority of its own. Elsewhere it would be that of the whole process.
if (process.platform === 'linux') setPriority(Math.min(getPriority() + lowerBy, lowest))

const sender = openSender(options)
let answers: Answer[] = []

port.on('message', (orders: Order[]) => {
  for (const order of orders) void attempt(order)
})
port.once('close', sender.close)

async function attempt({ number, outgoing }: Order): Promise<void> {
  const answered = await sender.send(outgoing)
  if (answers.length === 0) setImmediate(answerAll)
  answers.push({ number, answered })
}

/** Those that came at the same time as one message: each wakes the thread that serves requests. */
function answerAll(): void {
  port.postMessage(answers)
  answers = []
}
