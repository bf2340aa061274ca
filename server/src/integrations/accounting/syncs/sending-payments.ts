import type { Context } from '../../../platform/context.ts'
import type { OutgoingPayment } from '../adapters/adapter.ts'
import { type Delivery, type DeliveryOutcome, deliver, type RemoteExchange, withdraw } from './delivering.ts'
import { hashOfPayment, type PlannedPayments, planPayment, type Unit } from './queued/payments.ts'
import type { RawPayment } from './queued/payments-store.ts'
import { type Key, type KnownRecord, listRecords, mayBeThere, saveSeen } from './queued/records-store.ts'
import { saveResults } from './queued/store.ts'
import type { SyncRun } from './sending.ts'

/** `renew` holds the run on between requests; false where it has ended. */
type One = { place: number; raw: RawPayment; renew(): Promise<boolean> }
type Step = (save: Delivery['save']) => Promise<void>

/** Brings one payment across, as one or as several there, and saves what came of it as one result. What it cannot decide it throws, as for a document. */
export async function sendPayment(ctx: Context, sending: SyncRun, { place, raw, renew }: One): Promise<void> {
  const { sync } = sending
  const plan = planPayment(
    { adapter: sending.adapter.payments, settings: sending.connection.settings, decimals: sending.decimals },
    raw,
  )
  const known = await listRecords(
    ctx,
    sending.connection.id,
    'payment',
    plan.units.map(({ id }) => id),
  )
  const refusal = refusalOf(raw, plan)
  const { steps, seen } = stepsOf(ctx, sending, raw, plan.units, known, refusal === null)
  const all: DeliveryOutcome[] = []
  const finish = async (ctx: Context) => {
    await saveSeen(
      ctx,
      seen.map((key) => ({ ...key, revision: raw.revision })),
    )
    await saveResults(ctx, sync, [{ place, ...resultOf(all, plan, refusal, known) }])
  }
  for (const [index, step] of steps.entries()) {
    if (index > 0 && !(await renew())) return
    // The result is saved with the last of them; those before it are known by their records after a crash.
    await step(async (ctx, delivered) => {
      all.push(delivered)
      if (index === steps.length - 1) await finish(ctx)
      return raw.revision
    })
  }
  if (steps.length === 0) await ctx.transaction(finish)
}

/** Why nothing of it is sent. What must not be there any more is taken out in any case. */
function refusalOf({ is_from_there }: RawPayment, { blocked, gaps }: PlannedPayments): DeliveryOutcome | null {
  if (is_from_there) return { outcome: 'skipped', reason: 'made_there', error: 'It was made there.' }
  if (blocked) return { outcome: 'skipped', ...blocked }
  if (gaps.length === 0) return null
  return { outcome: 'failed', reason: 'not_mapped', error: gaps.map(({ message }) => message).join(' ') }
}

function stepsOf(
  ctx: Context,
  sending: SyncRun,
  { direction, is_from_there }: RawPayment,
  units: readonly Unit[],
  known: ReadonlyMap<string, KnownRecord>,
  isSent: boolean,
): { steps: Step[]; seen: Key[] } {
  const out: Step[] = []
  const over: Step[] = []
  const seen: Key[] = []
  for (const { id, payment } of units) {
    const key: Key = { connection_id: sending.connection.id, record_type: 'payment', record_id: id }
    const record = known.get(id)
    const delivery = { key, known: record, remote: remoteOf(sending, payment ?? { id, direction }) }
    if (!payment) {
      if (mayBeThere(record) && !is_from_there) out.push((save) => withdraw(ctx, { ...delivery, save }))
      continue
    }
    if (!isSent) continue
    const hash = hashOfPayment(sending.adapter.payments, payment)
    if (record?.state === 'synced' && record.content_hash === hash) seen.push(key)
    else over.push((save) => deliver(ctx, { ...delivery, save }, { content: payment, hash }))
  }
  // What was settled before must be owed again before another payment can settle it.
  return { steps: [...out, ...over], seen }
}

function remoteOf(
  { adapter: { payments }, client }: SyncRun,
  payment: Pick<OutgoingPayment, 'id' | 'direction'>,
): RemoteExchange {
  const { update } = payments
  return {
    find: (since) => payments.find(client, payment, since),
    read: (remoteId) => payments.read(client, remoteId),
    create: (requestId) => payments.create(client, payment as OutgoingPayment, requestId),
    update: update && ((known, requestId) => update(client, payment as OutgoingPayment, known, requestId)),
    remove: (known, requestId) => payments.remove(client, known, requestId),
  }
}

/** What came of all its parts, as one. */
function resultOf(
  all: readonly DeliveryOutcome[],
  { units, rest }: PlannedPayments,
  refusal: DeliveryOutcome | null,
  known: ReadonlyMap<string, KnownRecord>,
): DeliveryOutcome {
  const failed = all.filter(({ outcome }) => outcome === 'failed')
  if (failed.length > 0)
    return {
      ...(failed[0] as DeliveryOutcome),
      error: [...new Set(failed.map(({ error }) => error))].join(' ').slice(0, 2000),
    }
  if (refusal) return refusal
  const [only] = units
  const remote_id = units.length === 1 && only ? (all[0]?.remote_id ?? known.get(only.id)?.remote_id ?? null) : null
  const has = (outcome: DeliveryOutcome['outcome']) => all.some((one) => one.outcome === outcome)
  const isOver = units.every(({ payment }) => payment === null)
  if (isOver)
    return has('removed')
      ? { outcome: 'removed', remote_id }
      : { outcome: 'skipped', reason: 'is_voided', error: 'It settles nothing, and is not there.' }
  if (all.length === 0) return { outcome: 'unchanged', remote_id }
  const wasThere = has('updated') || has('removed') || units.some(({ id }) => known.get(id)?.state === 'synced')
  return { outcome: wasThere ? 'updated' : 'created', remote_id, ...(rest && { reason: 'rest_not_sent', error: rest }) }
}
