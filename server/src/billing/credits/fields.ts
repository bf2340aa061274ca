import Type from 'typebox'
import { address, date, id, serverField, text } from '../documents/model/fields.ts'
import { lineFields } from '../documents/model/line-fields.ts'
import { currency, documentFields, taxSwitch } from '../documents/model/standard-fields.ts'

export const names = { noun: 'credit', plural: 'credits' } as const

export const directions = ['out', 'in'] as const

const Direction = Type.Enum([...directions], {
  description: 'Whose side it is on: `out`, a carrier credits us, and it is applied to bills; `in`, we credit a customer, and it is applied to invoices.',
  examples: ['in'],
})

/** Every field of a credit. Its direction is set on creation and decides whose it is. */
export const creditFields = documentFields(
  { ...names, numberExample: 'CR-000123' },
  {
    currency_id: currency(names),
    pay_term_id: id('The pay term; must exist.'),
    partner_carrier_id: id('The partner or carrier that gives the credit; only where the direction is `out`.', {
      searched: 'partner',
      filter: { by: 'any', name: 'partner_carrier_ids', description: 'Keeps the credits of these partners or carriers.' },
    }),
    customer_id: id('The customer that gets the credit; only where the direction is `in`.', {
      searched: 'customer',
      filter: { by: 'any', name: 'customer_ids', description: 'Keeps the credits of these customers.' },
    }),
    credit_date: date('The date of the credit.', { isSortable: true }),
    due_date: date('When it is to be applied or refunded; given on saving from the pay term where none was set.', {
      isSortable: true,
      filter: { by: 'times', start: 'due_start_at', end: 'due_end_at', descriptions: ['Due at or after.', 'Due at or before.'] },
    }),
    send_to_email: text('Where it is sent to.', 'ap@acmefoods.example', { isContent: false }),
    cc_to_email: text('Who gets a copy.', 'ops@blueridge.example', { isContent: false }),
    bill_to: address({ searched: 'names' }),
    is_tax_on: taxSwitch(),
    notes: text('Notes.', 'Two pallets arrived damaged.', { maxLength: 10_000 }),
    remit_to: address({ searched: 'names' }),
    reference_number: text('The number that the other side knows it by.', 'CM-5521', {
      maxLength: 255,
      searched: 'text',
      filter: {
        by: 'text',
        name: 'reference_number',
        description: 'Keeps the credits with this reference number, upper and lower case the same.',
        example: 'CM-5521',
        column: 'reference_key',
      },
    }),
    qb_external_id: text('The id of the partner or customer in the accounting package.', '80000057-1699876543', { maxLength: 255, isContent: false }),
    qb_error_msg: text('What the accounting package complained of.', 'Customer not found', { maxLength: 10_000, isContent: false }),
    qb_exported_at: date('When it was exported to the accounting package.', {
      isContent: false,
      filter: {
        by: 'times',
        start: 'qb_exported_start_at',
        end: 'qb_exported_end_at',
        descriptions: ['Exported to the accounting package at or after.', 'Exported to the accounting package at or before.'],
        isSet: { name: 'exported', description: 'With true keeps the credits that were exported to the accounting package, with false those that were not.' },
      },
    }),
  },
  {
    direction: {
      ...serverField(Direction, 'text', {
        csv: 'text',
        filter: { by: 'any', name: 'directions', description: 'Keeps the credits of these directions, as far as the token may see them.', values: directions },
      }),
      setBy: 'creation' as const,
      created: Direction,
    },
  },
)

export const creditLineFields = lineFields(
  {
    bill_item_type_id: id('The type of the line; must exist.'),
    manifest_id: id('The manifest whose cost it lowers.'),
    order_id: id('The order whose charge it lowers.'),
  },
  { description: 'What for.', example: 'Damaged freight, two pallets' },
)
