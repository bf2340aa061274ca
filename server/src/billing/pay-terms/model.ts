import Type, { type Static } from 'typebox'
import { invalidAll, quote } from '../../core/refusal.ts'
import { Id, nullable, paging, Text, Time, wholeEdit } from '../../core/schema.ts'

const Mapping = Type.Object(
  {
    connector_id: Text('The connector: a vendor we exchange data with.', 'quickbooks'),
    vendor_pay_term_id: Text('The id of the pay term there.', 'NET30'),
    pay_term_id: Type.Optional(nullable(Id('The pay term here; ours to know.'))),
    org_id: Type.Optional(nullable(Id('The organization; ours to know.'))),
  },
  { description: 'What a pay term is called at a vendor.' },
)

const name = Text('What people call it; unique in the organization.', 'Net 30')
const number_of_days = Type.Integer({ minimum: 0, maximum: 3650, description: 'Days from the date of a bill to the day it is due.', examples: [30] })
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
    revision: Type.Integer({ minimum: 1, description: 'Rises by one with every change; the number in the ETag.', examples: [1] }),
  },
  { $id: 'PayTerm', description: 'How long the organization has to pay.' },
)
export type PayTerm = Static<typeof PayTerm>

export const NewPayTerm = Type.Object({ name, number_of_days, connector_mappings: Type.Optional(connector_mappings) })
export type NewPayTerm = Static<typeof NewPayTerm>

export const PayTermEdit = wholeEdit(PayTerm, Type.Partial(Type.Object({ name, number_of_days, connector_mappings: nullable(connector_mappings) })))
export type PayTermEdit = Static<typeof PayTermEdit>

export const PayTermSearch = Type.Object({
  search_term: Type.Optional(
    Type.String({ maxLength: 255, description: 'Keeps the pay terms that contain this in their name; upper and lower case are the same.', examples: ['net'] }),
  ),
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

export type Content = { name: string; number_of_days: number; connector_mappings: Record<string, string> }

/** What of the input differs; mappings are compared by what they say, not by how they were written. */
export function edit(current: PayTerm, input: PayTermEdit): { next: Content; previous: Partial<PayTerm> } {
  if (input.connector_mappings) requireMatchingKeys(input.connector_mappings)
  const next: Content = {
    name: input.name ?? current.name,
    number_of_days: input.number_of_days ?? current.number_of_days,
    connector_mappings: vendorTerms(input.connector_mappings === undefined ? current.connector_mappings : (input.connector_mappings ?? {})),
  }
  const changed = [
    ...(['name', 'number_of_days'] as const).filter((field) => next[field] !== current[field]),
    ...(JSON.stringify(next.connector_mappings) !== JSON.stringify(vendorTerms(current.connector_mappings)) ? (['connector_mappings'] as const) : []),
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
