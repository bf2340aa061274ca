import type { FormErrors } from '@mantine/form'
import type { Currency } from '../api/currencies.ts'
import { type AddressValues, addressFields, addressIn, addressValuesOf } from '../billing/address.tsx'
import { typedDayOf } from '../parts/dates.ts'
import { readAmount, typedAmountOf } from '../parts/money.ts'
import type { Bill } from './bill.ts'
import type { BillBody } from './queries.ts'

/** A bill as a form has it: texts, and days without times. */
export type Values = {
  partner_carrier_id: string | null
  currency_id: string | null
  reference_number: string
  bill_date: string
  due_date: string
  pay_term_id: string | null
  is_tax_on: boolean
  tax_amount: string
  send_to_email: string
  cc_to_email: string
  remit_to: AddressValues
  bill_to: AddressValues
  notes: string
}

export const labels: Record<keyof Values, string> = {
  partner_carrier_id: 'Carrier',
  currency_id: 'Currency',
  reference_number: 'Reference number',
  bill_date: 'Bill date',
  due_date: 'Due date',
  pay_term_id: 'Pay term',
  is_tax_on: 'Tax applies',
  tax_amount: 'Tax',
  send_to_email: 'Send to',
  cc_to_email: 'Copy to',
  remit_to: 'Remit to',
  bill_to: 'Bill to',
  notes: 'Notes',
}

/** The names under which the server may find something wrong, the parts of addresses before the whole. */
export const fields = [...(['remit_to', 'bill_to'] as const).flatMap((name) => addressFields.map((field) => `${name}.${field}`)), ...Object.keys(labels)]

export function valuesOf(bill: Bill, currency: Currency | undefined): Values {
  return {
    partner_carrier_id: bill.partner_carrier_id,
    currency_id: bill.currency_id,
    reference_number: bill.reference_number ?? '',
    bill_date: typedDayOf(bill.bill_date),
    due_date: typedDayOf(bill.due_date),
    pay_term_id: bill.pay_term_id,
    is_tax_on: bill.is_tax_on,
    tax_amount: currency ? typedAmountOf(bill.tax_amount, currency.minor_units) : '',
    send_to_email: bill.send_to_email ?? '',
    cc_to_email: bill.cc_to_email ?? '',
    remit_to: addressValuesOf(bill.remit_to),
    bill_to: addressValuesOf(bill.bill_to),
    notes: bill.notes ?? '',
  }
}

/** What of a form goes to the server; a field that is empty clears. A tax that was typed and then does not apply is not sent. */
export function bodyOf(changes: Partial<Values>, all: Values, currency: Currency | undefined): BillBody {
  const { is_tax_on, remit_to, bill_to, partner_carrier_id, currency_id, pay_term_id, tax_amount: typed, ...texts } = changes
  const tax_amount = all.is_tax_on ? typed : undefined
  const cleared = Object.entries(texts).map(([name, text]) => [name, text.trim() || null])
  const ids = Object.entries({ partner_carrier_id, currency_id, pay_term_id }).filter(([, id]) => id !== undefined)
  const tax = tax_amount !== undefined && currency ? readAmount(tax_amount || '0', currency) : null
  return {
    ...Object.fromEntries([...cleared, ...ids]),
    ...(is_tax_on !== undefined && { is_tax_on }),
    ...(tax && 'amount' in tax && { tax_amount: tax.amount }),
    ...(remit_to && { remit_to: addressIn(remit_to) }),
    ...(bill_to && { bill_to: addressIn(bill_to) }),
  }
}

export function problemsIn({ is_tax_on, tax_amount }: Values, currency: Currency | undefined): FormErrors {
  if (!is_tax_on || !tax_amount || !currency) return {}
  const read = readAmount(tax_amount, currency)
  return 'problem' in read ? { tax_amount: read.problem } : {}
}
