import Type, { type Static } from 'typebox'
import { Amount } from '../../../books/documents/model/fields/amount.ts'
import { idList } from '../../../books/documents/model/kind/search-schema.ts'
import { conflict, type Refusal } from '../../../platform/core/refusal.ts'
import { named } from '../../../platform/core/schema/names.ts'
import {
  changedBetween,
  Day,
  Id,
  nullable,
  paging,
  Text,
  Time,
  wholeEdit,
} from '../../../platform/core/schema/schema.ts'

export const sources = ['api', 'upload', 'portal', 'email', 'edi'] as const
/** What a message may fail to say beyond doubt. */
export const completable = ['invoice_number', 'total_amount'] as const
export const states = ['received', 'matched', 'exception', 'approved', 'rejected', 'billed'] as const
export const decisions = ['accept', 'short_pay', 'dispute', 'reject', 'approve'] as const
/** What is kept of people: their decisions, and that the bill was voided. */
export const kept = [...decisions, 'void'] as const
export type State = (typeof states)[number]
export type Decision = (typeof decisions)[number]

/** What an audit can find. */
export const findingCodes = [
  'over',
  'under',
  'unexpected_line',
  'missing_line',
  'fuel',
  'mileage',
  'detention',
  'wrong_total',
  'wrong_currency',
  'other_carrier',
  'already_billed',
  'duplicate',
  'not_delivered',
  'no_pod',
  'no_manifest',
] as const
export type FindingCode = (typeof findingCodes)[number]

export const units = ['each', 'mile', 'km', 'hour', 'day', 'percent'] as const

const line = Type.Object(
  {
    type: Type.Optional(nullable(Text('What for: the name or the id of a bill item type.', 'Line haul'))),
    description: Type.Optional(
      nullable(Text('What the carrier calls it.', 'Portland, OR to Boise, ID', { maxLength: 1000 })),
    ),
    quantity: Type.Optional(
      nullable(Type.Number({ description: 'How many, where the carrier says so.', examples: [432] })),
    ),
    unit: Type.Optional(nullable(Type.Enum(units, { description: 'Of what.', examples: ['mile'] }))),
    unit_price: Type.Optional(nullable(Amount('The price of one, where the carrier says so.', 250))),
    amount: Amount('What the line comes to.', 108000),
    manifest_id: Type.Optional(nullable(Id('The manifest that the line is for.'))),
    is_tax: Type.Optional(
      nullable(
        Type.Boolean({
          description: 'Whether it is a tax: it becomes the tax of the bill, and none of its items.',
          examples: [false],
        }),
      ),
    ),
  },
  {
    description: 'A line of a carrier’s invoice, as the carrier wrote it.',
    examples: [{ type: 'Line haul', amount: 108000 }],
  },
)
export type InvoiceLine = Static<typeof line>

export const Finding = Type.Object(
  {
    line: nullable(
      Type.Integer({
        minimum: 1,
        description: 'The line that it is about, from 1; null where it is about the invoice.',
        examples: [1],
      }),
    ),
    code: Type.Enum(findingCodes, { description: 'What was found, for programs.', examples: ['over'] }),
    message: Type.String({
      description: 'What was found, for people.',
      examples: ['Line haul is 1,080.00 USD, 80.00 USD over the 1,000.00 USD agreed.'],
    }),
    expected_amount: nullable(Amount('What was agreed; null where that says nothing.', 100000)),
    billed_amount: nullable(Amount('What the carrier asks for.', 108000)),
    difference_amount: nullable(Amount('How much more that is.', 8000)),
  },
  { $id: 'AuditFinding', description: 'What an audit found wrong with a carrier’s invoice.' },
)
export type Finding = Static<typeof Finding>

