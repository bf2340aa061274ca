/** The yardstick of reading: node:http and a map from address to bytes. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Answer } from './answers.ts'
import { answerWith } from './helper.ts'

const answers = new Map<string, Answer>()
const server = createServer((request, response) => {
  const { headers, body } = answers.get(request.url as string) as Answer
  response.writeHead(200, headers).end(body)
})
server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1')
await once(server, 'listening')

answerWith(async (learned: Answer[]) => {
  answers.clear()
  for (const answer of learned) answers.set(answer.path, answer)
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
})
