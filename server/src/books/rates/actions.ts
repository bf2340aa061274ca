import { type Context, transaction } from '../../platform/context.ts'
import { notFound } from '../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../../platform/core/schema/revisions.ts'
import { dayAfter } from '../../platform/core/values/dates.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { requireCurrencies } from '../currencies/known.ts'
import {
  type Content,
  contentOf,
  type ExchangeRate,
  type ExchangeRateEdit,
  edit,
  type NewExchangeRate,
  ratesOverlap,
} from './model.ts'
import { deleteRate, endRate, findRate, insertRate, lockOverlapping, lockRate, recordRates, saveRate } from './store.ts'

/** A new rate. Without an end it closes the one before it that had none either. */
export async function createRate(ctx: Context, input: NewExchangeRate): Promise<WireRecord & { id: string }> {
  await requireCurrencies(ctx, [input.from_currency_id], 'from_currency_id')
  await requireCurrencies(ctx, [input.to_currency_id], 'to_currency_id')
  const content = contentOf(input)
  return transaction(ctx, async (ctx) => {
    const id = newId()
    const closed = await makeRoom(ctx, content)
    await insertRate(ctx, id, content)
    await recordRates(ctx, [...closed, { type: 'exchange_rate.created', id }])
    return { id, ...(await readBack(ctx, id)) }
  })
}

export function updateRate(
  ctx: Context,
  id: string,
  input: ExchangeRateEdit,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, id, expected)
    const { next, previous } = edit(current, input)
    if (Object.keys(previous).length === 0) return readBack(ctx, id)
    const [other] = await lockOverlapping(ctx, next, id)
    if (other) throw ratesOverlap(next, other)
    await saveRate(ctx, id, next)
    await recordRates(ctx, [{ type: 'exchange_rate.updated', id, previous }])
    return readBack(ctx, id)
  })
}

export function removeRate(ctx: Context, id: string, expected: ExpectedRevision): Promise<void> {
  return transaction(ctx, async (ctx) => {
    await lock(ctx, id, expected)
    await recordRates(ctx, [{ type: 'exchange_rate.deleted', id }])
    await deleteRate(ctx, id)
  })
}

/** Ends the open rate that a new open one follows; anything else on the same days is in its way. */
async function makeRoom(ctx: Context, content: Content) {
  const [other] = await lockOverlapping(ctx, content)
  if (!other) return []
  const follows = content.ends_on === null && other.ends_on === null && other.starts_on < content.starts_on
  if (!follows) throw ratesOverlap(content, other)
  await endRate(ctx, other.id, dayAfter(content.starts_on, -1))
  return [{ type: 'exchange_rate.updated' as const, id: other.id, previous: { ends_on: null } }]
}

async function lock(ctx: Context, id: string, expected: ExpectedRevision): Promise<ExchangeRate> {
  const current = await lockRate(ctx, id)
  if (!current) throw notFound('exchange rate', id)
  requireExpected(expected, current.revision)
  return current
}

async function readBack(ctx: Context, id: string): Promise<WireRecord> {
  const found = await findRate(ctx, id)
  if (!found) throw new Error(`exchange rate ${id} is missing within its own transaction`)
  return found
}
