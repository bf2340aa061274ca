import { actorId } from '../../auth/applications/actor-id.ts'
import { type Context, together, transaction } from '../../context.ts'
import { toWire } from '../../core/dates.ts'
import { newId, type Reference } from '../../core/ids.ts'
import { conflict, invalid, notFound } from '../../core/refusal.ts'
import { type Expected, type Revised, requireExpected } from '../../core/revisions.ts'
import { collision } from '../../db/away.ts'
import type { EventOf } from '../../events/record.ts'
import { requireCurrencies } from '../currencies/known.ts'
import { normalDate, normalId } from '../documents/model/normal.ts'
import { requireOpenPeriods } from '../periods/open.ts'
import { homeRateAt } from '../rates/lookup.ts'
import type { Allocation, AllocationBody, Direction, NewPayment, Part, Payment, PaymentEdit } from './model.ts'
import { requireFunds } from './model.ts'
import { type PayableKind, partsIn, payableOf } from './payables.ts'
import { eventsOfIssue } from './recording.ts'
import { lockAllocated, lockOldest, lockParts, settleParts, unsettle } from './settling.ts'
import {
  deletePayment,
  endAllocation,
  findPayment,
  insertAllocations,
  insertDraft,
  insertPayments,
  lockPayment,
  recordPaymentEvents,
  saveAllocated,
  saveIssued,
  savePayment,
  voidPayments,
  wireName,
} from './store.ts'

/** A payment that is issued at once, with what it settles, or a draft. */
export function createPayment(ctx: Context, input: NewPayment): Promise<Revised & { id: string }> {
  return transaction(ctx, async (ctx) => {
    const id = newId()
    const payment = { ...(await contentOf(ctx, input)), id, external_id: input.external_id ?? null, created_by: await actorId(ctx) }
    const payable = payableOf(payment)
    const asked = partsIn(payable, input.allocations ?? [])
    if (input.status === 'draft') {
      requireFunds(asked, payment.amount)
      await insertDraft(ctx, { ...payment, allocations: plannedOf(payable, asked) })
      await recordDated(ctx, [payment.paid_at], [{ type: 'payment.created', id }])
      return { ...(await present(ctx, id)), id }
    }
    const { documents, parts } = await lockAsked(ctx, payable, payment, payment.amount, asked, input.oldest_first)
    requireFunds(parts, payment.amount)
    const valued = { ...payment, ...(await homeRateAt(ctx, payment.currency_id, payment.paid_at)) }
    const allocations = await settleParts(ctx, payable, documents, parts, valued)
    await insertPayments(ctx, payable.target, [{ ...valued, consolidated_bill_id: null, allocations }])
    await recordDated(ctx, [payment.paid_at], eventsOfIssue({ id }))
    return { ...(await present(ctx, id)), id }
  })
}

/** Details can change always, what it pays while it is a draft. */
export function updatePayment(ctx: Context, reference: Reference, input: PaymentEdit, expected: Expected): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const current = await lockExpected(ctx, await idOf(ctx, reference), expected)
    const next = await edited(ctx, current, input)
    const previous = Object.fromEntries(
      Object.entries(current).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(next[name as keyof Payment])),
    )
    if (Object.keys(previous).length > 0) {
      await savePayment(ctx, next)
      await recordDated(ctx, [current.paid_at, next.paid_at], [{ type: 'payment.updated', id: current.id, previous }])
    }
    return present(ctx, current.id)
  })
}

export function removePayment(ctx: Context, reference: Reference, expected: Expected): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { id, status, paid_at } = await lockExpected(ctx, await idOf(ctx, reference), expected)
    if (status !== 'draft') throw conflict('not_a_draft', `Only drafts can be deleted, and this payment is ${status}. Void it instead.`)
    await recordDated(ctx, [paid_at], [{ type: 'payment.deleted', id }])
    await deletePayment(ctx, id)
  })
}

