import type { FastifyInstance, FastifyRequest } from 'fastify'
import { newId } from '../core/ids.ts'
import { quote, Refusal } from '../core/refusal.ts'
import type { Settings } from '../settings.ts'

/** A request id from outside is kept if it is short and plain; it ends up in logs and answers. */
export function requestIdOf(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && /^[\w.:@/+=-]{1,128}$/.test(sent) ? sent : newId()
}

/** What every answer of ours carries. Pages bring a content policy of their own; the API's allows a browser nothing. */
export function guardAnswers(app: FastifyInstance, settings: Settings): void {
  const https = settings.publicUrl.startsWith('https:')
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    reply.header('referrer-policy', 'no-referrer')
    reply.header('x-frame-options', 'DENY')
    reply.header('cross-origin-opener-policy', 'same-origin')
    if (https) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
    next()
  })
}

const apiPolicy = "default-src 'none'; frame-ancestors 'none'"

/** API answers are JSON, private to their caller, and of no use to a browser as a page. */
export function speakJsonOnly(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('content-security-policy', apiPolicy)
    reply.header('cache-control', 'no-store')
    next(acceptsJson(request.headers.accept) ? undefined : unacceptable(request.headers.accept))
  })
}

function unacceptable(accept: string | undefined): Refusal {
  return new Refusal('not_acceptable', 'not_acceptable', `This answers application/json, which Accept: ${quote(accept)} rules out.`)
}

/** By RFC 9110 the most specific range decides, and a weight of 0 means "not this". */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '' || accept === '*/*' || accept === 'application/json') return true
  const weights = new Map(
    accept.split(',').map((range) => {
      const [type = '', ...parameters] = range
        .toLowerCase()
        .split(';')
        .map((part) => part.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return [type, weight ? Number(weight.slice(2)) : 1]
    }),
  )
  const weight = weights.get('application/json') ?? weights.get('application/*') ?? weights.get('*/*')
  return weight !== undefined && weight > 0
}

type Known = { pattern: RegExp; methods: Set<string> }

/** 404 for a path that is nothing, 405 with `Allow` for one that is something under another method. */
export function answerUnknown(app: FastifyInstance): void {
  const known = new Map<string, Known>()
  app.addHook('onRoute', ({ url, method }) => {
    const entry = known.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() }
    for (const name of [method].flat()) entry.methods.add(name)
    known.set(url, entry)
  })
  app.setNotFoundHandler((request: FastifyRequest) => {
    const path = request.url.split('?')[0] as string
    const methods = [...known.values()].filter(({ pattern }) => pattern.test(path)).flatMap((entry) => [...entry.methods])
    if (methods.length > 0 && !methods.includes(request.method)) {
      const allow = [...new Set([...methods, 'OPTIONS'])].sort().join(', ')
      throw new Refusal('method_not_allowed', 'method_not_allowed', `${request.method} is not possible here; allowed: ${allow}.`, { headers: { allow } })
    }
    throw new Refusal('not_found', 'no_such_path', `There is nothing at ${request.method} ${quote(path)}. The API is described at /docs.`)
  })
}

function patternOf(url: string): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  // A catch-all route such as `/*` would make every path known.
  return url.includes('*') ? /$^/ : new RegExp(`^${escaped.replace(/:\w+/g, '[^/]+')}/?$`)
}
