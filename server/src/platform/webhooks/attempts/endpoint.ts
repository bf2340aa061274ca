import { waitAfter } from '../../core/turns/schedule.ts'
import type { Leave } from '../../core/turns/shares.ts'
import type { Database } from '../../db/database.ts'
import { systemContext } from '../../organizations/actions.ts'
import { release as releaseRows } from '../../work/queue/queue.ts'
import { bodyOf, fixedHeaders } from '../sending/body.ts'
import type { AttemptOutcome, Sender } from '../sending/sending.ts'
import { signedHeaders } from '../sending/signing.ts'
import {
  type ClaimedDelivery,
  claimDue,
  deliveryQueue,
  type Endpoint,
  type Result,
  type WebhookTarget,
} from './attempts-store.ts'
import type { Slots } from './slots.ts'

/** What has not begun by then leaves time for an attempt before the lease has passed: webhooks are too many to renew it for each. */
const beginWithinMs = 8_000
/**
 * So many results are written together, or those of so long while more is to be sent: a transaction for each attempt would cost more than the attempt, and
 * with many at once the database is busy for longer than a read takes. What a process that ended had not written is sent again.
 */
const resultsAtOnce = 16
const longestWaitMs = 500

export type EndpointParts = {
  database: Database
  sender: Sender
  slots: Slots
  /** What is added to the time; a clock that tests turn. */
  aheadMs(): number
  /** Whether something of it is to be sent again at once. */
  save(endpoint: Endpoint, results: readonly Result[], now: Date): Promise<boolean>
  stopping(): boolean
}

type Item = ClaimedDelivery & { sending: WebhookTarget; claimedAt: number }

/**
 * Sends everything that is due to one webhook. Attempts run side by side, as many as the endpoint has shown to be good for; results are written together
 * while others are under way. `look` asks for another look before it ends.
 */
export function workOn(
  endpoint: Endpoint,
  { database, sender, slots, aheadMs, save, stopping }: EndpointParts,
): { done: Promise<void>; look(): void } {
  const ctx = systemContext(database, endpoint.org)
  const place = slots.of(`${endpoint.org}/${endpoint.webhook}`)
  const waiting: Item[] = []
  const results: Result[] = []
  const over = new AbortController()
  /** A place whose turn came after a wait, until an attempt begins in it. */
  let given: Leave | null = null
  let isAsking = false
  let underWay = 0
  /** By how much the clock of the database, turned as tests may turn it, is ahead of ours. */
  let skewMs = 0
  let mayBeMore = true
  let writeNow = false
  let timer: NodeJS.Timeout | undefined
  let notice = () => {}

  const changed = () =>
    new Promise<void>((resolve) => {
      notice = resolve
    })

  async function work(): Promise<void> {
    for (;;) {
      if (stopping()) await release(waiting.splice(0))
      else if (waiting.length === 0 && mayBeMore && (given || place.isFree())) await claim()
      begin()
      const isOver = underWay === 0 && waiting.length === 0
      if (results.length > 0 && (results.length >= resultsAtOnce || isOver || writeNow)) {
        await write()
        continue
      }
      if (isOver && (!mayBeMore || stopping())) return
      const next = changed()
      if (underWay === 0 || (waiting.length > 0 && underWay < place.limit())) waitForPlace()
      await next
    }
  }

  function waitForPlace(): void {
    if (isAsking) return
    isAsking = true
    void place
      .wait(over.signal)
      .then((leave) => {
        if (given || over.signal.aborted) leave?.()
        else given = leave
      })
      .catch(() => {})
      .finally(() => {
        isAsking = false
        notice()
      })
  }

  function giveUp(): void {
    given?.()
    given = null
  }

  async function claim(): Promise<void> {
    const most = place.limit()
    mayBeMore = false
    const { sending, claimed, now } = await ctx.transaction((ctx) =>
      claimDue(ctx, endpoint.webhook, { most, aheadMs: aheadMs() }),
    )
    const claimedAt = performance.now()
    skewMs = now.getTime() - Date.now()
    if (sending) for (const one of claimed) waiting.push({ ...one, sending, claimedAt })
    mayBeMore ||= claimed.length === most
    if (claimed.length === 0) giveUp()
  }

  function begin(): void {
    while (waiting.length > 0 && underWay < place.limit()) {
      const [next] = waiting as [Item]
      if (performance.now() - next.claimedAt > beginWithinMs) return void release(waiting.splice(0)).catch(() => {})
      const leave = place.begin(given)
      if (!leave) return
      given = null
      waiting.shift()
      underWay++
      void attempt(next).then((result) => {
        leave(result.error === null, result.duration_ms)
        underWay--
        results.push(result)
        if (results.length < resultsAtOnce) timer ??= setTimeout(writeSoon, longestWaitMs)
        notice()
      })
    }
  }

  async function attempt({
    id,
    event_id,
    type,
    event,
    failure_count,
    resend_count,
    sending: { url, secrets },
  }: Item): Promise<Result> {
    const at = timeHere()
    const body = bodyOf({ id: event_id, type, json: event })
    const signed = signedHeaders(secrets, { id: event_id, at, body })
    const answer: AttemptOutcome = await sender.send({ url, headers: { ...fixedHeaders, ...signed }, body })
    const { status, durationMs: duration_ms, error, excerpt } = answer
    const wait = error === null ? null : waitAfter(failure_count + 1)
    const next_attempt_at = wait === null ? null : new Date(timeHere().getTime() + wait).toISOString()
    const signature = signed['webhook-signature'] as string
    return {
      id,
      at: at.toISOString(),
      url,
      signature,
      status,
      duration_ms,
      error,
      excerpt,
      next_attempt_at,
      resend_count,
    }
  }

  function timeHere(): Date {
    return new Date(Date.now() + skewMs)
  }

  function writeSoon(): void {
    timer = undefined
    writeNow = true
    notice()
  }

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writeNow = false
    if (await save(endpoint, results.splice(0), timeHere())) mayBeMore = true
  }

  /** Those of one claim: they are taken again when they are looked for the next time. */
  async function release(items: readonly Item[]): Promise<void> {
    const [first] = items
    if (!first) return
    const rows = { ids: items.map(({ id }) => id), until: first.leased_until }
    await ctx.transaction((ctx) => releaseRows(ctx, deliveryQueue, rows))
    mayBeMore = !stopping()
    notice()
  }

  return {
    done: work().finally(() => {
      clearTimeout(timer)
      over.abort()
      giveUp()
    }),
    look() {
      mayBeMore = true
      notice()
    },
  }
}
