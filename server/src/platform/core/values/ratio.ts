import { withoutEnd } from './text.ts'

/** An exact fraction; `d` is positive. Rates and percents are computed with these, and rounded once, at the end. */
export type Ratio = { readonly n: bigint; readonly d: bigint }

const decimal = /^([+-]?)(\d+)(?:\.(\d+))?$/
/** Nobody writes a longer one, and computing with a million digits takes seconds. */
const longest = 100

/** Whether a text is a plain decimal number of at most 100 characters: digits, and behind a point at most so many. */
export function isDecimal(text: string, decimals: number): boolean {
  const found = text.length > longest ? null : decimal.exec(text)
  return found !== null && withoutEnd(found[3] ?? '', '0').length <= decimals
}

/** The value of a decimal number, exactly. */
export function ratioOf(text: string): Ratio {
  const found = decimal.exec(text)
  if (!found) throw new Error(`${text} is no decimal number`)
  const [, sign, whole, fraction = ''] = found
  const n = BigInt(`${whole}${fraction}`)
  return { n: sign === '-' ? -n : n, d: 10n ** BigInt(fraction.length) }
}

export function multiply(one: Ratio, other: Ratio): Ratio {
  return { n: one.n * other.n, d: one.d * other.d }
}

export function minus(one: Ratio, other: Ratio): Ratio {
  return { n: one.n * other.d - other.n * one.d, d: one.d * other.d }
}

export function inverse({ n, d }: Ratio): Ratio {
  if (n === 0n) throw new Error('0 has no inverse')
  return n < 0n ? { n: -d, d: -n } : { n: d, d: n }
}

/** 10 to this power, which may be negative. */
export function powerOfTen(exponent: number): Ratio {
  const power = 10n ** BigInt(Math.abs(exponent))
  return exponent < 0 ? { n: 1n, d: power } : { n: power, d: 1n }
}

/** The nearest whole number; a half goes away from zero. */
export function round({ n, d }: Ratio): bigint {
  const size = n < 0n ? -n : n
  const whole = (2n * size + d) / (2n * d)
  return n < 0n ? -whole : whole
}

/** As a decimal number of at most so many decimals, without zeros at its end. */
export function decimalOf(ratio: Ratio, decimals: number): string {
  const units = round(multiply(ratio, powerOfTen(decimals)))
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = decimals === 0 ? '' : withoutEnd(digits.slice(-decimals), '0')
  return `${units < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`
}

export function isSame(one: Ratio, other: Ratio): boolean {
  return one.n * other.d === other.n * one.d
}
