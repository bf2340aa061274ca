import Type, { type Static } from 'typebox'
import { Amount } from '../../books/documents/model/fields/amount.ts'
import { Id, nullable } from '../../platform/core/schema/schema.ts'
import type { AgreedTrip } from './received/compare.ts'

const reasonCodes = [
  'reference_number',
  'same_carrier',
  'other_carrier',
  'same_amount',
  'amount_close',
  'date_close',
  'already_billed',
] as const
type ReasonCode = (typeof reasonCodes)[number]

export const Proposal = Type.Object(
  {
    manifest_id: Id('The manifest.'),
    full_id: Type.String({ description: 'What people call it.', examples: ['MAN-12'] }),
    reference_number: nullable(Type.String({ description: 'Its reference number.', examples: ['TRIP-5521'] })),
    agreed_amount: Amount('What its payment items come to.', 100000),
    score: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'How likely it is what the invoice is for. It orders the list.',
      examples: [0.95],
    }),
    reasons: Type.Array(
      Type.Object({
        code: Type.Enum(reasonCodes, { description: 'The reason, for programs.', examples: ['reference_number'] }),
        message: Type.String({ description: 'The reason, for people.', examples: ['The invoice names TRIP-5521.'] }),
      }),
      { description: 'What speaks for it, and against it.' },
    ),
  },
  { $id: 'MatchProposal', description: 'A manifest that a carrier’s invoice is probably for, and why.' },
)
export type Proposal = Static<typeof Proposal>

/** A manifest that may be what an invoice is for. */
export type Candidate = AgreedTrip & {
  full_id: string
  external_id: string | null
  reference_number: string | null
  ends_at: string | null
}

export type MatchRequest = {
  partner_carrier_id: string | null
  invoice_date: string | null
  currency_id: string
  total_amount: number
  reference_number: string | null
  invoice_number: string
}

/** From this score on, and with no other as likely, an invoice is matched by itself. */
export const matchedFrom = 0.8

/** The manifests that an invoice may be for, the likeliest first. */
export function rank(invoice: MatchRequest, candidates: readonly Candidate[]): Proposal[] {
  return candidates
    .map((candidate) => proposalOf(invoice, candidate))
    .filter(({ score }) => score >= 0.3)
    .sort((one, other) => other.score - one.score || (one.full_id < other.full_id ? -1 : 1))
}

/** The one manifest that the invoice is for beyond doubt, or null. */
export function bestOf(proposals: readonly Proposal[]): Proposal | null {
  const [first, second] = proposals
  return first && first.score >= matchedFrom && (second === undefined || second.score < first.score - 0.05)
    ? first
    : null
}

function proposalOf(invoice: MatchRequest, candidate: Candidate): Proposal {
  const { id, full_id, reference_number, partner_carrier_id, currency_id, billed_by, ends_at } = candidate
  const agreed_amount = candidate.items.reduce((sum, { amount }) => sum + amount, 0)
  const isNamed = namesOf(candidate).some((name) => textsOf(invoice).includes(name))
  const sameCarrier = partner_carrier_id !== null && partner_carrier_id === invoice.partner_carrier_id
  const difference = Math.abs(agreed_amount - invoice.total_amount)
  const sameCurrency = currency_id === null || currency_id === invoice.currency_id
  const amount =
    !sameCurrency || agreed_amount === 0
      ? 'other'
      : difference === 0
        ? 'same'
        : difference <= agreed_amount * 0.05
          ? 'close'
          : 'other'
  const days =
    ends_at && invoice.invoice_date
      ? Math.abs(Date.parse(ends_at) - Date.parse(invoice.invoice_date)) / 86_400_000
      : null
  const isClose = days !== null && days <= 14
  const points =
    (isNamed ? 0.65 : 0) +
    (sameCarrier ? 0.25 : invoice.partner_carrier_id && partner_carrier_id ? -0.35 : 0) +
    (amount === 'same' ? 0.25 : amount === 'close' ? 0.12 : 0) +
    (isClose ? 0.1 : 0) -
    (billed_by ? 0.2 : 0)
  const reasons: [boolean, ReasonCode, string][] = [
    [isNamed, 'reference_number', `The invoice names ${reference_number ?? full_id}.`],
    [sameCarrier, 'same_carrier', 'The carrier of the invoice drove it.'],
    [!sameCarrier && partner_carrier_id !== null, 'other_carrier', 'Another carrier drove it.'],
    [amount === 'same', 'same_amount', 'The amounts are the same.'],
    [amount === 'close', 'amount_close', 'The amounts differ by 5 % or less.'],
    [isClose, 'date_close', `It ended ${Math.round(days ?? 0)} days from the date of the invoice.`],
    [billed_by !== null, 'already_billed', `${billed_by} pays for it already.`],
  ]
  return {
    ...{
      manifest_id: id,
      full_id,
      reference_number,
      agreed_amount,
      score: Math.round(Math.min(1, Math.max(0, points)) * 100) / 100,
    },
    reasons: reasons.filter(([holds]) => holds).map(([, code, message]) => ({ code, message })),
  }
}

function namesOf({ full_id, external_id, reference_number }: Candidate): string[] {
  return [full_id, external_id, reference_number].flatMap((name) => (name ? [name.trim().toLowerCase()] : []))
}

/** The texts of an invoice that may name a manifest, as they are looked for. */
export function textsOf({
  reference_number,
  invoice_number,
}: Pick<MatchRequest, 'reference_number' | 'invoice_number'>): string[] {
  return [reference_number, invoice_number].flatMap((text) => (text ? [text.trim().toLowerCase()] : []))
}
