import { Id, nullable } from '../../core/schema.ts'
import { clientFields } from '../documents/model/client-fields.ts'
import { id, serverField } from '../documents/model/fields.ts'
import { lineFields } from '../documents/model/line-fields.ts'
import { documentFields } from '../documents/model/standard-fields.ts'

export const names = { noun: 'bill', plural: 'bills' } as const

/** Every field of a bill, once: schemas, SQL, CSV and rules come from here. A new one needs its column in a migration as well. */
export const billFields = documentFields(
  { ...names, numberExample: 'BILL-000123' },
  clientFields(
    names,
    {
      master_trip_id: id('The related master trip.'),
      partner_carrier_id: id('The partner or carrier that the bill is from.', {
        searched: 'partner',
        filter: { by: 'any', name: 'partner_carrier_ids', description: 'Keeps the bills of these partners or carriers.' },
      }),
    },
    'bill_date',
    {
      reference: { description: 'The number the carrier knows it by.', example: 'INV-20417' },
      due: 'paid',
      notes: 'Detention approved by dispatch.',
      email: 'ap@cascade.example',
      accounting: { who: 'partner carrier', id: '80000031-1699876543', error: 'Vendor not found' },
      searched: ['remit_to'],
    },
  ),
  {
    consolidated_bill_id: serverField(nullable(Id('The statement it is on.')), 'uuid', {
      filter: { by: 'any', name: 'consolidated_bill_ids', description: 'Keeps the bills on these statements.' },
    }),
  },
)

export const billLineFields = lineFields(
  {
    bill_item_type_id: id('The type of the line; must exist.'),
    manifest_payment_item_id: id('The payment item of a manifest that the line pays.'),
    manifest_id: id('The manifest that the line pays.'),
  },
  { description: 'What for.', example: 'Line haul Portland, OR to Boise, ID' },
)
