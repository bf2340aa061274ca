import type { FastifyInstance } from 'fastify'
import { BadToken, type Verified } from '../auth/access-token.ts'
import { type Scope, scopeNames } from '../auth/scopes.ts'
import { type Context, contextFor } from '../context.ts'
import { Refusal } from '../core/refusal.ts'
import type { Database } from '../db/database.ts'

declare module 'fastify' {
  interface FastifyRequest {
    ctx: Context
    token: Verified
  }
  interface FastifyContextConfig {
    /** The scope that a caller's token must carry; `any` asks for a good token only, `none` for nothing at all. */
    scope?: Scope | 'any' | 'none'
  }
}

/** Turns the bearer token of every request into its context. A route without a declared scope does not start. */
export function requireTokens(app: FastifyInstance, database: Database, verify: (token: string) => Verified): void {
  app.decorateRequest('ctx')
  app.decorateRequest('token')
  app.addHook('onRoute', (route) => {
    const scope = route.config?.scope
    if (!scope) throw new Error(`${route.method} ${route.url} does not say which scope it needs`)
    if (scope !== 'none') route.schema = { ...route.schema, security: [{ oauth2: scope === 'any' ? [] : [scope] }, { bearer: [] }] }
  })
  app.addHook('onRequest', (request, _reply, next) => {
    const scope = request.routeOptions.config.scope
    if (scope === undefined || scope === 'none') return next()
    try {
      const token = verify(bearerOf(request.headers.authorization))
      if (scope !== 'any' && !token.scopes.has(scope)) throw insufficientScope(scope)
      request.token = token
      request.ctx = contextFor(database, { org: token.org_id, actor: actorOf(token), requestId: request.id })
      next()
    } catch (error) {
      next(error instanceof BadToken ? unauthenticated('invalid_token', error.message) : (error as Error))
    }
  })
}

function bearerOf(header: string | undefined): string {
  // As nearly everyone writes it; what follows is looked at by whoever takes it apart.
  if (header?.startsWith('Bearer ') && !header.includes(' ', 7)) return header.slice(7)
  if (!header || !/^Bearer(?: |$)/i.test(header)) {
    throw unauthenticated(null, 'This request needs an access token: send the header Authorization: Bearer <access token>.')
  }
  const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(header)?.[1]
  if (!token) throw unauthenticated('invalid_token', 'The Authorization header is not of the form Bearer <access token>.')
  return token
}

/** RFC 6750: a caller that sent no bearer token is told the scheme only, others also what is wrong. */
function unauthenticated(error: string | null, message: string): Refusal {
  const challenge = error ? `Bearer realm="lading", error="${error}", error_description="${message}"` : 'Bearer realm="lading"'
  return new Refusal('unauthenticated', error ?? 'token_required', message, { headers: { 'www-authenticate': challenge } })
}

function insufficientScope(scope: string): Refusal {
  return new Refusal('forbidden', 'insufficient_scope', `The access token lacks the scope "${scope}".`, {
    details: [{ field: 'scope', code: 'insufficient_scope', message: `The scope "${scope}" is needed.`, allowed: scopeNames.filter((name) => name === scope) }],
    headers: { 'www-authenticate': `Bearer realm="lading", error="insufficient_scope", error_description="The scope ${scope} is needed.", scope="${scope}"` },
  })
}

function actorOf({ sub, client_id }: Verified): Context['actor'] {
  return sub === client_id ? { type: 'application', id: client_id } : { type: 'user', id: sub, application_id: client_id }
}
