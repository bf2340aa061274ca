import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Log } from '../observe/log.ts'

export type Visit = { address: string; userAgent: string | undefined; requestId: string; log: Log }

/** Where a request came from, for the list of sessions that a person sees and for the security log. */
export const visitor = new AsyncLocalStorage<Visit>()

export function visitOf({ ip, headers, id, log }: FastifyRequest): Visit {
  return { address: ip, userAgent: headers['user-agent']?.slice(0, 500), requestId: id, log: log as Log }
}

/** Everything that the routes of `app` do knows where its request came from. After the body was read: reading it starts a context of its own. */
export function noteVisits(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, next) => visitor.run(visitOf(request), next))
}
