/** The load generator: autocannon, one connection for each part of the calls. */
import autocannon from 'autocannon'
import { answerWith } from './helper.ts'
import { type Call, connections as usual } from './rows.ts'
import type { Measured } from './table.ts'

export type Load = { origin: string; token: string; calls: Call[]; seconds: number; connections?: number | undefined }

answerWith(drive)

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
