import { actorId } from '../../../platform/access/acting/acting.ts'
import { type Context, together } from '../../../platform/context.ts'
import { conflict, type Detail } from '../../../platform/core/refusal.ts'
import { newId } from '../../../platform/core/values/ids.ts'
import { sum } from '../../../platform/core/values/money.ts'
import type { EventOf } from '../../../platform/events/record.ts'
import { requireDocuments } from '../../../platform/files/rules/required.ts'
import type { Document } from '../../documents/model/fields/standard-fields.ts'
import type { Kind, PaidChange, PaymentDetails, PaymentHooks } from '../../documents/model/kind/kind.ts'
import { isSamePayment, type RecordedPayment, type RequestedPayment } from '../../documents/model/kind/paying.ts'
import { requireOpenPeriods } from '../../periods/open.ts'
import type { HomeCurrencyRate } from '../../rates/conversion.ts'
import { lockStanding, type StandingAllocation, type Target, wireName } from '../ledger/allocations-store.ts'
import { requireNotHeld } from '../ledger/holds.ts'
import type { Direction } from '../ledger/model.ts'
import { makeGainOf, valuesAt } from '../ledger/rates.ts'
import { numberText } from '../ledger/rules.ts'
import { insertPayments, listPaymentsFor, type NewPayment, recordPaymentEvents, voidPayments } from '../ledger/store.ts'
import { settleGains } from './repricing.ts'

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
export function paidBy<D extends Document>(payable: Payable<D>): PaymentHooks<D> {
  return {
    async prepare(ctx, kind, changes, how) {
      const paid = changes.filter(
        ({ before, next }) => next.amount_paid !== before.amount_paid && !isReopened({ before, next }),
      )
      const reopened = changes.filter(isReopened)
      const standing = await standingOf(ctx, payable.target, reopened)
      const undone = standing.filter((one) => isUndone(one, how.reopenedWith))
      requireSettled(
        kind,
        reopened,
        standing.filter((one) => !undone.includes(one)),
      )
      if (payable.target === 'bill_id') await requireDocuments(ctx, 'pay', idsOfPaid(paid))
      const payments = await paymentsOf(ctx, payable, paid, how)
      await requireNotHeld(ctx, payments)
      return {
        before: () => voidPayments(ctx, idsOf(undone), how.reason ?? ''),
        after: () =>
          together(
            insertPayments(ctx, payable.target, payments),
            recordPaymentEvents(ctx, [...eventsOfVoiding(payable.target, undone), ...payments.flatMap(eventsOfIssue)]),
            requireOpenPeriods(
              ctx,
              [...payments, ...undone].map(({ paid_at }) => paid_at),
            ),
          ),
      }
    },
    async isRecorded(ctx, { id, total_amount, paid_at }, asked) {
      const standing = await lockStanding(ctx, payable.target, [id])
      const payments = standing.filter(({ payment_id }) => payment_id !== null) as RecordedPayment[]
      // What comes to nothing is paid without a payment.
      const nothing: RecordedPayment = {
        amount: total_amount,
        method: 'recorded',
        reference_number: null,
        paid_at: paid_at as string,
      }
      return (standing.length === 0 ? [nothing] : payments).some((one) => isSamePayment(asked, one))
    },
    settleGains: (ctx, { id }) => settleGains(ctx, payable.target, id),
    async listStanding(ctx, kind, document) {
      const standing = await lockStanding(ctx, payable.target, [document.id])
      return standing.map((one) => detailOf(kind.noun, one, 'has_payments'))
    },
  }
}

/** Whether the payment that was made with a statement is the one that is asked for. */
export async function isRecordedFor(ctx: Context, statement: string, asked: RequestedPayment): Promise<boolean> {
  return (await listPaymentsFor(ctx, statement)).some((one) => isSamePayment(asked, one))
}

/** Everything that a payment which is issued at once leaves in the history. */
export function eventsOfIssue({ id }: Pick<NewPayment, 'id'>): EventOf[] {
  return [
    { type: 'payment.created', id },
    { type: 'payment.issued', id },
  ]
}

