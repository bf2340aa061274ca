/** Writes amounts of a currency for people: `1,080.00 USD`. */
export function amountWriter(currency: string, units: ReadonlyMap<string, number>): (amount: number) => string {
  const decimals = units.get(currency) ?? 2
  return (amount) => {
    const digits = String(Math.abs(amount)).padStart(decimals + 1, '0')
    const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(?:\d{3}){1,6}$)/g, ',')
    return `${amount < 0 ? '-' : ''}${whole}${decimals > 0 ? `.${digits.slice(-decimals)}` : ''} ${currency.toUpperCase()}`
  }
}
