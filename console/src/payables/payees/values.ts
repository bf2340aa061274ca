import type { Paths, Schemas } from '@lading/sdk'
import {
  type Address,
  type AddressValues,
  addressIn,
  addressValuesOf,
  linesOfAddress,
} from '../../app/values/address:ts.ts'

type Payee = Schemas['Payee']
type BankDetails = NonNullable<Payee['bank_details']>
type NewPayee = Paths['/api/v1/payees']['post']['requestBody']['content']['application/json']
export type PayoutMethod = Payee['method']
export type BankValues = Record<keyof BankDetails, string>

export type Values = {
  name: string
  method: PayoutMethod
  /** What is typed replaces the details as a whole; empty they stay as they are. */
  bank_details: BankValues
  address: AddressValues
  factor_payee_id: string | null
  notice_of_assignment_on: string
  notice_document_id: string | null
  remittance_email: string
  quick_pay_days: string
  quick_pay_percent: string
  notes: string
}

/** What each method asks for. */
export const bankFieldsOf: Record<PayoutMethod, readonly (keyof BankDetails)[]> = {
  ach: ['bank_name', 'account_type', 'routing_number', 'account_number'],
  wire: ['bank_name', 'iban', 'bic', 'account_number', 'routing_number'],
  check: [],
  other: [],
}

const none: BankValues = {
  bank_name: '',
  account_type: 'checking',
  routing_number: '',
  account_number: '',
  iban: '',
  bic: '',
}

export function versionOf(payee: Payee | null): { revision: number; values: Values } {
  return {
    revision: payee?.revision ?? 0,
    values: {
      name: payee?.name ?? '',
      method: payee?.method ?? 'ach',
      bank_details: { ...none, account_type: payee?.bank_details?.account_type ?? 'checking' },
      address: addressValuesOf((payee?.address ?? null) as Address | null),
      factor_payee_id: payee?.factor_payee_id ?? null,
      notice_of_assignment_on: payee?.notice_of_assignment_on ?? '',
      notice_document_id: payee?.notice_document_id ?? null,
      remittance_email: payee?.remittance_email ?? '',
      quick_pay_days: payee?.quick_pay_days === null || payee === null ? '' : String(payee.quick_pay_days),
      quick_pay_percent: payee?.quick_pay_percent ?? '',
      notes: payee?.notes ?? '',
    },
  }
}

/** What of the values is sent. Bank details are those that the method asks for. */
export function contentOf(changes: Partial<Values>, { method }: Pick<Values, 'method'>): Partial<NewPayee> {
  const { name, bank_details, address, factor_payee_id, notice_of_assignment_on, notice_document_id, quick_pay_days } =
    changes
  const { remittance_email, quick_pay_percent, notes } = changes
  const textOrNull = (text: string) => text.trim() || null
  const fields = bankFieldsOf[method]
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(changes.method !== undefined && { method }),
    ...(bank_details &&
      fields.length > 0 && {
        bank_details: Object.fromEntries(
          fields.flatMap((field) => (bank_details[field].trim() ? [[field, bank_details[field].trim()]] : [])),
        ),
      }),
    ...(address && { address: addressIn(address) }),
    ...(factor_payee_id !== undefined && { factor_payee_id }),
    ...(notice_of_assignment_on !== undefined && { notice_of_assignment_on: notice_of_assignment_on || null }),
    ...(notice_document_id !== undefined && { notice_document_id }),
    ...(quick_pay_days !== undefined && {
      quick_pay_days: quick_pay_days.trim() === '' ? null : Number(quick_pay_days),
    }),
    ...(remittance_email !== undefined && { remittance_email: textOrNull(remittance_email) }),
    ...(quick_pay_percent !== undefined && { quick_pay_percent: textOrNull(quick_pay_percent) }),
    ...(notes !== undefined && { notes: textOrNull(notes) }),
  } as Partial<NewPayee>
}

/** What is wrong and can be known before it is sent. */
export function errorsIn(values: Values): Record<string, string> {
  const { name, method, address, factor_payee_id, notice_of_assignment_on, quick_pay_days, quick_pay_percent } = values
  const isQuick = quick_pay_days.trim() !== ''
  return {
    ...(!name.trim() && { name: 'Enter the name of the account.' }),
    ...(method === 'check' &&
      linesOfAddress(addressIn(address)).length === 0 && { 'address.address_1': 'Enter where checks are sent to.' }),
    ...(factor_payee_id && !notice_of_assignment_on && { notice_of_assignment_on: 'Enter the day of the notice.' }),
    ...(isQuick &&
      !/^\d{1,3}$/.test(quick_pay_days.trim()) && { quick_pay_days: 'Enter a number of days from 0 to 365.' }),
    ...(isQuick !== (quick_pay_percent.trim() !== '') && {
      quick_pay_percent: 'Enter both the days and the percent, or neither.',
    }),
  }
}
