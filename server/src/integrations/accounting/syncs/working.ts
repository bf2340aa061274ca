import { minorUnits } from '../../../books/currencies/known.ts'
import { type Context, contextFor } from '../../../platform/context.ts'
import { Refusal } from '../../../platform/core/refusal.ts'
import type { Database } from '../../../platform/db/database.ts'
import { type Hold, hold } from '../../../platform/work/queue/queue.ts'
import { workInTurns } from '../../../platform/work/queue/turns.ts'
import { RemoteFault } from '../adapters/adapter.ts'
import { requireConnector } from '../connections/actions.ts'
import type { KeptConnection } from '../connections/model.ts'
import { requireConnection } from '../connections/reading.ts'
import { openClient, type Parts } from '../connections/tokens.ts'
import { formatOf } from '../files/formats.ts'
import { recordSync, syncAsked } from './actions.ts'
import { listDocuments } from './queued/documents-store.ts'
import { listPayments } from './queued/payments-store.ts'
import { listRecords } from './queued/records-store.ts'
import {
  type ClaimedSync,
  claimSync,
  listPending,
  listTurns,
  type PendingResult,
  type SyncEnd,
  saveAttempt,
  saveEnd,
  saveMet,
  saveResults,
  syncQueue,
  type Turn,
} from './queued/store.ts'
import { receiveAgain, receivePayments } from './receiving.ts'
import { type SyncRun, sendOne } from './sending.ts'
import { sendPayment } from './sending-payments.ts'
import { type FileStore, makeFile, writeLot } from './writing.ts'

export type SyncParts = Parts & {
  database: Database
  keeping: FileStore
  log?: { warn(facts: object, message: string): void } | undefined
  /** What is added to the time: a clock that tests turn. */
  aheadMs?: () => number
}

/** So many documents are read together, and are the turn of a connection; of files more, since nothing is waited for. */
const lotOnline = 20
const lotOfFile = 100
/** So many connections are worked on at the same time: one waits for the answers of its own system alone. */
const connectionsAtOnce = 4
/** A record whose answer does not come is tried so often, after longer and longer. */
const mostAttempts = 4
const firstWaitMs = 5_000

/** The background job: works off all syncs, a lot of each connection after the other. Other processes do the same at the same time. */
export function syncJob(parts: SyncParts) {
  return { run: (signal: AbortSignal) => workAll(parts, signal), wokenBy: syncAsked.listen }
}

/** One lot of each connection after the other, until nothing is left that can go on now. A system that is slow or away delays no other. */
export function workAll(parts: SyncParts, signal?: AbortSignal): Promise<void> {
  return workInTurns({
    list: () => listTurns(parts.database.pool, parts.aheadMs?.() ?? 0),
    keyOf: ({ connection_id }) => connection_id,
    work: (turn) => workTurn(parts, turn, signal),
    atOnce: connectionsAtOnce,
    signal,
  })
}

/** False where another process is at it, or it must wait. */
async function workTurn(
  parts: SyncParts,
  { org_id: org, id, actor }: Turn,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const ctx = contextFor(parts.database, { org, actor })
  const ahead = parts.aheadMs?.() ?? 0
  const sync = await ctx.transaction((ctx) => claimSync(ctx, id, ahead))
  if (!sync) return false
  // A request to the other side may take longer than a lease.
  const lease = hold(ctx, syncQueue, { ids: [id], until: sync.leased_until }, ahead)
  try {
    const connection = await requireConnection(ctx, sync.connection_id)
    const isOver = await workLot(ctx, parts, { sync, lease, connection }, signal)
    if (!isOver) await lease.release()
    return true
  } catch (error) {
    return await stopped(ctx, sync, lease, error)
  } finally {
    lease.stopRenewing()
  }
}

type Work = { sync: ClaimedSync; lease: Hold; connection: KeptConnection }

/** The next lot. True where nothing is left and the run has ended. */
async function workLot(
  ctx: Context,
  parts: SyncParts,
  { sync, lease, connection }: Work,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const connector = requireConnector(connection)
  const format = formatOf(connector.id)
  const pending = await listPending(ctx, sync.id, format ? lotOfFile : lotOnline)
  if (format) {
    const writing = { sync, connection, connector, format }
    if (pending.length > 0) await writeLot(ctx, writing, pending)
    else await makeFile(ctx, parts.keeping, writing)
    return pending.length === 0
  }
  const { adapter, client } = openClient(ctx, parts, connection)
  const sending = { lease, sync: sync.id, connection, connector, adapter, client, decimals: await minorUnits(ctx) }
  if (pending.length > 0) {
    await sendLot(ctx, parts, sending, pending, signal)
    return false
  }
  if (sync.what.includes('payments'))
    await receivePayments(ctx, { sync: sync.id, connection, adapter, client }, lease.renew)
  await endSync(ctx, sync, lease, { state: 'done' })
  return true
}

type Lot = SyncRun & { lease: Hold }

async function sendLot(
  ctx: Context,
  parts: SyncParts,
  sending: Lot,
  pending: readonly PendingResult[],
  signal: AbortSignal | undefined,
): Promise<void> {
  // In their order: what is voided, then documents, then what settles them.
  for (const group of groupsOf(pending)) {
    if (group[0]?.record_type === 'payment') await sendPayments(ctx, parts, sending, group, signal)
    else await sendDocuments(ctx, parts, sending, group, signal)
  }
}

