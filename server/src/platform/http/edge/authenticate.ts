import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler, RouteOptions } from 'fastify'
import { findRoleOf } from '../../access/acting/acting.ts'
import {
  lacksRight,
  personRequired,
  type Right,
  readOnlyToken,
  rightsOfApplication,
  rightsOfRole,
} from '../../access/roles.ts'
import { insufficientScope, lacksScopes } from '../../access/scope-refusals.ts'
import type { Scope } from '../../access/scopes.ts'
import { BadToken, type VerifiedToken, type Verify } from '../../access/tokens/access-token.ts'
import { type Context, contextFor, withRights } from '../../context.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Database } from '../../db/database.ts'
import { closedSignal } from './closed.ts'
import { addStep } from './steps.ts'

declare module 'fastify' {
  interface FastifyRequest {
    ctx: Context
    token: VerifiedToken
  }
  interface FastifyContextConfig {
    /**
     * The scope that a caller's token must carry; `any` asks for a good token only, `none` for nothing at all. Of several it must carry one: which
     * of them is up to what the request turns out to be about, and then the route asks with `requireScope`.
     */
    scope?: Scope | readonly Scope[] | 'any' | 'none'
    /** Scopes that the token must carry as well. */
    alsoScopes?: readonly Scope[]
    /** What the caller's role must allow; `any` for what every role may do. Unless said, `read` for what reads and `enter` for what writes. */
    right?: Right | 'any'
    /** The same for the routes of this configuration that write. */
    rightToWrite?: Right
    /** `read` for an operation that reads though its method is that of a write: an application that may only read reaches it. */
    access?: 'read'
  }
}

/** Turns the bearer token of every request into its context. A route without a declared scope does not start. */
export function requireTokens(app: FastifyInstance, database: Database, verify: Verify): void {
  app.decorateRequest('ctx')
  app.decorateRequest('token')
  const authenticate: onRequestHookHandler = (request, reply, next) => {
    const refuse = (error: unknown) =>
      next(error instanceof BadToken ? unauthenticated('invalid_token', error.message) : (error as Error))
    try {
      const verified = verify(bearerOf(request.headers.authorization))
      if (verified instanceof Promise) verified.then((token) => enter(request, reply, token)).then(() => next(), refuse)
      else {
        enter(request, reply, verified)
        next()
      }
    } catch (error) {
      refuse(error)
    }
  }

  function enter(request: FastifyRequest, reply: FastifyReply, token: VerifiedToken): void {
    request.token = token
    const { org_id: org, scopes } = token
    const actor = actorOf(token)
    const rights =
      actor.type === 'application'
        ? rightsOfApplication()
        : token.role === undefined
          ? undefined
          : rightsOfRole(token.role)
    request.ctx = contextFor(database, {
      org,
      actor,
      requestId: request.id,
      scopes,
      rights,
      waits: () => closedSignal(reply),
    })
  }

  app.addHook('onRoute', (route) => {
    const { scope, alsoScopes = [] } = route.config ?? {}
    if (!scope) throw new Error(`${route.method} ${route.url} does not say which scope it needs`)
    if (scope === 'none') return
    addStep(route, authenticate)
    const ways = scope === 'any' ? [[]] : [scope].flat().map((name) => [name, ...alsoScopes])
    const described = { 'x-right': neededRight(route), 'x-access': accessOf(route) }
    route.schema = {
      ...route.schema,
      ...described,
      security: [...ways.map((names) => ({ oauth2: names })), { bearer: [] }],
    }
  })
}

/** Refuses a token that lacks a scope of the route. After the limits, so that such a refusal counts and says what is left. */
export function requireScopes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { scope, alsoScopes = [] } = route.config ?? {}
    if (!scope || scope === 'none' || scope === 'any') return
    const wanted = [scope].flat()
    addStep(route, ({ token }, _reply, next) => {
      const missing = alsoScopes.filter((name) => !token.scopes.has(name))
      if (!wanted.some((name) => token.scopes.has(name)))
        next(wanted.length > 1 ? insufficientScope(wanted) : lacksScopes([...wanted, ...missing]))
      else next(missing.length > 0 ? lacksScopes(missing) : undefined)
    })
  })
}

/** Refuses a caller whose role lacks the right of the route, and a write with a token that may only read: the one place where roles are enforced. */
export function requireRights(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { scope } = route.config ?? {}
    if (!scope || scope === 'none') return
    const right = neededRight(route)
    const allows = (rights: ReadonlySet<Right> | undefined) => right === 'any' || rights?.has(right)
    const refusal = ({ actor }: Context) =>
      right === 'approve' && actor.type === 'application' ? personRequired() : lacksRight(right as Right)
    const writes = accessOf(route) === 'write'
    addStep(route, (request, _reply, next) => {
      if (writes && request.token.access === 'read') return next(readOnlyToken())
      const { rights } = request.ctx
      if (rights) return next(allows(rights) ? undefined : refusal(request.ctx))
      // The token does not say the role, or the role was changed since.
      findRoleOf(request.ctx).then((role) => {
        request.ctx = withRights(request.ctx, rightsOfRole(role))
        next(allows(request.ctx.rights) ? undefined : refusal(request.ctx))
      }, next)
    })
  })
}

function accessOf({ method, config }: RouteOptions): 'read' | 'write' {
  return config?.access ?? ([method].flat().every((name) => name === 'GET' || name === 'HEAD') ? 'read' : 'write')
}

function neededRight(route: RouteOptions): Right | 'any' {
  const { right, rightToWrite = 'enter' } = route.config ?? {}
  return right ?? (accessOf(route) === 'read' ? 'read' : rightToWrite)
}

/** For a route of several scopes, once it knows which of them this request is about. */
export function requireScope({ token }: { token: VerifiedToken }, scope: Scope): void {
  requireOneOf(token, [scope])
}

/** The same for several that are all needed, with spaces between them. */
export function requireAllScopes({ token }: { token: VerifiedToken }, scopes: string): void {
  const missing = scopes.split(' ').filter((scope) => !token.scopes.has(scope as Scope)) as Scope[]
  if (missing.length > 0) throw lacksScopes(missing)
}

function requireOneOf({ scopes }: VerifiedToken, wanted: readonly Scope[]): void {
  if (!wanted.some((scope) => scopes.has(scope))) throw insufficientScope(wanted)
}

function bearerOf(header: string | undefined): string {
  // The usual form, without a regular expression; the verifier looks at the token itself.
  if (header?.startsWith('Bearer ') && !header.includes(' ', 7)) return header.slice(7)
  if (!header || !/^Bearer(?: |$)/i.test(header)) {
    throw unauthenticated(
      null,
      'This request needs an access token: send the header Authorization: Bearer <access token>.',
    )
  }
  const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(header)?.[1]
  if (!token)
    throw unauthenticated('invalid_token', 'The Authorization header is not of the form Bearer <access token>.')
  return token
}

/** RFC 6750: a caller that sent no bearer token learns the scheme only, any other caller also what is wrong. */
function unauthenticated(error: string | null, message: string): Refusal {
  const challenge = error
    ? `Bearer realm="lading", error="${error}", error_description="${message}"`
    : 'Bearer realm="lading"'
  return new Refusal('unauthenticated', error ?? 'token_required', message, {
    headers: { 'www-authenticate': challenge },
  })
}

function actorOf({ sub, client_id, kind }: VerifiedToken): Context['actor'] {
  if (kind === 'link') return { type: 'link', id: sub }
  return sub === client_id
    ? { type: 'application', id: client_id }
    : { type: 'user', id: sub, application_id: client_id }
}
