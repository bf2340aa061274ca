import { invalid } from '../../platform/core/refusal.ts'
import { columnsInOrder } from '../documents/model/fields/client-fields.ts'
import type { EditOf, RecordOf } from '../documents/model/fields/fields.ts'
import type { NewLineOf } from '../documents/model/fields/line-fields.ts'
import { defineDocument } from '../documents/model/kind/kind.ts'
import { idList } from '../documents/model/kind/search-schema.ts'
import { creditFields, creditLineFields, names } from './fields.ts'
import { forManifest, forOrder } from './lines-sql.ts'

export type Credit = RecordOf<typeof creditFields>
export type CreditEdit = EditOf<typeof creditFields>
export type NewCredit = CreditEdit & {
  direction: Credit['direction']
  external_id?: string | null
  items?: NewLineOf<typeof creditLineFields>[]
}

/** What carriers credit us, and what we credit customers. */
export const credit = defineDocument({
  ...names,
  scope: ['bills', 'invoices'],
  access: { field: 'direction', scopes: { out: 'bills', in: 'invoices' } },
  numberPrefix: 'cr',
  fields: creditFields,
  date: 'credit_date',
  parties: ['partner_carrier_id', 'customer_id'],
  check: requireFittingParty,
  lines: {
    noun: 'credit_item',
    plural: 'credit_items',
    parentKey: 'credit_id',
    fields: creditLineFields,
    type: { name: 'bill_item_type', table: 'bill_item_types' },
  },
  filters: {
    in_manifest_ids: {
      schema: idList('Keeps the credits that have a line for one of these manifests.'),
      condition: forManifest,
    },
    in_order_ids: {
      schema: idList('Keeps the credits that have a line for one of these orders.'),
      condition: forOrder,
    },
  },
  columnOrder: columnsInOrder({
    date: 'credit_date',
    parties: ['partner_carrier_id', 'customer_id'],
    lines: 'credit_items',
    early: ['direction'],
  }),
  wording: {
    document:
      'What is taken off what is owed: by a carrier to us, or by us to a customer. `paid` means that all of it is applied or refunded.',
    line: 'A line of a credit.',
    reasonExample: 'Applied to the wrong invoice',
    externalIdExample: 'CM-4100',
  },
})

/** A constraint of the table says the same. */
function requireFittingParty({ direction, partner_carrier_id, customer_id }: Credit): void {
  if (direction === 'out' && customer_id !== null)
    throw invalid(
      'customer_id',
      'wrong_party',
      'A credit with the direction "out" comes from a carrier: it has a "partner_carrier_id" and no "customer_id".',
    )
  if (direction === 'in' && partner_carrier_id !== null)
    throw invalid(
      'partner_carrier_id',
      'wrong_party',
      'A credit with the direction "in" goes to a customer: it has a "customer_id" and no "partner_carrier_id".',
    )
}
