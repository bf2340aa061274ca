import { product, sum } from '../../../../platform/core/values/money.ts'
import type { Field, Fields } from '../fields/fields.ts'
import type { Line, LineEdit, NewLine, PricedLine } from '../fields/line-fields.ts'
import { taxIsOn, taxOf, taxOfLines } from './line-taxes.ts'

/** What was sent, with the default of what was not, and the total. The tax depends on the other lines too: `withTaxes` computes it. */
export function priceLine(fields: Fields, sent: NewLine): PricedLine {
  const given = sent as Record<string, unknown>
  const line: Record<string, unknown> = {}
  for (const name in fields) {
    const { blank, normal } = fields[name] as Field
    line[name] = given[name] === undefined ? blank : normal(given[name], null, name)
  }
  line.total_amount = product(line.unit_price as number, line.quantity as number, 'total_amount')
  line.tax_amount = 0
  return line as PricedLine
}

/** The line as it will be, and whether that differs from what it is. */
export function editLine(fields: Fields, current: Line, input: LineEdit): { next: PricedLine; changed: boolean } {
  const sent = Object.entries(input).filter(([name, value]) => Object.hasOwn(fields, name) && value !== undefined)
  const next = priceLine(fields, { ...current, ...Object.fromEntries(sent) })
  return { next, changed: !isSameLine(fields, current, next) }
}

export function isSameLine(fields: Fields, one: object, other: object): boolean {
  const [values, otherValues] = [one, other] as [Record<string, unknown>, Record<string, unknown>]
  return Object.keys(fields).every((name) => values[name] === otherValues[name])
}

type Summed = { is_tax_on: boolean; tax_amount: number; kept_tax_amount: number | null }
type Sums = Summed & { sub_total_amount: number; total_amount: number }

/** The sums that the lines give a document. `before` is what its lines came to in taxes before, null where none carried a rate. */
export function withSums<D extends Summed>(
  document: D,
  lines: readonly PricedLine[],
  { before, isTaxOn }: { before: number | null; isTaxOn?: boolean | null | undefined },
): D & Sums {
  const sub_total_amount = subTotalOf(lines)
  const lineTax = { before, after: taxOfLines(lines) }
  const is_tax_on = taxIsOn(document.is_tax_on, isTaxOn === undefined ? undefined : isTaxOn === true, lineTax)
  const tax = taxOf(document, is_tax_on, undefined, lineTax)
  return {
    ...document,
    is_tax_on,
    ...tax,
    sub_total_amount,
    total_amount: sum([sub_total_amount, tax.tax_amount], 'total_amount'),
  }
}

export function subTotalOf(lines: readonly { total_amount: number }[]): number {
  return sum(
    lines.map(({ total_amount }) => total_amount),
    'sub_total_amount',
  )
}