const linesOf = (name: string) => Type.Array(named(name, line), { maxItems: 500, description: 'What it asks for.' })
const content = {
  partner_carrier_id: nullable(Id('The carrier that it is from.')),
  invoice_number: Text('The number that the carrier gave it.', 'INV-20417'),
  invoice_date: nullable(Day('Its date.', '2026-11-15')),
  currency_id: Type.String({
    minLength: 3,
    maxLength: 3,
    description: 'The lower-case ISO 4217 code.',
    examples: ['usd'],
  }),
  reference_number: nullable(
    Text('The number of the load that it names: of a manifest, its reference number or its external id.', 'TRIP-5521'),
  ),
  lines: linesOf('NewCarrierInvoiceLine'),
  total_amount: Amount('What it comes to, as the carrier wrote it.', 108000),
  notes: nullable(Text('Notes.', 'Came with the POD.', { maxLength: 10_000 })),
}

const missingFields = Type.Array(Type.Enum(completable), {
  maxItems: completable.length,
  description:
    'The fields that the message did not say beyond doubt, which hold a placeholder: somebody enters them before the invoice can be audited. A field whose value is changed leaves the list; sending the list without it says that its value is right.',
  examples: [[]],
})

const attached = Type.Object(
  {
    id: Id('The document.'),
    file_name: Text('What the file is called.', 'invoice-20417.pdf'),
    media_type: Type.String({ description: 'The type of its content.', examples: ['application/pdf'] }),
    size: Type.Integer({ minimum: 1, description: 'How many bytes it has.', examples: [48213] }),
    document_type: Type.String({ description: 'What it is, as documents say it.', examples: ['invoice'] }),
  },
  { description: 'A document that is attached.' },
)

