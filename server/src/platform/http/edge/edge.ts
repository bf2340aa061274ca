import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../../../settings.ts'
import { quote, Refusal } from '../../core/refusal.ts'
import { acceptsJson, prefersPage, unacceptable } from '../answers/media.ts'
import { policiesOf } from './rate-limit.ts'
import { addStep } from './steps.ts'

/** A request id from outside is kept if it is short and plain; it ends up in logs and answers. */
export function requestIdOf(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && /^[\w.:@/+=-]{1,128}$/.test(sent) ? sent : randomUUID()
}

/** The path that a request asks for, whether it came as a path or, as proxies write it, as a whole address. */
export function pathOf({ url }: FastifyRequest): string {
  const local = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '')
  const end = local.indexOf('?')
  return end === -1 ? local : local.slice(0, end)
}

declare module 'fastify' {
  interface FastifyInstance {
    /** People reach this service over https: a header has their browsers use nothing else. */
    publicOverTls: boolean
    /** Where the page is that explains the codes of errors. */
    errorsPage: string
    /** A stop has begun: every answer is the last on its connection. */
    draining: { now: boolean }
  }
}

/** On sending and not before, so that it holds for answers that a hook gives too. */
export function guardAnswers(
  app: FastifyInstance,
  { settings, draining }: { settings: Settings; draining: { now: boolean } },
): void {
  limitSlowRequests(app, settings)
  app.decorate('publicOverTls', settings.publicUrl.startsWith('https:'))
  app.decorate('errorsPage', `${settings.publicUrl}/docs/errors`)
  app.decorate('draining', { getter: () => draining })
  const limits = policiesOf(settings)
  app.addHook('onResponse', ({ raw }, _reply, next) => {
    readToEnd(raw)
    next()
  })
  app.addHook('onSend', (request, reply, _payload, next) => {
    addSecurityHeaders(request, reply)
    // Where nothing was counted, as without a good token, what is left is not known; the limits are.
    if (limits && !reply.hasHeader('ratelimit-policy') && request.url.startsWith('/api/'))
      reply.header('ratelimit-policy', limits)
    next()
  })
}

/** So long the rest of a body may come that nobody wants any more. */
const restMs = 5_000

/** What was not read of a body, because it was refused early, stands before the next request on its connection: it is read and dropped, or the connection closed. */
function readToEnd(request: IncomingMessage): void {
  const { readableEnded, destroyed } = request
  if (readableEnded || destroyed || !hasBody(request)) return
  const timer = setTimeout(() => request.socket?.destroy(), restMs).unref()
  for (const end of ['end', 'close'] as const) request.once(end, () => clearTimeout(timer))
  request.resume()
}

/**
 * Node lets a body arrive as slowly as it likes unless headers have less time than the whole request, and by itself looks for late requests only
 * twice a minute. A connection on which nothing moves is closed, unless a request that has come whole waits for us: whoever sent it gets its answer.
 */
function limitSlowRequests({ server }: FastifyInstance, { requestTimeoutMs }: Settings): void {
  Object.assign(server, {
    headersTimeout: Math.ceil(requestTimeoutMs / 2),
    connectionsCheckingInterval: Math.min(requestTimeoutMs / 4, 5_000),
    requestTimeout: longestMs,
  })
  limitSlowBodies(server, requestTimeoutMs)
  const waiting = new WeakMap<Socket, Set<IncomingMessage>>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const unanswered = waiting.get(request.socket) ?? new Set()
    waiting.set(request.socket, unanswered.add(request))
    response.once('close', () => unanswered.delete(request))
  })
  const waited = new WeakMap<Socket, number>()
  server.on('timeout', (connection) => {
    const { writableLength, bytesRead } = connection
    const waitsForUs = [...(waiting.get(connection) ?? [])].some(({ complete }) => complete)
    if (writableLength > 0 || (!waitsForUs && waited.get(connection) === bytesRead)) return void connection.destroy()
    waited.set(connection, bytesRead)
    connection.setTimeout(requestTimeoutMs)
  })
}

/** Node would count the time in which a body waits for us as well, as that of a large file does while its rows are kept. It is left with a last bound. */
const longestMs = 86_400_000

/** Refuses a body for which we have waited too long in all. While some of it is there and not read yet, nobody waits for the client. */
function limitSlowBodies(server: Server, mostMs: number): void {
  const everyMs = Math.min(mostMs / 20, 1_000)
  const waited = new Map<IncomingMessage, number>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return
    waited.set(request, 0)
    response.once('close', () => waited.delete(request))
  })
  const timer = setInterval(() => {
    for (const [request, ms] of waited) {
      if (request.complete) waited.delete(request)
      else if (request.readableLength === 0) waited.set(request, ms + everyMs)
      if (ms < mostMs) continue
      waited.delete(request)
      server.emit('clientError', tooSlow(), request.socket)
    }
  }, everyMs).unref()
  server.once('close', () => clearInterval(timer))
}

