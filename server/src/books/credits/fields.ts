import Type from 'typebox'
import { clientFields } from '../documents/model/fields/client-fields.ts'
import { id, serverField } from '../documents/model/fields/fields.ts'
import { lineFields } from '../documents/model/fields/line-fields.ts'
import { documentFields } from '../documents/model/fields/standard-fields.ts'

export const names = { noun: 'credit', plural: 'credits' } as const

export const directions = ['out', 'in'] as const

const Direction = Type.Enum([...directions], {
  description:
    'Whose side it is on: `out`, a carrier credits us, and it is applied to bills; `in`, we credit a customer, and it is applied to invoices.',
  examples: ['in'],
})

/** Every field of a credit. Its direction is set on creation and decides whose it is. */
export const creditFields = documentFields(
  { ...names, numberExample: 'CR-000123' },
  clientFields(
    names,
    {
      partner_carrier_id: id('The partner or carrier that gives the credit; only where the direction is `out`.', {
        searched: 'partner',
        filter: {
          by: 'any',
          name: 'partner_carrier_ids',
          description: 'Keeps the credits of these partners or carriers.',
        },
      }),
      customer_id: id('The customer that gets the credit; only where the direction is `in`.', {
        searched: 'customer',
        filter: { by: 'any', name: 'customer_ids', description: 'Keeps the credits of these customers.' },
      }),
    },
    'credit_date',
    {
      reference: { description: 'The number that the other side knows it by.', example: 'CM-5521' },
      due: 'applied or refunded',
      notes: 'Two pallets arrived damaged.',
      email: 'ap@acmefoods.example',
      accounting: { who: 'partner or customer', id: '80000057-1699876543', error: 'Customer not found' },
      searched: ['bill_to', 'remit_to'],
    },
  ),
  {
    direction: {
      ...serverField(Direction, 'text', {
        csv: 'text',
        filter: {
          by: 'any',
          name: 'directions',
          description: 'Keeps the credits of these directions, as far as the token may see them.',
          values: directions,
        },
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
