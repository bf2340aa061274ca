import type { FastifyInstance, FastifyReply, FastifyRequest, preHandlerHookHandler, RouteOptions } from 'fastify'
import Type from 'typebox'
import { type Context, transaction } from '../../context.ts'
import { invalid, type Refusal } from '../../core/refusal.ts'
import { named } from '../../core/schema/names.ts'
import type { Answer } from '../answers/answers.ts'
import { addStep } from '../edge/steps.ts'
import { isDryRun, isDryRunName, namePreference } from '../input/preferences.ts'
import { requireConstraints } from './dry-run-store.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `false` where the answer is the effect, such as a secret that is shown once, or where something outside of the database is used up. */
    dryRun?: false
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<Answer>

/**
 * Gives every write of the API the query parameter `dry_run`, in v2 `dryRun`, next to `Prefer: dry-run`. An import that has one of its own keeps it.
 */
export function offerDryRuns(app: FastifyInstance): void {
  app.decorateRequest('isTry', false)
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith('/api/') || !canBeTried(route)) return
    const { querystring } = (route.schema ?? {}) as Queried
    const name = parameterOf(route)
    if (Object.hasOwn(querystring?.properties ?? {}, name)) return
    route.schema = {
      ...route.schema,
      querystring: {
        type: 'object',
        ...querystring,
        properties: { ...querystring?.properties, [name]: parameters[name] },
      },
    }
    // What is left of the query may be kept as a whole, as the search of an export is.
    const dropParameter: preHandlerHookHandler = ({ query }, _reply, next) => {
      delete (query as Record<string, unknown>)[name]
      next()
    }
    route.preHandler = [...[route.preHandler ?? []].flat(), dropParameter]
  })
}

type Queried = { querystring?: { properties?: Record<string, unknown> } }

const parameter = Type.Boolean({
  description:
    'The same as `Prefer: dry-run`: everything is checked and answered as if it were done, and nothing is kept.',
  examples: [false],
})
const parameters = { dry_run: parameter, dryRun: named('DryRunV2', parameter) }

/**
 * A dry run of every write. The whole handler, with what keeps answers for an Idempotency-Key, runs in one transaction that is rolled back when
 * its answer is made: so the answer is that of the real request, and nothing is there afterwards. What waits for a commit does not happen. The request is
 * marked before its body is read: whoever keeps a file as it arrives has to know.
 */
export function tryWrites(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!isWrite(route)) return
    route.schema = { ...route.schema, ...{ 'x-dry-run': canBeTried(route) } }
    const isPossible = canBeTried(route)
    if (isPossible) route.handler = orOnlyTry(route.handler as unknown as Handler) as never
    const name = parameterOf(route)
    const { querystring } = (route.schema ?? {}) as Queried
    const hasItsOwn = isPossible && querystring?.properties?.[name] !== parameters[name]
    addStep(route, (request, _reply, next) => {
      try {
        const asks = asksInQuery(request.query as Query, name)
        request.isTry = asks && !hasItsOwn
        next(isDryRun(request) && !isPossible ? cannotBeTried() : undefined)
      } catch (error) {
        next(error as Error)
      }
    })
  })
}

/** Whether all that a request does is one transaction, however much that is. */
export function isOneTransaction(request: FastifyRequest): boolean {
  return request.headers['idempotency-key'] !== undefined || isDryRun(request)
}

/** Every write that has a token: without one there is no organization to write in. */
function isWrite({ method, config }: RouteOptions): boolean {
  return config?.scope !== 'none' && [method].flat().some((name) => !['GET', 'HEAD', 'OPTIONS'].includes(name))
}

function canBeTried(route: RouteOptions): boolean {
  return isWrite(route) && route.config?.dryRun !== false
}

function parameterOf({ url }: RouteOptions): keyof typeof parameters {
  return url.startsWith('/api/v2/') ? 'dryRun' : 'dry_run'
}

type Query = Record<string, string | string[]>

/**
 * Whether the query asks for a dry run, in whatever spelling, which becomes the one of the reference. What is neither yes nor no is refused, nothing at all
 * included: whoever wrote the name does not expect that the write is done.
 */
function asksInQuery(query: Query, name: string): boolean {
  let value: string | string[] | undefined
  for (const sent in query) {
    if (!isDryRunName(sent)) continue
    if (value !== undefined || Array.isArray(query[sent]))
      throw invalid(name, 'repeated', `"${name}" was sent more than once; send it once.`)
    value = query[sent] as string
    delete query[sent]
  }
  if (value === undefined) return false
  if (value !== 'true' && value !== 'false') throw invalid(name, 'wrong_type', `"${name}" must be true or false.`)
  query[name] = value
  return value === 'true'
}

function cannotBeTried(): Refusal {
  const message =
    'This operation takes no dry run: its answer is what it does, or it uses something up that no rollback brings back. Send it without.'
  return invalid('Prefer', 'dry_run_not_possible', message)
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