/** A draft is issued: what it is meant for is settled. */
export function issuePayment(ctx: Context, reference: Reference, expected: Expected): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const found = await read(ctx, reference)
    const payable = payableOf(found)
    const documents = await lockParts(ctx, payable, partsIn(payable, found.allocations))
    const current = await lockExpected(ctx, found.id, expected)
    if (current.status === 'issued') return present(ctx, current.id)
    if (current.status !== 'draft') throw notPossible(current, 'issued')
    if (!isSameAllocations(current.allocations, found.allocations)) throw collision('the draft was changed meanwhile')
    const parts = partsIn(payable, current.allocations)
    requireFunds(parts, current.amount)
    const value = await homeRateAt(ctx, current.currency_id, current.paid_at)
    const allocations = await settleParts(ctx, payable, documents, parts, { ...current, ...value })
    await insertAllocations(ctx, payable.target, [{ ...current, allocations }])
    await saveIssued(ctx, current.id, value)
    await recordDated(ctx, [current.paid_at], [{ type: 'payment.issued', id: current.id, previous: { status: 'draft', number: null } }])
    return present(ctx, current.id)
  })
}

export function clearPayment(ctx: Context, reference: Reference, expected: Expected): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const current = await lockExpected(ctx, await idOf(ctx, reference), expected)
    if (current.status === 'cleared') return present(ctx, current.id)
    if (current.status !== 'issued') throw notPossible(current, 'cleared')
    await savePayment(ctx, { ...current, status: 'cleared' })
    await recordDated(ctx, [current.paid_at], [{ type: 'payment.cleared', id: current.id, previous: { status: 'issued' } }])
    return present(ctx, current.id)
  })
}

/** Takes back all that it settled: its documents stand where they stood before they were paid. */
export function voidPayment(ctx: Context, reference: Reference, reason: string, expected: Expected): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const found = await read(ctx, reference)
    const payable = payableOf(found)
    const documents = await lockAllocated(ctx, payable, found.allocations)
    const current = await lockExpected(ctx, found.id, expected)
    if (current.status === 'voided') return present(ctx, current.id)
    if (current.status === 'draft') throw notPossible(current, 'voided')
    // Voided first: what is settled binds documents to their currency and party.
    await voidPayments(ctx, [current.id], reason)
    await unsettle(ctx, payable, documents, current.allocations, { ...current, reason: `${current.number} was voided: ${reason}` })
    const { status, allocated_amount, unallocated_amount, allocations } = current
    await recordDated(
      ctx,
      [current.paid_at],
      [{ type: 'payment.voided', id: current.id, previous: { status, allocated_amount, unallocated_amount, allocations } }],
    )
    return present(ctx, current.id)
  })
}

/** Settles more documents with what is left of a payment. */
export function allocatePayment(ctx: Context, reference: Reference, { allocations = [], oldest_first }: AllocationBody, expected: Expected): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const found = await read(ctx, reference)
    const payable = payableOf(found)
    const asked = partsIn(payable, allocations)
    if (asked.length === 0 && !oldest_first)
      throw invalid('allocations', 'required', 'Name the documents to settle in "allocations", or send "oldest_first": true.')
    const { documents, parts } = await lockAsked(ctx, payable, found, found.unallocated_amount, asked, oldest_first)
    const current = await lockExpected(ctx, found.id, expected)
    if (current.status !== 'issued' && current.status !== 'cleared') throw notPossible(current, 'allocated')
    const fitting = oldest_first ? withinFunds(parts, current.unallocated_amount) : parts
    requireFunds(fitting, current.unallocated_amount)
    if (fitting.length === 0) return present(ctx, current.id)
    const made = await settleParts(ctx, payable, documents, fitting, current)
    await insertAllocations(ctx, payable.target, [{ ...current, allocations: made }])
    await saveAllocated(ctx, current.id)
    await recordDated(ctx, [current.paid_at], [{ type: 'payment.allocated', id: current.id, previous: previousOf(current) }])
    return present(ctx, current.id)
  })
}

