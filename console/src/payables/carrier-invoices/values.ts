import { readAmount, sumOf, typedAmountOf } from '../../app/values/money.ts'
import { readNumber, typedNumberOf } from '../../app/values/numbers.ts'
import type { CarrierInvoice, Line, NewInvoice } from './invoice.ts'

export type LineValues = {
  /** Tells lines apart while some are removed. */
  key: string
  type: string
  description: string
  quantity: string
  unit: string | null
  unit_price: string
  amount: string
  manifest_id: string | null
  is_tax: boolean
}

export type Values = {
  partner_carrier_id: string | null
  invoice_number: string
  invoice_date: string
  currency_id: string | null
  reference_number: string
  lines: LineValues[]
  total_amount: string
  notes: string
}

export const labels: Record<keyof Values, string> = {
  partner_carrier_id: 'Carrier',
  invoice_number: 'Invoice number',
  invoice_date: 'Date',
  currency_id: 'Currency',
  reference_number: 'Load',
  lines: 'Lines',
  total_amount: 'Total',
  notes: 'Notes',
}

export function emptyLine(): LineValues {
  return {
    key: crypto.randomUUID(),
    type: '',
    description: '',
    quantity: '',
    unit: null,
    unit_price: '',
    amount: '',
    manifest_id: null,
    is_tax: false,
  }
}

type Known = { types: readonly { id: string; name: string }[]; home: string | null; digits: number }

/** An invoice as the form shows it. Types that are sent by their id are shown by their name; what a mail did not say is empty, whatever stands in its place. */
export function versionOf(
  invoice: CarrierInvoice | null,
  { types, home, digits }: Known,
): { revision: number; values: Values } {
  if (!invoice) {
    const blank = {
      partner_carrier_id: null,
      invoice_number: '',
      invoice_date: '',
      currency_id: home,
      reference_number: '',
      total_amount: '',
      notes: '',
    }
    return { revision: 0, values: { ...blank, lines: [{ ...emptyLine(), key: '0' }] } }
  }
  const { revision, partner_carrier_id, invoice_number, currency_id, lines, total_amount } = invoice
  const isMissing = (name: 'invoice_number' | 'total_amount') => invoice.missing_fields.includes(name)
  const isSum = sumOf(lines.map(({ amount }) => amount)) === BigInt(total_amount)
  return {
    revision,
    values: {
      partner_carrier_id,
      invoice_number: isMissing('invoice_number') ? '' : invoice_number,
      invoice_date: invoice.invoice_date ?? '',
      currency_id,
      reference_number: invoice.reference_number ?? '',
      lines:
        lines.length > 0
          ? lines.map((line, index) => lineValuesOf(line, String(index), types, digits))
          : [{ ...emptyLine(), key: '0' }],
      total_amount: isMissing('total_amount') || (isSum && lines.length > 0) ? '' : typedAmountOf(total_amount, digits),
      notes: invoice.notes ?? '',
    },
  }
}

function lineValuesOf(line: Line, key: string, types: Known['types'], digits: number): LineValues {
  const { type, description, quantity, unit, unit_price, amount, manifest_id, is_tax } = line
  return {
    key,
    type: types.find(({ id }) => id === type)?.name ?? type ?? '',
    description: description ?? '',
    quantity: quantity == null ? '' : typedNumberOf(quantity),
    unit: unit ?? null,
    unit_price: unit_price == null ? '' : typedAmountOf(unit_price, digits),
    amount: typedAmountOf(amount, digits),
    manifest_id: manifest_id ?? null,
    is_tax: is_tax ?? false,
  }
}

export function problemsIn(
  { invoice_number, currency_id, lines, total_amount }: Values,
  digits: number,
): Record<string, string> {
  const total = total_amount.trim() ? readAmount(total_amount, { minor_units: digits }) : null
  return {
    ...(!invoice_number.trim() && { invoice_number: 'Enter the number of the invoice.' }),
    ...(!currency_id && { currency_id: 'Choose a currency.' }),
    ...(total && 'problem' in total && { total_amount: total.problem }),
    ...(!total && lines.every(isEmpty) && { total_amount: 'Enter a total, or at least one line.' }),
    ...Object.fromEntries(
      lines.flatMap((line, index) =>
        problemsInLine(line, digits).map(([field, problem]) => [`lines.${index}.${field}`, problem]),
      ),
    ),
  }
}

function problemsInLine(line: LineValues, digits: number): [field: string, problem: string][] {
  if (isEmpty(line)) return []
  const quantity = line.quantity.trim() ? readNumber(line.quantity) : null
  const price = line.unit_price.trim() ? readAmount(line.unit_price, { minor_units: digits }) : null
  const amount = line.amount.trim() ? readAmount(line.amount, { minor_units: digits }) : null
  return [
    ...(quantity && 'problem' in quantity ? [['quantity', quantity.problem] as [string, string]] : []),
    ...(price && 'problem' in price ? [['unit_price', price.problem] as [string, string]] : []),
    ...(amount && 'problem' in amount ? [['amount', amount.problem] as [string, string]] : []),
    ...(!amount && !(quantity && price) ? [['amount', 'Enter the amount of the line.'] as [string, string]] : []),
  ]
}

/** The lines as the API takes them, those without anything left out; null while one of them cannot be read. */
export function readLines(lines: readonly LineValues[], digits: number): Line[] | null {
  const filled = lines.filter((line) => !isEmpty(line))
  return filled.some((line) => problemsInLine(line, digits).length > 0)
    ? null
    : filled.map((line) => lineOf(line, digits))
}

function lineOf(
  { type, description, quantity, unit, unit_price, amount, manifest_id, is_tax }: LineValues,
  digits: number,
): Line {
  const [many, price] = [
    numberIn(quantity.trim() ? readNumber(quantity) : null),
    numberIn(unit_price.trim() ? readAmount(unit_price, { minor_units: digits }) : null),
  ]
  const whole = numberIn(amount.trim() ? readAmount(amount, { minor_units: digits }) : null)
  return {
    type: type.trim() || null,
    description: description.trim() || null,
    quantity: many,
    unit: unit as Line['unit'] & string,
    unit_price: price,
    amount: whole ?? Math.round((many ?? 0) * (price ?? 0)),
    manifest_id,
    ...(is_tax && { is_tax }),
  }
}

function numberIn(read: ReturnType<typeof readNumber> | null): number | null {
  return read && 'amount' in read ? read.amount : null
}

function isEmpty({ type, description, quantity, unit_price, amount }: LineValues): boolean {
  return [type, description, quantity, unit_price, amount].every((text) => text.trim() === '')
}

export function contentOf(values: Values, digits: number): Omit<NewInvoice, 'source'> {
  const lines = readLines(values.lines, digits) ?? []
  const total = values.total_amount.trim() ? numberIn(readAmount(values.total_amount, { minor_units: digits })) : null
  return {
    partner_carrier_id: values.partner_carrier_id,
    invoice_number: values.invoice_number.trim(),
    invoice_date: values.invoice_date || null,
    currency_id: values.currency_id ?? '',
    reference_number: values.reference_number.trim() || null,
    lines,
    total_amount: total ?? Number(sumOf(lines.map(({ amount }) => amount))),
    notes: values.notes.trim() || null,
  }
}
