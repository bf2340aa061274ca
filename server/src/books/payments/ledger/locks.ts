import { type Context, together } from '../../../platform/context.ts'
import { conflict, notFound } from '../../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../../../platform/core/schema/revisions.ts'
import { type Reference, sentAs } from '../../../platform/core/values/ids.ts'
import type { EventOf } from '../../../platform/events/record.ts'
import { requireOpenPeriods } from '../../periods/open.ts'
import type { Direction, Payment } from './model.ts'
import { findPayment, lockPayment, recordPaymentEvents } from './store.ts'

export async function readBack(ctx: Context, id: string): Promise<WireRecord> {
  const found = await findPayment(ctx, { by: 'id', id })
  if (!found) throw new Error(`payment ${id} is missing within its own transaction`)
  return { revision: found.revision, json: found.json }
}

/** What is dated in a closed period stays as it is. */
export async function recordDated(ctx: Context, dates: readonly string[], events: readonly EventOf[]): Promise<void> {
  await together(recordPaymentEvents(ctx, events), requireOpenPeriods(ctx, dates))
}

/** What the direction of a payment is, before it is known whether the caller may see it. */
export async function directionOf(ctx: Context, reference: Reference): Promise<Direction> {
  return (await loadPayment(ctx, reference)).direction
}

export async function loadPayment(ctx: Context, reference: Reference): Promise<Payment> {
  return JSON.parse((await readPayment(ctx, reference)).json)
}

export async function readPayment(ctx: Context, reference: Reference): Promise<WireRecord & { id: string }> {
  const found = await findPayment(ctx, reference)
  if (!found) throw notFound('payment', sentAs(reference))
  return found
}

export async function idOf(ctx: Context, reference: Reference): Promise<string> {
  return (await loadPayment(ctx, reference)).id
}

export async function lockExpected(ctx: Context, id: string, expected: ExpectedRevision): Promise<Payment> {
  const current = await lockPayment(ctx, id)
  if (!current) throw notFound('payment', id)
  requireExpected(expected, current.revision)
  return current
}

/** A payment keeps its run for good, so this holds without a lock. */
export function requireNotOfRun({ payment_run_id }: Payment): void {
  if (payment_run_id === null) return
  const message = `This payment is part of the payment run ${payment_run_id}: take its bills out of the run while that is not issued, and return the payment after.`
  throw conflict('in_payment_run', message)
}

export function notPossible({ status }: Pick<Payment, 'status'>, what: string) {
  if (status === 'voided')
    return conflict('payment_is_voided', `This payment is voided, so it cannot be ${what} any more.`)
  return conflict('not_issued', `This payment is ${status === 'draft' ? 'a draft' : status}, so it cannot be ${what}.`)
}
