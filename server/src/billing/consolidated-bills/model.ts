import Type, { type Static } from 'typebox'
import { toWire } from '../../core/dates.ts'
import { conflict } from '../../core/refusal.ts'
import { Id, nullable, Text, Time } from '../../core/schema.ts'
import { conclude, dueAfter, type Edited, normalDate, normalId } from '../edits.ts'
import { statuses } from '../lifecycle.ts'
import { Address, Amount, mergeAddress } from '../schemas.ts'

export const types = ['carrier_statement', 'driver_settlement'] as const

const long = (description: string, example: string, maxLength = 1000) => nullable(Type.String({ maxLength, description, examples: [example] }))

const content = {
  consolidated_bill_type_id: Type.Enum(types, { description: 'A statement of a carrier, or the settlement of a driver.', examples: ['carrier_statement'] }),
  driver_id: nullable(Id('The driver who is settled.')),
  bill_to: nullable(Address),
  remit_to: nullable(Address),
  pay_period_start: nullable(Time('Where the pay period begins.')),
  pay_period_end: nullable(Time('Where it ends.')),
  bill_date: nullable(Time('The date of the statement.')),
  due_date: nullable(Time('When it is to be paid; given on saving from the pay term where none was set.')),
  pay_term_id: nullable(Id('The pay term; must exist.')),
  reference_number: long('The number the payee knows it by.', 'STM-2026-45', 255),
  notes: long('Notes.', 'Weekly settlement', 10_000),
  send_to_email: long('Where it is sent to.', 'ap@cascade.example'),
  cc_to_email: long('Who gets a copy.', 'ops@blueridge.example'),
  qb_external_id: long('Its id in the accounting package.', '80000031-1699876543', 255),
  qb_error_msg: long('What the accounting package complained of.', 'Vendor not found', 10_000),
  qb_exported_at: nullable(Time('When it was exported to the accounting package.')),
}

