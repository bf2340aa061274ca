import type { Context } from '../../platform/context.ts'
import { invalid, notFound, quote } from '../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../../platform/core/schema/revisions.ts'
import { type Reference, sentAs } from '../../platform/core/values/ids.ts'
import { record } from '../../platform/events/record.ts'
import { eventsOf } from '../documents/model/events.ts'
import { requireNotVoided } from '../documents/model/voiding.ts'
import type { ConsolidatedBill } from './model.ts'
import {
  deleteConsolidatedBill,
  findConsolidatedBill,
  insertConsolidatedBill,
  isCurrency,
  lockConsolidatedBill,
  readConsolidatedBill,
  recordEvents,
  saveConsolidatedBill,
  saveVoid,
  sumsAreExact,
} from './store.ts'

/**
 * Parts of what is done with statements, each within the caller's transaction. What is done to a statement and its bills together is in
 * `books/settling/statements.ts`.
 */
export async function lockStatement(
  ctx: Context,
  reference: Reference,
  expected: ExpectedRevision,
): Promise<ConsolidatedBill> {
  const current = await lockConsolidatedBill(ctx, reference)
  if (!current) throw notFound('consolidated bill', sentAs(reference))
  requireExpected(expected, current.revision)
  requireNotVoided({ noun: 'statement' }, current)
  return current
}

/** The statement with its bills and their lines, as it is answered. */
export async function findStatement(ctx: Context, reference: Reference): Promise<WireRecord> {
  const found = await findConsolidatedBill(ctx, reference)
  if (!found) throw notFound('consolidated bill', sentAs(reference))
  return found
}

export async function readStatement(ctx: Context, id: string): Promise<ConsolidatedBill> {
  return readConsolidatedBill(ctx, id)
}

/** Sums are made when they are read, so what they may become is checked whenever the bills have changed. */
export async function readExact(ctx: Context, id: string): Promise<ConsolidatedBill> {
  if (!(await sumsAreExact(ctx, id)))
    throw invalid(
      'total_amount',
      'amount_too_large',
      'The sums of the statement would be beyond ±9007199254740991, the largest amount that can be kept exactly.',
    )
  return readConsolidatedBill(ctx, id)
}

export async function readBackStatement(ctx: Context, id: string): Promise<WireRecord> {
  const found = await findConsolidatedBill(ctx, { by: 'id', id })
  if (!found) throw new Error(`consolidated bill ${id} is missing within its own transaction`)
  return found
}

export async function requireCurrency(ctx: Context, id: string): Promise<void> {
  if (!(await isCurrency(ctx, id)))
    throw invalid(
      'currency_id',
      'unknown_currency',
      `${quote(id)} is not the code of an ISO 4217 currency, such as "usd".`,
    )
}

export async function insertStatement(ctx: Context, statement: ConsolidatedBill): Promise<void> {
  await insertConsolidatedBill(ctx, statement)
}

/** Saves the statement as the rules made it, with its number where it gets one now. */
export async function saveStatement(ctx: Context, statement: ConsolidatedBill, number: number | null): Promise<void> {
  await saveConsolidatedBill(ctx, statement, number)
}

export async function recordCreation(ctx: Context, id: string): Promise<void> {
  const { revision, ...made } = await readExact(ctx, id)
  await record(ctx, {
    type: 'consolidated_bill.created',
    subject: { type: 'consolidated_bill', id },
    revision,
    data: JSON.stringify({ ...made, revision }),
  })
}

/** Records what the statement has become, and what it was before. */
export async function recordStatement(ctx: Context, before: ConsolidatedBill, reason?: string): Promise<void> {
  const now = await readExact(ctx, before.id)
  const changed = Object.entries(before).filter(
    ([field, value]) =>
      JSON.stringify(value) !== JSON.stringify(now[field as keyof ConsolidatedBill]) && !changesAlways.has(field),
  )
  const change = {
    id: now.id,
    from: before.status_id,
    to: now.status_id,
    previous: Object.fromEntries(changed),
    reason,
  }
  await recordEvents(ctx, now.id, eventsOf({ noun: 'consolidated_bill', date: 'bill_date' }, change))
}

/** Takes the statement out of the books, with what its bills come to now. The caller takes the bills off it before it is recorded. */
export async function voidStatement(ctx: Context, current: ConsolidatedBill, reason: string): Promise<void> {
  await saveVoid(ctx, current, reason)
}

export async function recordVoid(ctx: Context, { id }: ConsolidatedBill): Promise<void> {
  await recordEvents(ctx, id, [
    { type: 'consolidated_bill.voided', id, previous: { voided_at: null, void_reason: null } },
  ])
}

const changesAlways = new Set(['revision', 'updated_at', 'available_actions'])

export async function deleteStatement(ctx: Context, current: ConsolidatedBill): Promise<void> {
  await deleteConsolidatedBill(ctx, current.id)
  const subject = { type: 'consolidated_bill', id: current.id }
  await record(ctx, {
    type: 'consolidated_bill.deleted',
    subject,
    revision: current.revision,
    data: JSON.stringify(current),
  })
}
