import { type NumberReading, readDigits, separatorsOf, wholeNumberOf } from './numbers.ts'

export type Currency = { iso_4217: string; minor_units: number }

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

/** An amount without a currency, formatted for people. */
export function amountOf(amount: number | bigint, digits: number, locale?: string): string {
  const format = new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return format.format(decimalOf(amount, digits) as unknown as number)
}

/**
 * The typed amount in minor units, read digit by digit so that nothing is rounded. It may have the sign or the code of its currency, and of no other.
 * Where the currency is not known yet, its name is left out.
 */
export function readAmount(
  text: string,
  { iso_4217, minor_units }: Partial<Currency> & Pick<Currency, 'minor_units'>,
  locale?: string,
): NumberReading {
  const like = `Enter an amount like ${typedAmountOf(123456n, minor_units, locale)}.`
  const digits = readDigits(iso_4217 ? withoutSign(text, iso_4217, locale) : text, like, locale)
  if ('problem' in digits) return digits
  const { fraction } = digits
  if (fraction.length <= minor_units)
    return wholeNumberOf({ ...digits, fraction: fraction.padEnd(minor_units, '0') }, 'amount')
  if (!iso_4217)
    return {
      problem:
        minor_units === 0
          ? 'Enter an amount without decimals.'
          : `Enter an amount with at most ${minor_units} decimals.`,
    }
  return {
    problem:
      minor_units === 0
        ? `${iso_4217} has no decimals. ${like}`
        : `${iso_4217} has ${minor_units} decimals, not ${fraction.length}.`,
  }
}

/** In whole numbers of any size: an amount that is too large is refused by the server, not rounded here. */
export function productOf(unitPrice: number, quantity: number): bigint {
  return BigInt(unitPrice) * BigInt(quantity)
}

export function sumOf(amounts: readonly (number | bigint)[]): bigint {
  return amounts.reduce<bigint>((sum, amount) => sum + BigInt(amount), 0n)
}

function withoutSign(text: string, currency: string, locale: string | undefined): string {
  const [, minus = '', typed = ''] = /^([-−]?)\s*(.*)$/s.exec(text.trim()) ?? []
  const upper = typed.toUpperCase()
  for (const sign of signsOf(currency, locale)) {
    if (upper.startsWith(sign)) return minus + typed.slice(sign.length).trim()
    if (upper.endsWith(sign)) return minus + typed.slice(0, -sign.length).trim()
  }
  return text
}

/** As "CA$", "$" and "CAD", the longest first. */
function signsOf(currency: string, locale: string | undefined): readonly string[] {
  const key = `${currency} ${locale}`
  const known = signs.get(key)
  if (known) return known
  const shown = (['symbol', 'narrowSymbol'] as const).map((currencyDisplay) => {
    const parts = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay }).formatToParts(1)
    return parts.find(({ type }) => type === 'currency')?.value.toUpperCase() ?? currency
  })
  const found = [...new Set([...shown, currency])].sort((a, b) => b.length - a.length)
  signs.set(key, found)
  return found
}

const signs = new Map<string, readonly string[]>()

const formatters = new Map<string, Intl.NumberFormat>()

function formatter(currency: string, digits: number, locale: string | undefined): Intl.NumberFormat {
  const key = `${currency} ${digits} ${locale}`
  const known = formatters.get(key)
  if (known) return known
  const made = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  formatters.set(key, made)
  return made
}
