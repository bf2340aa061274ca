import Type, { type Static } from 'typebox'
import { Address, mergeAddress } from '../../../books/documents/model/fields/address.ts'
import { normalId } from '../../../books/documents/model/fields/normal.ts'
import { conflict, invalid, quote } from '../../../platform/core/refusal.ts'
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
import { isDecimal } from '../../../platform/core/values/ratio.ts'
import {
  type BankDetails,
  BankDetailsBody,
  MaskedBankDetails,
  type PayoutMethod,
  payoutMethods,
} from '../../bank-details/model.ts'

const external_id = nullable(
  Text('The id it has elsewhere; unique in the organization, settable on creation only.', 'VENDOR-2041'),
)
const partner_carrier_id = nullable(
  Id('The carrier or partner that is paid; null for a factoring company. Settable on creation only.'),
)
const name = Text('The name of the account, as the bank knows it.', 'Cascade Carriers LLC')
const method = Type.Enum([...payoutMethods], { description: 'How it is paid.', examples: ['ach'] })
const address = nullable(Address)
const remittance_email = nullable(
  Type.String({
    format: 'email',
    maxLength: 254,
    description: 'Where remittance advices go.',
    examples: ['ar@cascade.example'],
  }),
)
const factor_payee_id = nullable(
  Id('The payee of the factoring company to which the carrier has assigned what it is owed: it is paid instead.'),
)
const notice_of_assignment_on = nullable(
  Day('The day of the notice of assignment; comes with `factor_payee_id`.', '2026-10-01'),
)
const notice_document_id = nullable(Id('The document that holds the notice of assignment; it must be there.'))
const quick_pay_days = nullable(
  Type.Integer({
    minimum: 0,
    maximum: 365,
    description: 'Paid within so many days of its date, a bill is reduced by `quick_pay_percent`.',
    examples: [2],
  }),
)
const quick_pay_percent = nullable(
  Type.String({
    maxLength: 12,
    description: 'What the carrier gives for being paid soon, in percent: a decimal number.',
    examples: ['2.5'],
  }),
)
const notes = nullable(
  Type.String({ maxLength: 10_000, description: 'Notes.', examples: ['Call Dana before the first payment.'] }),
)
const who = (description: string) => Type.String({ description, examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'] })

/** What says where money goes. A change of it waits for a second person. */
const heldFields = [
  'name',
  'method',
  'bank_details',
  'address',
  'factor_payee_id',
  'notice_of_assignment_on',
  'notice_document_id',
] as const
type HeldField = (typeof heldFields)[number]
const freeFields = ['remittance_email', 'quick_pay_days', 'quick_pay_percent', 'notes'] as const

const Values = Type.Object(
  {},
  {
    additionalProperties: true,
    description: 'Fields of the payee by their names, bank details masked.',
    examples: [{ method: 'ach' }],
  },
)

export const Payee = Type.Object(
  {
    id: Id('The payee.'),
    org_id: Id('The organization.'),
    external_id,
    partner_carrier_id,
    name,
    method,
    bank_details: Type.Union([MaskedBankDetails, Type.Null()], { description: 'The bank details, masked.' }),
    address,
    remittance_email,
    factor_payee_id,
    notice_of_assignment_on,
    notice_document_id,
    quick_pay_days,
    quick_pay_percent,
    notes,
    status: Type.Enum(['waiting', 'active'], {
      description: '`waiting` until a second person has approved it for the first time.',
      examples: ['active'],
    }),
    waiting_change: Type.Union(
      [
        Type.Object({
          id: Id('The change.'),
          fields: Values,
          requested_by: who('Who asked for it: the id of a user, or of an application that acted for itself.'),
          requested_at: Time('When it was asked for.'),
        }),
        Type.Null(),
      ],
      { description: 'The change that waits for a second person; payments to the payee wait with it.' },
    ),
    revision: Type.Integer({
      minimum: 1,
      description: 'Rises by one with every change; the number in the ETag.',
      examples: [1],
    }),
    created_by: who('Who created it.'),
    created_at: Time('When it was created.'),
    updated_at: Time('When it was last changed.'),
  },
  {
    $id: 'Payee',
    description: 'Where the money of a carrier goes, or a factoring company that is paid instead of carriers.',
  },
)
export type Payee = Omit<Static<typeof Payee>, 'method' | 'bank_details' | 'address'> & {
  method: PayoutMethod
  bank_details: BankDetails | null
  address: Static<typeof Address> | null
}

const editable = {
  name,
  method,
  bank_details: nullable(BankDetailsBody),
  address,
  remittance_email,
  factor_payee_id,
  notice_of_assignment_on,
  notice_document_id,
  quick_pay_days,
  quick_pay_percent,
  notes,
}

export const NewPayee = Type.Object(
  { ...Type.Partial(Type.Object({ ...editable, external_id, partner_carrier_id })).properties, name, method },
  {
    examples: [
      {
        partner_carrier_id: '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15',
        name: 'Cascade Carriers LLC',
        method: 'ach',
        bank_details: { bank_name: 'First Example Bank', routing_number: '021000021', account_number: '000123456789' },
        remittance_email: 'ar@cascade.example',
        quick_pay_days: 2,
        quick_pay_percent: '2.5',
      },
    ],
  },
)
export type NewPayee = Static<typeof NewPayee>

export const PayeeEdit = {
  ...wholeEdit(Payee, Type.Partial(Type.Object(editable))),
  examples: [{ remittance_email: 'ar@cascade.example' }],
} as ReturnType<typeof Type.Partial<ReturnType<typeof Type.Object<typeof editable>>>>
export type PayeeEdit = Partial<Pick<NewPayee, keyof typeof editable>>

export const PayeeChange = Type.Object(
  {
    id: Id('The change.'),
    payee_id: Id('The payee.'),
    status: Type.Enum(['waiting', 'approved', 'rejected'], { description: 'Where it stands.', examples: ['approved'] }),
    fields: Values,
    previous: Values,
    requested_by: who('Who asked for it.'),
    requested_at: Time('When it was asked for.'),
    decided_by: nullable(who('Who approved or rejected it.')),
    decided_at: nullable(Time('When it was approved or rejected.')),
    note: nullable(
      Type.String({
        description: 'What the decider wrote.',
        examples: ['Called the carrier: the new account is right'],
      }),
    ),
    by_the_only_user: Type.Boolean({
      description: 'Whether who asked also approved, as the only user of the organization.',
      examples: [false],
    }),
  },
  { $id: 'PayeeChange', description: 'A change of where the money of a payee goes, and who asked for it and decided.' },
)

export const Decision = named(
  'DecidePayeeChange',
  Type.Object({
    note: Type.Optional(
      nullable(
        Type.String({
          maxLength: 1000,
          description: 'Why, or how it was checked; it is kept.',
          examples: ['Called the carrier: the new account is right'],
        }),
      ),
    ),
  }),
)

export const Revealed = Type.Object({
  bank_details: Type.Union([BankDetailsBody, Type.Null()], { description: 'The bank details in use, whole.' }),
  waiting_bank_details: Type.Union([BankDetailsBody, Type.Null()], {
    description: 'Those of the change that waits, whole; null where none waits.',
  }),
})

export const PayeeSearch = Type.Object({
  search_term: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Keeps the payees that contain this in their name, upper and lower case the same.',
      examples: ['cascade'],
    }),
  ),
  partner_carrier_ids: Type.Optional(
    Type.Array(Type.String({ format: 'uuid' }), {
      maxItems: 500,
      description: 'Keeps those of these carriers.',
      examples: [['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15']],
    }),
  ),
  methods: Type.Optional(
    Type.Array(method, { maxItems: 10, description: 'Keeps those paid in one of these ways.', examples: [['ach']] }),
  ),
  waiting: Type.Optional(
    Type.Boolean({
      description: 'With true keeps those for which a change waits, with false the others.',
      examples: [true],
    }),
  ),
  factors: Type.Optional(
    Type.Boolean({
      description: 'With true keeps the factoring companies, with false the payees of carriers.',
      examples: [false],
    }),
  ),
  ...changedBetween,
  ...paging,
})
export type PayeeSearch = Static<typeof PayeeSearch>

