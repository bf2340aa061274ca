import Type from 'typebox'
import { awaiting } from '../approvals/rules/awaiting.ts'
import { columnsInOrder } from '../documents/model/fields/client-fields.ts'
import type { EditOf, RecordOf } from '../documents/model/fields/fields.ts'
import type { NewLineOf } from '../documents/model/fields/line-fields.ts'
import { defineDocument } from '../documents/model/kind/kind.ts'
import { idList } from '../documents/model/kind/search-schema.ts'
import { billFields, billLineFields, names } from './fields/fields.ts'
import { paysOneOf } from './manifests-sql.ts'

export type Bill = RecordOf<typeof billFields>
export type BillEdit = EditOf<typeof billFields> & { allow_duplicate?: boolean }
export type NewBill = BillEdit & { external_id?: string | null; items?: NewLineOf<typeof billLineFields>[] }

/** What carriers and partners are owed. Statements gather them: `consolidated-bills/bill-hooks.ts` says how. */
export const bill = defineDocument({
  ...names,
  scope: 'bills',
  numberPrefix: 'bill',
  madeFrom: { table: 'manifest_bills', column: 'bill_id' },
  fields: billFields,
  date: 'bill_date',
  takesDefaultTerm: true,
  parties: ['partner_carrier_id'],
  lines: {
    noun: 'bill_item',
    plural: 'bill_items',
    parentKey: 'bill_id',
    fields: billLineFields,
    type: { name: 'bill_item_type', table: 'bill_item_types' },
  },
  options: {
    allow_duplicate: Type.Boolean({
      description:
        'With true the bill is taken although another of the same carrier has its number, which is a 409 `duplicate_bill` where the organization refuses duplicates. Where it only warns, the header X-Possible-Duplicates of the answer names the other bills.',
      examples: [false],
    }),
  },
  filters: {
    in_manifest_ids: {
      schema: idList(
        'Keeps the bills that have a line paying one of these manifests, or whose master trip is one of them.',
      ),
      condition: paysOneOf,
    },
    awaiting,
  },
  columnOrder: columnsInOrder({
    date: 'bill_date',
    parties: ['partner_carrier_id', 'master_trip_id'],
    lines: 'bill_items',
    late: ['consolidated_bill_id'],
  }),
  wording: {
    document: 'What a carrier or partner is owed for its work.',
    line: 'A line of a bill.',
    reasonExample: 'Carrier sent a corrected invoice',
    externalIdExample: 'PRO-20400',
  },
})