/** Takes back one of the documents that a payment settles. */
export function removeAllocation(ctx: Context, reference: Reference, allocation: string, expected: Expected): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const found = await read(ctx, reference)
    const payable = payableOf(found)
    const among = ({ allocations, status }: Payment) => (status === 'draft' ? [] : allocations.filter(({ id }) => id === allocation.toLowerCase()))
    const documents = await lockAllocated(ctx, payable, among(found))
    const current = await lockExpected(ctx, found.id, expected)
    const [ended] = among(current)
    if (!ended) throw notFound('allocation of this payment', allocation)
    const left = current.allocated_amount - ended.amount
    if (current.amount <= 0 || left < 0)
      throw conflict('has_deductions', 'The payment settles documents that reduce it, so none of them can be taken out alone. Void the payment instead.')
    await together(endAllocation(ctx, ended.id as string), saveAllocated(ctx, current.id))
    await unsettle(ctx, payable, documents, [ended], { ...current, reason: `${current.number} does not pay it any more.` })
    await recordDated(ctx, [current.paid_at], [{ type: 'payment.updated', id: current.id, previous: previousOf(current) }])
    return present(ctx, current.id)
  })
}

export async function present(ctx: Context, id: string): Promise<Revised> {
  const found = await findPayment(ctx, { by: 'id', id })
  if (!found) throw new Error(`payment ${id} is missing within its own transaction`)
  return { revision: found.revision, json: found.json }
}

/** What is dated in a closed period stays as it is. */
async function recordDated(ctx: Context, dates: readonly string[], events: readonly EventOf[]): Promise<void> {
  await together(recordPaymentEvents(ctx, events), requireOpenPeriods(ctx, dates))
}

/** What the direction of a payment is, before it is known whether the caller may see it. */
export async function directionOf(ctx: Context, reference: Reference): Promise<Direction> {
  return (await read(ctx, reference)).direction
}

async function read(ctx: Context, reference: Reference): Promise<Payment> {
  const found = await findPayment(ctx, reference)
  if (!found) throw notFound('payment', reference.by === 'id' ? reference.id : reference.external_id)
  return JSON.parse(found.json)
}

async function idOf(ctx: Context, reference: Reference): Promise<string> {
  return (await read(ctx, reference)).id
}

async function lockExpected(ctx: Context, id: string, expected: Expected): Promise<Payment> {
  const current = await lockPayment(ctx, id)
  if (!current) throw notFound('payment', id)
  requireExpected(expected, current.revision)
  return current
}

type Content = Pick<
  Payment,
  'direction' | 'partner_carrier_id' | 'customer_id' | 'currency_id' | 'amount' | 'method' | 'reference_number' | 'notes' | 'paid_at'
> & { partner_carrier_id: string | null; customer_id: string | null }

async function contentOf(ctx: Context, input: NewPayment): Promise<Content> {
  const partner_carrier_id = normalId(input.partner_carrier_id ?? null)
  const customer_id = normalId(input.customer_id ?? null)
  requireParty(partner_carrier_id, customer_id)
  const currency_id = input.currency_id.toLowerCase()
  await requireCurrencies(ctx, [currency_id], 'currency_id')
  return {
    direction: input.direction ?? (customer_id ? 'in' : 'out'),
    partner_carrier_id,
    customer_id,
    currency_id,
    amount: input.amount,
    method: input.method ?? 'other',
    reference_number: input.reference_number ?? null,
    notes: input.notes ?? null,
    paid_at: normalDate(input.paid_at, 'paid_at') ?? toWire(new Date()),
  }
}

function requireParty(partner: string | null, customer: string | null): void {
  if ((partner === null) === (customer === null))
    throw invalid('partner_carrier_id', 'party_required', 'Name who is paid or pays: either "partner_carrier_id" or "customer_id".')
}

