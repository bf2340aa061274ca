import type { Scope } from '../../platform/access/scopes.ts'
import { invalid } from '../../platform/core/refusal.ts'
import type { Kind } from '../documents/model/kind/kind.ts'
import { bills, credits, invoices } from '../kinds/kinds.ts'
import { type Target, wireName } from './ledger/allocations-store.ts'
import type { Allocation, Direction, RequestedAllocation } from './ledger/model.ts'
import type { Part } from './ledger/rules.ts'

/** Which documents a payment can settle, by the way that the money goes and by whom it is from or for. */
export type PayableKind = {
  kind: Kind
  target: Target
  direction: Direction
  party: 'partner_carrier_id' | 'customer_id'
}

/** The kinds of documents that payments settle, each once. */
export const paidKinds: readonly { kind: Kind; target: Target }[] = [
  { kind: bills as unknown as Kind, target: 'bill_id' },
  { kind: invoices as unknown as Kind, target: 'invoice_id' },
  { kind: credits as unknown as Kind, target: 'to_credit_id' },
]

const payables: readonly PayableKind[] = [
  { kind: bills as unknown as Kind, target: 'bill_id', direction: 'out', party: 'partner_carrier_id' },
  { kind: invoices as unknown as Kind, target: 'invoice_id', direction: 'in', party: 'customer_id' },
  // What a carrier has credited it pays back, and what a customer was credited is paid back.
  { kind: credits as unknown as Kind, target: 'to_credit_id', direction: 'in', party: 'partner_carrier_id' },
  { kind: credits as unknown as Kind, target: 'to_credit_id', direction: 'out', party: 'customer_id' },
]

/** The scope that payments of each direction need. */
export const scopeOf: Record<Direction, Scope> = { out: 'bills', in: 'invoices' }

type Parties = {
  direction: Direction
  partner_carrier_id: string | null
  customer_id: string | null
  allocations?: readonly Allocation[]
}

/** A payment without a party was made by paying a document that names none: what it settles says which. */
export function payableOf({ direction, partner_carrier_id, customer_id, allocations = [] }: Parties): PayableKind {
  const isRefund =
    partner_carrier_id || customer_id
      ? (direction === 'in') === (partner_carrier_id !== null)
      : Boolean(allocations[0]?.credit_id)
  return payables.find(
    (one) => one.direction === direction && (one.target === 'to_credit_id') === isRefund,
  ) as PayableKind
}

/** What a credit of a direction is applied to. */
export function creditedBy(direction: Direction): PayableKind {
  return payables.find((one) => one.direction === direction && one.target !== 'to_credit_id') as PayableKind
}

/** What was asked for, in the terms of the documents that the payment can settle. */
export function partsIn({ target }: PayableKind, asked: readonly RequestedAllocation[]): Part[] {
  const name = wireName(target)
  const seen = new Set<string>()
  return asked.map((one, index) => {
    const document = one[name]?.toLowerCase()
    const field = `allocations.${index}`
    if (!document || [one.bill_id, one.invoice_id, one.credit_id].filter(Boolean).length !== 1)
      throw invalid(field, 'wrong_document', `"${field}" must name one document by "${name}": it settles no others.`, [
        name,
      ])
    if (seen.has(document))
      throw invalid(`${field}.${name}`, 'repeated', `"${field}.${name}" is named twice. Name each document once.`)
    seen.add(document)
    return { document, amount: one.amount }
  })
}
