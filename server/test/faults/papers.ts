import { setTimeout as sleep } from 'node:timers/promises'
import { embeddedAddress } from '../../src/platform/db/postgres/embedded.ts'
import { freePort } from '../process/database.ts'
import { newDataDir, usedDataDir } from '../process/lading.ts'
import { clientOf, kill, newToken, startReady, within, workersOf } from './application.ts'
import { inPlace, type Result, seconds } from './place.ts'

const callers = 4
const patienceMs = 60_000

/** PDF files that are asked for all the while workers and the server are killed: what is answered 200 is a whole file, everything else says to come back. */
export function papers(): Promise<Result> {
  return inPlace(async (t) => {
    const [dataDir, port] = [newDataDir(t, await usedDataDir(t)), await freePort()]
    const base = `http://127.0.0.1:${port}`
    const env = { PORT: String(port), WORKERS: '2', RATE_LIMIT_TOKEN: '0', RATE_LIMIT_ORGANIZATION: '0' }
    let server = await startReady(t, dataDir, env)
    const token = await newToken(t, embeddedAddress(dataDir), base)
    const client = clientOf(base, token)
    const { bill_item_type } = await client('POST', '/bill_item_types', { name: 'Line haul' })
    const items = Array.from({ length: 200 }, (_, n) => ({
      bill_item_type_id: bill_item_type.id,
      unit_price: 100 + n,
      quantity: 1,
      description: `Stop ${n}`,
    }))
    const { bill } = await client('POST', '/bills', { currency_id: 'usd', items })

    const faults: string[] = []
    const counts = new Map<number, number>()
    const whole = () => counts.get(200) ?? 0
    let over = false
    t.after(() => {
      over = true
    })
    async function ask(): Promise<void> {
      while (!over) {
        const signal = AbortSignal.timeout(patienceMs)
        const answer = await fetch(`${base}/api/v1/bills/${bill.id}/pdf`, {
          headers: { authorization: `Bearer ${token}` },
          signal,
        }).catch(() => null)
        const bytes = await answer?.arrayBuffer().catch(() => null)
        const status = answer && bytes ? answer.status : 0
        counts.set(status, (counts.get(status) ?? 0) + 1)
        if (status === 200 && !isWhole(Buffer.from(bytes as ArrayBuffer)))
          faults.push('An answer of 200 was no whole PDF file.')
        if (status !== 0 && status !== 200 && !answer?.headers.has('retry-after'))
          faults.push(
            `An answer was ${status}: ${Buffer.from(bytes as ArrayBuffer)
              .toString()
              .slice(0, 200)}`,
          )
        if (status !== 200) await sleep(50)
      }
    }
    const asking = Promise.all(Array.from({ length: callers }, ask))
    let longest = 0
    for (const victim of ['a worker', 'a worker', 'the server'] as const) {
      const before = whole()
      if (!(await within(patienceMs, () => whole() >= before + 10)))
        faults.push(`No papers were made before the end of ${victim}.`)
      await sleep(Math.random() * 300)
      const since = performance.now()
      kill(victim === 'a worker' ? workersOf(server)[0] : server.pid)
      if (victim === 'the server') {
        await server.ended
        server = await startReady(t, dataDir, env)
      }
      const killed = whole()
      if (!(await within(patienceMs, () => whole() > killed)))
        faults.push(`No paper was made in ${patienceMs / 1000} s after the end of ${victim}.`)
      longest = Math.max(longest, performance.now() - since)
    }
    over = true
    await asking
    const figures = {
      acknowledged: whole(),
      unknown: counts.get(0) ?? 0,
      503: counts.get(503) ?? 0,
      'longest wait for the next paper': seconds(longest),
    }
    return { name: 'papers', figures, faults }
  })
}

function isWhole(bytes: Buffer): boolean {
  return bytes.subarray(0, 5).toString() === '%PDF-' && bytes.subarray(-7).toString().includes('%%EOF')
}
