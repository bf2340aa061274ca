import Type, { type Static } from 'typebox'
import { toWire } from '../../core/dates.ts'
import { largestAmount, sum } from '../../core/money.ts'
import { conflict, invalid, quote } from '../../core/refusal.ts'
import { Id, nullable, Text, Time } from '../../core/schema.ts'
import { conclude, dueAfter, type Edited, normalDate, normalId } from '../edits.ts'
import { statuses } from '../lifecycle.ts'
import { Address, Amount, mergeAddress } from '../schemas.ts'
import type { PricedLine } from './line-model.ts'

const long = (description: string, example: string, maxLength = 1000) => Type.String({ maxLength, description, examples: [example] })

/** What a client can set, in create and in update. */
const content = {
  currency_id: nullable(
    Type.String({
      maxLength: 3,
      description: 'The lower-case ISO 4217 code. Can change while the bill is a draft or saved and has no lines.',
      examples: ['usd'],
    }),
  ),
  pay_term_id: nullable(Id('The pay term; must exist.')),
  master_trip_id: nullable(Id('The related master trip.')),
  partner_carrier_id: nullable(Id('The partner or carrier that the bill is from.')),
  bill_date: nullable(Time('The date of the bill.')),
  due_date: nullable(Time('When it is to be paid; given on saving from the pay term where none was set.')),
  send_to_email: nullable(long('Where it is sent to.', 'ap@cascade.example')),
  cc_to_email: nullable(long('Who gets a copy.', 'ops@blueridge.example')),
  bill_to: nullable(Address),
  is_tax_on: nullable(Type.Boolean({ description: 'Whether tax applies; if not, the tax is 0.', examples: [false] })),
  notes: nullable(long('Notes.', 'Detention approved by dispatch.', 10_000)),
  remit_to: nullable(Address),
  reference_number: nullable(long('The number the carrier knows it by.', 'INV-20417', 255)),
  qb_external_id: nullable(long('The id of the partner carrier in the accounting package.', '80000031-1699876543', 255)),
  qb_error_msg: nullable(long('What the accounting package complained of.', 'Vendor not found', 10_000)),
  qb_exported_at: nullable(Time('When it was exported to the accounting package.')),
}

const status_id = Type.Enum(statuses, { description: 'Where the bill stands.', examples: ['saved'] })

export const Bill = Type.Object(
  {
    created_at: Time('When it was created.'),
    updated_at: Time('When it was last changed.'),
    id: Id('The bill.'),
    created_by: Type.String({
      description: 'Who created it: the id of a user, or the client id of an application.',
      examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'],
    }),
    org_id: Id('The organization.'),
    status_id,
    ...content,
    is_tax_on: Type.Boolean({ description: 'Whether tax applies; if not, the tax is 0.', examples: [false] }),
    full_id: Id('A second id to refer to the bill by.'),
    external_id: nullable(Text('The id it has elsewhere; unique in the organization, settable on creation only.', 'TMS-88213')),
    revision: Type.Integer({ minimum: 1, description: 'Rises by one with every change; the number in the ETag.', examples: [3] }),
    sent_at: nullable(Time('When it was last sent.')),
    paid_at: nullable(Time('When it was paid.')),
    sub_total_amount: Amount('The sum of the lines.', 185000),
    tax_amount: Amount('The tax.', 0),
    total_amount: Amount('Sub total and tax.', 185000),
    number: nullable(Type.String({ description: 'The number people read; given on saving.', examples: ['BILL-000123'] })),
    consolidated_bill_id: nullable(Id('The statement it is on.')),
    available_actions: Type.Array(Type.String(), { description: 'What can be done with it next.', examples: [['send', 'pay']] }),
  },
  { $id: 'Bill', description: 'What a carrier or partner is owed for its work.' },
)
export type Bill = Static<typeof Bill>