/** Records of one sort that follow each other are read together. */
function groupsOf(pending: readonly PendingResult[]): PendingResult[][] {
  const groups: PendingResult[][] = []
  for (const one of pending) {
    const last = groups.at(-1)
    if (last?.[0]?.record_type === one.record_type) last.push(one)
    else groups.push([one])
  }
  return groups
}

async function sendDocuments(
  ctx: Context,
  parts: SyncParts,
  sending: Lot,
  group: readonly PendingResult[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const { connection, sync, lease } = sending
  const type = group[0]?.record_type === 'bill' ? 'bill' : 'invoice'
  const ids = group.flatMap(({ record_id }) => record_id ?? [])
  const raws = new Map((await listDocuments(ctx, connection, type, ids)).map((raw) => [raw.id, raw]))
  const known = await listRecords(ctx, connection.id, type, ids)
  for (const { place, record_id } of group) {
    signal?.throwIfAborted()
    if (!(await lease.renew())) return
    const raw = raws.get(record_id as string)
    if (raw)
      await sendOne(ctx, sending, { place, raw, known: known.get(raw.id) }).catch((error) =>
        orLater(ctx, parts, sync, place, error),
      )
    else await ctx.transaction((ctx) => saveResults(ctx, sync, [{ place, ...notThere }]))
  }
}

/** Payments made here go there; those made there that could not be recorded, of which there is none here yet, are tried again. */
async function sendPayments(
  ctx: Context,
  parts: SyncParts,
  sending: Lot,
  group: readonly PendingResult[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const { connection, sync, lease, adapter, client } = sending
  const ids = group.flatMap(({ record_id }) => record_id ?? [])
  const raws = new Map((ids.length > 0 ? await listPayments(ctx, connection.id, ids) : []).map((raw) => [raw.id, raw]))
  for (const one of group) {
    signal?.throwIfAborted()
    if (!(await lease.renew())) return
    const { place, record_id } = one
    const raw = raws.get(record_id ?? '')
    if (record_id === null) await receiveAgain(ctx, { sync, connection, adapter, client }, one)
    else if (!raw) await ctx.transaction((ctx) => saveResults(ctx, sync, [{ place, ...notThere }]))
    else
      await sendPayment(ctx, sending, { place, raw, renew: lease.renew }).catch((error) =>
        orLater(ctx, parts, sync, place, error),
      )
  }
}

const notThere = { outcome: 'skipped', reason: 'not_there', error: 'It is not there any more.' } as const

/** A record without an answer is tried again after a while; after several times it has failed, and the others are tried. */
async function orLater(ctx: Context, { log }: SyncParts, sync: string, place: number, error: unknown): Promise<void> {
  if (error instanceof RemoteFault && error.kind === 'no_answer') {
    const attempts = await ctx.transaction((ctx) => saveAttempt(ctx, sync, place))
    if (attempts < mostAttempts) throw new RemoteFault('busy', error.message, firstWaitMs * 2 ** (attempts - 1))
    const message = `${error.message} Whether it arrived is not known: the next sync looks for it there before it sends it again.`
    await ctx.transaction((ctx) =>
      saveResults(ctx, sync, [{ place, outcome: 'failed', reason: 'no_answer', error: message }]),
    )
    throw new RemoteFault('no_answer', error.message)
  }
  if (error instanceof RemoteFault || (error instanceof Refusal && error.kind === 'unavailable')) throw error
  const why =
    error instanceof Refusal
      ? { reason: error.code, error: error.message }
      : { reason: 'internal_error', error: 'Something went wrong on our side. It is in the log.' }
  if (!(error instanceof Refusal)) log?.warn({ err: error, sync, place }, 'a record could not be synced')
  await ctx.transaction((ctx) => saveResults(ctx, sync, [{ place, outcome: 'failed', ...why }]))
}

/** What keeps a run from going on: it waits, or ends. False: there is nothing more to do for it now. */
async function stopped(ctx: Context, sync: ClaimedSync, lease: Hold, error: unknown): Promise<boolean> {
  if (error instanceof RemoteFault && error.kind === 'busy') {
    await lease.release({ waitMs: error.retryAfterMs })
    return false
  }
  if (error instanceof RemoteFault) {
    const reason = error.kind === 'sign_in' ? 'needs_sign_in' : error.kind === 'no_answer' ? 'no_answer' : 'refused'
    await endSync(ctx, sync, lease, { state: 'failed', reason, error: error.message })
    return true
  }
  if (error instanceof Refusal && error.kind !== 'unavailable') {
    await endSync(ctx, sync, lease, { state: 'failed', reason: error.code, error: error.message })
    return true
  }
  await lease.release({ waitMs: firstWaitMs })
  throw error
}

/** Not where another process has taken it over: that one is still at it. */
async function endSync(ctx: Context, sync: ClaimedSync, lease: Hold, ended: SyncEnd): Promise<void> {
  if (!(await lease.renew())) return
  await ctx.transaction(async (ctx) => {
    if (!(await saveEnd(ctx, sync, ended))) return
    const isFailed = ended.state === 'failed'
    await saveMet(ctx, sync.connection_id, isFailed ? 'error' : 'connected', isFailed ? (ended.error ?? null) : null)
    await recordSync(ctx, sync.connection_id, sync.id, ended.state)
  })
}
