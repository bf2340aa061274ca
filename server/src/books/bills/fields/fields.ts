import Type from 'typebox'
import { Id, nullable, Time } from '../../../platform/core/schema/schema.ts'
import { clientFields } from '../../documents/model/fields/client-fields.ts'
import { id, serverField } from '../../documents/model/fields/fields.ts'
import { lineFields } from '../../documents/model/fields/line-fields.ts'
import { documentFields } from '../../documents/model/fields/standard-fields.ts'

export const approvalStatuses = ['not_needed', 'pending', 'approved', 'rejected'] as const

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
        filter: {
          by: 'any',
          name: 'partner_carrier_ids',
          description: 'Keeps the bills of these partners or carriers.',
        },
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
    approval_status: {
      ...serverField(
        Type.Enum(approvalStatuses, {
          description:
            'Whether it is approved as it is now; `not_needed` where no approval is. What is pending or rejected is not paid.',
          examples: ['not_needed'],
        }),
        'text',
        {
          isContent: false,
          filter: {
            by: 'any',
            name: 'approval_status',
            description: 'Keeps the bills whose approval stands so.',
            values: approvalStatuses,
          },
        },
      ),
      blank: 'not_needed' as const,
    },
    approval_requested_at: serverField(
      nullable(Time('Since when it waits for approval; null where it does not.')),
      'timestamptz',
      { isContent: false },
    ),
    approved_by: serverField(
      nullable(Id('Who gave the last approval that it needed; null unless it is approved.')),
      'uuid',
      { isContent: false },
    ),
    approved_at: serverField(nullable(Time('When it was approved; null unless it is.')), 'timestamptz', {
      isContent: false,
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
