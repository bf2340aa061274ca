/** How amounts, dates and addresses are written on paper. */

/** An amount in minor units with the digits of its currency, exactly: `1,850.00`. */
export function amountText(amount: number | null | undefined, digits: number): string {
  if (amount === null || amount === undefined) return ''
  const text = Math.abs(amount)
    .toString()
    .padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits).replace(/\B(?=(?:\d{3}){1,6}$)/g, ',')
  return `${amount < 0 ? '-' : ''}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''}`
}

/** Writes the same with the currency after it. */
export function moneyText(
  amount: number | null | undefined,
  currency: string | null | undefined,
  digits: number,
): string {
  const text = amountText(amount, digits)
  return text === '' || !currency ? text : `${text} ${currency.toUpperCase()}`
}

/** A bare date is kept as its first moment in UTC and means that day everywhere; any other moment is a day in the time zone of the organization. */
export function dayText(moment: string | null | undefined, timeZone: string): string {
  if (!moment) return ''
  const isBare = /T00:00:00(?:\.000)?(?:Z|\+00:00)$/.test(moment)
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: isBare ? 'UTC' : timeZone,
  }).format(new Date(moment))
}

type Named = Readonly<Record<string, unknown>>

/** The lines of an address, in v1's names or in v2's. */
export function addressLines(address: Named | null | undefined, name?: string | null): string[] {
  const part = (...names: string[]) =>
    names.map((key) => address?.[key]).find((value) => typeof value === 'string' && value.trim() !== '') as
      | string
      | undefined
  const place = [part('city'), [part('state'), part('postal')].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  const lines = [
    part('company_name', 'companyName') ?? name,
    part('contact_name', 'contactName'),
    part('address_1', 'address1', 'address'),
    part('address_2', 'address2'),
    place,
    part('country'),
  ]
  return lines.filter((line): line is string => Boolean(line))
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
