import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { lookupOf, type Resolve, requireReachable, resolveName, UnreachableEndpoint } from './resolving.ts'
import { hostOf } from './target.ts'

export type OutgoingRequest = { url: string; headers: Readonly<Record<string, string>>; body: string }

/** What came of an attempt. `error` is null where the endpoint took the delivery. */
export type AttemptOutcome = { status: number | null; error: string | null; durationMs: number; excerpt: string | null }

export type Sender = {
  /** Never throws: what goes wrong is an outcome. */
  send(outgoing: OutgoingRequest): Promise<AttemptOutcome>
  close(): void
}

type Options = { allowPrivate: boolean; resolve?: Resolve; timeoutMs?: number; bodyMs?: number }

/** So much of an answer is kept to be read by people. */
const excerptBytes = 1_000
/** So much of an answer is read for the connection to be used again; of a longer one the rest is not read. */
const mostBytes = 64_000

/** Posts over connections that are kept for the next delivery. `timeoutMs` is for all of an attempt, `bodyMs` for what comes behind the head of an answer. */
export function openSender({
  allowPrivate,
  resolve = resolveName,
  timeoutMs = 10_000,
  bodyMs = 2_000,
}: Options): Sender {
  // Of a host, not of an endpoint: many webhooks may go to the same one.
  const kept = { keepAlive: true, maxFreeSockets: 128, scheduling: 'lifo', timeout: 15_000 } as const
  const agents = { http: new HttpAgent(kept), https: new HttpsAgent(kept) }
  const lookup = lookupOf(resolve, allowPrivate)

  async function send(outgoing: OutgoingRequest): Promise<AttemptOutcome> {
    const since = performance.now()
    const took = () => Math.round(performance.now() - since)
    try {
      const url = new URL(outgoing.url)
      requireReachable(hostOf(url), allowPrivate)
      const attempt = () => post(url, outgoing, { agents, lookup, timeoutMs: timeoutMs - took(), bodyMs })
      const first = await attempt()
      // The endpoint had closed the connection at the moment at which we used it again: it has not seen the delivery.
      const { status, error, excerpt } = first.wasStale && took() < timeoutMs / 2 ? await attempt() : first
      return { status, error: error ?? refusalOf(status), durationMs: took(), excerpt }
    } catch (error) {
      return { status: null, error: inWords(error as Error), durationMs: took(), excerpt: null }
    }
  }

  function close(): void {
    agents.http.destroy()
    agents.https.destroy()
  }

  return { send, close }
}

type Ways = {
  agents: { http: HttpAgent; https: HttpsAgent }
  lookup: LookupFunction
  timeoutMs: number
  bodyMs: number
}
type Outcome = { status: number | null; error: string | null; excerpt: string | null; wasStale: boolean }

/** The status decides: once it is there, an answer that is long, slow or breaks off changes nothing. */
function post(
  url: URL,
  { headers, body }: OutgoingRequest,
  { agents, lookup, timeoutMs, bodyMs }: Ways,
): Promise<Outcome> {
  return new Promise((done) => {
    const options = { method: 'POST', lookup, headers: { ...headers, 'content-length': Buffer.byteLength(body) } }
    const request =
      url.protocol === 'https:'
        ? httpsRequest(url, { ...options, agent: agents.https })
        : httpRequest(url, { ...options, agent: agents.http })
    const timers: NodeJS.Timeout[] = []
    let status: number | null = null
    let excerpt = Buffer.alloc(0)
    let over = false

    function end(error: string | null, wasStale = false): void {
      if (over) return
      over = true
      for (const timer of timers) clearTimeout(timer)
      done({
        status,
        error: status === null ? error : null,
        excerpt: status === null ? null : readable(excerpt),
        wasStale,
      })
    }

    function breakOff(error: string | null): void {
      end(error)
      request.destroy()
    }

    function read(response: IncomingMessage): void {
      status = response.statusCode ?? null
      timers.push(setTimeout(() => breakOff(null), bodyMs))
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        if (bytes < excerptBytes) excerpt = Buffer.concat([excerpt, chunk.subarray(0, excerptBytes - bytes)])
        bytes += chunk.length
        if (bytes > mostBytes) breakOff(null)
      })
      response.on('end', () => end(null))
      response.on('error', () => end(null))
    }

    timers.push(
      setTimeout(() => breakOff(`There was no answer within ${Math.round(timeoutMs / 100) / 10} s.`), timeoutMs),
    )
    request.on('response', read)
    request.on('upgrade', (response, socket) => {
      status = response.statusCode ?? null
      socket.destroy()
      end(null)
    })
    request.on('error', (error: NodeJS.ErrnoException) =>
      end(inWords(error), request.reusedSocket && /^(?:ECONNRESET|EPIPE)$/.test(error.code ?? '')),
    )
    request.on('close', () => end('The connection was closed before there was an answer.'))
    request.end(body)
  })
}

/** Why an answer is no success; null where it is one. */
function refusalOf(status: number | null): string | null {
  if (status === null || (status >= 200 && status < 300)) return null
  if (status >= 300 && status < 400)
    return `The endpoint answered ${status}. Redirects are not followed: give the webhook the address itself.`
  return `The endpoint answered ${status}.`
}

const words: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before there was an answer.',
  EPIPE: 'The connection was closed before there was an answer.',
  EHOSTUNREACH: 'The address cannot be reached.',
  ENETUNREACH: 'The address cannot be reached.',
  ETIMEDOUT: 'The connection could not be made in time.',
}

function inWords(error: NodeJS.ErrnoException): string {
  if (error instanceof UnreachableEndpoint) return error.message
  // Several addresses were tried, each with its own error.
  const code = error.code ?? (error as { errors?: NodeJS.ErrnoException[] }).errors?.[0]?.code ?? ''
  if (words[code]) return words[code]
  if (/CERT|SIGNATURE|ISSUER|^ERR_TLS|^EPROTO|^ERR_SSL/.test(code))
    return `There is no secure connection: ${error.message || code}.`.replace(/\.\.$/, '.')
  return `The endpoint could not be reached: ${error.message || code}`.slice(0, 300)
}

/** PostgreSQL keeps every character but this one. */
function readable(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\0', '\ufffd')
}
