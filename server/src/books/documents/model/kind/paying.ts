import { conflict, invalid } from '../../../../platform/core/refusal.ts'
import { advance, type Status } from '../fields/lifecycle.ts'
import type { Shape } from '../fields/shape.ts'
import type { Document } from '../fields/standard-fields.ts'
import type { EditResult } from './conclude.ts'

/** How money moves. What is `recorded` is known only by the document that it paid. */
export const paymentMethods = ['ach', 'wire', 'check', 'card', 'cash', 'recorded', 'other'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

/** How it was paid, where the caller says so. */
export type PaymentMeans = { method?: PaymentMethod | undefined; reference_number?: string | null | undefined }

/** A payment as a request describes it; what it leaves out it leaves open. */
export type RequestedPayment = PaymentMeans & { amount?: number | undefined; paid_at?: string | undefined }
export type RecordedPayment = {
  amount: number
  method: PaymentMethod
  reference_number: string | null
  paid_at: string
}

/** Whether a request to pay describes a payment that was recorded: then it is that request again. */
export function isSamePayment(asked: RequestedPayment, recorded: RecordedPayment): boolean {
  return (['amount', 'method', 'reference_number', 'paid_at'] as const).every(
    (name) => asked[name] === undefined || asked[name] === recorded[name],
  )
}

/** What a document has been paid, as its answers show it. */
export function paidPart(
  total: number,
  amount_paid: number,
): Pick<Document, 'amount_paid' | 'amount_due' | 'payment_status'> {
  const part = amount_paid === 0 ? 'unpaid' : 'partially_paid'
  return { amount_paid, amount_due: total - amount_paid, payment_status: part }
}

/**
 * What an update means for what was paid: to become paid is to be paid whole, to be reopened is to be paid nothing, and an update of what is paid in
 * part keeps its payments. Where the total comes down to what was paid already, nothing is due any more, and the document is paid.
 */
export function withPaid<D extends Document>(
  shape: Shape,
  before: D,
  edited: EditResult<D>,
  now: string,
): EditResult<D> {
  const { next, previous } = edited
  if (before.status_id !== 'paid' && before.amount_paid !== 0) requirePaymentsKept(shape, before, next)
  if (next.status_id === 'paid')
    return { ...edited, next: { ...next, ...paidWhole(next) }, previous: { ...previous, ...partBefore(before) } }
  if (before.status_id === 'paid' || before.amount_paid === 0) {
    const paid = before.status_id === 'paid' ? 0 : before.amount_paid
    return { ...edited, next: { ...next, ...paidPart(next.total_amount, paid) } }
  }
  if (next.total_amount !== before.amount_paid)
    return { ...edited, next: { ...next, ...paidPart(next.total_amount, before.amount_paid) } }
  const paid = { status_id: 'paid', paid_at: now } as const
  return {
    ...edited,
    next: { ...next, ...paid, ...paidWhole(next) },
    previous: { ...previous, status_id: before.status_id, paid_at: before.paid_at },
    moved: true,
  }
}

type Paying = { amount: number; paid_at: string | null | undefined; now: string }

/** Pays this much of a document, by a payment of its own. */
export function payAmount<D extends Document>(
  shape: Shape,
  before: D,
  { amount, paid_at, now }: Paying,
): EditResult<D> {
  if (before.status_id === 'draft')
    advance(before, { status_id: 'paid' }, { contentChanged: false, now, noun: shape.noun })
  requireOwed(shape, before, amount, 'amount')
  return paidTo(before, before.amount_paid + amount, { paid_at: paid_at ?? now, unpaid: before.status_id })
}

/** Refuses an amount that is not a part of what is due. */
export function requireOwed(
  { noun }: Shape,
  { amount_due, total_amount }: Document,
  amount: number,
  field: string,
): void {
  if (amount === 0 || (total_amount !== 0 && amount > 0 !== total_amount > 0))
    throw invalid(
      field,
      'wrong_sign',
      `"${field}" must be ${total_amount < 0 ? 'less' : 'more'} than 0 for this ${noun}, not ${amount}.`,
    )
  if (Math.abs(amount) > Math.abs(amount_due)) {
    const message = `Only ${amount_due} of this ${noun} is due, and "${field}" is ${amount}.`
    throw conflict('more_than_due', message, [{ field, code: 'more_than_due', message }])
  }
}

/** Where this much of a document is paid: it is paid when nothing is due, and where something is due again, it stands where it stood before. */
export function paidTo<D extends Document>(
  before: D,
  amount_paid: number,
  { paid_at, unpaid }: { paid_at: string; unpaid: Status },
): EditResult<D> {
  const whole = before.total_amount !== 0 && amount_paid === before.total_amount
  const status_id = whole ? 'paid' : before.status_id === 'paid' ? unpaid : before.status_id
  const moved = status_id !== before.status_id
  const next: D = {
    ...before,
    ...(whole ? paidWhole(before) : paidPart(before.total_amount, amount_paid)),
    status_id,
    paid_at: !moved ? before.paid_at : whole ? paid_at : null,
  }
  const previous: Partial<Document> = {
    ...(moved && { status_id: before.status_id, paid_at: before.paid_at }),
    ...(!moved || !whole ? partOf(before) : partBefore(before)),
  }
  return { next, previous: previous as Partial<D>, ignored: [], moved, contentChanged: false }
}

/** What is paid in part keeps its currency and its party, has at least the total that was paid, and is no draft. */
function requirePaymentsKept({ noun, parties = [] }: Shape, before: Document, next: Document): void {
  const paid = before.amount_paid
  const fieldOf = (document: Document, field: string) => (document as Record<string, unknown>)[field]
  const party = parties.find((field) => fieldOf(next, field) !== fieldOf(before, field))
  const [what, field] =
    next.status_id === 'draft'
      ? ['become a draft again', 'status_id']
      : next.currency_id !== before.currency_id
        ? ['change its currency', 'currency_id']
        : party
          ? ['change who is paid', party]
          : [null, '']
  if (what) {
    const message = `${paid} of this ${noun} is paid, so it cannot ${what}. Void its payments first.`
    throw conflict('has_payments', message, [{ field, code: 'has_payments', message }])
  }
  const total = next.total_amount
  if (paid > 0 ? total < paid : total > paid) {
    const message = `${paid} of this ${noun} is paid, so its total cannot become ${total}. Void a payment first.`
    throw conflict('below_amount_paid', message, [{ field: 'total_amount', code: 'below_amount_paid', message }])
  }
}

function paidWhole({ total_amount }: Document): Pick<Document, 'amount_paid' | 'amount_due' | 'payment_status'> {
  return { amount_paid: total_amount, amount_due: 0, payment_status: 'paid' }
}

function partOf({ amount_paid, amount_due, payment_status }: Document): Partial<Document> {
  return { amount_paid, amount_due, payment_status }
}

/** Of a document that was not paid at all, its state says as much. */
function partBefore(before: Document): Partial<Document> {
  return before.status_id !== 'paid' && before.amount_paid !== 0 ? partOf(before) : {}
}
