import type { Context } from '../../../platform/context.ts'
import { idOfName } from '../../../platform/core/values/ids.ts'
import { RemoteFault, type RemoteRecord } from '../adapters/adapter.ts'
import {
  type Key,
  type KnownRecord,
  saveKept,
  saveRefused,
  saveRemoved,
  saveSending,
  saveSynced,
} from './queued/records-store.ts'
import type { Result } from './queued/store.ts'

/** How one record is looked for, read and written on the other side. */
export type RemoteExchange = {
  /** After an answer was lost: what may have arrived since. */
  find(since: string): Promise<RemoteRecord | null>
  read(remoteId: string): Promise<RemoteRecord | null>
  create(requestId: string): Promise<RemoteRecord>
  /** Null where it cannot be changed: then it is taken out and made anew. */
  update: ((known: RemoteRecord, requestId: string) => Promise<RemoteRecord>) | null
  remove(known: RemoteRecord, requestId: string): Promise<void>
}

export type DeliveryOutcome = Pick<Result, 'outcome' | 'remote_id' | 'reason' | 'error'>

/** `save` keeps what came of it, in the transaction that ends the request. Where it went across, it answers which revision of the record here is there now. */
export type Delivery = {
  key: Key
  known: KnownRecord | undefined
  remote: RemoteExchange
  save(ctx: Context, delivered: DeliveryOutcome): Promise<number>
}

/** The other side's clock may differ from ours by less than this. */
const clocksMs = 24 * 3_600_000
const longestError = 2000

/** Makes it there what `content` says. What it cannot decide it throws: that it must wait, sign in, or has no answer. */
export async function deliver(
  ctx: Context,
  delivery: Delivery,
  { content, hash }: { content: unknown; hash: string },
): Promise<void> {
  const { key, remote, save } = delivery
  let { known } = delivery
  let there = await whatIsThere(delivery)
  // The request that was cut short brought this content: its answer is all that was missing.
  const isArrived =
    there !== null &&
    known?.state === 'sending' &&
    known.remote_id === null &&
    known.request_id === requestIdOf(key, 'create', hash, null, known.refusals)
  const outcome = there && !isArrived ? 'updated' : 'created'
  if (there && !isArrived && !remote.update) {
    if (!(await isTakenOut(ctx, delivery, there))) return
    await ctx.transaction((ctx) => saveRemoved(ctx, key))
    known = known && { ...known, state: 'removed', refusals: known.refusals + 1 }
    there = null
  }
  const requestOf = (version: string | null) =>
    there
      ? requestIdOf(key, 'update', hash, version ?? revisionThere(known), known?.refusals ?? 0)
      : requestIdOf(key, 'create', hash, null, known?.refusals ?? 0)
  const requestId = requestOf(there?.version ?? null)
  await ctx.transaction((ctx) => saveSending(ctx, key, requestId))
  try {
    const { update } = remote
    const made =
      there && isArrived
        ? there
        : there && update
          ? await withFreshVersion(remote, there, (known) => update(known, requestOf(known.version)))
          : await remote.create(requestId)
    await end(ctx, async (ctx) => {
      const revision = await save(ctx, { outcome, remote_id: made.remote_id })
      return saveSynced(ctx, key, requestId, { ...made, content, hash, revision })
    })
  } catch (error) {
    if (
      !(error instanceof RemoteFault) ||
      (error.kind !== 'refused' && error.kind !== 'gone' && error.kind !== 'stale')
    )
      throw error
    const isGone = error.kind === 'gone' && there !== null
    const message = isGone ? `It was deleted there: ${error.message} Trying again makes it anew.` : error.message
    await end(ctx, async (ctx) => {
      await save(ctx, {
        outcome: 'failed',
        reason: isGone ? 'gone_there' : 'refused',
        error: message.slice(0, longestError),
      })
      return saveRefused(ctx, key, requestId, message, { isGone })
    })
  }
}

/** It does not count here any more, so it must not there. */
export async function withdraw(ctx: Context, delivery: Delivery): Promise<void> {
  const { key, save } = delivery
  const there = await whatIsThere(delivery)
  if (there && !(await isTakenOut(ctx, delivery, there))) return
  await ctx.transaction(async (ctx) => {
    await saveRemoved(ctx, key)
    await save(ctx, { outcome: there ? 'removed' : 'skipped', remote_id: there?.remote_id ?? null })
  })
}

/** False where the other side refused it, and that was saved. One that is out already, because an answer was lost, is refused too. */
async function isTakenOut(ctx: Context, { key, known, remote, save }: Delivery, there: RemoteRecord): Promise<boolean> {
  const requestOf = (version: string | null) => requestIdOf(key, 'remove', '', version, known?.refusals ?? 0)
  try {
    await withFreshVersion(remote, there, (known) => remote.remove(known, requestOf(known.version)))
    return true
  } catch (error) {
    if (!(error instanceof RemoteFault) || (error.kind !== 'gone' && error.kind !== 'refused')) throw error
    if (error.kind === 'gone' || !(await remote.read(there.remote_id))) return true
    const why =
      `${error.message.replace(/\.?$/, '.')} Take it out there by hand, or try again once that is possible.`.slice(
        0,
        longestError,
      )
    await ctx.transaction(async (ctx) => {
      await saveKept(ctx, key, why)
      await save(ctx, { outcome: 'failed', remote_id: there.remote_id, reason: 'refused', error: why })
    })
    return false
  }
}

/** What the other side has of it. A request that was cut short may have arrived, so it is looked for before it is made again. */
async function whatIsThere({ known, remote }: Delivery): Promise<RemoteRecord | null> {
  if (!known || known.state === 'removed') return null
  if (known.remote_id !== null) return { remote_id: known.remote_id, version: known.remote_version }
  return known.state === 'sending' ? remote.find(new Date(known.updated_at.getTime() - clocksMs).toISOString()) : null
}

/** Somebody has changed it there since: what is here counts, so it is read and the change made again, once. */
async function withFreshVersion<T>(
  remote: RemoteExchange,
  known: RemoteRecord,
  work: (known: RemoteRecord) => Promise<T>,
): Promise<T> {
  try {
    return await work(known)
  } catch (error) {
    if (!(error instanceof RemoteFault) || error.kind !== 'stale') throw error
    const now = await remote.read(known.remote_id)
    if (!now) throw new RemoteFault('gone', 'The record is not there any more.')
    return work(now)
  }
}

/**
 * The same for the same content after the same history, also in another process after a crash. A refusal or a removal ends it: what is tried after one is
 * another request, which the other side must not answer with what it said before.
 */
function requestIdOf(
  { connection_id, record_type, record_id }: Key,
  operation: string,
  hash: string,
  version: string | null,
  refusals: number,
): string {
  return idOfName([connection_id, record_type, record_id, operation, hash, version ?? '', refusals].join(' '))
}

/**
 * Stands for the version where the other side counts none: what is changed to and fro is another request each time, which it must not answer with what it
 * said to the first. It is saved with the answer only, so it is the same after a crash.
 */
function revisionThere(known: KnownRecord | undefined): string | null {
  return known?.revision?.toString() ?? null
}

const superseded = new Error('another process has ended this request')

/** Saves all of it, unless another process has taken the run over and ended the request. */
async function end(ctx: Context, work: (ctx: Context) => Promise<boolean>): Promise<void> {
  await ctx
    .transaction(async (ctx) => {
      if (!(await work(ctx))) throw superseded
    })
    .catch((error) => {
      if (error !== superseded) throw error
    })
}
