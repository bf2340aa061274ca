/** `1,234.56` in the minor unit; null if the text is not an amount with at most so many decimals. */
export function amountOf(text: string, digits: number): number | null {
  const [, sign = '', whole = '', part = ''] = /^([-−]?)(\d+)(?:\.(\d*))?$/.exec(text.replace(/[\s,’']/g, '')) ?? []
  const rest = part.slice(digits)
  const amount = Number(`${whole}${part.slice(0, digits).padEnd(digits, '0')}`)
  return whole === '' || /[1-9]/.test(rest) || !Number.isSafeInteger(amount) ? null : sign && amount !== 0 ? -amount : amount
}
