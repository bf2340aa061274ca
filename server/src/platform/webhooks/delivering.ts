import type { Database } from '../db/database.ts'
import { published } from '../events/announcing.ts'
import { systemContext } from '../organizations/actions.ts'
import { gathered } from '../work/queue/turns.ts'
import { type Endpoint, listDue, type Result, saveHealth, saveResults } from './attempts/attempts-store.ts'
import { workOn } from './attempts/endpoint.ts'
import { openSlots } from './attempts/slots.ts'
import { disableFailing } from './disabling.ts'
import { fanOut } from './fan-out.ts'
import { listOrganizationsBehind } from './fan-out-store.ts'
import type { Sender } from './sending/sending.ts'
import { deliveriesMade } from './sending/waking.ts'

export type Outcome = 'succeeded' | 'failed' | 'given_up'

export type DeliveringParts = {
  database: Database
  sender: Sender
  log?: { warn(facts: object, message: string): void } | undefined
  observe?: ((outcome: Outcome, seconds: number) => void) | undefined
  /** So many attempts begin in a second at most: what requests need of the process and of the database is left to them. */
  perSecond?: number
  /** What is added to the time: a clock that tests turn. */
  aheadMs?: () => number
  /** What other processes left behind is looked for so often. */
  lookEveryMs?: number
  /** Looks for work in one organization only, so that tests do not meet. */
  onlyIn?: string
}

/** A run that has not come to its end by now ends, and the next one goes on with what is under way. */
const longestRunMs = 20_000
/** When the process stops, attempts under way have so long. */
const stopWithinMs = 4_000
/** So many organizations get their deliveries made at the same time. */
const sideBySide = 4
/**
 * Then it is not done again for so many times as long as it took, at most so long: with many changes in a second each round has the events of several,
 * and moves all webhooks on once. What happens after a pause is delivered at once.
 */
const restTimes = 4
const longestRestMs = 200
/** Retries that are due sooner wake the process at their time; others are found by looking. */
const longestTimerMs = 60_000

/**
 * The background job of each process: makes deliveries of what was published, and sends what is due. Every endpoint is worked on by itself, so that one which
 * hangs delays no other: a run does not wait for it before it looks again.
 */