export const ConsolidatedBill = Type.Object(
  {
    id: Id('The statement.'),
    full_id: Id('A second id to refer to it by.'),
    number: nullable(Type.String({ description: 'The number people read; given on saving.', examples: ['STMT-000012'] })),
    org_id: Id('The organization.'),
    external_id: nullable(Text('The id it has elsewhere; unique in the organization, settable on creation only.', 'SET-4410')),
    ...content,
    partner_carrier_id: nullable(Id('The payee of all its bills.')),
    bill_to_company_name: nullable(Type.String({ description: 'The company in bill_to.', examples: ['Blue Ridge Freight Brokers'] })),
    status_id: Type.Enum(statuses, { description: 'Where it stands.', examples: ['draft'] }),
    currency_id: Type.String({ description: 'The currency of all its bills.', examples: ['usd'] }),
    bill_ids: Type.Array(Type.String({ format: 'uuid' }), { description: 'Its bills, oldest first.', examples: [['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15']] }),
    bill_count: Type.Integer({ description: 'How many.', examples: [1] }),
    sub_total_amount: Amount('The sum over its bills.', 185000),
    tax_amount: Amount('The sum over its bills.', 0),
    total_amount: Amount('The sum over its bills.', 185000),
    sent_at: nullable(Time('When it was last sent.')),
    paid_at: nullable(Time('When it was paid.')),
    revision: Type.Integer({ minimum: 1, description: 'Rises by one with every change; the number in the ETag.', examples: [1] }),
    created_at: Time('When it was created.'),
    updated_at: Time('When it was last changed.'),
    created_by: Type.String({ description: 'Who created it.', examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'] }),
    available_actions: Type.Array(Type.String(), { description: 'What can be done with it next.', examples: [['save', 'delete']] }),
  },
  { $id: 'ConsolidatedBill', description: 'A statement that gathers bills of one payee in one currency over a pay period.' },
)
export type ConsolidatedBill = Static<typeof ConsolidatedBill>

const ignoredNames = [
  'id',
  'full_id',
  'number',
  'org_id',
  'external_id',
  'partner_carrier_id',
  'bill_to_company_name',
  'currency_id',
  'bill_ids',
  'bill_count',
  'sub_total_amount',
  'tax_amount',
  'total_amount',
  'revision',
  'created_at',
  'updated_at',
  'created_by',
  'available_actions',
] as const
const ignored = Object.fromEntries(ignoredNames.map((name) => [name, Type.Optional(Type.Unknown({ description: 'Ignored, and named in X-Ignored-Fields.' }))]))
const stamps = { sent_at: nullable(Time('Applied when it is, or becomes, sent.')), paid_at: nullable(Time('Applied when it is, or becomes, paid.')) }
const EditContent = Type.Partial(
  Type.Object({
    ...content,
    ...stamps,
    status_id: Type.Enum(statuses, { description: 'Asks for a move.', examples: ['saved'] }),
    reason: Type.String({ maxLength: 1000, description: 'Needed to reopen what is paid.', examples: ['Corrected'] }),
  }),
)

export const ConsolidatedBillEdit = Type.Object({ ...EditContent.properties, ...ignored })
export type ConsolidatedBillEdit = Static<typeof EditContent>

export const NewConsolidatedBill = Type.Object({
  ...Type.Partial(Type.Object(content)).properties,
  external_id: Type.Optional(nullable(Text('The id it has elsewhere.', 'SET-4410'))),
  bill_ids: Type.Optional(
    Type.Array(Type.String({ format: 'uuid' }), {
      minItems: 1,
      maxItems: 1000,
      description: 'The bills to gather. Or leave this out, and name a payee and a period.',
      examples: [['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15']],
    }),
  ),
  partner_carrier_id: Type.Optional(nullable(Id('The payee whose bills are gathered, without bill_ids.'))),
  currency_id: Type.Optional(Type.String({ maxLength: 3, description: 'The currency, where the payee has bills in several.', examples: ['usd'] })),
})
export type NewConsolidatedBill = Partial<Static<typeof NewContent>> & {
  external_id?: string | null
  bill_ids?: string[]
  partner_carrier_id?: string | null
  currency_id?: string
}
const NewContent = Type.Object(content)

export const BillList = Type.Object({
  bill_ids: Type.Array(Type.String({ format: 'uuid' }), {
    minItems: 1,
    maxItems: 1000,
    description: 'The bills.',
    examples: [['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15']],
  }),
})

const contentFields = Object.keys(content) as (keyof typeof content)[]
const dates = new Set<string>(['pay_period_start', 'pay_period_end', 'bill_date', 'due_date', 'qb_exported_at'])
const ids = new Set<string>(['driver_id', 'pay_term_id'])

export function edit(
  current: ConsolidatedBill,
  input: ConsolidatedBillEdit,
  { now, payTermDays }: { now: Date; payTermDays: number | null },
): Edited<ConsolidatedBill> {
  const changed = { ...current, ...applied(current, input) }
  const edited = conclude(current, changed, input, { now, what: 'statement', completed: (statement) => completed(statement, now, payTermDays) })
  return { ...edited, ignored: [...ignoredNames.filter((name) => name in input), ...edited.ignored] }
}

export function applied(current: Pick<ConsolidatedBill, 'bill_to' | 'remit_to'>, input: ConsolidatedBillEdit): Partial<ConsolidatedBill> {
  return Object.fromEntries(contentFields.filter((field) => input[field] !== undefined).map((field) => [field, normal(current, field, input)]))
}

function normal(current: Pick<ConsolidatedBill, 'bill_to' | 'remit_to'>, field: (typeof contentFields)[number], input: ConsolidatedBillEdit): unknown {
  if (field === 'bill_to' || field === 'remit_to') return mergeAddress(current[field], input[field] ?? null)
  const sent = input[field] as string | null
  if (dates.has(field)) return normalDate(sent, field, field === 'pay_period_end' ? 'end' : 'start')
  return ids.has(field) ? normalId(sent) : sent
}

function completed(statement: ConsolidatedBill, now: Date, payTermDays: number | null): Partial<ConsolidatedBill> {
  if (statement.bill_count === 0) throw conflict('no_bills', 'A statement needs at least one bill before it can be saved.')
  const bill_date = statement.bill_date ?? toWire(now)
  return { bill_date, due_date: statement.due_date ?? (payTermDays === null ? null : dueAfter(bill_date, payTermDays)) }
}
