/** The endpoint of webhooks: takes everything, and says how many it has taken, and how long after the change each arrived at `/timed`. `/dead` never answers. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { constants, setPriority } from 'node:os'
import { json } from 'node:stream/consumers'
import { answerWith } from './helper.ts'

// It stands for another machine: it takes what the product leaves of this one.
setPriority(constants.priority.PRIORITY_LOW)

let taken = 0
const ms: number[] = []
const server = createServer(async (request, response) => {
  if (request.url === '/dead') return void request.resume()
  if (request.url === '/timed') {
    const { timestamp } = (await json(request)) as { timestamp: string }
    ms.push(Date.now() - Date.parse(timestamp))
  } else await once(request.resume(), 'end')
  taken += 1
  response.end()
})
server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1')
await once(server, 'listening')

answerWith(async (asked: 'count' | 'times') => ({
  origin: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
  taken,
  ms: asked === 'times' ? ms.splice(0) : [],
}))