function tooSlow(): Error {
  const error: Error & { code?: string } = new Error('The request took too long to arrive.')
  // As Node says it of headers.
  error.code = 'ERR_HTTP_REQUEST_TIMEOUT'
  return error
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
}

/** Two of them, or one that is no host, are what somebody sends who wants a proxy and us to understand different things. */
export function requireOneHost(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, reply, next) => {
    const { host } = raw.headers
    if (host === undefined ? raw.httpVersion === '1.0' : /^[\w.:[\]%~!$&'()*+;=-]*$/.test(host)) return next()
    reply.header('connection', 'close')
    const words =
      host === undefined
        ? 'The header Host is missing.'
        : `The header Host must be there once and name one host, not ${quote(host)}.`
    next(new Refusal('invalid', 'bad_http', words))
  })
}

/** What every answer of ours carries. Pages bring a content policy of their own; the one here allows a browser nothing. */
export function addSecurityHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  reply.header('referrer-policy', 'no-referrer')
  reply.header('x-frame-options', 'DENY')
  reply.header('cross-origin-opener-policy', 'same-origin')
  if (request.server.draining.now) reply.header('connection', 'close')
  if (request.server.publicOverTls) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
  if (!reply.hasHeader('content-security-policy'))
    reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
}

/** API answers are private to their caller. */
export function keepPrivate(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    addStep(route, (_request, reply, next) => {
      reply.header('cache-control', 'no-store')
      next()
    })
  })
}

/** API answers are JSON. A route that offers other forms chooses among them itself. */
export function answerJsonOnly(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.offers !== undefined) return
    addStep(route, ({ headers: { accept } }, _reply, next) =>
      next(acceptsJson(accept) ? undefined : unacceptable(accept, ['application/json'])),
    )
  })
}

type Known = { pattern: RegExp; methods: Set<string> }

/** Where clients look for an authorization server. Ours is at another path, and such a client needs JSON, not a page. */
const guessed = ['oauth']

/**
 * 404 for a path that is nothing, 405 with `Allow` for one that is something under another method. To a person who mistyped an address in the
 * browser the 404 is a page; whatever begins like a path of ours is for programs.
 */
export function answerUnknown(
  app: FastifyInstance,
  page: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  const known = new Map<string, Known>()
  app.addHook('onRoute', ({ url, method }) => {
    const entry = known.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() }
    for (const name of [method].flat()) entry.methods.add(name)
    known.set(url, entry)
  })
  // Before the body is read: whatever it is, there is nobody here to take it.
  app.addHook('onRequest', (request, reply, next) => {
    if (!request.is404) return next()
    const methods = methodsAt(request)
    if (request.method === 'OPTIONS' && methods.length > 0)
      return void reply.code(204).header('allow', methods.join(', ')).send()
    if (!isMistyped(request)) return next(nothingAt(request))
    page(request, reply.code(404)).catch(next)
  })
  app.setNotFoundHandler((request) => {
    throw nothingAt(request)
  })

  function methodsAt(request: FastifyRequest): string[] {
    const path = pathOf(request)
    const methods = [...known.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((entry) => [...entry.methods])
    return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])].sort()
  }

  function isMistyped(request: FastifyRequest): boolean {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    return (
      isRead &&
      prefersPage(request.headers.accept) &&
      ![...guessed, ...[...known.keys()].map(firstPartOf)].includes(firstPartOf(pathOf(request)))
    )
  }

  function nothingAt(request: FastifyRequest): Refusal {
    const methods = methodsAt(request)
    if (methods.length === 0 || methods.includes(request.method)) {
      return new Refusal(
        'not_found',
        'no_such_path',
        `There is nothing at ${request.method} ${quote(pathOf(request))}. The API is described at /docs.`,
      )
    }
    const allow = methods.join(', ')
    return new Refusal(
      'method_not_allowed',
      'method_not_allowed',
      `${request.method} is not possible here; allowed: ${allow}.`,
      { headers: { allow } },
    )
  }
}

function firstPartOf(path: string): string {
  return path.split('/')[1] ?? ''
}

function patternOf(url: string): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  // A catch-all route such as `/*` would make every path known.
  return url.includes('*') ? /$^/ : new RegExp(`^${escaped.replace(/:\w+/g, '[^/]+')}/?$`)
}
