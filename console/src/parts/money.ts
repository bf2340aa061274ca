/** An amount in the minor unit of its currency, as people write it. The number of digits is ISO 4217's, which browsers do not always know. */
export function moneyOf(amount: number, { iso_4217, minor_units }: { iso_4217: string; minor_units: number }): string {
  const format = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency: iso_4217,
    minimumFractionDigits: minor_units,
    maximumFractionDigits: minor_units,
  })
  return format.format(decimalOf(amount, minor_units) as unknown as number)
}

/** As a text, which formatters take whole: a division would round what a double cannot hold. */
export function decimalOf(amount: number, digits: number): string {
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  const sign = amount < 0 ? '-' : ''
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}
