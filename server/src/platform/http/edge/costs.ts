import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../db/database.ts'
import { closedSignal } from './closed.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A kind of request that may cost much more than others. */
    costs?: CostlyOperation
  }
}

export type CostlyOperation = 'search' | 'bulk' | 'import' | 'export' | 'paper'

/** How many requests one counts as, against the limits a minute. */
const requests: Record<Exclude<CostlyOperation, 'search'>, number> = { bulk: 10, import: 50, export: 20, paper: 5 }
/** A search counts as one for each such time that those of its organization took lately. */
const searchUnitMs = 100

export function costOf(
  kind: CostlyOperation | undefined,
  org: string,
  { searchMs }: Pick<Database, 'searchMs'>,
): number {
  if (kind === undefined) return 1
  return kind === 'search' ? Math.max(1, Math.floor(searchMs(org) / searchUnitMs)) : requests[kind]
}

/** Bulk requests and imports have a place of their organization's share, from when their body is there until they are answered. */
export function shareBulk(app: FastifyInstance, { shares }: Database): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.costs !== 'bulk' && route.config?.costs !== 'import') return
    const handler = route.handler as unknown as (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
    route.handler = async function (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
      const leave = await shares.bulk.enter(request.ctx.org, 'write', () => closedSignal(reply))
      try {
        return await handler.call(this, request, reply)
      } finally {
        leave()
      }
    }
  })
}
