import type { Context } from '../../platform/context.ts'
import { conflict, invalid } from '../../platform/core/refusal.ts'
import { toWire } from '../../platform/core/values/dates.ts'
import { requireCurrencies } from '../currencies/known.ts'
import { normalDate, normalId } from '../documents/model/fields/normal.ts'
import { wireName } from './ledger/allocations-store.ts'
import type { Allocation, NewPayment, Payment, PaymentEdit } from './ledger/model.ts'
import { type Part, requireFunds } from './ledger/rules.ts'
import { type PayableKind, partsIn, payableOf } from './payables.ts'

type Content = Pick<
  Payment,
  | 'direction'
  | 'partner_carrier_id'
  | 'customer_id'
  | 'currency_id'
  | 'amount'
  | 'method'
  | 'reference_number'
  | 'notes'
  | 'paid_at'
> & { partner_carrier_id: string | null; customer_id: string | null }

export async function contentOf(ctx: Context, input: NewPayment): Promise<Content> {
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

/** What of the input applies. A body may carry the whole payment as it was read. */
export async function applyEdit(ctx: Context, current: Payment, input: PaymentEdit): Promise<Payment> {
  const next = { ...current }
  for (const name of ['method', 'reference_number', 'notes'] as const)
    if (input[name] !== undefined) Object.assign(next, { [name]: input[name] })
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
  if (input.allocations && !isSameAllocations(input.allocations, current.allocations))
    throw fixedOnceIssued(current, ['allocations'])
  if (current.status === 'voided' && JSON.stringify(next) !== JSON.stringify(current))
    throw conflict('payment_is_voided', 'This payment is voided, so nothing of it changes any more.')
  if (current.amount <= 0 && next.method !== 'recorded') throw fixedOnceIssued(current, ['method'])
  return next
}

export function isSameAllocations(
  sent: readonly Omit<Allocation, 'bill_id' | 'invoice_id' | 'credit_id'>[],
  current: readonly Allocation[],
): boolean {
  const textOf = (list: readonly object[]) =>
    JSON.stringify(
      list.map((one) => {
        const { bill_id = null, invoice_id = null, credit_id = null, amount } = one as Allocation
        return [bill_id, invoice_id, credit_id, amount]
      }),
    )
  return textOf(sent) === textOf(current)
}

export function plannedOf({ target }: PayableKind, parts: readonly Part[]): Allocation[] {
  const none = { bill_id: null, invoice_id: null, credit_id: null }
  return parts.map(({ document, amount }) => ({ ...none, [wireName(target)]: document, amount }))
}

function requireParty(partner: string | null, customer: string | null): void {
  if ((partner === null) === (customer === null))
    throw invalid(
      'partner_carrier_id',
      'party_required',
      'Name who is paid or pays: either "partner_carrier_id" or "customer_id".',
    )
}

async function editedDraft(ctx: Context, next: Payment, input: PaymentEdit): Promise<Payment> {
  requireParty(next.partner_carrier_id, next.customer_id)
  if (next.amount <= 0) throw invalid('amount', 'wrong_sign', `"amount" must be more than 0, not ${next.amount}.`)
  await requireCurrencies(ctx, [next.currency_id], 'currency_id')
  const payable = payableOf(next)
  const parts = partsIn(payable, input.allocations ?? next.allocations)
  requireFunds(parts, { left: next.amount })
  return { ...next, allocations: plannedOf(payable, parts) }
}

function definedOf(input: PaymentEdit): Partial<Payment> {
  const { direction, partner_carrier_id, customer_id, currency_id, amount } = input
  return Object.fromEntries(
    Object.entries({ direction, partner_carrier_id, customer_id, currency_id, amount }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as Partial<Payment>
}

function fixedOnceIssued({ status }: Payment, fields: readonly string[]) {
  const message = `This payment is ${status}, so ${fields.map((name) => `"${name}"`).join(', ')} cannot change. Void it and make another.`
  return conflict(
    'payment_is_issued',
    message,
    fields.map((field) => ({ field, code: 'payment_is_issued', message })),
  )
}
