export type Currency = { iso_4217: string; minor_units: number }

/** The largest amount that the API takes: whole minor units that a double holds exactly. */
export const largestAmount = BigInt(Number.MAX_SAFE_INTEGER)

/** An amount in minor units, formatted for people. The number of digits comes from ISO 4217, because browsers do not always know it. */
export function moneyOf(amount: number | bigint, { iso_4217, minor_units }: Currency, locale?: string): string {
  return formatter(iso_4217, minor_units, locale).format(decimalOf(amount, minor_units) as unknown as number)
}

/** As a decimal text, which formatters take without loss: a division would round what a double cannot hold. */
export function decimalOf(amount: number | bigint, digits: number): string {
  const whole = BigInt(amount)
  const text = String(whole < 0n ? -whole : whole).padStart(digits + 1, '0')
  const sign = whole < 0n ? '-' : ''
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** As the text of an input: no symbol and no groups, with the decimal sign of the person's language. */
export function typedAmountOf(amount: number | bigint, digits: number, locale?: string): string {
  return decimalOf(amount, digits).replace('.', separatorsOf(locale).decimal)
}

export type Read = { amount: number } | { problem: string }

/** The typed amount in minor units, read digit by digit so that nothing is rounded. An ambiguous text is refused. */
export function readAmount(text: string, { iso_4217, minor_units: digits }: Currency, locale?: string): Read {
  const { decimal, group } = separatorsOf(locale)
  const number = new RegExp(`^([-−]?)(\\d+|\\d{1,3}(?:${group}\\d{2,3})*${group}\\d{3})(?:${escaped(decimal)}(\\d*))?$`).exec(text.trim())
  const like = `Enter an amount like ${typedAmountOf(123456n, digits, locale)}.`
  if (!number) return { problem: like }
  const [, sign, whole = '', fraction = ''] = number
  if (fraction.length > digits)
    return { problem: digits === 0 ? `${iso_4217} has no decimals. ${like}` : `${iso_4217} has ${digits} decimals, not ${fraction.length}.` }
  return bounded(BigInt(`${whole.replace(/\D/g, '')}${fraction.padEnd(digits, '0')}`) * (sign ? -1n : 1n), 'amount')
}

/** A quantity: a whole number, negative for a credit. */
export function readQuantity(text: string): Read {
  const number = /^([-−]?)(\d+)$/.exec(text.trim())
  if (!number) return { problem: 'Enter a whole number, like 3.' }
  return bounded(BigInt(number[2] as string) * (number[1] ? -1n : 1n), 'number')
}

/** In whole numbers of any size: an amount that is too large is refused by the server, not rounded here. */
export function productOf(unitPrice: number, quantity: number): bigint {
  return BigInt(unitPrice) * BigInt(quantity)
}

export function sumOf(amounts: readonly (number | bigint)[]): bigint {
  return amounts.reduce<bigint>((sum, amount) => sum + BigInt(amount), 0n)
}

function bounded(amount: bigint, what: string): Read {
  const size = amount < 0n ? -amount : amount
  return size > largestAmount ? { problem: `The ${what} is too large.` } : { amount: Number(amount) }
}

const formatters = new Map<string, Intl.NumberFormat>()

function formatter(currency: string, digits: number, locale: string | undefined): Intl.NumberFormat {
  const key = `${currency} ${digits} ${locale}`
  const known = formatters.get(key)
  if (known) return known
  const made = new Intl.NumberFormat(locale, { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits })
  formatters.set(key, made)
  return made
}

/** The decimal sign of a language, and a pattern for its group separators. Spaces come in several widths, apostrophes in two forms. */
function separatorsOf(locale: string | undefined): { decimal: string; group: string } {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1234567.8)
  const of = (type: string) => parts.find((part) => part.type === type)?.value
  const group = of('group') ?? ','
  return { decimal: of('decimal') ?? '.', group: /\s/.test(group) ? '\\s' : /['’]/.test(group) ? "['’]" : escaped(group) }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
