import Type, { type Static, type TObject } from 'typebox'
import { invalid, invalidAll, quote } from '../../platform/core/refusal.ts'
import { named } from '../../platform/core/schema/names.ts'
import { Id, nullable, Text } from '../../platform/core/schema/schema.ts'
import { isDecimal } from '../../platform/core/values/ratio.ts'

const Mapping = named(
  'PayTermConnectorMapping',
  Type.Object(
    {
      connector_id: Text('The connector: a vendor we exchange data with.', 'quickbooks'),
      vendor_pay_term_id: Text('The id of the pay term there.', 'NET30'),
      pay_term_id: Type.Optional(nullable(Id('The pay term here; ours to know.'))),
      org_id: Type.Optional(nullable(Id('The organization; ours to know.'))),
    },
    { description: 'What a pay term is called at a vendor.' },
  ),
)
const example = {
  connector_id: 'quickbooks',
  vendor_pay_term_id: 'NET30',
  pay_term_id: '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15',
  org_id: '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15',
}
const days = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 3650, description, examples: [example] })

export const fields = {
  name: Text('What people call it; unique in the organization.', 'Net 60'),
  number_of_days: days('Days from the date of a bill to the day it is due.', 30),
  connector_mappings: Type.Record(Type.String(), Mapping, {
    description: 'By connector id; the key equals the connector_id in it.',
    examples: [{ quickbooks: example }],
  }),
  discount_days: nullable(days('Paid within so many days of its date, a bill is reduced by `discount_percent`.', 10)),
  discount_percent: nullable(
    Type.String({
      maxLength: 12,
      description: 'What is taken off where a bill is paid early, in percent: a decimal number.',
      examples: ['2'],
    }),
  ),
}
export type Content = Static<TObject<typeof fields>>
type Mappings = Content['connector_mappings']

/** Mappings are compared by what they say, so they are written here as the record shows them. */
export function check(content: Content, _input: object, current: { id: string; org_id: string } | null): Content {
  const mappings = content.connector_mappings ?? {}
  requireMatchingKeys(mappings)
  requireWholeDiscount(content)
  const ours = current && { pay_term_id: current.id, org_id: current.org_id }
  const shown = Object.entries(mappings).map(([connector_id, { vendor_pay_term_id }]) => [
    connector_id,
    { connector_id, vendor_pay_term_id, ...ours },
  ])
  return { ...content, connector_mappings: Object.fromEntries(shown) }
}

/** The key of a mapping is its connector; two that disagree would leave a connector without its term. */
function requireMatchingKeys(mappings: Mappings): void {
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

/** The days and the percent come together. */
function requireWholeDiscount({ discount_days, discount_percent }: Content): void {
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
