import Type from 'typebox'
import { type Detail, invalid, invalidAll } from '../../platform/core/refusal.ts'
import { named } from '../../platform/core/schema/names.ts'
import { nullable } from '../../platform/core/schema/schema.ts'

export const payoutMethods = ['ach', 'wire', 'check', 'other'] as const
export type PayoutMethod = (typeof payoutMethods)[number]

export const accountTypes = ['checking', 'savings'] as const

/** As they are kept, encrypted, and as they are shown, masked: both have all of these. */
export type BankDetails = {
  bank_name: string | null
  account_type: (typeof accountTypes)[number]
  routing_number: string | null
  account_number: string | null
  iban: string | null
  bic: string | null
}

// No pattern and no length in the schema: what it refuses is quoted in the answer, and these are not to be quoted anywhere.
const secret = (description: string, example: string) =>
  Type.Optional(nullable(Type.String({ description, examples: [example] })))

export const BankDetailsBody = named(
  'BankDetails',
  Type.Object(
    {
      bank_name: Type.Optional(
        nullable(
          Type.String({ maxLength: 140, description: 'What the bank is called.', examples: ['First Example Bank'] }),
        ),
      ),
      account_type: Type.Optional(
        Type.Enum([...accountTypes], {
          description: '`checking` unless said; only ACH knows it.',
          examples: ['checking'],
        }),
      ),
      routing_number: secret('The nine digits of the bank in the United States.', '021000021'),
      account_number: secret('The number of the account, where it has no IBAN.', '000123456789'),
      iban: secret('The IBAN of the account.', 'DE89370400440532013000'),
      bic: secret('The BIC of the bank, of 8 or 11 characters.', 'COBADEFFXXX'),
    },
    {
      description:
        'Replaces the details as a whole. They are kept encrypted, and answers show their last characters alone.',
    },
  ),
)
export type BankDetailsBody = Partial<{ [F in keyof BankDetails]: BankDetails[F] | null }>

const shown = (description: string, example: string) => nullable(Type.String({ description, examples: [example] }))

export const MaskedBankDetails = named(
  'MaskedBankDetails',
  Type.Object(
    {
      bank_name: shown('What the bank is called.', 'First Example Bank'),
      account_type: Type.Enum([...accountTypes], {
        description: 'Of which sort the account is.',
        examples: ['checking'],
      }),
      routing_number: shown('The routing number, masked.', '•••••0021'),
      account_number: shown('The account number, masked.', '••••••••6789'),
      iban: shown('The IBAN, masked.', '••••••••••••••••••3000'),
      bic: shown('The BIC, masked.', '•••••••FXXX'),
    },
    { description: 'The bank details with all but their last characters hidden.' },
  ),
)

const numbers = ['routing_number', 'account_number', 'iban', 'bic'] as const

/** What was sent, in the form in which it is kept; or why it cannot be. No message quotes any of it. */
export function normalDetails(sent: BankDetailsBody): BankDetails {
  const plain = (name: (typeof numbers)[number]) => sent[name]?.replace(/[\s-]/g, '').toUpperCase() || null
  const details: BankDetails = {
    bank_name: sent.bank_name?.trim() || null,
    account_type: sent.account_type ?? 'checking',
    routing_number: plain('routing_number'),
    account_number: plain('account_number'),
    iban: plain('iban'),
    bic: plain('bic'),
  }
  if (numbers.some((name) => details[name]?.includes(hidden)))
    throw invalid(
      'bank_details',
      'masked_value',
      '"bank_details" holds masked values. Send all of the details, or leave the field out.',
    )
  const wrong = [
    ...(details.routing_number !== null && !isRoutingNumber(details.routing_number)
      ? [faultOf('routing_number', 'must have nine digits, of which the last is the check digit of the others')]
      : []),
    ...(details.account_number !== null && !/^[0-9A-Z]{1,34}$/.test(details.account_number)
      ? [faultOf('account_number', 'must have 1 to 34 letters and digits')]
      : []),
    ...(details.iban !== null && !isIban(details.iban)
      ? [faultOf('iban', 'is not an IBAN: its check digits do not fit')]
      : []),
    ...(details.bic !== null && !/^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(details.bic)
      ? [faultOf('bic', 'must have the 8 or 11 characters of a BIC')]
      : []),
  ]
  if (wrong.length > 0) throw invalidAll(wrong)
  return details
}

/** Refuses details by which money cannot be sent in this way. */
export function requireEnough(method: PayoutMethod, details: BankDetails | null): void {
  if (method === 'ach' && !(details?.routing_number && details.account_number))
    throw incomplete('ACH needs "bank_details.routing_number" and "bank_details.account_number".')
  if (method === 'ach' && (details?.account_number?.length ?? 0) > 17)
    throw incomplete(
      'ACH has room for account numbers of up to 17 characters, and "bank_details.account_number" is longer.',
    )
  if (method === 'wire' && !(details?.iban || (details?.account_number && (details.bic || details.routing_number))))
    throw incomplete(
      'A wire needs "bank_details.iban", or "bank_details.account_number" with "bank_details.bic" or "bank_details.routing_number".',
    )
}

export function maskedDetails(details: BankDetails): BankDetails {
  return { ...details, ...Object.fromEntries(numbers.map((name) => [name, maskedNumber(details[name])])) }
}

/** Whether these are the masked details as they were answered, which a client sends back with the rest of a record. */
export function isAsShown(sent: BankDetailsBody, masked: BankDetails | null): boolean {
  return (
    masked !== null &&
    (Object.keys(masked) as (keyof BankDetails)[]).every((name) => (sent[name] ?? null) === masked[name])
  )
}

/** Whether the body of a request holds bank details. */
export function hasBankDetails(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'bank_details' in body && body.bank_details !== null
}

const hidden = '•'

/** The last four characters, and of a short one fewer: most of it stays hidden. */
function maskedNumber(number: string | null): string | null {
  if (number === null) return null
  const kept = Math.min(4, Math.floor(number.length / 2))
  return hidden.repeat(number.length - kept) + number.slice(number.length - kept)
}

/** The check digit of ABA: the digits times 3, 7, 1, 3, 7, 1 … come to a multiple of ten. */
export function isRoutingNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text)) return false
  return (
    [...text].reduce((total, digit, place) => total + Number(digit) * ([3, 7, 1][place % 3] as number), 0) % 10 === 0
  )
}

/** ISO 13616: with its first four characters at its end and letters as numbers, its rest by 97 is 1. */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false
  const digits = [...`${text.slice(4)}${text.slice(0, 4)}`].map((character) => Number.parseInt(character, 36)).join('')
  return BigInt(digits) % 97n === 1n
}

function faultOf(name: string, why: string): Detail {
  return { field: `bank_details.${name}`, code: 'bad_bank_details', message: `"bank_details.${name}" ${why}.` }
}

function incomplete(message: string) {
  return invalid('bank_details', 'bank_details_incomplete', message)
}