/** What of the input applies. A body may carry the whole payment as it was read. */
async function edited(ctx: Context, current: Payment, input: PaymentEdit): Promise<Payment> {
  const next = { ...current }
  for (const name of ['method', 'reference_number', 'notes'] as const) if (input[name] !== undefined) Object.assign(next, { [name]: input[name] })
  const money = { ...current, ...definedOf(input) }
  const paid = {
    direction: money.direction,
    partner_carrier_id: normalId(money.partner_carrier_id ?? null),
    customer_id: normalId(money.customer_id ?? null),
    currency_id: money.currency_id.toLowerCase(),
    amount: money.amount,
    paid_at: normalDate(input.paid_at, 'paid_at') ?? current.paid_at,
  }
  if (current.status === 'draft') return editedDraft(ctx, { ...next, ...paid }, input)
  const fixed = (Object.keys(paid) as (keyof typeof paid)[]).filter((name) => paid[name] !== current[name])
  if (fixed.length > 0) throw fixedOnceIssued(current, fixed)
  if (input.allocations && !isSameAllocations(input.allocations, current.allocations)) throw fixedOnceIssued(current, ['allocations'])
  if (current.status === 'voided' && JSON.stringify(next) !== JSON.stringify(current))
    throw conflict('payment_is_voided', 'This payment is voided, so nothing of it changes any more.')
  if (current.amount <= 0 && next.method !== 'recorded') throw fixedOnceIssued(current, ['method'])
  return next
}

async function editedDraft(ctx: Context, next: Payment, input: PaymentEdit): Promise<Payment> {
  requireParty(next.partner_carrier_id, next.customer_id)
  if (next.amount <= 0) throw invalid('amount', 'wrong_sign', `"amount" must be more than 0, not ${next.amount}.`)
  await requireCurrencies(ctx, [next.currency_id], 'currency_id')
  const payable = payableOf(next)
  const parts = partsIn(payable, input.allocations ?? next.allocations)
  requireFunds(parts, next.amount)
  return { ...next, allocations: plannedOf(payable, parts) }
}

function definedOf(input: PaymentEdit): Partial<Payment> {
  const { direction, partner_carrier_id, customer_id, currency_id, amount } = input
  return Object.fromEntries(
    Object.entries({ direction, partner_carrier_id, customer_id, currency_id, amount }).filter(([, value]) => value !== undefined),
  ) as Partial<Payment>
}

function isSameAllocations(sent: readonly Omit<Allocation, 'bill_id' | 'invoice_id' | 'credit_id'>[], current: readonly Allocation[]): boolean {
  const textOf = (list: readonly object[]) =>
    JSON.stringify(
      list.map((one) => {
        const { bill_id = null, invoice_id = null, credit_id = null, amount } = one as Allocation
        return [bill_id, invoice_id, credit_id, amount]
      }),
    )
  return textOf(sent) === textOf(current)
}

function fixedOnceIssued({ status }: Payment, fields: readonly string[]) {
  const message = `This payment is ${status}, so ${fields.map((name) => `"${name}"`).join(', ')} cannot change. Void it and make another.`
  return conflict(
    'payment_is_issued',
    message,
    fields.map((field) => ({ field, code: 'payment_is_issued', message })),
  )
}

function notPossible({ status }: Pick<Payment, 'status'>, what: string) {
  if (status === 'voided') return conflict('payment_is_voided', `This payment is voided, so it cannot be ${what} any more.`)
  return conflict('not_issued', `This payment is ${status === 'draft' ? 'a draft' : status}, so it cannot be ${what}.`)
}

function plannedOf({ target }: PayableKind, parts: readonly Part[]): Allocation[] {
  const none = { bill_id: null, invoice_id: null, credit_id: null }
  return parts.map(({ document, amount }) => ({ ...none, [wireName(target)]: document, amount }))
}

async function lockAsked(
  ctx: Context,
  payable: PayableKind,
  payer: Parameters<typeof lockOldest>[2],
  left: number,
  asked: readonly Part[],
  oldestFirst: boolean | undefined,
) {
  if (oldestFirst) return lockOldest(ctx, payable, payer, left)
  return { documents: await lockParts(ctx, payable, asked), parts: asked }
}

/** As many of the parts as the money reaches for. */
function withinFunds(parts: readonly Part[], left: number): Part[] {
  let rest = left
  return parts.flatMap((part) => {
    const amount = Math.min(part.amount, rest)
    rest -= amount
    return amount > 0 ? [{ ...part, amount }] : []
  })
}

function previousOf({ allocated_amount, unallocated_amount, allocations }: Payment): Record<string, unknown> {
  return { allocated_amount, unallocated_amount, allocations }
}
