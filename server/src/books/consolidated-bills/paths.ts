import Type from 'typebox'
import { named } from '../../platform/core/schema/names.ts'
import { referenceParam } from '../../platform/core/schema/schema.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import { referenceIn } from '../../platform/http/input/params.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'

/** What the routes that read statements and those that change them share. */
export const config = { scope: 'consolidated_bills' } as const
export const tags = ['Consolidated bills']
export const path = '/consolidated_bills/:consolidatedBillID'
export const params = referenceParam('consolidatedBillID', 'consolidated bill', 'SET-4410', 'STMT-000012')

const BillWithItems = named(
  'BillWithItems',
  Type.Intersect([Type.Ref('Bill'), Type.Object({ bill_items: Type.Array(Type.Ref('BillItem')) })]),
)
export const Found = Type.Object({
  consolidated_bill: Type.Ref('ConsolidatedBill'),
  created_by: Type.String({
    description:
      'Who created it: the id of a user, or of an application that acted for itself, as in v2’s `createdBy`.',
    examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'],
  }),
  bills: Type.Array(BillWithItems, { description: 'Its bills, each with its lines.' }),
  pay_term: Type.Union([Type.Ref('PayTerm'), Type.Null()], { description: 'Its pay term, null if it has none.' }),
  currency_info: Type.Union([Type.Ref('Currency'), Type.Null()], { description: 'Its currency.' }),
})
export const response = answers({ 200: Found })

export function statementIn({ consolidatedBillID }: { consolidatedBillID: string }): Reference {
  return referenceIn(consolidatedBillID, 'consolidatedBillID', 'STMT')
}