export const CarrierInvoice = Type.Object(
  {
    id: Id('The carrier invoice.'),
    org_id: Id('The organization.'),
    external_id: nullable(
      Text('The id it has elsewhere; unique in the organization, settable on creation only.', 'EDI-88213'),
    ),
    ...content,
    lines: linesOf('CarrierInvoiceLine'),
    source: Type.Enum(sources, { description: 'How it came.', examples: ['api'] }),
    is_total_computed: Type.Boolean({
      description: 'Whether the sender stated no total: then it is the sum of the lines, and changes with them.',
      examples: [false],
    }),
    missing_fields: missingFields,
    documents: Type.Array(attached, {
      description:
        'The documents that are attached to it, the first first. Their content is read at `/documents/{id}/content`.',
    }),
    manifest_ids: Type.Array(Id('A manifest.'), { description: 'The manifests that it is matched with.' }),
    state: Type.Enum(states, { description: 'Where it stands.', examples: ['exception'] }),
    findings: Type.Array(Type.Ref('AuditFinding'), {
      description: 'What the last audit found outside of the tolerances.',
    }),
    audited_at: nullable(Time('When it was last audited.')),
    is_disputed: Type.Boolean({ description: 'Whether it is disputed with the carrier.', examples: [false] }),
    approved_amount: nullable(Amount('What of it is paid; null until that is decided.', 100000)),
    bill_id: nullable(Id('The bill that was made of it.')),
    decisions: Type.Array(
      Type.Object({
        decision: Type.Enum(kept, {
          description: 'What was decided; `void` where the bill was voided, with its reason.',
          examples: ['accept'],
        }),
        note: nullable(Type.String({ description: 'Why.', examples: ['Detention confirmed by the shipper.'] })),
        amount: nullable(Amount('What is paid.', 100000)),
        decided_by: Type.String({
          description: 'Who decided: the id of a user, or of an application.',
          examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'],
        }),
        decided_at: Time('When.'),
      }),
      { description: 'What people decided, the first first.' },
    ),
    revision: Type.Integer({
      minimum: 1,
      description: 'Rises by one with every change; the number in the ETag.',
      examples: [2],
    }),
    created_by: Type.String({ description: 'Who created it.', examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'] }),
    created_at: Time('When it was received.'),
    updated_at: Time('When it was last changed.'),
  },
  {
    $id: 'CarrierInvoice',
    description: 'What a carrier says it is owed, what was found wrong with it, and what was decided.',
  },
)
export type CarrierInvoice = Omit<Static<typeof CarrierInvoice>, 'lines' | 'findings'> & {
  lines: InvoiceLine[]
  findings: Finding[]
}

const example = {
  invoice_number: 'INV-20417',
  invoice_date: '2026-11-15',
  currency_id: 'usd',
  reference_number: 'TRIP-5521',
  lines: [{ type: 'Line haul', amount: 108000 }],
}

export const NewCarrierInvoice = Type.Object(
  {
    ...Type.Partial(Type.Object(content)).properties,
    invoice_number: content.invoice_number,
    currency_id: content.currency_id,
    total_amount: Type.Optional(
      Amount('What it comes to, as the carrier wrote it; the sum of the lines where it is left out.', 108000),
    ),
    external_id: Type.Optional(CarrierInvoice.properties.external_id),
    source: Type.Optional(Type.Enum(sources, { default: 'api', description: 'How it came.', examples: ['api'] })),
    source_key: Type.Optional(
      nullable(
        Text(
          'What tells a second arrival of the same message, such as the control number of an interchange: the same key is a 409.',
          '000000123',
        ),
      ),
    ),
    manifest_ids: Type.Optional(
      Type.Array(Id('A manifest.'), {
        maxItems: 100,
        description: 'The manifests that it is for, where the sender knows.',
      }),
    ),
    document_ids: Type.Optional(
      Type.Array(Id('A document.'), {
        maxItems: 20,
        description: 'Documents that were uploaded before, to attach to it.',
      }),
    ),
  },
  { examples: [example] },
)
export type NewCarrierInvoice = Partial<
  Pick<CarrierInvoice, keyof typeof content | 'external_id' | 'source' | 'manifest_ids'>
> &
  Pick<CarrierInvoice, 'invoice_number' | 'currency_id'> & { source_key?: string | null; document_ids?: string[] }

/** What is made of a message. The API cannot say that something is missing: its callers know what they send. */
export type ArrivedInvoice = Omit<NewCarrierInvoice, 'document_ids'> & {
  missing_fields?: CarrierInvoice['missing_fields']
}

export const CarrierInvoiceEdit = wholeEdit(
  CarrierInvoice,
  Type.Partial(Type.Object({ ...content, missing_fields: missingFields }), {
    examples: [{ reference_number: 'TRIP-5521' }],
  }),
)
export type CarrierInvoiceEdit = Partial<Pick<CarrierInvoice, keyof typeof content | 'missing_fields'>>

export const CarrierInvoiceSearch = Type.Object({
  status_ids: Type.Optional(
    Type.Array(Type.Enum(states), { description: 'Keeps those in these states.', examples: [['exception']] }),
  ),
  partner_carrier_ids: Type.Optional(idList('Keeps those of these carriers.')),
  manifest_ids: Type.Optional(idList('Keeps those that are matched with one of these manifests.')),
  bill_ids: Type.Optional(idList('Keeps those that these bills were made of.')),
  invoice_number: Type.Optional(Text('Keeps those with this number, in whatever form it is written.', 'INV-20417')),
  search_term: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        'Keeps those with this in their number, their reference number or the name of the carrier, upper and lower case the same.',
      examples: ['20417'],
    }),
  ),
  invoice_start_on: Type.Optional(Day('Dated on this day or later.', '2026-11-01')),
  invoice_end_on: Type.Optional(Day('Dated on this day or before.', '2026-11-30')),
  min_total_amount: Type.Optional(Amount('At least this total.', 1)),
  max_total_amount: Type.Optional(Amount('At most this total.', 9_999_999)),
  disputed: Type.Optional(
    Type.Boolean({ description: 'With true keeps the disputed ones, with false the others.', examples: [true] }),
  ),
  ...changedBetween,
  ...paging,
})
export type CarrierInvoiceSearch = Static<typeof CarrierInvoiceSearch>

