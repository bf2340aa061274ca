import { actorId } from '../../auth/applications/actor-id.ts'
import { type Context, together } from '../../context.ts'
import { newId } from '../../core/ids.ts'
import { sum } from '../../core/money.ts'
import { conflict, type Detail } from '../../core/refusal.ts'
import type { EventOf } from '../../events/record.ts'
import { requireDocuments } from '../../files/rules/required.ts'
import type { Kind, PaidChange, PaidHow, Paying } from '../documents/model/kind.ts'
import type { Document } from '../documents/model/standard-fields.ts'
import { requireOpenPeriods } from '../periods/open.ts'
import type { Valued } from '../rates/conversion.ts'
import { lockStanding, type Standing, type Target, wireName } from './allocations-store.ts'
import { requireNotHeld } from './holds.ts'
import type { Direction } from './model.ts'
import { gains, valuesAt } from './rates.ts'
import { numberText } from './rules.ts'
import { insertPayments, type NewPayment, type Redated, recordPaymentEvents, savePaidAt, voidPayments } from './store.ts'

/** What payments need to know of a kind of document. */
export type Payable<D extends Document = Document> = {
  /** The column of an allocation that names such a document. */
  target: Target
  /** Where the money of its payments goes. */
  directionOf(document: D): Direction
  partyOf(document: D): { partner_carrier_id: string | null; customer_id: string | null }
}

/**
 * Records a payment where a document becomes paid or is paid in part, and voids the recorded ones where it is reopened. Of a kind whose documents are paid
 * by these alone the rest of the program does not notice.
 */
export function paidBy<D extends Document>(payable: Payable<D>): Paying<D> {
  return {
    async prepare(ctx, kind, changes, how) {
      const paid = changes.filter(({ before, next }) => next.amount_paid !== before.amount_paid && !isReopened({ before, next }))
      const reopened = changes.filter(isReopened)
      const redated = changes.filter(({ before, next }) => before.status_id === 'paid' && next.status_id === 'paid' && before.paid_at !== next.paid_at)
      const standing = await standingOf(ctx, payable.target, [...reopened, ...redated])
      const undone = standing.filter(({ target }) => reopened.some(({ before }) => before.id === target))
      requireRecorded(kind, undone)
      const dates = await newDates(ctx, payable, redated, standing)
      if (payable.target === 'bill_id') await requireDocuments(ctx, 'pay', idsOfPaid(paid))
      const payments = await paymentsOf(ctx, payable, paid, how)
      await requireNotHeld(ctx, payments)
      return {
        before: () => voidPayments(ctx, idsOf(undone), how.reason ?? ''),
        after: () =>
          together(
            savePaidAt(ctx, dates),
            insertPayments(ctx, payable.target, payments),
            recordPaymentEvents(ctx, [...eventsOfVoiding(payable.target, undone), ...dates.map(eventOfDate), ...payments.flatMap(eventsOfIssue)]),
            requireOpenPeriods(
              ctx,
              [...payments, ...undone, ...dates, ...dates.map(({ before }) => ({ paid_at: before }))].map(({ paid_at }) => paid_at),
            ),
          ),
      }
    },
    async listStanding(ctx, kind, document) {
      const standing = await lockStanding(ctx, payable.target, [document.id])
      return standing.map((one) => detailOf(kind.noun, one, 'has_payments'))
    },
  }
}

/** Everything that a payment which is issued at once leaves in the history. */
export function eventsOfIssue({ id }: Pick<NewPayment, 'id'>): EventOf[] {
  return [
    { type: 'payment.created', id },
    { type: 'payment.issued', id },
  ]
}

/** One event for each payment, with what it settled before. */
export function eventsOfVoiding(target: Target, standing: readonly Standing[]): EventOf[] {
  return idsOf(standing).map((id) => {
    const ended = standing.filter(({ payment_id }) => payment_id === id)
    return {
      type: 'payment.voided',
      id,
      previous: {
        status: ended[0]?.status,
        allocated_amount: sum(
          ended.map(({ amount }) => amount),
          'allocated_amount',
        ),
        allocations: ended.map(({ id, target: document, amount }) => ({ id, [wireName(target)]: document, amount })),
      },
    }
  })
}

/** Those of which more is paid than before. */
function idsOfPaid(changes: readonly PaidChange[]): string[] {
  return changes.filter(({ before, next }) => next.amount_paid > before.amount_paid).map(({ next }) => next.id)
}

function isReopened({ before, next }: PaidChange): boolean {
  return before.status_id === 'paid' && next.status_id !== 'paid'
}

async function standingOf(ctx: Context, target: Target, changes: readonly PaidChange[]): Promise<Standing[]> {
  if (changes.length === 0) return []
  return lockStanding(
    ctx,
    target,
    changes.map(({ before }) => before.id),
  )
}

