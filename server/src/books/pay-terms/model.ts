import Type, { type Static } from 'typebox'
import { invalid, invalidAll, quote } from '../../platform/core/refusal.ts'
import { changedBetween, Id, nullable, paging, Text, Time, wholeEdit } from '../../platform/core/schema/schema.ts'
import { isDecimal } from '../../platform/core/values/ratio.ts'

const Mapping = Type.Object(
  {
    connector_id: Text('The connector: a vendor we exchange data with.', 'quickbooks'),
    vendor_pay_term_id: Text('The id of the pay term there.', 'NET30'),
    pay_term_id: Type.Optional(nullable(Id('The pay term here; ours to know.'))),
    org_id: Type.Optional(nullable(Id('The organization; ours to know.'))),
  },
  { description: 'What a pay term is called at a vendor.' },
)

const name = Text('What people call it; unique in the organization.', 'Net 60')
const number_of_days = Type.Integer({
  minimum: 0,
  maximum: 3650,
  description: 'Days from the date of a bill to the day it is due.',
  examples: [30],
})
const discount_days = nullable(
  Type.Integer({
    minimum: 0,
    maximum: 3650,
    description: 'Paid within so many days of its date, a bill is reduced by `discount_percent`.',
    examples: [10],
  }),
)
const discount_percent = nullable(
  Type.String({
    maxLength: 12,
    description: 'What is taken off where a bill is paid early, in percent: a decimal number.',
    examples: ['2'],
  }),
)
const connector_mappings = Type.Record(Type.String(), Mapping, {
  description: 'By connector id; the key equals the connector_id in it.',
  examples: [
    {
      quickbooks: {
        connector_id: 'quickbooks',
        vendor_pay_term_id: 'NET30',
        pay_term_id: '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15',
        org_id: '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15',
      },
    },
  ],
})

export const PayTerm = Type.Object(
  {
    id: Id('The pay term.'),
    created_at: Time('When it was created.'),
    updated_at: Time('When it was last changed.'),
    org_id: Id('The organization.'),
    number_of_days,
    name,
    connector_mappings,
    discount_days,
    discount_percent,
    revision: Type.Integer({
      minimum: 1,
      description: 'Rises by one with every change; the number in the ETag.',
      examples: [1],
    }),
  },
  { $id: 'PayTerm', description: 'How long the organization has to pay.' },
)
export type PayTerm = Static<typeof PayTerm>

const discount = { discount_days: Type.Optional(discount_days), discount_percent: Type.Optional(discount_percent) }
export const NewPayTerm = Type.Object({
  name,
  number_of_days,
  connector_mappings: Type.Optional(connector_mappings),
  ...discount,
})
export type NewPayTerm = Static<typeof NewPayTerm>

export const PayTermEdit = wholeEdit(
  PayTerm,
  Type.Partial(
    Type.Object({
      name,
      number_of_days,
      connector_mappings: nullable(connector_mappings),
      discount_days,
      discount_percent,
    }),
  ),
)
export type PayTermEdit = Static<typeof PayTermEdit>

export const PayTermSearch = Type.Object({
  search_term: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Keeps the pay terms that contain this in their name; upper and lower case are the same.',
      examples: ['net'],
    }),
  ),
  ...changedBetween,
  ...paging,
})
export type PayTermSearch = Static<typeof PayTermSearch>

export type Mappings = NonNullable<NewPayTerm['connector_mappings']>

/** The key of a mapping is its connector; two that disagree would leave a connector without its term. */
export function requireMatchingKeys(mappings: Mappings): void {
  const wrong = Object.entries(mappings).filter(([key, { connector_id }]) => key !== connector_id)
  if (wrong.length === 0) return
  throw invalidAll(
    wrong.map(([key, { connector_id }]) => ({
      field: `connector_mappings.${key}.connector_id`,
      code: 'key_mismatch',
      message: `The mapping under ${quote(key)} says connector_id ${quote(connector_id)}; the two must be equal.`,
    })),
  )
}

export type Discount = { discount_days: number | null; discount_percent: string | null }
export type Content = { name: string; number_of_days: number; connector_mappings: Record<string, string> } & Discount

/** The days and the percent come together. */
export function requireWholeDiscount({ discount_days, discount_percent }: Discount): void {
  if ((discount_days === null) !== (discount_percent === null))
    throw invalid('discount_percent', 'discount_incomplete', '"discount_days" and "discount_percent" come together.')
  if (
    discount_percent !== null &&
    !(isDecimal(discount_percent, 6) && Number(discount_percent) > 0 && Number(discount_percent) < 100)
  )
    throw invalid(
      'discount_percent',
      'bad_percent',
      `"discount_percent" must be a decimal number between 0 and 100, not ${quote(discount_percent)}.`,
    )
}

/** What of the input differs; mappings are compared by what they say, not by how they were written. */
export function edit(current: PayTerm, input: PayTermEdit): { next: Content; previous: Partial<PayTerm> } {
  if (input.connector_mappings) requireMatchingKeys(input.connector_mappings)
  const next: Content = {
    name: input.name ?? current.name,
    number_of_days: input.number_of_days ?? current.number_of_days,
    connector_mappings: vendorTerms(
      input.connector_mappings === undefined ? current.connector_mappings : (input.connector_mappings ?? {}),
    ),
    discount_days: input.discount_days === undefined ? current.discount_days : input.discount_days,
    discount_percent: input.discount_percent === undefined ? current.discount_percent : input.discount_percent,
  }
  requireWholeDiscount(next)
  const changed = [
    ...(['name', 'number_of_days', 'discount_days', 'discount_percent'] as const).filter(
      (field) => next[field] !== current[field],
    ),
    ...(JSON.stringify(next.connector_mappings) !== JSON.stringify(vendorTerms(current.connector_mappings))
      ? (['connector_mappings'] as const)
      : []),
  ]
  return { next, previous: Object.fromEntries(changed.map((field) => [field, current[field]])) }
}

export function vendorTerms(mappings: Mappings): Record<string, string> {
  return Object.fromEntries(
    Object.entries(mappings)
      .map(([connector, { vendor_pay_term_id }]) => [connector, vendor_pay_term_id] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}
