import { minorUnits } from '../../../books/currencies/known.ts'
import { createPayment, voidPayment } from '../../../books/payments/actions.ts'
import type { Context } from '../../../platform/context.ts'
import { Refusal } from '../../../platform/core/refusal.ts'
import { decimalText } from '../../../platform/core/tables/decimals.ts'
import { idOfName } from '../../../platform/core/values/ids.ts'
import type { Adapter, Client, IncomingPayment, OutgoingPayment } from '../adapters/adapter.ts'
import type { KeptConnection } from '../connections/model.ts'
import {
  deleteRecord,
  type KnownRecord,
  listByRemote,
  listUnderWay,
  saveRecords,
  saveRemoved,
} from './queued/records-store.ts'
import {
  findPaymentsUntil,
  insertResult,
  listParties,
  type PendingResult,
  savePaymentsUntil,
  saveResults,
} from './queued/store.ts'

type Receiving = {
  sync: string
  connection: Pick<KeptConnection, 'id' | 'connector_id' | 'name'>
  adapter: Adapter
  client: Client
}

/**
 * Brings the payments here that were made there since the last time, each once: what it is there is saved with the payment itself. It ends where the run is
 * not held any more.
 */
export async function receivePayments(
  ctx: Context,
  receiving: Receiving,
  renew: () => Promise<boolean>,
): Promise<void> {
  const { adapter, client, connection } = receiving
  const since = (await findPaymentsUntil(ctx, connection.id)) ?? new Date(0).toISOString()
  const { payments, until } = await adapter.payments.since(client, since)
  const known = await listByRemote(ctx, connection.id, 'payment', idsOf(payments))
  const underWay = await listUnderWay(
    ctx,
    connection.id,
    payments.flatMap(({ mark }) => mark ?? []),
  )
  for (const payment of payments) {
    if (!(await renew())) return
    const before = known.get(payment.remote_id)
    if (before && isSentFromHere(before)) {
      if (payment.is_deleted && before.state !== 'sending') await noteDeletion(ctx, receiving, before)
      continue
    }
    // It arrived, and its answer was lost: it is found there when it is sent again.
    if (!before && payment.mark !== null && underWay.has(payment.mark)) continue
    if (before && isSame(before, payment)) continue
    await receive(ctx, receiving, payment, before, null)
  }
  await ctx.transaction((ctx) => savePaymentsUntil(ctx, connection.id, until))
}

/** Of a payment that was sent a request was made; one that came from there has none. */
function isSentFromHere({ request_id }: KnownRecord): boolean {
  return request_id !== null
}

/** Whether the money moved is for a person to say, so it stays here as it is, and is not made there again by itself. */
async function noteDeletion(ctx: Context, { sync, connection }: Receiving, before: KnownRecord): Promise<void> {
  const { payment_id, number } = before.content as OutgoingPayment
  const error = `It was deleted in ${connection.name}. Void it here if it was not made; trying again makes it there anew.`
  await ctx.transaction(async (ctx) => {
    await saveRemoved(ctx, { connection_id: connection.id, record_type: 'payment', record_id: before.record_id })
    await insertResult(ctx, sync, 'payment', {
      outcome: 'failed',
      record_id: payment_id,
      remote_id: before.remote_id,
      number,
      reason: 'gone_there',
      error,
    })
  })
}

/** One that could not be recorded, or whose change could not, again. What it said is kept with it. */
export async function receiveAgain(
  ctx: Context,
  receiving: Receiving,
  { place, remote_id }: PendingResult,
): Promise<void> {
  const known = await listByRemote(ctx, receiving.connection.id, 'payment', [remote_id ?? ''])
  const before = known.get(remote_id ?? '')
  if (!before || !isLeft(before)) {
    await ctx.transaction((ctx) =>
      saveResults(ctx, receiving.sync, [
        { place, outcome: 'unchanged', remote_id, record_id: before?.record_id ?? null },
      ]),
    )
    return
  }
  await receive(ctx, receiving, before.content as IncomingPayment, before, place)
}

/** Whether what it said last could not be done here: of a payment that is here, it is of another version than the one that is. */
function isLeft({ state, remote_version, content }: KnownRecord): boolean {
  if (state !== 'synced') return state === 'refused'
  const { version, is_deleted } = content as IncomingPayment
  return is_deleted || version !== remote_version
}

