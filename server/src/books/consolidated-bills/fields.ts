import Type from 'typebox'
import { Id, nullable, Text, Time } from '../../platform/core/schema/schema.ts'
import { Amount } from '../documents/model/fields/amount.ts'
import { address, clientField, date, id, serverField, text } from '../documents/model/fields/fields.ts'
import { statuses } from '../documents/model/fields/lifecycle.ts'

export const types = ['carrier_statement', 'driver_settlement'] as const

const typeSchema = Type.Enum(types, {
  description: 'A statement of a carrier, or the settlement of a driver.',
  examples: ['carrier_statement'],
})

/** What clients set of a statement. */
export const content = {
  consolidated_bill_type_id: {
    ...clientField(typeSchema, 'text', 'none', (sent) => sent, {}),
    blank: 'carrier_statement',
  },
  driver_id: id('The driver who is settled.'),
  bill_to: address(),
  remit_to: address(),
  pay_period_start: date('Where the pay period begins.'),
  pay_period_end: date('Where it ends.', { edge: 'end' }),
  bill_date: date('The date of the statement.'),
  due_date: date('When it is to be paid; given on saving from the pay term where none was set.'),
  pay_term_id: id('The pay term; must exist.'),
  reference_number: text('The number the payee knows it by.', 'STM-2026-45', { maxLength: 255 }),
  notes: text('Notes.', 'Weekly settlement', { maxLength: 10_000 }),
  send_to_email: text('Where it is sent to.', 'ap@cascade.example', { isContent: false }),
  cc_to_email: text('Who gets a copy.', 'ops@blueridge.example', { isContent: false }),
  qb_external_id: text('Its id in the accounting package.', '80000031-1699876543', {
    maxLength: 255,
    isContent: false,
  }),
  qb_error_msg: text('What the accounting package complained of.', 'Vendor not found', {
    maxLength: 10_000,
    isContent: false,
  }),
  qb_exported_at: date('When it was exported to the accounting package.', { isContent: false }),
}

const sum = (example: number) => ({ ...serverField(Amount('The sum over its bills.', example), null), blank: 0 })

/** Every field of a statement, in the order of its schema. Sums and bills have no column: they are read from its bills, or kept when it is voided. */
export const statementFields = {
  id: serverField(Id('The statement.'), 'uuid'),
  full_id: serverField(Id('A second id to refer to it by.'), 'uuid'),
  number: serverField(
    nullable(Type.String({ description: 'The number people read; given on saving.', examples: ['STMT-000012'] })),
    'int',
  ),
  org_id: serverField(Id('The organization.'), 'uuid'),
  external_id: serverField(
    nullable(Text('The id it has elsewhere; unique in the organization, settable on creation only.', 'SET-4410')),
    'text',
  ),
  ...content,
  partner_carrier_id: serverField(nullable(Id('The payee of all its bills.')), 'uuid'),
  bill_to_company_name: serverField(
    nullable(Type.String({ description: 'The company in bill_to.', examples: ['Blue Ridge Freight Brokers'] })),
    null,
  ),
  status_id: {
    ...serverField(Type.Enum(statuses, { description: 'Where it stands.', examples: ['draft'] }), 'text'),
    setBy: 'move' as const,
    blank: 'draft',
  },
  currency_id: serverField(Type.String({ description: 'The currency of all its bills.', examples: ['usd'] }), 'text'),
  bill_ids: {
    ...serverField(
      Type.Array(Type.String({ format: 'uuid' }), {
        description: 'Its bills, oldest first; of a voided one those that it had.',
        examples: [['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15']],
      }),
      null,
    ),
    blank: [],
  },
  bill_count: { ...serverField(Type.Integer({ description: 'How many.', examples: [1] }), null), blank: 0 },
  sub_total_amount: sum(185000),
  tax_amount: sum(0),
  total_amount: sum(185000),
  sent_at: { ...serverField(nullable(Time('When it was last sent.')), 'timestamptz'), setBy: 'move' as const },
  paid_at: { ...serverField(nullable(Time('When it was paid.')), 'timestamptz'), setBy: 'move' as const },
  voided_at: serverField(nullable(Time('When it was voided; null while it stands.')), 'timestamptz'),
  void_reason: serverField(
    nullable(Type.String({ description: 'Why it was voided.', examples: ['Gathered the wrong bills'] })),
    'text',
  ),
  revision: serverField(
    Type.Integer({ minimum: 1, description: 'Rises by one with every change; the number in the ETag.', examples: [1] }),
    'int',
  ),
  created_at: serverField(Time('When it was created.'), 'timestamptz'),
  updated_at: serverField(Time('When it was last changed.'), 'timestamptz'),
  created_by: serverField(
    Type.String({
      description:
        'Who created it: the id of a user, or of an application that acted for itself, as in v2’s `createdBy`.',
      examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'],
    }),
    'text',
  ),
  available_actions: {
    ...serverField(
      Type.Array(Type.String(), {
        description: 'What can be done with it next.',
        examples: [['send', 'pay', 'draft', 'void']],
      }),
      null,
    ),
    blank: [],
  },
}