/** What can be set, in the form in which it is kept. */
export type Content = Pick<Payee, HeldField | (typeof freeFields)[number]>

/** What a body comes to over what was there. `bank_details` are masked already. */
export function contentOf(current: Content | null, input: PayeeEdit, bank_details: BankDetails | null): Content {
  const sent = <F extends keyof PayeeEdit & keyof Content>(field: F): Content[F] =>
    (input[field] === undefined ? (current?.[field] ?? null) : input[field]) as Content[F]
  const factor = normalId(sent('factor_payee_id'))
  const next: Content = {
    name: normalName(sent('name')),
    method: sent('method'),
    bank_details,
    address:
      input.address === undefined ? (current?.address ?? null) : mergeAddress(current?.address ?? null, input.address),
    remittance_email: sent('remittance_email'),
    factor_payee_id: factor,
    // An assignment that ends takes its notice with it.
    notice_of_assignment_on:
      factor === null && input.notice_of_assignment_on === undefined ? null : sent('notice_of_assignment_on'),
    notice_document_id:
      factor === null && input.notice_document_id === undefined ? null : normalId(sent('notice_document_id')),
    quick_pay_days: sent('quick_pay_days'),
    quick_pay_percent: sent('quick_pay_percent'),
    notes: sent('notes'),
  }
  requireWhole(next)
  return next
}

