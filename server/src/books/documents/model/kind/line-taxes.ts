import { conflict, invalid, quote } from '../../../../platform/core/refusal.ts'
import { largestAmount, sum } from '../../../../platform/core/values/money.ts'
import { round } from '../../../../platform/core/values/ratio.ts'
import type { TaxRates } from '../../../tax-rates/lookup.ts'

type Taxable = { total_amount: number; tax_rate_id: string | null; tax_amount: number }
type Taxed = { is_tax_on: boolean; tax_amount: number; kept_tax_amount: number | null }

/**
 * The lines with the tax of each. The tax of a rate is rounded once, from all its lines together, as an invoice shows it; each line has what the rounded
 * tax grows by with it, so the lines always add up to it.
 */
export function withTaxes<L extends Taxable>(lines: readonly L[], rates: TaxRates): L[] {
  const sums = new Map<string, { total: bigint; tax: bigint }>()
  return lines.map((line) => {
    const rate = line.tax_rate_id === null ? undefined : rates.get(line.tax_rate_id)
    if (!rate || line.tax_rate_id === null) return line.tax_amount === 0 ? line : { ...line, tax_amount: 0 }
    const before = sums.get(line.tax_rate_id) ?? { total: 0n, tax: 0n }
    const total = before.total + BigInt(line.total_amount)
    const tax = round({ n: total * rate.percent.n, d: rate.percent.d * 100n })
    sums.set(line.tax_rate_id, { total, tax })
    return { ...line, tax_amount: exact(tax - before.tax) }
  })
}

/** What the lines come to in taxes; null where none carries a rate, and the tax of the document is set by hand. */
export function taxOfLines(lines: readonly Pick<Taxable, 'tax_rate_id' | 'tax_amount'>[]): number | null {
  const carrying = lines.filter(({ tax_rate_id }) => tax_rate_id !== null)
  if (carrying.length === 0) return null
  return sum(
    carrying.map(({ tax_amount }) => tax_amount),
    'tax_amount',
  )
}

/** The ids of the rates that lines name. */
export function taxRateIdsIn(lines: readonly { tax_rate_id?: string | null }[]): string[] {
  return [...new Set(lines.flatMap(({ tax_rate_id }) => tax_rate_id?.toLowerCase() ?? []))]
}

/** Refuses a rate that is not there, and one that is no longer given to lines, unless a line of the document has it already. */
export function requireTaxRates(
  lines: readonly Taxable[],
  rates: TaxRates,
  before: readonly Taxable[],
  nameOf: (index: number) => string,
): void {
  const kept = new Set(taxRateIdsIn(before))
  lines.forEach(({ tax_rate_id: id }, index) => {
    if (id === null) return
    const rate = rates.get(id)
    if (!rate)
      throw invalid(
        nameOf(index),
        'unknown_tax_rate',
        `"${nameOf(index)}": there is no tax rate ${quote(id)} in this organization.`,
      )
    if (!rate.active && !kept.has(id)) {
      const message = `"${nameOf(index)}": the tax rate ${quote(id)} is not active, so no line can be given it.`
      throw conflict('tax_rate_inactive', message, [{ field: nameOf(index), code: 'tax_rate_inactive', message }])
    }
  })
}

/** The taxes of the lines of a document before a change and after it; null where no line carries a rate. */
export type LineTax = { before: number | null; after: number | null }

/** Lines that carry the first rate of a document switch its tax on, unless whoever sent them says otherwise. */
export function taxIsOn(current: boolean, sent: boolean | undefined, { before, after }: LineTax): boolean {
  return sent ?? (current || (before === null && after !== null))
}

/**
 * The tax of a document: that of its lines where any carries a rate, and otherwise what was set by hand. What was set by hand and does not count, because
 * tax is off or lines carry rates, is kept and comes back. A body that carries the tax that was read while it did not count does not set it.
 */
export function taxOf(
  current: Taxed,
  isOn: boolean,
  sent: number | undefined,
  { before, after }: LineTax,
): Pick<Taxed, 'tax_amount' | 'kept_tax_amount'> {
  const counted = current.is_tax_on && before === null
  const byHand = counted ? current.tax_amount : (current.kept_tax_amount ?? 0)
  if (!isOn || after !== null)
    return { tax_amount: isOn ? (after ?? 0) : 0, kept_tax_amount: byHand === 0 ? null : byHand }
  const isAsRead = !counted && sent === current.tax_amount
  return { tax_amount: sent === undefined || isAsRead ? byHand : sent, kept_tax_amount: null }
}

function exact(tax: bigint): number {
  if (tax > BigInt(largestAmount) || tax < -BigInt(largestAmount))
    throw invalid(
      'tax_amount',
      'amount_too_large',
      `"tax_amount" would be ${tax}, which is beyond ±${largestAmount}, the largest amount that can be kept exactly.`,
    )
  return Number(tax)
}