/** Reopening undoes what was recorded by paying these documents. Anything else is undone where it was made. */
function requireRecorded({ noun }: Kind, standing: readonly Standing[]): void {
  const others = standing.filter(({ method, others }) => method !== 'recorded' || others > 0)
  if (others.length === 0) return
  const details = others.map((one) => detailOf(noun, one, 'paid_by_payments'))
  throw conflict('paid_by_payments', `${details[0]?.message} Take that back first: reopening undoes only what was recorded for this ${noun} alone.`, details)
}

function detailOf(noun: string, one: Standing, code: string): Detail {
  return { field: one.payment_id ? 'payment_id' : 'credit_id', code, message: `The ${noun} is ${whatSettles(one)}.` }
}

function whatSettles({ payment_id, from_credit_id, target, bill_id, invoice_id, number, method }: Standing): string {
  if (payment_id) return `paid by the payment ${numberText(number)} (${method}, ${payment_id})`
  return from_credit_id === target ? `applied to the ${bill_id ? 'bill' : 'invoice'} ${bill_id ?? invoice_id}` : `paid by the credit ${from_credit_id}`
}

/** A recorded payment of one document alone is as old as that document says. */
async function newDates<D extends Document>(
  ctx: Context,
  payable: Payable<D>,
  changes: readonly PaidChange<D>[],
  standing: readonly Standing[],
): Promise<(Redated & { before: string | null })[]> {
  const following = changes.flatMap(({ before, next }) => {
    const own = standing.filter(({ target }) => target === before.id)
    const [only] = own
    return own.length === 1 && only?.payment_id && only.method === 'recorded' && only.others === 0 ? [{ next, only }] : []
  })
  if (following.length === 0) return []
  const gainFrom = await gains(ctx)
  const values = await valuesAt(
    ctx,
    following.map(({ next }) => ({ currency_id: next.currency_id as string, at: next.paid_at as string })),
  )
  return following.map(({ next, only }, index) => {
    const value = values[index] as Valued
    const paid = { direction: payable.directionOf(next), amount: only.amount, currency_id: next.currency_id as string }
    const own = { id: only.payment_id as string, allocation: only.id, paid_at: next.paid_at as string, before: only.paid_at }
    return { ...value, ...own, gain_amount: gainFrom(paid, next, value) }
  })
}

function eventOfDate({ id, before }: { id: string; before: string | null }): EventOf {
  return { type: 'payment.updated', id, previous: { paid_at: before } }
}

/** One payment for each document, or one for all where they are paid with their statement. */
async function paymentsOf<D extends Document>(ctx: Context, payable: Payable<D>, changes: readonly PaidChange<D>[], how: PaidHow): Promise<NewPayment[]> {
  if (changes.length === 0) return []
  const groups = how.statement ? [changes] : changes.map((change) => [change])
  const wanted = groups.map(([first]) => ({ currency_id: first?.next.currency_id as string, at: paidAt(first as PaidChange, how) }))
  const [created_by, values, gainFrom] = await Promise.all([actorId(ctx), valuesAt(ctx, wanted), gains(ctx)])
  return groups.map((group, index) => paymentOf(payable, group, how, { created_by, value: values[index] as Valued, gainFrom }))
}

type Known = { created_by: string; value: Valued; gainFrom: Awaited<ReturnType<typeof gains>> }

function paymentOf<D extends Document>(
  payable: Payable<D>,
  changes: readonly PaidChange<D>[],
  how: PaidHow,
  { created_by, value, gainFrom }: Known,
): NewPayment {
  const { next } = changes[0] as PaidChange<D>
  const direction = payable.directionOf(next)
  const currency_id = next.currency_id as string
  const allocations = changes.map(({ before, next }) => {
    const amount = next.amount_paid - before.amount_paid
    return { id: newId(), target: next.id, amount, gain_amount: gainFrom({ direction, amount, currency_id }, next, value) }
  })
  const { statement, method = 'recorded', reference_number = null } = how
  return {
    ...value,
    id: newId(),
    external_id: null,
    direction,
    ...payable.partyOf(next),
    currency_id,
    amount: sum(
      allocations.map(({ amount }) => amount),
      'amount',
    ),
    method,
    reference_number,
    notes: null,
    paid_at: paidAt({ next }, how),
    consolidated_bill_id: statement?.id ?? null,
    created_by,
    allocations,
  }
}

function paidAt({ next }: Pick<PaidChange, 'next'>, { statement, paid_at }: PaidHow): string {
  return statement?.paid_at ?? paid_at ?? next.paid_at ?? new Date().toISOString()
}

function idsOf(standing: readonly Standing[]): string[] {
  return [...new Set(standing.flatMap(({ payment_id }) => payment_id ?? []))].sort()
}