/** The fields in which two differ, those that wait and those that apply at once. */
export function differences(current: Content, next: Content): { held: HeldField[]; free: (keyof Content)[] } {
  const differ = (field: keyof Content) => JSON.stringify(current[field]) !== JSON.stringify(next[field])
  return { held: heldFields.filter(differ), free: freeFields.filter(differ) }
}

/**
 * The fields of a change of a payee that was never approved: all that becomes active with it, since nobody has approved any of it before, and those that it
 * clears.
 */
export function wholeChange(next: Content, differing: readonly HeldField[] = []): HeldField[] {
  return heldFields.filter((field) => next[field] !== null || differing.includes(field))
}

export function fieldsOf(content: Content, fields: readonly (keyof Content)[]): Partial<Content> {
  return Object.fromEntries(fields.map((field) => [field, content[field]]))
}

/** Refuses what an approver would not see: a payee that was never approved holds what was asked for it before, also where that was rejected. */
export function requireWholeChange(
  { status, ...payee }: Content & Pick<Payee, 'status'>,
  fields: Partial<Content>,
): void {
  const unseen = status === 'waiting' ? wholeChange(payee).filter((field) => !(field in fields)) : []
  if (unseen.length > 0)
    throw conflict(
      'change_is_incomplete',
      `This payee was never approved, and ${unseen.map(quote).join(', ')} would apply with this change without being part of it. Reject it, and ask for it again.`,
    )
}

function requireWhole({
  method,
  address,
  factor_payee_id,
  notice_of_assignment_on,
  notice_document_id,
  quick_pay_days,
  quick_pay_percent,
}: Content): void {
  if (method === 'check' && address === null)
    throw invalid('address', 'address_required', 'A check needs "address": where it is sent to.')
  if (
    (factor_payee_id === null) !== (notice_of_assignment_on === null) ||
    (factor_payee_id === null && notice_document_id !== null)
  )
    throw invalid(
      'notice_of_assignment_on',
      'notice_required',
      '"factor_payee_id" comes with the day of its notice, "notice_of_assignment_on", and not without it.',
    )
  if ((quick_pay_days === null) !== (quick_pay_percent === null))
    throw invalid(
      'quick_pay_percent',
      'quick_pay_incomplete',
      '"quick_pay_days" and "quick_pay_percent" come together.',
    )
  if (
    quick_pay_percent !== null &&
    !(isDecimal(quick_pay_percent, 6) && Number(quick_pay_percent) > 0 && Number(quick_pay_percent) < 100)
  )
    throw invalid(
      'quick_pay_percent',
      'bad_percent',
      `"quick_pay_percent" must be a decimal number between 0 and 100, not ${quote(quick_pay_percent)}.`,
    )
}

function normalName(sent: string): string {
  const text = sent.trim()
  if (text === '') throw invalid('name', 'bad_name', 'The name of a payee has 1 to 255 characters.')
  return text
}

/** Where the money of a carrier goes at this moment: its own payee, or the factoring company to which it has assigned what it is owed. */
export type Destination = {
  partner_carrier_id: string
  payee_id: string
  name: string
  method: PayoutMethod
  is_held: boolean
  sealed: string | null
  masked: unknown
  address: unknown
  remittance_email: string | null
  /** What the carrier itself gives for being paid soon, also where a factoring company is paid. */
  quick_pay_days: number | null
  quick_pay_percent: string | null
}
