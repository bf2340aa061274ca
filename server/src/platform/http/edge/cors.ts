import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pathOf } from './edge.ts'

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
/** What a page of another origin may read of our answers. */
const exposed =
  'ETag, Link, Location, X-Request-Id, X-Ignored-Fields, X-Ignored-Parameters, X-Possible-Duplicates, Idempotent-Replayed, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate'

/**
 * Lets pages of other origins call the API. It reads no cookies, so any origin is safe, and only a browser asks: a request without `Origin` gets
 * none of this. Refusals carry it too, or a page could not read what was wrong.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  const anyone = origins.includes('*')
  app.addHook('onRequest', (request, reply, next) => {
    const { origin } = request.headers
    if (origin === undefined || !isApi(request)) return next()
    if (!anyone) reply.header('vary', 'Origin')
    if (!anyone && !origins.includes(origin)) return next()
    reply.header('access-control-allow-origin', anyone ? '*' : origin)
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'])
      return void answerPreflight(request, reply)
    reply.header('access-control-expose-headers', exposed)
    next()
  })
}

function isApi(request: FastifyRequest): boolean {
  const path = pathOf(request)
  return path.startsWith('/api/') || path === '/openapi.json'
}

function answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
  const wanted = request.headers['access-control-request-headers']
  if (wanted) reply.header('access-control-allow-headers', wanted)
  reply.header('access-control-allow-methods', methods).header('access-control-max-age', '600').code(204).send()
}