const around = {
  bill: Type.Ref('Bill'),
  created_by: Type.String({ description: 'Who created the bill.', examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'] }),
  bill_item: Type.Union([Type.Ref('BillItem'), Type.Null()], { description: 'The first line, null if there is none.' }),
  bill_items: Type.Array(Type.Ref('BillItem'), { description: 'All lines, in order.' }),
  pay_term: Type.Union([Type.Ref('PayTerm'), Type.Null()]),
}
/** The whole answer about a bill. */
export const BillFound = Type.Object({ ...around, currency_info: Type.Union([Type.Ref('Currency'), Type.Null()]) })
export const BillPut = Type.Object(around)

/** Sums are taken on a bill without lines only; what they may be is decided there. */
const ignored = [
  'id',
  'org_id',
  'created_at',
  'updated_at',
  'created_by',
  'full_id',
  'external_id',
  'revision',
  'total_amount',
  'number',
  'consolidated_bill_id',
  'available_actions',
] as const
const neverApplied = Object.fromEntries(ignored.map((name) => [name, Type.Unknown({ description: 'Ignored, and named in X-Ignored-Fields.' })]))

export const BillEdit = Type.Partial(
  Type.Object({
    ...content,
    status_id: Type.Enum(statuses, { description: 'Asks for a move; the same one changes nothing.', examples: ['saved'] }),
    reason: Type.String({ maxLength: 1000, description: 'Needed to reopen what is paid.', examples: ['Carrier sent a corrected invoice'] }),
    sent_at: nullable(Time('Applied when the bill is, or becomes, sent.')),
    paid_at: nullable(Time('Applied when the bill is, or becomes, paid.')),
    sub_total_amount: Type.Unknown({ description: 'Applied on a bill without lines.', examples: [185000] }),
    tax_amount: Type.Unknown({ description: 'Applied on a bill without lines.', examples: [0] }),
    ...neverApplied,
  }),
)
export type BillEdit = Partial<Static<typeof EditContent>> & { sub_total_amount?: unknown; tax_amount?: unknown }
const EditContent = Type.Object({ ...content, status_id, reason: Type.String(), sent_at: nullable(Time('')), paid_at: nullable(Time('')) })

const contentFields = Object.keys(content) as (keyof typeof content)[]
const dateFields = new Set<string>(['bill_date', 'due_date', 'qb_exported_at'])
const idFields = new Set<string>(['pay_term_id', 'master_trip_id', 'partner_carrier_id'])

export type Facts = {
  hasLines: boolean
  now: Date
  payTermDays: number | null
  /** Given where the lines change in the same breath: what they were, and what they will be. */
  lines?: { was: readonly object[]; will: readonly PricedLine[] }
}
type WithLines = Bill & { bill_items?: readonly object[] }

/** The rule of an update: what of the input applies, what that makes of the bill, or why it cannot be. */
export function edit(current: Bill, input: BillEdit, facts: Facts): Edited<Bill> {
  const { lines } = facts
  const sums = takenSums(current, input, lines ? { ...facts, hasLines: lines.will.length > 0 } : facts)
  const applied: Partial<Bill> = { ...contentIn(current, input), ...sums.taken }
  requireCurrencyFree(current, applied, facts)
  const before: WithLines = lines ? { ...current, bill_items: lines.was } : current
  const changed: WithLines = { ...current, ...(lines && ofLines(lines.will)), ...applied }
  if (!changed.is_tax_on) changed.tax_amount = 0
  changed.total_amount = sum([changed.sub_total_amount, changed.tax_amount], 'total_amount')
  const edited = conclude(before, changed, input, { now: facts.now, what: 'bill', completed: (bill) => completed(bill, facts) })
  return { ...edited, ignored: [...ignored.filter((field) => field in input), ...sums.ignored, ...edited.ignored] }
}

function ofLines(lines: readonly PricedLine[]): Pick<WithLines, 'bill_items' | 'sub_total_amount'> {
  return {
    bill_items: lines,
    sub_total_amount: sum(
      lines.map(({ total_amount }) => total_amount),
      'sub_total_amount',
    ),
  }
}

function contentIn(current: Bill, input: BillEdit): Partial<Bill> {
  return Object.fromEntries(contentFields.filter((field) => input[field] !== undefined).map((field) => [field, normal(current, field, input)]))
}

function normal(current: Bill, field: (typeof contentFields)[number], input: BillEdit): unknown {
  if (field === 'bill_to' || field === 'remit_to') return mergeAddress(current[field], input[field] ?? null)
  if (field === 'is_tax_on') return input[field] ?? false
  const sent = input[field] as string | null
  if (dateFields.has(field)) return normalDate(sent, field)
  return field === 'currency_id' || idFields.has(field) ? normalId(sent) : sent
}

/** The sums of a bill with lines are theirs; without lines they are what is sent, and no tax where the body itself says that there is none. */
function takenSums(current: Bill, input: BillEdit, { hasLines }: Facts): { taken: Partial<Bill>; ignored: string[] } {
  const sent = (['sub_total_amount', 'tax_amount'] as const).filter((field) => input[field] !== undefined)
  if (hasLines) return { taken: {}, ignored: sent }
  const taken: Partial<Bill> = Object.fromEntries(sent.map((field) => [field, amountIn(input[field], field)]))
  const taxIsOn = input.is_tax_on === undefined ? current.is_tax_on : input.is_tax_on === true
  if (!taken.tax_amount || taxIsOn) return { taken, ignored: [] }
  if (input.is_tax_on === undefined) throw invalid('tax_amount', 'tax_is_off', 'There is no tax while "is_tax_on" is false; send is_tax_on: true with it.')
  return { taken: { ...taken, tax_amount: 0 }, ignored: ['tax_amount'] }
}

function requireCurrencyFree(current: Bill, applied: Partial<Bill>, { hasLines }: Facts): void {
  if (applied.currency_id === undefined || applied.currency_id === current.currency_id) return
  if (current.status_id !== 'draft' && current.status_id !== 'saved')
    throw conflict('currency_is_fixed', `The currency of a ${current.status_id} bill cannot change.`)
  if (current.status_id === 'saved' && applied.currency_id === null)
    throw invalid('currency_id', 'currency_required', 'A bill that is no draft needs a currency.')
  if (hasLines && current.currency_id !== null)
    throw conflict('currency_has_lines', 'The bill has lines in its currency. Remove them first, or make another bill.')
}

/** What leaving the draft asks for and gives. The number comes from the store, which alone can count. */
function completed(bill: Bill, { now, payTermDays }: Facts): Partial<Bill> {
  if (bill.currency_id === null) throw invalid('currency_id', 'currency_required', 'A bill needs a currency before it can be saved; set "currency_id".')
  const bill_date = bill.bill_date ?? toWire(now)
  return { bill_date, due_date: bill.due_date ?? (payTermDays === null ? null : dueAfter(bill_date, payTermDays)) }
}

function amountIn(sent: unknown, field: string): number {
  if (sent === null) return 0
  if (!Number.isInteger(sent) || Math.abs(sent as number) > largestAmount)
    throw invalid(field, 'wrong_type', `"${field}" must be a whole number of minor units within ±${largestAmount}, not ${quote(sent)}.`)
  return sent as number
}
