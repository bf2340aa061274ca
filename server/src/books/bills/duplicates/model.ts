import Type, { type Static } from 'typebox'
import { conflict, type Refusal } from '../../../platform/core/refusal.ts'
import { Id, nullable, Time } from '../../../platform/core/schema/schema.ts'
import { Amount } from '../../documents/model/fields/amount.ts'
import { statuses } from '../../documents/model/fields/lifecycle.ts'
import { carrierNumber, partOf, relationOf } from './numbers.ts'

/** What an organization does about bills that are there already. */
export const duplicatePolicies = ['off', 'warn', 'refuse'] as const
export type DuplicatePolicy = (typeof duplicatePolicies)[number]

/** What of an invoice is compared with another. */
export type ComparedInvoice = {
  partner_carrier_id: string | null
  reference_number: string | null
  currency_id: string | null
  total_amount: number
  bill_date: string | null
  /** The manifests that it pays for, in lower case. */
  manifest_ids: readonly string[]
}

const reasonCodes = [
  'same_number',
  'number_off_by_a_typo',
  'same_manifest',
  'same_amount',
  'amount_close',
  'date_close',
  'same_carrier',
  'other_carrier',
] as const
type ReasonCode = (typeof reasonCodes)[number]

export const DuplicateReason = Type.Object({
  code: Type.Enum(reasonCodes, { description: 'The reason, for programs.', examples: ['same_number'] }),
  message: Type.String({ description: 'The reason, for people.', examples: ['Both have the number INV-20417.'] }),
})
export type DuplicateReason = { code: ReasonCode; message: string }

export const Duplicate = Type.Object(
  {
    bill_id: Id('The other bill.'),
    number: nullable(Type.String({ description: 'Its number; null while it is a draft.', examples: ['BILL-000123'] })),
    status_id: Type.Enum(statuses, { description: 'Where it stands.', examples: ['saved'] }),
    reference_number: nullable(
      Type.String({ description: 'The number the carrier knows it by.', examples: ['INV-20417'] }),
    ),
    partner_carrier_id: nullable(Id('The partner or carrier that it is from.')),
    currency_id: nullable(Type.String({ description: 'Its currency.', examples: ['usd'] })),
    total_amount: Amount('Its total.', 185000),
    bill_date: nullable(Time('Its date.')),
    score: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'How likely the two are the same, from 0.5 to 1. It orders the list; it is no probability.',
      examples: [0.98],
    }),
    reasons: Type.Array(DuplicateReason, { description: 'What the two have in common.' }),
  },
  { $id: 'Duplicate', description: 'A bill that is probably the same as another, and why.' },
)
export type Duplicate = Static<typeof Duplicate>

/** From this score on two bills are listed as probably the same. */
export const listedFrom = 0.5

/** How likely two invoices ask for the same money twice, and what they have in common. docs/decisions/carrier-invoices.md explains the numbers. */
export function compare(one: ComparedInvoice, other: ComparedInvoice): { score: number; reasons: DuplicateReason[] } {
  const facts = factsOf(one, other)
  const score =
    facts.number === 'same'
      ? ofSameNumber(facts)
      : facts.sharesManifest
        ? ofSameManifest(facts)
        : ofDifferentNumbers(facts)
  return { score: Math.round(score * 100) / 100, reasons: reasonsOf(one, other, facts) }
}

/** The 409 of a bill whose carrier and number another has. */
export function duplicateBill(
  others: readonly { id: string; number: string | null }[],
  reference: string | null,
): Refusal {
  const [first] = others
  const message = `The bill ${first?.number ?? first?.id} of this carrier has the number ${JSON.stringify(reference)} already. Change that bill, or send "allow_duplicate": true where this is really another.`
  return conflict('duplicate_bill', message, [
    { field: 'reference_number', code: 'duplicate_bill', message, allowed: others.map(({ id }) => id) },
  ])
}

type Facts = {
  number: ReturnType<typeof relationOf>
  isShortNumber: boolean
  /** Whether one of two parts of an invoice has no mark of its own: a second version of it, more likely than its other half. */
  isVersion: boolean
  sameCarrier: boolean
  sharesManifest: boolean
  /** Both say what they pay for, and it is not the same. */
  otherManifests: boolean
  amount: 'same' | 'close' | 'different'
  /** Null where one has no date. */
  days: number | null
}

