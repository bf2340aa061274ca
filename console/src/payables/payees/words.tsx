import type { ReactNode } from 'react'
import { type Change, FromTo } from '../../app/history/entries.tsx'
import { textOf } from '../../app/history/field-changes.tsx'
import { StateBadge } from '../../app/parts/state-badge.tsx'
import { type Address, linesOfAddress } from '../../app/values/address:ts.ts'
import { calendarDayOf } from '../../app/values/dates.ts'
import { type Method, methodWords } from '../../books/documents/methods.ts'
import { NoticeLink, PayeeLink } from './links.tsx'
import type { BankDetails, Payee } from './queries.ts'

/** What of a payee is shown in its history and in a change that waits, in this order. */
export const labels: Record<string, string> = {
  name: 'Name of the account',
  method: 'Paid by',
  bank_details: 'Bank details',
  address: 'Address for checks',
  factor_payee_id: 'Factoring company',
  notice_of_assignment_on: 'Notice of assignment',
  notice_document_id: 'Document of the notice',
  remittance_email: 'Remittance advices go to',
  quick_pay_days: 'Quick pay within days',
  quick_pay_percent: 'Quick pay percent',
  notes: 'Notes',
}

export const bankLabels: Record<keyof BankDetails, string> = {
  bank_name: 'Bank',
  account_type: 'Account type',
  routing_number: 'Routing number',
  account_number: 'Account number',
  iban: 'IBAN',
  bic: 'BIC',
}

export const accountTypes = [
  { value: 'checking', label: 'Checking' },
  { value: 'savings', label: 'Savings' },
]

type Values = Record<string, unknown>
type SomeDetails = { [Field in keyof BankDetails]?: string | null }

/** The parts of bank details that are there, with their labels. */
export function partsOf(details: SomeDetails | null): { label: string; text: string }[] {
  if (!details) return []
  const fields = (Object.keys(bankLabels) as (keyof BankDetails)[]).filter((field) => details[field])
  // Every account has a type, and only ACH asks for it.
  const shown =
    details.routing_number || details.account_type === 'savings'
      ? fields
      : fields.filter((field) => field !== 'account_type')
  return shown.map((field) => ({
    label: bankLabels[field],
    text: accountTypes.find(({ value }) => value === details[field])?.label ?? String(details[field]),
  }))
}

/** A value of a payee in words. */
export function shownValue(value: unknown, field: string): ReactNode {
  if (value === null || value === undefined) return textOf(null)
  if (field === 'method') return methodWords[value as Method]
  if (field === 'bank_details')
    return partsOf(value as BankDetails).map(({ label, text }) => <div key={label}>{`${label}: ${text}`}</div>)
  if (field === 'address') return linesOfAddress(value as Address).join(', ')
  if (field === 'factor_payee_id') return <PayeeLink id={value as string} />
  if (field === 'notice_document_id') return <NoticeLink id={value as string} />
  if (field === 'notice_of_assignment_on') return calendarDayOf(value as string)
  return textOf(value)
}

/** What becomes of each of these fields. Of bank details only the parts that differ are shown. */
export function changesOf(before: Values, after: Values, fields: readonly string[]): Change[] {
  return fields.flatMap((field): Change[] => {
    if (field === 'bank_details' && before[field] && after[field])
      return detailChanges(before[field] as BankDetails, after[field] as BankDetails)
    return [
      {
        key: field,
        label: labels[field] as string,
        text: <FromTo from={shownValue(before[field], field)} to={shownValue(after[field], field)} />,
      },
    ]
  })
}

function detailChanges(before: BankDetails, after: BankDetails): Change[] {
  const [old, now] = [
    new Map(partsOf(before).map(({ label, text }) => [label, text])),
    new Map(partsOf(after).map(({ label, text }) => [label, text])),
  ]
  const changed = Object.values(bankLabels).filter((label) => old.get(label) !== now.get(label))
  if (changed.length === 0)
    return [
      {
        key: 'bank_details',
        label: labels.bank_details as string,
        text: 'Other numbers, which end in the same characters',
      },
    ]
  return changed.map((label) => ({
    key: label,
    label,
    text: <FromTo from={old.get(label) ?? textOf(null)} to={now.get(label) ?? textOf(null)} />,
  }))
}

export function PayeeState({ payee: { status, waiting_change } }: { payee: Payee }) {
  if (status === 'waiting') return <StateBadge words="Waiting for approval" tone="attention" />
  return waiting_change ? (
    <StateBadge words="Change waiting" tone="attention" />
  ) : (
    <StateBadge words="Active" tone="done" />
  )
}

/** Where the money goes, in one line: the method, and the last characters of the account. */
export function destinationOf({ method, bank_details }: { method: Method; bank_details: BankDetails | null }): string {
  const number = method === 'check' || method === 'other' ? null : (bank_details?.iban ?? bank_details?.account_number)
  return number ? `${methodWords[method]} •••• ${number.replaceAll('•', '')}` : methodWords[method]
}
