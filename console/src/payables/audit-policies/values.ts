import { readAmount, typedAmountOf } from '../../app/values/money.ts'
import { readDigits, separatorsOf } from '../../app/values/numbers.ts'
import type { Content, Policy } from './policy.ts'

export type Values = {
  partner_carrier_id: string | null
  bill_item_type_id: string | null
  over_percent: string
  over_amount: string
  under_percent: string
  under_amount: string
  approve_automatically: boolean
  check_delivery: boolean
  check_pod: boolean
}

export const labels: Record<keyof Values, string> = {
  partner_carrier_id: 'Carrier',
  bill_item_type_id: 'Type of line',
  over_percent: 'Most over, percent',
  over_amount: 'Most over, amount',
  under_percent: 'Most under, percent',
  under_amount: 'Most under, amount',
  approve_automatically: 'Approve invoices without findings automatically',
  check_delivery: 'Find loads that are not delivered',
  check_pod: 'Find loads without a proof of delivery',
}

const percents = ['over_percent', 'under_percent'] as const
const amounts = ['over_amount', 'under_amount'] as const

/** Amounts are in the currency of each invoice; they are typed with the decimals of the home currency. */
export function versionOf(policy: Policy | null, digits: number): { revision: number; values: Values } {
  const percent = (value: string | null | undefined) => (value ?? '').replace('.', separatorsOf(undefined).decimal)
  const amount = (value: number | null | undefined) => (value == null ? '' : typedAmountOf(value, digits))
  return {
    revision: policy?.revision ?? 0,
    values: {
      partner_carrier_id: policy?.partner_carrier_id ?? null,
      bill_item_type_id: policy?.bill_item_type_id ?? null,
      over_percent: percent(policy?.over_percent),
      over_amount: amount(policy?.over_amount),
      under_percent: percent(policy?.under_percent),
      under_amount: amount(policy?.under_amount),
      approve_automatically: policy?.approve_automatically ?? false,
      check_delivery: policy?.check_delivery ?? true,
      check_pod: policy?.check_pod ?? true,
    },
  }
}

export function problemsIn(values: Values, digits: number): Record<string, string> {
  const ofPercents = percents
    .filter((name) => readPercent(values[name]) === 'unreadable')
    .map((name) => [name, 'Enter a percent like 2.5.'])
  const ofAmounts = amounts
    .filter((name) => readLimit(values[name], digits) === 'unreadable')
    .map((name) => [name, 'Enter an amount, 0 or more.'])
  return Object.fromEntries([...ofPercents, ...ofAmounts])
}

/** What is sent; null while something cannot be read. */
export function contentOf(values: Values, digits: number): Content | null {
  if (Object.keys(problemsIn(values, digits)).length > 0) return null
  const percent = (name: (typeof percents)[number]) => readPercent(values[name]) as string | null
  const amount = (name: (typeof amounts)[number]) => readLimit(values[name], digits) as number | null
  return {
    partner_carrier_id: values.partner_carrier_id,
    bill_item_type_id: values.bill_item_type_id,
    over_percent: percent('over_percent'),
    over_amount: amount('over_amount'),
    under_percent: percent('under_percent'),
    under_amount: amount('under_amount'),
    // A policy for a type of lines approves no invoice.
    approve_automatically: values.bill_item_type_id === null && values.approve_automatically,
    check_delivery: values.bill_item_type_id !== null || values.check_delivery,
    check_pod: values.bill_item_type_id !== null || values.check_pod,
  }
}

function readPercent(text: string): string | null | 'unreadable' {
  if (text.trim() === '') return null
  const digits = readDigits(text, '')
  if ('problem' in digits || digits.negative || digits.fraction.length > 4 || digits.whole.length > 4)
    return 'unreadable'
  return digits.fraction ? `${digits.whole || '0'}.${digits.fraction}` : digits.whole
}

function readLimit(text: string, digits: number): number | null | 'unreadable' {
  if (text.trim() === '') return null
  const read = readAmount(text, { minor_units: digits })
  return 'problem' in read || read.amount < 0 ? 'unreadable' : read.amount
}
