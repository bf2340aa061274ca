import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Context, transaction } from '../context.ts'
import type { Answer } from './answers.ts'
import { requireConstraints } from './dry-run-store.ts'
import { isDryRun, namePreference } from './preferences.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<Answer>

/**
 * `Prefer: dry-run` on every write. The whole handler, with what keeps answers for an Idempotency-Key, runs in one transaction that is rolled back when
 * its answer is made: so the answer is that of the real request, and nothing is there afterwards. What waits for a commit does not happen.
 */
export function tryWrites(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const writes = [route.method].flat().some((method) => !['GET', 'HEAD', 'OPTIONS'].includes(method))
    if (writes && route.config?.scope !== 'none') route.handler = orOnlyTry(route.handler as unknown as Handler) as never
  })
}

/** Whether all that a request does is one transaction, however much that is. */
export function isOneTransaction(request: FastifyRequest): boolean {
  return request.headers['idempotency-key'] !== undefined || isDryRun(request)
}

function orOnlyTry(handler: Handler): Handler {
  return async function (this: unknown, request, reply) {
    if (!isDryRun(request)) return handler.call(this, request, reply)
    namePreference(reply, 'dry-run')
    return rolledBack(request.ctx, (ctx) => {
      request.ctx = ctx
      return handler.call(this, request, reply)
    })
  }
}

/** What `work` answers in a transaction of which nothing is kept. */
async function rolledBack<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  let result: { value: T } | undefined
  const done = new Error('a dry run is rolled back')
  try {
    await transaction(ctx, async (ctx) => {
      result = { value: await work(ctx) }
      await requireConstraints(ctx)
      throw done
    })
  } catch (error) {
    if (error !== done) throw error
  }
  return (result as { value: T }).value
}