/** One event for each payment, with what it settled before. */
export function eventsOfVoiding(target: Target, standing: readonly StandingAllocation[]): EventOf[] {
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

async function standingOf(ctx: Context, target: Target, changes: readonly PaidChange[]): Promise<StandingAllocation[]> {
  if (changes.length === 0) return []
  return lockStanding(
    ctx,
    target,
    changes.map(({ before }) => before.id),
  )
}

/**
 * Whether reopening a document takes this back: it was recorded by paying the document, or made with the statement that is reopened, and there is nothing
 * else to it. Anything else is taken back where it was made.
 */
function isUndone(
  { method, consolidated_bill_id, payment_run_id, unallocated, others }: StandingAllocation,
  reopenedWith: string | undefined,
): boolean {
  if (others > 0 || unallocated !== 0 || payment_run_id !== null) return false
  return method === 'recorded' || (consolidated_bill_id !== null && consolidated_bill_id === reopenedWith)
}

/** How much of each of these paid documents stays paid where they are reopened with their statement; null where nothing of it is taken back. */
export async function amountsLeftPaid(
  ctx: Context,
  target: Target,
  documents: readonly string[],
  reopenedWith: string,
): Promise<(number | null)[]> {
  const standing = await lockStanding(ctx, target, documents)
  return documents.map((id) => {
    const own = standing.filter((one) => one.target === id)
    const kept = own.filter((one) => !isUndone(one, reopenedWith))
    return own.length > 0 && kept.length === own.length ? null : amountOf(kept)
  })
}

function amountOf(standing: readonly StandingAllocation[]): number {
  return standing.reduce((total, { amount }) => total + amount, 0)
}

/** Refuses to reopen what is settled by more than it says it will be. */
function requireSettled({ noun }: Kind, reopened: readonly PaidChange[], kept: readonly StandingAllocation[]): void {
  const wrong = reopened.filter(
    ({ next }) => next.amount_paid !== amountOf(kept.filter(({ target }) => target === next.id)),
  )
  if (wrong.length === 0) return
  const details = kept
    .filter(({ target }) => wrong.some(({ next }) => next.id === target))
    .map((one) => detailOf(noun, one, 'paid_by_payments'))
  throw conflict(
    'paid_by_payments',
    `${details[0]?.message} Take that back first: reopening undoes only what was recorded for this ${noun} alone.`,
    details,
  )
}

function detailOf(noun: string, one: StandingAllocation, code: string): Detail {
  return { field: one.payment_id ? 'payment_id' : 'credit_id', code, message: `The ${noun} is ${whatSettles(one)}.` }
}

function whatSettles({
  payment_id,
  from_credit_id,
  target,
  bill_id,
  invoice_id,
  number,
  method,
}: StandingAllocation): string {
  if (payment_id) return `paid by the payment ${numberText(number)} (${method}, ${payment_id})`
  return from_credit_id === target
    ? `applied to the ${bill_id ? 'bill' : 'invoice'} ${bill_id ?? invoice_id}`
    : `paid by the credit ${from_credit_id}`
}

/** One payment for each document, or one for all where they are paid with their statement. */
async function paymentsOf<D extends Document>(
  ctx: Context,
  payable: Payable<D>,
  changes: readonly PaidChange<D>[],
  how: PaymentDetails,
): Promise<NewPayment[]> {
  if (changes.length === 0) return []
  const groups = how.statement ? [changes] : changes.map((change) => [change])
  const wanted = groups.map(([first]) => ({
    currency_id: first?.next.currency_id as string,
    at: paidAt(first as PaidChange, how),
  }))
  const [created_by, values, gainFrom] = await Promise.all([actorId(ctx), valuesAt(ctx, wanted), makeGainOf(ctx)])
  return groups.map((group, index) =>
    paymentOf(payable, group, how, { created_by, value: values[index] as HomeCurrencyRate, gainFrom }),
  )
}

type Known = { created_by: string; value: HomeCurrencyRate; gainFrom: Awaited<ReturnType<typeof makeGainOf>> }

function paymentOf<D extends Document>(
  payable: Payable<D>,
  changes: readonly PaidChange<D>[],
  how: PaymentDetails,
  { created_by, value, gainFrom }: Known,
): NewPayment {
  const { next } = changes[0] as PaidChange<D>
  const direction = payable.directionOf(next)
  const currency_id = next.currency_id as string
  const allocations = changes.map(({ before, next }) => {
    const amount = next.amount_paid - before.amount_paid
    return {
      id: newId(),
      target: next.id,
      amount,
      gain_amount: gainFrom({ direction, amount, currency_id }, next, value),
    }
  })
  const { statement, method = 'recorded', reference_number = null } = how
  const amount = sum(
    allocations.map(({ amount }) => amount),
    'amount',
  )
  if (amount <= 0 && method !== 'recorded') {
    const message = `This comes to ${amount}, so no money moves. Leave out "method", and it is recorded.`
    throw conflict('no_money_moves', message, [{ field: 'method', code: 'no_money_moves', message }])
  }
  return {
    ...value,
    id: newId(),
    external_id: null,
    direction,
    ...payable.partyOf(next),
    currency_id,
    amount,
    method,
    reference_number,
    notes: null,
    paid_at: paidAt({ next }, how),
    consolidated_bill_id: statement?.id ?? null,
    created_by,
    allocations,
  }
}

function paidAt({ next }: Pick<PaidChange, 'next'>, { statement, paid_at }: PaymentDetails): string {
  return statement?.paid_at ?? paid_at ?? next.paid_at ?? new Date().toISOString()
}

function idsOf(standing: readonly StandingAllocation[]): string[] {
  return [...new Set(standing.flatMap(({ payment_id }) => payment_id ?? []))].sort()
}
