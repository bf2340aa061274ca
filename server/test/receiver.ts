/** An endpoint for webhooks that keeps what arrives, and answers as its path says. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export type Received = { path: string; headers: Record<string, string>; body: string; at: number }

export type Receiver = {
  origin: string
  port: number
  received: Received[]
  /** How a path answers from now on; without one it is its own name. */
  behave(path: string, behaviour: Behaviour | string): void
  /** Closes the connections that wait for an answer of this path. */
  drop(path: string): void
  close(): Promise<void>
}

type Behaviour = (response: ServerResponse, request: IncomingMessage, received: Received) => void

/** What endpoints do to those who call them. */
const behaviours: Record<string, Behaviour> = {
  ok: (response) => void response.end('{"ok":true}'),
  fail: (response) => void response.writeHead(500).end('not now'),
  hang: () => {},
  redirect: (response, request) =>
    void response.writeHead(307, { location: `http://${request.headers.host}/ok` }).end(),
  large(response) {
    const part = Buffer.alloc(64 * 1024, 'x')
    let left = 100 * 1024 * 1024
    const write = () => {
      while (left > 0 && response.writable) {
        left -= part.length
        if (!response.write(part)) return void response.once('drain', write)
      }
      response.end()
    }
    response.writeHead(200, { 'content-length': left })
    write()
  },
  trickle(response) {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'), 20)
    response.once('close', () => clearInterval(timer))
  },
  'slow-head'(response) {
    const timer = setInterval(() => response.socket?.write('H'), 20)
    response.once('close', () => clearInterval(timer))
  },
  close: (response) => void response.socket?.destroy(),
  'close-early': (response) =>
    void response.writeHead(200, { 'content-length': 1000 }).write('begun', () => response.socket?.destroy()),
  upgrade: (response) => void response.writeHead(101, { connection: 'upgrade', upgrade: 'x' }).end(),
}

export async function openReceiver(tls?: { key: string; cert: string }): Promise<Receiver> {
  const received: Received[] = []
  const chosen = new Map<string, Behaviour | string>()
  const open = new Map<ServerResponse, string>()
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      return
    }
    const path = request.url ?? ''
    const one = {
      path,
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
      at: Date.now(),
    }
    received.push(one)
    response.on('error', () => {})
    open.set(response, path)
    response.once('close', () => open.delete(response))
    const behaviour = chosen.get(path) ?? path.slice(1).split('/')[0] ?? ''
    const behave = typeof behaviour === 'string' ? behaviours[behaviour] : behaviour
    // A slip in a test, which must not pass for an endpoint that fails.
    if (!behave) throw new Error(`The receiver has no behaviour for ${path}.`)
    behave(response, request, one)
  }
  const server = tls ? createSecureServer(tls, listener) : createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    received,
    behave: (path, behaviour) => void chosen.set(path, behaviour),
    drop(path) {
      for (const [response, at] of open) if (at === path) response.socket?.destroy()
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