const note = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'Why; it is kept with the decision.',
  examples: ['Detention confirmed by the shipper.'],
})
export const Noted = named('DecideCarrierInvoice', Type.Object({ note }))
export const ShortPay = Type.Object(
  {
    note,
    amount: Type.Optional(
      Amount(
        'What is paid; what was agreed where it is left out, which is a 409 `nothing_agreed` where that is nothing. Less than the total, and not below 0 unless the total is.',
        100000,
      ),
    ),
  },
  { examples: [{ note: 'As agreed' }] },
)

/** Content changes until it is decided what is paid. */
export function requireOpen({ state, bill_id }: Pick<CarrierInvoice, 'state' | 'bill_id'>): void {
  if (['received', 'matched', 'exception'].includes(state)) return
  throw conflict(
    'is_decided',
    `This carrier invoice is ${state}${bill_id ? `: its bill is ${bill_id}` : ''}, so it stays as it is.`,
  )
}

/** Nothing is held against what was agreed, or paid, that nobody has read. */
export function requireWhole({ missing_fields: missing }: Pick<CarrierInvoice, 'missing_fields'>): void {
  if (missing.length === 0) return
  const message = `The message of this carrier invoice did not say its ${missing.join(' and ')}. Enter what its documents say first: PUT …/{id}.`
  throw conflict(
    'incomplete',
    message,
    missing.map((field) => ({ field, code: 'incomplete', message: `"${field}" holds a placeholder.` })),
  )
}

export function requireState({ state }: Pick<CarrierInvoice, 'state'>, allowed: readonly State[], what: string): void {
  if (!allowed.includes(state)) throw wrongState(state, allowed, what)
}

function wrongState(state: State, allowed: readonly State[], what: string): Refusal {
  const message = `A carrier invoice that is ${state} cannot be ${what}; it can while it is ${allowed.join(' or ')}.`
  return conflict('wrong_state', message, [{ field: 'state', code: 'wrong_state', message, allowed }])
}

/**
 * What the findings say that the total is too much. The other findings are about the lines: where the lines come to more than the total, so much of what is
 * too much in them is not asked for. A line of no known type may be an item that seems to be missing, or the rest of one, called otherwise: what is missing
 * or under is taken off what such lines come to. `compared` are all differences, those that are tolerated too.
 */
export function overchargeIn(
  findings: readonly Finding[],
  compared: readonly (Finding & { type_id: string | null })[],
): number {
  const moreIn = (some: readonly Finding[]) =>
    some.reduce((sum, { difference_amount: more }) => sum + Math.max(0, more ?? 0), 0)
  const unnamed = new Set(
    compared.flatMap(({ code, line, type_id }) => (code === 'unexpected_line' && type_id === null ? [line] : [])),
  )
  const isUnnamed = ({ code, line }: Finding) => code === 'unexpected_line' && unnamed.has(line)
  const agreed = compared.filter(({ code }) => code !== 'wrong_total' && code !== 'unexpected_line')
  const missing = agreed.reduce((sum, { difference_amount: less }) => sum + Math.max(0, -(less ?? 0)), 0)
  const ofTotal = findings.reduce(
    (sum, { code, difference_amount: more }) => (code === 'wrong_total' ? sum + (more ?? 0) : sum),
    0,
  )
  const others = moreIn(findings.filter((one) => one.code !== 'wrong_total' && !isUnnamed(one)))
  return Math.max(0, ofTotal + others + Math.max(0, moreIn(findings.filter(isUnnamed)) - missing))
}

/** What of an invoice is tax. One that has nothing else, or gives tax back, is billed line by line. */
export function taxIn(lines: readonly Pick<InvoiceLine, 'is_tax' | 'amount'>[]): number | null {
  const taxes = lines.filter(({ is_tax }) => is_tax)
  const sum = taxes.reduce((total, { amount }) => total + amount, 0)
  return taxes.length < lines.length && sum > 0 ? sum : null
}
