/** The endpoint of webhooks: takes everything, and says how many it has taken. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { answerWith } from './helper.ts'

let taken = 0
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    taken += 1
    response.end()
  })
})
server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1')
await once(server, 'listening')

answerWith(async () => ({ origin: `http://127.0.0.1:${(server.address() as { port: number }).port}`, taken }))
