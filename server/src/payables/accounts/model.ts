import Type, { type Static } from 'typebox'
import { invalid } from '../../platform/core/refusal.ts'
import { Id, nullable, Text, Time, wholeEdit } from '../../platform/core/schema/schema.ts'
import { type BankDetails, BankDetailsBody, MaskedBankDetails } from '../bank-details/model.ts'

export const achFiles = ['nacha', 'pain001'] as const

const currency_id = Type.String({ maxLength: 3, description: 'The lower-case ISO 4217 code.', examples: ['usd'] })
const name = Text('The name of the account, as the bank knows it.', 'Blue Ridge Freight Brokers')
const company_id = nullable(
  Text('The id that the bank gave the organization for ACH, up to ten characters.', '1234567890', { maxLength: 10 }),
)
const ach_file = Type.Enum([...achFiles], {
  description: 'In which file ACH payments go to the bank; each payment is in one file. `nacha` unless said.',
  examples: ['nacha'],
})

export const PayingAccount = Type.Object(
  {
    org_id: Id('The organization.'),
    currency_id,
    name,
    bank_details: MaskedBankDetails,
    company_id,
    ach_file,
    revision: Type.Integer({
      minimum: 1,
      description: 'Rises by one with every change; the number in the ETag.',
      examples: [1],
    }),
    created_by: Type.String({ description: 'Who created it.', examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'] }),
    created_at: Time('When it was created.'),
    updated_at: Time('When it was last changed.'),
  },
  { $id: 'PayingAccount', description: 'The account from which the organization pays in a currency.' },
)
export type PayingAccount = Omit<Static<typeof PayingAccount>, 'bank_details'> & { bank_details: BankDetails }

export const PayingAccountBody = {
  ...wholeEdit(PayingAccount, Type.Partial(Type.Object({ name, bank_details: BankDetailsBody, company_id, ach_file }))),
  examples: [
    {
      name: 'Blue Ridge Freight Brokers',
      bank_details: { routing_number: '021000021', account_number: '000987654321' },
      company_id: '1234567890',
    },
  ],
} as never as ReturnType<typeof Type.Object<Record<never, never>>>
export type PayingAccountBody = {
  name?: string
  bank_details?: object
  company_id?: string | null
  ach_file?: (typeof achFiles)[number]
}

export const CurrencyParam = Type.Object({ currencyID: currency_id })

/** Refuses details from which no file can be made. */
export function requireAccount(details: BankDetails): void {
  if (!(details.iban || (details.account_number && (details.routing_number || details.bic))))
    throw invalid(
      'bank_details',
      'bank_details_incomplete',
      'A paying account needs "bank_details.iban", or "bank_details.account_number" with "bank_details.routing_number" or "bank_details.bic".',
    )
}