async function receive(
  ctx: Context,
  receiving: Receiving,
  payment: IncomingPayment,
  before: KnownRecord | undefined,
  place: number | null,
): Promise<void> {
  const { sync, connection } = receiving
  const key = (record_id: string) => ({ connection_id: connection.id, record_type: 'payment' as const, record_id })
  const save = (
    ctx: Context,
    result: {
      outcome: 'created' | 'updated' | 'removed' | 'skipped' | 'failed'
      record_id?: string | null
      reason?: string
      error?: string
    },
  ) => {
    const whole = { ...result, remote_id: payment.remote_id }
    return place === null
      ? insertResult(ctx, sync, 'payment', { ...whole, number: payment.reference_number })
      : saveResults(ctx, sync, [{ ...whole, place }])
  }
  try {
    await ctx.transaction(async (ctx) => {
      const standing = before?.state === 'synced' ? before.record_id : null
      if (standing) {
        const reason = payment.is_deleted
          ? `It was deleted in ${connection.name}.`
          : `It was changed in ${connection.name}.`
        await voidPayment(ctx, { by: 'id', id: standing }, reason, null)
        await saveRemoved(ctx, key(standing))
      } else if (before) await deleteRecord(ctx, key(before.record_id))
      const wanted = payment.is_deleted ? null : await newPayment(ctx, receiving, payment)
      // Of documents that are not from here, or gone.
      if (!wanted) return standing ? save(ctx, { outcome: 'removed', record_id: standing }) : undefined
      if (wanted.allocations.length === 0)
        return save(ctx, standing ? { outcome: 'removed', record_id: standing } : { outcome: 'skipped', ...noMoney })
      const { id } = await createPayment(ctx, wanted)
      await saveRecords(ctx, [
        {
          ...key(id),
          remote_id: payment.remote_id,
          version: payment.version,
          content: payment,
          hash: null,
          revision: null,
          state: 'synced',
        },
      ])
      return save(ctx, { outcome: standing ? 'updated' : 'created', record_id: id })
    })
  } catch (error) {
    const why = whyNot(error)
    await ctx.transaction(async (ctx) => {
      // One that is here stays as it is, with its version; what it is there by now is kept for a retry.
      const kept =
        before?.state === 'synced'
          ? ({ ...key(before.record_id), version: before.remote_version, state: 'synced' } as const)
          : ({
              ...key(before?.record_id ?? idOfName(`${connection.id} ${payment.remote_id}`)),
              version: payment.version,
              state: 'refused',
            } as const)
      await saveRecords(ctx, [{ ...kept, remote_id: payment.remote_id, content: payment, hash: null, revision: null }])
      await save(ctx, { outcome: 'failed', ...why })
    })
  }
}

const noMoney = {
  reason: 'no_money_moved',
  error: 'Credits there settle all of it, and no money moved. Apply them here too.',
}

/** Which of several documents a credit settles is not said there, so what the money settles is not known. */
class UnknownSplit extends Error {
  constructor(credit: string) {
    super(
      `Credits there settle ${credit} of it, and not which of its documents. Apply them there by a payment of their own, and sync again.`,
    )
  }
}

/** Why it cannot be recorded. What is no reason is thrown. */
function whyNot(error: unknown): { reason: string; error: string } {
  if (error instanceof UnknownSplit) return { reason: 'split_unknown', error: error.message }
  if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
  return { reason: error.code, error: error.message.slice(0, 2000) }
}

/** What of a payment is for documents that were sent from here; null where nothing is. It has no allocations where credits settle all of it. */
async function newPayment(ctx: Context, { connection }: Receiving, payment: IncomingPayment) {
  const type = payment.direction === 'out' ? 'bill' : 'invoice'
  const parts = payment.parts.filter((part) => part.type === type && part.amount !== 0)
  const sent = await listByRemote(
    ctx,
    connection.id,
    type,
    parts.map(({ remote_id }) => remote_id),
  )
  const own = parts.flatMap(({ remote_id, amount }) => {
    const record = sent.get(remote_id)
    return record ? [{ id: record.record_id, amount }] : []
  })
  const documents = new Map(
    (
      await listParties(
        ctx,
        type,
        own.map(({ id }) => id),
      )
    ).map((document) => [document.id, document]),
  )
  const first = documents.get(own[0]?.id ?? '')
  if (!first) return null
  const decimals = (await minorUnits(ctx)).get(first.currency_id) ?? 2
  const inMinor = (amounts: readonly { amount: number }[]) =>
    amounts.reduce((sum, { amount }) => sum + Math.round(amount * 10 ** decimals), 0)
  const credit = inMinor([{ amount: payment.credit ?? 0 }])
  const isOfAll = credit >= inMinor(parts)
  if (credit > 0 && !isOfAll && new Set(parts.map(({ remote_id }) => remote_id)).size > 1)
    throw new UnknownSplit(`${decimalText(credit, decimals)} ${first.currency_id.toUpperCase()}`)
  const allocations = [...Map.groupBy(own, ({ id }) => id)]
    .map(([id, same]) => ({ [`${type}_id`]: id, amount: credit > 0 && isOfAll ? 0 : inMinor(same) - credit }))
    .filter(({ amount }) => amount !== 0)
  return {
    direction: payment.direction,
    ...(type === 'bill' ? { partner_carrier_id: first.party_id } : { customer_id: first.party_id }),
    ...{
      currency_id: first.currency_id,
      amount: allocations.reduce((sum, { amount }) => sum + amount, 0),
      method: payment.method,
    },
    ...{
      reference_number: payment.reference_number,
      paid_at: payment.date,
      notes: `Made in ${connection.name} (${payment.remote_id}).`,
    },
    allocations,
  }
}

/** Whether it says what it said the last time. What of that could not be done is for a retry, whether the other side tells it again or not. */
function isSame({ content }: KnownRecord, { version, is_deleted }: IncomingPayment): boolean {
  const before = content as IncomingPayment
  return before.version === version && before.is_deleted === is_deleted
}

function idsOf(payments: readonly IncomingPayment[]): string[] {
  return payments.map(({ remote_id }) => remote_id)
}
