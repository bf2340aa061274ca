import { Agent, type IncomingHttpHeaders, request } from 'node:http'

/** Status 0: no answer came; `sent` says whether the request can have reached the server. */
export type Reply = { status: number; headers: IncomingHttpHeaders; body: string; ms: number; sent: boolean }
export type Sent = { method: string; path: string; token: string; body?: unknown; headers?: Record<string, string> }
export type Client = { send(base: string, sent: Sent): Promise<Reply>; close(): void }

const patienceMs = 60_000

/** One caller on one connection, which is kept for the next request as clients do. */
export function openClient(): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return { send: (base, sent) => exchange(agent, base, sent), close: () => agent.destroy() }
}

function exchange(agent: Agent, base: string, { method, path, token, body, headers }: Sent): Promise<Reply> {
  const since = performance.now()
  return new Promise((done) => {
    const finish = (reply: Pick<Reply, 'status' | 'headers' | 'body' | 'sent'>) =>
      done({ ...reply, ms: performance.now() - since })
    const unanswered = (error: NodeJS.ErrnoException) =>
      finish({ status: 0, headers: {}, body: error.code ?? error.message, sent: error.code !== 'ECONNREFUSED' })
    const asked = request(base + path, {
      method,
      agent,
      signal: AbortSignal.timeout(patienceMs),
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
    })
    asked.on('error', unanswered)
    asked.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece) => (text += piece))
      response.on('end', () =>
        finish({ status: response.statusCode as number, headers: response.headers, body: text, sent: true }),
      )
      response.on('error', unanswered)
    })
    asked.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
