import Type, { type Static, type TObject } from 'typebox'
import { Amount } from '../../books/documents/model/fields/amount.ts'
import { invalid, quote } from '../../platform/core/refusal.ts'
import { named } from '../../platform/core/schema/names.ts'
import { Id, nullable } from '../../platform/core/schema/schema.ts'
import { decimalOf, isDecimal, ratioOf } from '../../platform/core/values/ratio.ts'

const percent = (description: string) =>
  nullable(Type.String({ minLength: 1, maxLength: 12, description, examples: ['2.5'] }))
const amount = (description: string) => nullable(Type.Unsafe<number>({ ...Amount(description, 2500), minimum: 0 }))

export const fields = {
  partner_carrier_id: nullable(Id('The carrier that it is for; null for all.')),
  bill_item_type_id: nullable(Id('The type of lines that it is for; null for all. It must exist.')),
  over_percent: percent(
    'How much more than agreed is tolerated, in percent of that: a decimal number in a text. Null sets no limit by percent.',
  ),
  over_amount: amount(
    'The same as an amount, in the currency of the invoice. Where both are set both have to hold; where neither is, nothing is tolerated.',
  ),
  under_percent: percent('How much less than agreed is tolerated, in percent.'),
  under_amount: amount('The same as an amount.'),
  approve_automatically: Type.Boolean({
    description:
      'Whether an invoice without findings is approved by itself, which makes its bill. One with a tax never is, since nothing was agreed that it could be held against. Not for a policy of a type.',
    examples: [false],
  }),
  check_delivery: Type.Boolean({
    description:
      'Whether it is a finding that a load is not delivered. True unless it is switched off. Not for a policy of a type.',
    examples: [true],
  }),
  check_pod: Type.Boolean({
    description:
      'Whether it is a finding that there is no proof of delivery: a document of the type `pod` of the manifest, of one of its orders, or of the invoice. True unless it is switched off. Not for a policy of a type.',
    examples: [true],
  }),
}

export type Content = Static<TObject<typeof fields>>

export const Replay = Type.Object(
  {
    days: Type.Integer({
      minimum: 1,
      maximum: 3650,
      description: 'How many days back invoices are looked at, by when they were received.',
      examples: [90],
    }),
    policy: Type.Partial(Type.Object(fields), {
      description: 'The policy to try: in the place of that of the same carrier and type, or besides the others.',
    }),
  },
  { examples: [{ days: 90, policy: { over_percent: '3', approve_automatically: true } }] },
)
export type Replay = { days: number; policy: Partial<Content> }

const Share = Type.Object({
  invoices: Type.Integer({ minimum: 0, description: 'How many.', examples: [120] }),
  amounts: Type.Array(
    named(
      'AmountInCurrency',
      Type.Object({
        currency_id: Type.String({ description: 'The currency.', examples: ['usd'] }),
        amount: Amount('What they come to.', 1_250_000),
      }),
    ),
    { description: 'What they come to, in each currency.' },
  ),
})

const Effect = Type.Object({
  paid: named(
    'InvoiceShare',
    Type.Object(Share.properties, { description: 'Invoices that are approved by themselves, and their totals.' }),
  ),
  held: named(
    'InvoiceShare',
    Type.Object(Share.properties, {
      description: 'Invoices with findings, which a person has to decide about, and their totals.',
    }),
  ),
  caught: named(
    'InvoiceShare',
    Type.Object(Share.properties, {
      description: 'Invoices that ask for more than is tolerated, and how much more than agreed.',
    }),
  ),
})

export const Replayed = Type.Object(
  {
    invoices: Type.Integer({
      minimum: 0,
      description: 'How many invoices were looked at: those received in these days that were audited.',
      examples: [400],
    }),
    now: named('PolicyEffect', Type.Object(Effect.properties, { description: 'Under the policies that there are.' })),
    tried: named('PolicyEffect', Type.Object(Effect.properties, { description: 'Under the policy that is tried.' })),
  },
  { $id: 'AuditReplay', description: 'What another policy would have done. Nothing is changed.' },
)

/** A policy as audits use it. */
export type Rule = Content

/** Where nothing is said. */
export const strict: Rule = {
  ...{
    partner_carrier_id: null,
    bill_item_type_id: null,
    over_percent: null,
    over_amount: null,
    under_percent: null,
    under_amount: null,
  },
  ...{ approve_automatically: false, check_delivery: true, check_pod: true },
}

/** The narrowest policy that fits: of the carrier and the type, of the carrier, of the type, of all. Without one nothing is tolerated. */
export function policyFor(rules: readonly Rule[], carrier: string | null, type: string | null): Rule {
  const find = (ofCarrier: string | null, ofType: string | null) =>
    rules.find(
      ({ partner_carrier_id, bill_item_type_id }) => partner_carrier_id === ofCarrier && bill_item_type_id === ofType,
    )
  const both = carrier && type ? find(carrier, type) : undefined
  return (
    both ??
    (carrier ? find(carrier, null) : undefined) ??
    (type ? find(null, type) : undefined) ??
    find(null, null) ??
    strict
  )
}

export function check(policy: Content): Content {
  if (policy.bill_item_type_id !== null && policy.approve_automatically)
    throw invalid(
      'approve_automatically',
      'not_for_a_type',
      'A policy for a type of lines approves no invoice by itself: set this on the policy of the carrier, or of all.',
    )
  for (const check of ['check_delivery', 'check_pod'] as const)
    if (policy.bill_item_type_id !== null && !policy[check])
      throw invalid(
        check,
        'not_for_a_type',
        'A policy for a type of lines says nothing of the load: set this on the policy of the carrier, or of all.',
      )
  return {
    ...policy,
    partner_carrier_id: policy.partner_carrier_id?.toLowerCase() ?? null,
    bill_item_type_id: policy.bill_item_type_id?.toLowerCase() ?? null,
    over_percent: normalPercent(policy.over_percent, 'over_percent'),
    under_percent: normalPercent(policy.under_percent, 'under_percent'),
  }
}

function normalPercent(sent: string | null, field: string): string | null {
  if (sent === null) return null
  const text = sent.trim()
  if (!isDecimal(text, 4) || !/^\d{1,4}(?:\.|$)/.test(text))
    throw invalid(
      field,
      'bad_percent',
      `"${field}" must be a decimal number from 0 to 9999 with at most 4 decimals, such as "2.5", not ${quote(sent)}.`,
    )
  return decimalOf(ratioOf(text), 4)
}
