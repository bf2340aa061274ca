import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../../settings.ts'
import { Refusal } from '../core/refusal.ts'
import type { Database } from '../db/database.ts'
import type { Log } from '../observe/log.ts'
import { entryOf, holdSentBodies, isRead } from './entry.ts'
import { insertEntries } from './store.ts'
import { makeWaiting } from './waiting.ts'

export type RequestLog = {
  note(request: FastifyRequest, reply: FastifyReply): void
  /** Writes what this process still has of an organization, so that who asks sees what was answered before. */
  flush(org: string): Promise<void>
  /** Writes everything that is left, as far as that is possible within a few seconds. */
  close(): Promise<void>
  counts(): { waiting: number; kept: number; notKept: number; lost: number }
}

type Parts = { database: Database; log: Pick<Log, 'error' | 'warn'>; settings: Pick<Settings, 'requestLog'> }

/** Between two rounds of writing, and the most organizations that one round writes: each takes a transaction. */
const everyMs = 1_000
const organizationsOfRound = 25
/** A round begins nothing more after so long: where the database is away, every organization may wait for as long as this. */
const roundMs = 5_000
const closeWithinMs = 5_000

/** Notes every request of these routes that came with a good token. */
export function noteRequests(app: FastifyInstance, requestLog: RequestLog): void {
  holdSentBodies(app)
  app.addHook('onResponse', (request, reply, next) => {
    if (request.token) requestLog.note(request, reply)
    next()
  })
}

/**
 * The request log of this process. No request waits for it: what was answered is noted in memory, and written a moment later, one statement for each
 * organization. Where the database is away it stays in memory, as much as there is room for.
 */
export function openRequestLog({ database, log, settings }: Parts, now: () => number = Date.now): RequestLog {
  const { days, perSecond } = settings.requestLog
  const waiting = makeWaiting(perSecond, now)
  const writing = new Map<string, Promise<boolean>>()
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let lost = 0

  function note(request: FastifyRequest, reply: FastifyReply): void {
    if (days === 0) return
    try {
      waiting.add(request.token.org_id, isRead(request) && reply.statusCode < 400, () => entryOf(request, reply))
      plan()
    } catch (error) {
      log.error({ request_id: request.id, err: error }, 'a request could not be noted in the request log')
    }
  }

  function plan(): void {
    if (timer || closed || waiting.queue.size === 0) return
    timer = setTimeout(() => {
      round(performance.now() + roundMs).finally(() => {
        timer = undefined
        plan()
      })
    }, everyMs).unref()
  }

  /** Those that have waited longest first; one that is refused keeps no other from its turn. Never throws; whether any could be written. */
  async function round(end: number): Promise<boolean> {
    let written = false
    let refused: unknown
    for (const org of [...waiting.queue].slice(0, organizationsOfRound)) {
      if (performance.now() >= end) break
      try {
        await write(org)
        written = true
      } catch (error) {
        refused = error
        waiting.postpone(org)
      }
    }
    if (refused) log.warn({ err: refused }, 'the request log could not be written; it is tried again')
    return written
  }

  /** One statement; whether more of the organization is to be written. */
  function write(org: string): Promise<boolean> {
    const running = writing.get(org) ?? writeNext(org).finally(() => writing.delete(org))
    writing.set(org, running)
    return running
  }

  async function writeNext(org: string): Promise<boolean> {
    const batch = waiting.next(org)
    try {
      await insertEntries(database, org, batch)
    } catch (error) {
      // The database is away, or the organization has much to do.
      if (error instanceof Refusal) throw error
      lost += batch.entries.length
      log.error({ org, err: error }, 'entries of the request log could not be written, and are lost')
    }
    return waiting.done(org, batch)
  }

  return {
    note,
    async flush(org) {
      await writing.get(org)?.catch(() => false)
      let more = waiting.queue.has(org)
      while (more) more = await write(org).catch(() => false)
    },
    async close() {
      closed = true
      clearTimeout(timer)
      const end = performance.now() + closeWithinMs
      let written = true
      while (written && waiting.queue.size > 0 && performance.now() < end) written = await round(end)
    },
    counts: () => ({
      waiting: waiting.counts.entries,
      kept: waiting.counts.kept,
      notKept: waiting.counts.notKept,
      lost,
    }),
  }
}
