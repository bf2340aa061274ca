import Type, { type Static } from 'typebox'
import { parseDate, toWire } from '../../core/dates.ts'
import { largestAmount, sum } from '../../core/money.ts'
import { conflict, invalid, quote } from '../../core/refusal.ts'
import { Id, nullable, Text, Time } from '../../core/schema.ts'
import { type Lifecycle, lifecycleOf, move, type Status, statuses, touch } from '../lifecycle.ts'
import { Address, Amount, mergeAddress } from '../schemas.ts'

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

export const contentFields = Object.keys(content) as (keyof typeof content)[]
const dateFields = ['bill_date', 'due_date', 'qb_exported_at', 'sent_at', 'paid_at'] as const
/** Bookkeeping around a bill rather than the bill: a change of these after sending needs no second sending. */
const besideContent = new Set<string>(['qb_external_id', 'qb_error_msg', 'qb_exported_at', 'send_to_email', 'cc_to_email'])

export type Facts = { hasLines: boolean; now: Date; payTermDays: (pay_term_id: string | null) => number | null }
export type Edited = { next: Bill; previous: Partial<Bill>; ignored: string[]; moved: boolean; contentChanged: boolean }

/** The rule of an update: what of the input applies, what that makes of the bill, or why it cannot be. */
export function edit(current: Bill, input: BillEdit, facts: Facts): Edited {
  const { applied, ignored } = sortOut(current, input, facts)
  requireCurrencyFree(current, applied, facts)
  const changed = { ...current, ...applied }
  if (!changed.is_tax_on) changed.tax_amount = 0
  changed.total_amount = sum([changed.sub_total_amount, changed.tax_amount], 'total_amount')
  const contentChanged = differences(current, changed).some((field) => !besideContent.has(field))
  const lifecycle = advance(current, input, contentChanged, facts)
  const next = { ...changed, ...lifecycle, ...stampsIn(input, lifecycle) }
  if (current.status_id === 'draft' && next.status_id !== 'draft') Object.assign(next, completed(next, facts))
  const fields = differences(current, next)
  return {
    next,
    previous: Object.fromEntries(fields.map((field) => [field, current[field]])),
    ignored: [
      ...ignored,
      ...(['sent_at', 'paid_at'] as const).filter((field) => input[field] !== undefined && normalDate(input[field], field) !== next[field]),
    ],
    moved: current.status_id !== next.status_id,
    contentChanged,
  }
}

function sortOut(current: Bill, input: BillEdit, { hasLines }: Facts): { applied: Partial<Bill>; ignored: string[] } {
  const applied: Record<string, unknown> = {}
  for (const field of contentFields) {
    const sent = input[field]
    if (sent === undefined) continue
    if (field === 'bill_to' || field === 'remit_to') applied[field] = mergeAddress(current[field], sent as Address | null)
    else if (field === 'is_tax_on') applied[field] = sent ?? false
    else if (field === 'currency_id') applied[field] = typeof sent === 'string' ? sent.toLowerCase() : null
    else applied[field] = (dateFields as readonly string[]).includes(field) ? normalDate(sent as string | null, field) : sent
  }
  const sums = (['sub_total_amount', 'tax_amount'] as const).filter((field) => input[field] !== undefined)
  if (!hasLines) for (const field of sums) applied[field] = amountIn(input[field], field)
  const taxIsOn = (applied.is_tax_on as boolean | undefined) ?? current.is_tax_on
  if (!hasLines && applied.tax_amount && !taxIsOn)
    throw invalid('tax_amount', 'tax_is_off', 'There is no tax while "is_tax_on" is false; send is_tax_on: true with it.')
  return { applied: applied as Partial<Bill>, ignored: [...ignored.filter((field) => field in input), ...(hasLines ? sums : [])] }
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

function advance(current: Bill, input: BillEdit, contentChanged: boolean, { now }: Facts): Lifecycle {
  const asked = input.status_id ?? current.status_id
  const stamps = {
    ...(input.sent_at && { sent_at: normalDate(input.sent_at, 'sent_at') as string }),
    ...(input.paid_at && { paid_at: normalDate(input.paid_at, 'paid_at') as string }),
  }
  if (asked === current.status_id) return contentChanged ? touch(current, 'bill') : lifecycleOf(current)
  if (contentChanged && current.status_id === 'sent' && asked === 'edited') return touch(current, 'bill')
  return move(current, asked as Status, { now: toWire(now), reason: input.reason, ...stamps })
}

/** The stamps can be corrected later, by whoever sends them with the status they belong to. */
function stampsIn(input: BillEdit, { status_id, sent_at, paid_at }: Lifecycle): Partial<Lifecycle> {
  return {
    sent_at: input.sent_at && (status_id === 'sent' || sent_at !== null) ? normalDate(input.sent_at, 'sent_at') : sent_at,
    paid_at: input.paid_at && status_id === 'paid' ? normalDate(input.paid_at, 'paid_at') : paid_at,
  }
}

/** What leaving the draft asks for and gives. The number comes from the store, which alone can count. */
function completed(bill: Bill, { now, payTermDays }: Facts): Partial<Bill> {
  if (bill.currency_id === null) throw invalid('currency_id', 'currency_required', 'A bill needs a currency before it can be saved; set "currency_id".')
  const bill_date = bill.bill_date ?? toWire(now)
  const days = payTermDays(bill.pay_term_id)
  return { bill_date, due_date: bill.due_date ?? (days === null ? null : dueAfter(bill_date, days)) }
}

export function dueAfter(date: string, days: number): string {
  return toWire(new Date(Date.parse(date) + days * 86_400_000))
}

function amountIn(sent: unknown, field: string): number {
  if (sent === null) return 0
  if (!Number.isInteger(sent) || Math.abs(sent as number) > largestAmount)
    throw invalid(field, 'wrong_type', `"${field}" must be a whole number of minor units within ±${largestAmount}, not ${quote(sent)}.`)
  return sent as number
}

export function normalDate(sent: string | null | undefined, field: string): string | null {
  if (sent === null || sent === undefined) return null
  const time = parseDate(sent)
  if (!time) throw invalid(field, 'bad_date_time', `"${field}" must be an ISO 8601 date-time, not ${quote(sent)}.`)
  return toWire(time)
}

function differences(before: Bill, after: Bill): (keyof Bill)[] {
  return (Object.keys(after) as (keyof Bill)[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]) && field !== 'available_actions',
  )
}
