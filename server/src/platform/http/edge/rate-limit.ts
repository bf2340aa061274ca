import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Settings } from '../../../settings.ts'
import type { VerifiedToken } from '../../access/tokens/access-token.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Database } from '../../db/database.ts'
import { costOf } from './costs.ts'
import { takePortions } from './rate-limit-store.ts'
import { addStep } from './steps.ts'

type Limit = { whose: 'token' | 'organization'; bucket: string; perMinute: number; key: string }
/** What this process may still spend this minute without asking, and what was left for everyone when it last asked. */
type Allowance = { minute: number; mine: number; left: number }

const windowMs = 60_000

/**
 * Limits shared by all processes without a round trip for each request: PostgreSQL hands out the minute's allowance in portions that
 * shrink towards the end, so that all processes together never exceed the limit.
 */
export function limitRates(app: FastifyInstance, database: Database, settings: Settings): void {
  const allowances = new Map<string, Allowance>()
  const policies = policiesOf(settings)
  const underway = new Map<string, Promise<void>>()
  const clock = databaseClock()
  setInterval(() => forgetPast(allowances, clock), windowMs).unref()

  app.addHook('onRoute', (route) => {
    const { scope, costs } = route.config ?? {}
    if (scope !== 'none')
      addStep(route, ({ token }, reply, next) =>
        pass(token.org_id, limitsOf(token), costOf(costs, token.org_id, database), reply, next),
      )
  })

  /** The same for every request of a token, which is one object for as long as it is remembered. */
  const known = new WeakMap<VerifiedToken, Limit[]>()
  function limitsOf(token: VerifiedToken): Limit[] {
    const before = known.get(token)
    if (before) return before
    const limits = [
      { whose: 'token' as const, bucket: `token:${token.jti}`, perMinute: settings.rateLimitToken },
      { whose: 'organization' as const, bucket: 'organization', perMinute: settings.rateLimitOrganization },
    ]
      .filter(({ perMinute }) => perMinute > 0)
      .map((limit) => ({ ...limit, key: `${token.org_id} ${limit.bucket}` }))
    known.set(token, limits)
    return limits
  }

  /** What costs more than is left takes all that is left: so it is possible under every limit. */
  function pass(org: string, limits: Limit[], cost: number, reply: FastifyReply, next: (error?: Error) => void): void {
    const minute = clock.minute()
    let short = false
    for (const limit of limits) {
      const allowance = allowanceOf(limit, minute)
      if (allowance && allowance.mine + allowance.left === 0) {
        addLimitHeaders(reply, limits, minute)
        next(tooMany(limit, clock.secondsLeft()))
        return
      }
      if (isShort(allowance, cost)) short = true
    }
    if (short) {
      // A limiter that cannot count turns nobody away: if the database is away, the request will find out itself.
      topUpOnce(
        org,
        limits.filter((limit) => isShort(allowanceOf(limit, minute), cost)),
      ).then(
        () => pass(org, limits, cost, reply, next),
        () => next(),
      )
      return
    }
    for (const limit of limits) {
      const allowance = allowanceOf(limit, minute) as Allowance
      allowance.mine = Math.max(0, allowance.mine - cost)
    }
    addLimitHeaders(reply, limits, minute)
    next()
  }

  function addLimitHeaders(reply: FastifyReply, limits: Limit[], minute: number): void {
    if (limits.length === 0) return
    const seconds = clock.secondsLeft()
    let state = ''
    for (const limit of limits) {
      const allowance = allowanceOf(limit, minute)
      state += `${state && ', '}"${limit.whose}";r=${allowance ? allowance.mine + allowance.left : 0};t=${seconds}`
    }
    reply.header('ratelimit', state)
    reply.header('ratelimit-policy', policies)
  }

  function allowanceOf({ key }: Limit, minute: number): Allowance | undefined {
    const allowance = allowances.get(key)
    return allowance?.minute === minute ? allowance : undefined
  }

  function topUpOnce(org: string, limits: Limit[]): Promise<void> {
    const key = `${org} ${limits.map(({ bucket }) => bucket).join(' ')}`
    const running = underway.get(key) ?? topUp(org, limits).finally(() => underway.delete(key))
    underway.set(key, running)
    return running
  }

  async function topUp(org: string, limits: Limit[]): Promise<void> {
    const rows = await takePortions(database, org, limits)
    clock.set(rows[0]?.now)
    const minute = clock.minute()
    for (const { bucket, last_share, left } of rows) {
      const key = `${org} ${bucket}`
      const before = allowances.get(key)
      allowances.set(key, { minute, mine: last_share + (before?.minute === minute ? before.mine : 0), left })
    }
  }
}

function isShort(allowance: Allowance | undefined, cost: number): boolean {
  return !allowance || (allowance.mine < cost && allowance.left > 0)
}

/** The limits in force, as the header RateLimit-Policy says them; empty where there are none. */
export function policiesOf({ rateLimitToken, rateLimitOrganization }: Settings): string {
  const limits = { token: rateLimitToken, organization: rateLimitOrganization }
  return Object.entries(limits)
    .flatMap(([whose, perMinute]) => (perMinute > 0 ? [`"${whose}";q=${perMinute};w=60`] : []))
    .join(', ')
}

function tooMany({ whose, perMinute }: Limit, wait: number): Refusal {
  const who = whose === 'token' ? 'This access token' : 'This organization'
  return new Refusal(
    'too_many',
    'rate_limited',
    `${who} may make ${perMinute} requests a minute and has made them. Try again in ${wait} s.`,
    {
      headers: { 'retry-after': String(wait) },
    },
  )
}

/** The database's minutes by this machine's steady clock: what sets the machine's time locks nobody out. */
function databaseClock() {
  let offset = performance.timeOrigin
  const now = () => performance.now() + offset
  return {
    set(time = now()) {
      offset = time - performance.now()
    },
    minute: () => Math.floor(now() / windowMs),
    secondsLeft: () => Math.max(1, Math.ceil((windowMs - (now() % windowMs)) / 1000)),
  }
}

type DatabaseClock = ReturnType<typeof databaseClock>

function forgetPast(allowances: Map<string, Allowance>, clock: DatabaseClock): void {
  const minute = clock.minute()
  for (const [key, allowance] of allowances) if (allowance.minute !== minute) allowances.delete(key)
}
