import { Id, nullable } from '../../core/schema.ts'
import { address, date, id, serverField, text } from '../documents/model/fields.ts'
import { lineFields } from '../documents/model/line-fields.ts'
import { currency, documentFields, taxSwitch } from '../documents/model/standard-fields.ts'

export const names = { noun: 'bill', plural: 'bills' } as const

/** Every field of a bill, once: schemas, SQL, CSV and rules come from here. A new one needs its column in a migration as well. */
export const billFields = documentFields(
  { ...names, numberExample: 'BILL-000123' },
  {
    currency_id: currency(names),
    pay_term_id: id('The pay term; must exist.'),
    master_trip_id: id('The related master trip.'),
    partner_carrier_id: id('The partner or carrier that the bill is from.', {
      searched: 'partner',
      filter: { by: 'any', name: 'partner_carrier_ids', description: 'Keeps the bills of these partners or carriers.' },
    }),
    bill_date: date('The date of the bill.', { isSortable: true }),
    due_date: date('When it is to be paid; given on saving from the pay term where none was set.', {
      isSortable: true,
      filter: { by: 'times', start: 'due_start_at', end: 'due_end_at', descriptions: ['Due at or after.', 'Due at or before.'] },
    }),
    send_to_email: text('Where it is sent to.', 'ap@cascade.example', { isContent: false }),
    cc_to_email: text('Who gets a copy.', 'ops@blueridge.example', { isContent: false }),
    bill_to: address(),
    is_tax_on: taxSwitch(),
    notes: text('Notes.', 'Detention approved by dispatch.', { maxLength: 10_000 }),
    remit_to: address({ searched: 'names' }),
    reference_number: text('The number the carrier knows it by.', 'INV-20417', {
      maxLength: 255,
      searched: 'text',
      filter: {
        by: 'text',
        name: 'reference_number',
        description: 'Keeps the bills with this reference number, upper and lower case the same.',
        example: 'INV-20417',
        column: 'reference_key',
      },
    }),
    qb_external_id: text('The id of the partner carrier in the accounting package.', '80000031-1699876543', { maxLength: 255, isContent: false }),
    qb_error_msg: text('What the accounting package complained of.', 'Vendor not found', { maxLength: 10_000, isContent: false }),
    qb_exported_at: date('When it was exported to the accounting package.', {
      isContent: false,
      filter: {
        by: 'times',
        start: 'qb_exported_start_at',
        end: 'qb_exported_end_at',
        descriptions: ['Exported to the accounting package at or after.', 'Exported to the accounting package at or before.'],
        isSet: { name: 'exported', description: 'With true keeps the bills that were exported to the accounting package, with false those that were not.' },
      },
    }),
  },
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
