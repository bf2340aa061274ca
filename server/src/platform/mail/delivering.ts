import { waitAfter } from '../core/turns/schedule.ts'
import type { Database } from '../db/database.ts'
import { systemContext } from '../organizations/actions.ts'
import { hold } from '../work/queue/queue.ts'
import { workInTurns } from '../work/queue/turns.ts'
import { composeMessage, messageIdOf } from './compose.ts'
import {
  claimDueMails,
  listOrganizationsWithDueMails,
  mailQueue,
  type Outcome,
  saveContent,
  saveOutcome,
} from './delivery-store.ts'
import { mailQueued, recordMail } from './events.ts'
import { listAttachments, type StoredMail } from './store.ts'
import { type HandoverResult, type Transport, UnreachableServer } from './transport.ts'

export type MailObserver = {
  /** One attempt; `queued` is one that is made again. */
  attempt(outcome: Outcome['status']): void
  /** Whether the mail server could be reached when it was last asked. */
  server(isThere: boolean): void
}

export type MailingParts = {
  database: Database
  transport: Transport
  /** The address that mails come from. */
  from: string
  log?: { warn(facts: object, message: string): void } | undefined
  observe?: MailObserver | undefined
  /** What is added to the time: a clock that tests turn. */
  aheadMs?: () => number
  /** Looks for work in one organization only, so that tests do not meet. */
  onlyIn?: string
}

/** So many mails of an organization are taken at a time, and so many are under way at once. */
const most = 10
const sideBySide = 5

/**
 * The background job of each process: hands what is due to the mail server, organization after organization, and writes down what it said. While the server is
 * away the job fails, and mails stay as they are: they lose no attempt, and are sent as soon as it is back.
 */
export function mailJob({ database, transport, from, log, observe, aheadMs = () => 0, onlyIn }: MailingParts) {
  let isReached = false

  async function run(signal: AbortSignal): Promise<void> {
    if (!isReached) await reach(signal)
    const away = new AbortController()
    await workInTurns({
      list: async () => (await listOrganizationsWithDueMails(database.pool, aheadMs())).filter(isWanted),
      keyOf: (org) => org,
      async work(org) {
        const hasSent = await sendIn(org, signal)
        if (!isReached) await reach(signal).catch((error) => away.abort(error))
        return hasSent
      },
      signal: AbortSignal.any([signal, away.signal]),
    })
  }

  function isWanted(org: string): boolean {
    return onlyIn === undefined || org === onlyIn
  }

  async function reach(signal: AbortSignal): Promise<void> {
    const stopped = Promise.withResolvers<never>()
    const stop = () => stopped.reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    try {
      await Promise.race([transport.reach(), stopped.promise])
      isReached = true
    } catch (error) {
      if (!(error instanceof UnreachableServer)) throw error
      throw new Error(`No mail can be handed over, mails wait until it is possible again: ${error.message}`)
    } finally {
      signal.removeEventListener('abort', stop)
      observe?.server(isReached)
    }
  }

  /** False where another process has what is due. */
  async function sendIn(org: string, signal: AbortSignal): Promise<boolean> {
    const ctx = systemContext(database, org)
    const ahead = aheadMs()
    const { claimed, now } = await ctx.transaction((ctx) => claimDueMails(ctx, { most, aheadMs: ahead }))
    const [first] = claimed
    if (!first) return false
    const left = [...claimed]
    const lease = hold(ctx, mailQueue, { ids: claimed.map(({ id }) => id), until: first.leased_until }, ahead)
    const mayGoOn = () => isReached && !signal.aborted && !lease.lost.aborted
    const work = async () => {
      for (let mail = left[0]; mail && mayGoOn(); mail = left[0]) {
        left.shift()
        await sendOne(org, mail, now)
      }
    }
    const ended = await Promise.allSettled(Array.from({ length: sideBySide }, work))
    await lease.release({ ids: left.map(({ id }) => id) })
    const failed = ended.find((end) => end.status === 'rejected')
    if (failed) throw failed.reason
    return true
  }

  async function sendOne(org: string, mail: StoredMail, now: Date): Promise<void> {
    const ctx = systemContext(database, org)
    const message = mail.content ?? (await kept(org, mail))
    const decided = [...mail.accepted_addresses, ...mail.refused.map(({ address }) => address)]
    const to = [...new Set([...mail.to_addresses, ...mail.cc_addresses])].filter(
      (address) => !decided.includes(address),
    )
    const handed = await transport.send({ id: mail.id, from, to, message }).catch((error: Error): HandoverResult => {
      if (error instanceof UnreachableServer) isReached = false
      return { accepted: [], refused: [], later: to.map((address) => ({ address, error: error.message })) }
    })
    const outcome = outcomeOf(mail, handed, now)
    await ctx.transaction(async (ctx) => {
      if (await saveOutcome(ctx, mail.id, outcome))
        await recordMail(ctx, mail.id, outcome.status === 'queued' ? 'mail.deferred' : `mail.${outcome.status}`)
    })
    observe?.attempt(outcome.status)
    if (outcome.status === 'failed') log?.warn({ org, mail: mail.id, error: outcome.error }, 'a mail could not be sent')
  }

  /** Puts the message together and keeps it before anyone sees it. */
  async function kept(org: string, mail: StoredMail): Promise<Buffer> {
    return systemContext(database, org).transaction(async (ctx) => {
      const message = await composeMessage(mail, await listAttachments(ctx, mail.id), from)
      await saveContent(ctx, mail.id, message, messageIdOf(mail.id, from))
      return message
    })
  }

  function outcomeOf(mail: StoredMail, { accepted, refused, later }: HandoverResult, now: Date): Outcome {
    const all = { accepted: [...mail.accepted_addresses, ...accepted], refused: [...mail.refused, ...refused] }
    const error = [...later, ...all.refused].map(({ address, error }) => `${address}: ${error}`).join(' ') || null
    const waitMs = later.length === 0 ? null : waitAfter(mail.failure_count + 1)
    if (waitMs !== null)
      return { ...all, status: 'queued', error, nextAttemptAt: new Date(now.getTime() + waitMs), sentAt: null }
    const status = all.accepted.length > 0 ? transport.leaves : 'failed'
    return { ...all, status, error, nextAttemptAt: null, sentAt: status === 'sent' ? now : null }
  }

  return { run, wokenBy: (wake: () => void) => mailQueued.listen(wake) }
}