function factsOf(one: ComparedInvoice, other: ComparedInvoice): Facts {
  const [a, b] = [one, other].map(({ reference_number }) =>
    reference_number === null ? null : carrierNumber(reference_number),
  )
  const shared = one.manifest_ids.some((id) => other.manifest_ids.includes(id))
  const days =
    one.bill_date && other.bill_date
      ? Math.abs(Date.parse(one.bill_date) - Date.parse(other.bill_date)) / 86_400_000
      : null
  return {
    number: relationOf(one.reference_number, other.reference_number),
    isShortNumber: Math.min(a?.length ?? 0, b?.length ?? 0) < 4,
    isVersion: [one, other].some(
      ({ reference_number }) => reference_number !== null && partOf(reference_number).part === null,
    ),
    sameCarrier: one.partner_carrier_id !== null && one.partner_carrier_id === other.partner_carrier_id,
    sharesManifest: shared,
    otherManifests: !shared && one.manifest_ids.length > 0 && other.manifest_ids.length > 0,
    amount: amountsOf(one, other),
    days,
  }
}

function amountsOf(one: ComparedInvoice, other: ComparedInvoice): Facts['amount'] {
  if (one.currency_id !== other.currency_id) return 'different'
  const difference = Math.abs(one.total_amount - other.total_amount)
  if (difference === 0) return 'same'
  return difference <= Math.max(Math.abs(one.total_amount), Math.abs(other.total_amount)) * 0.02 ? 'close' : 'different'
}

function within(days: number | null, most: number): boolean {
  return days !== null && days <= most
}

function ofSameNumber({ sameCarrier, sharesManifest, otherManifests, amount, days, isShortNumber }: Facts): number {
  if (sharesManifest) return sameCarrier ? 0.99 : 0.92
  if (sameCarrier) {
    if (amount === 'same') return otherManifests && isShortNumber && !within(days, 60) ? 0.4 : 0.97
    // Numbers begin anew with a year, and a carrier with few invoices counts from 1.
    if (!within(days, 180) || (isShortNumber && otherManifests)) return 0.4
    return amount === 'close' ? 0.9 : 0.8
  }
  if (isShortNumber || otherManifests) return 0.3
  return amount === 'same' && within(days, 90) ? 0.85 : 0.3
}

/** One load, two numbers: entered twice, sent again, or sent by the carrier and by its factoring company; or parts of one invoice. */
function ofSameManifest({ number, sameCarrier, amount, isVersion }: Facts): number {
  if (number === 'parts' && !isVersion) return 0.35
  if (amount === 'same') return number === 'next' && sameCarrier ? 0.6 : 0.8
  if (number === 'typo' || (number === 'parts' && isVersion)) return amount === 'close' ? 0.8 : 0.55
  return amount === 'close' && number === 'missing' ? 0.6 : 0.3
}

function ofDifferentNumbers({ number, sameCarrier, otherManifests, amount, days, isVersion }: Facts): number {
  if (!sameCarrier || otherManifests) return 0.2
  if (number === 'typo') {
    if (amount === 'same') return within(days, 60) ? 0.8 : 0.45
    return amount === 'close' && within(days, 10) ? 0.6 : 0.3
  }
  if (number === 'parts' && isVersion && amount === 'same') return within(days, 60) ? 0.7 : 0.4
  if (number === 'missing' && amount === 'same') return within(days, 3) ? 0.6 : 0.3
  return 0.2
}

function reasonsOf(
  one: ComparedInvoice,
  other: ComparedInvoice,
  { number, sameCarrier, sharesManifest, amount, days }: Facts,
): DuplicateReason[] {
  const reasons: [boolean, ReasonCode, string][] = [
    [number === 'same', 'same_number', `Both have the number ${other.reference_number}.`],
    [
      number === 'typo',
      'number_off_by_a_typo',
      `Their numbers differ by a slip: ${one.reference_number} and ${other.reference_number}.`,
    ],
    [sharesManifest, 'same_manifest', 'Both pay for the same manifest.'],
    [amount === 'same', 'same_amount', 'Both come to the same amount in the same currency.'],
    [amount === 'close', 'amount_close', 'Their amounts differ by 2 % or less.'],
    [
      within(days, 10),
      'date_close',
      `Their dates are ${Math.round(days ?? 0)} ${Math.round(days ?? 0) === 1 ? 'day' : 'days'} apart.`,
    ],
    [sameCarrier, 'same_carrier', 'Both are from the same carrier.'],
    [
      !sameCarrier,
      'other_carrier',
      'They are from different carriers, as when a factoring company sends the same invoice.',
    ],
  ]
  return reasons.filter(([holds]) => holds).map(([, code, message]) => ({ code, message }))
}
