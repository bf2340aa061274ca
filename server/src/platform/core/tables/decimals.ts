import type { CellValue } from './csv.ts'

/** How many decimals the minor unit of each currency has, by its lower-case code. */
export type MinorUnits = ReadonlyMap<string, number>

/** An amount of the minor unit with its decimals, exactly. */
export function decimalText(amount: number | bigint, decimals: number): string {
  const digits = String(amount)
    .replace('-', '')
    .padStart(decimals + 1, '0')
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  return amount < 0 ? `-${text}` : text
}

/** How every CSV file writes money: `1705.58`, with a column next to it that has the currency. Empty where there is no amount or no currency. */
export function decimalCell(amount: unknown, currency: unknown, units: MinorUnits): CellValue {
  const decimals = typeof currency === 'string' ? units.get(currency.toLowerCase()) : undefined
  if (decimals === undefined || (typeof amount !== 'number' && typeof amount !== 'bigint')) return null
  return { decimal: decimalText(amount, decimals) }
}

/** The ISO code in capitals. */
export function currencyCell(currency: unknown): string | null {
  return typeof currency === 'string' ? currency.toUpperCase() : null
}

/** The amount that a cell says, in the minor unit; undefined where it is no decimal number, or has more decimals than the currency. */
export function readDecimal(text: string, decimals: number): number | undefined {
  const [, sign = '', whole = '', fraction = ''] = /^\s*([+-]?)(\d+)(?:\.(\d+))?\s*$/.exec(text) ?? []
  if (whole === '' || /[1-9]/.test(fraction.slice(decimals))) return undefined
  const amount = Number(`${sign}${whole}${fraction.slice(0, decimals).padEnd(decimals, '0')}`)
  return Number.isSafeInteger(amount) ? amount : undefined
}