export function deliveryJob({
  database,
  sender,
  log,
  observe,
  perSecond = 600,
  aheadMs = () => 0,
  lookEveryMs = 5_000,
  onlyIn,
}: DeliveringParts) {
  const slots = openSlots(perSecond)
  const working = new Map<string, ReturnType<typeof workOn>>()
  const organizations = new Set<string>()
  const resting = new Map<string, NodeJS.Timeout>()
  const endpoints = new Map<string, Endpoint>()
  const timers = new Map<string, NodeJS.Timeout>()
  const errors: unknown[] = []
  let isStopping = false
  let lookedAt = Number.NEGATIVE_INFINITY
  let wakeJob = () => {}
  let notice = () => {}

  async function run(signal: AbortSignal): Promise<void> {
    const since = performance.now()
    const stop = () => notice()
    signal.addEventListener('abort', stop, { once: true })
    while (!signal.aborted) {
      // A little early, so that the timer of the job finds it to be time.
      await look(performance.now() - lookedAt >= lookEveryMs * 0.9, signal)
      if (isIdle() || performance.now() - since >= longestRunMs) break
      await changed()
    }
    signal.removeEventListener('abort', stop)
    if (signal.aborted) await finish(signal)
    if (!isIdle()) wakeJob()
    if (errors.length > 0) throw gathered(errors.splice(0))
  }

  /** Finds what is to be done, and begins it. */
  async function look(everywhere: boolean, signal: AbortSignal): Promise<void> {
    if (everywhere) {
      lookedAt = performance.now()
      for (const org of await listOrganizationsBehind(database.pool)) if (isWanted(org)) organizations.add(org)
      for (const endpoint of await listDue(database.pool, aheadMs()))
        if (isWanted(endpoint.org)) endpoints.set(keyOf(endpoint), endpoint)
    }
    await fanOutEach(signal)
    for (const [key, endpoint] of endpoints) {
      endpoints.delete(key)
      begin(key, endpoint)
    }
  }

  async function fanOutEach(signal: AbortSignal): Promise<void> {
    const orgs = [...organizations].filter((org) => !resting.has(org))
    for (const org of orgs) organizations.delete(org)
    const left = orgs.values()
    const work = async () => {
      for (const org of left) {
        const since = performance.now()
        try {
          const { more } = await fanOut(
            database,
            org,
            (webhook) => begin(keyOf({ org, webhook }), { org, webhook }),
            signal,
          )
          if (more) organizations.add(org)
        } catch (error) {
          if (!signal.aborted) errors.push(error)
        }
        rest(org, Math.min(longestRestMs, (performance.now() - since) * restTimes))
      }
    }
    await Promise.all(Array.from({ length: Math.min(sideBySide, orgs.length) }, work))
  }

  function rest(org: string, ms: number): void {
    const awake = () => {
      resting.delete(org)
      if (organizations.has(org)) notice()
    }
    resting.set(org, setTimeout(awake, ms))
  }

  function begin(key: string, endpoint: Endpoint): void {
    const under = working.get(key)
    under?.look()
    if (under) return
    const worker = workOn(endpoint, { database, sender, slots, aheadMs, save, stopping: () => isStopping })
    working.set(key, worker)
    void worker.done
      .catch((error) => errors.push(error))
      .finally(() => {
        working.delete(key)
        notice()
      })
  }

  /** The results and what they mean for the webhook are one transaction. */
  async function save(endpoint: Endpoint, results: readonly Result[], now: Date): Promise<boolean> {
    const { org, webhook } = endpoint
    const lastError = results.findLast(({ error }) => error !== null)?.error ?? null
    const succeeded = results.some(({ error }) => error === null)
    const { disabled, asked } = await systemContext(database, org).transaction(async (ctx) => {
      const asked = await saveResults(ctx, results)
      const health = await saveHealth(ctx, webhook, { succeeded, lastError, now })
      return {
        disabled: health && lastError !== null ? await disableFailing(ctx, webhook, health, { now, lastError }) : false,
        asked,
      }
    })
    if (disabled)
      log?.warn(
        { org, webhook, error: lastError },
        'a webhook was disabled: every delivery to it has failed for three days',
      )
    for (const { error, next_attempt_at, duration_ms } of results) {
      observe?.(error === null ? 'succeeded' : next_attempt_at === null ? 'given_up' : 'failed', duration_ms / 1000)
      const waitMs = next_attempt_at === null ? Number.POSITIVE_INFINITY : Date.parse(next_attempt_at) - now.getTime()
      if (waitMs <= longestTimerMs) wakeLater(endpoint, waitMs)
    }
    return asked
  }

  /** One timer for an endpoint, for what is due first. What comes later is found by looking. */
  function wakeLater(endpoint: Endpoint, waitMs: number): void {
    const key = keyOf(endpoint)
    if (timers.has(key)) return
    const timer = setTimeout(() => {
      timers.delete(key)
      add(endpoint.org, endpoint.webhook)
    }, waitMs + 10).unref()
    timers.set(key, timer)
  }

  function isWanted(org: string): boolean {
    return onlyIn === undefined || org === onlyIn
  }

  function add(org: string, webhook: string | null): void {
    if (!isWanted(org)) return
    if (webhook === null) organizations.add(org)
    else endpoints.set(keyOf({ org, webhook }), { org, webhook })
    notice()
    wakeJob()
  }

  function isIdle(): boolean {
    return working.size === 0 && organizations.size === 0 && endpoints.size === 0
  }

  /** Until something happens, or it is time to look everywhere. */
  function changed(): Promise<void> {
    if (endpoints.size > 0 || [...organizations].some((org) => !resting.has(org))) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(lookEveryMs, 20))
      notice = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Nothing new is begun; what is under way is written down if it ends soon. Otherwise another process sends it again. */
  async function finish(signal: AbortSignal): Promise<never> {
    isStopping = true
    for (const timer of [...timers.values(), ...resting.values()]) clearTimeout(timer)
    for (const worker of working.values()) worker.look()
    const all = Promise.all([...working.values()].map(({ done }) => done.catch(() => {})))
    let timer: NodeJS.Timeout | undefined
    await Promise.race([
      all,
      new Promise((resolve) => {
        timer = setTimeout(resolve, stopWithinMs)
      }),
    ])
    clearTimeout(timer)
    sender.close()
    throw signal.reason
  }

  function wokenBy(wake: () => void): () => void {
    wakeJob = wake
    const stopListening = [published.listen((org) => add(org, null)), deliveriesMade.listen(add)]
    return () => {
      for (const stop of stopListening) stop()
      wakeJob = () => {}
    }
  }

  return { run, wokenBy }
}

function keyOf({ org, webhook }: Endpoint): string {
  return `${org}/${webhook}`
}
