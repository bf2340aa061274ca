import { withoutEnd } from '../../../platform/core/values/text.ts'

/** What a mail says of its invoice beyond doubt; null wherever it says nothing, or two different things. */
export type MailContent = {
  number: string | null
  reference: string | null
  date: string | null
  total: { amount: number; currency: string } | null
}

type Known = {
  /** How many decimals each currency has, by its lower-case code. */
  units: ReadonlyMap<string, number>
  /** What the carrier is paid in; null where nobody knows. */
  currency: string | null
}

/**
 * A number as carriers write one: letters, digits and a few signs, with a digit in it. What follows may not make it an amount. Blanks stand in one place
 * only before each sign: where two could share a run of them, all ways of sharing it would be tried.
 */
const numbers =
  /\b(?:invoice|inv)\b\.?\s*(?:(?:number|num\b\.?|no\b\.?|nr\b\.?|id\b|#)\s*)?(?:[:#]\s*)?([A-Z0-9][A-Z0-9/_-]{1,40})(?![A-Z0-9/_-]|[.,]\d)/gi
const bareNumbers = /\b(INV[-_]?\d[A-Z0-9_-]{1,30})\b/gi
const references =
  /\b(?:load|trip|shipment|manifest)\b\s*(?:(?:number|num\b\.?|no\b\.?|nr\b\.?|id\b|#)\s*)?(?:[:#]\s*)?([A-Z0-9][A-Z0-9/_-]{1,40})(?![A-Z0-9/_-]|[.,]\d)/gi
const bareReferences = /\b((?:TRIP|LOAD|MAN)-\d[A-Z0-9_-]{0,30})\b/gi
const totals =
  /(?<!sub[- ])\b(?:total(?:\s+amount)?(?:\s+due)?|amount\s+due|balance\s+due|invoice\s+amount)\s{0,3}[:=]?\s{0,10}(?:is\s)?([A-Z]{3}|US\$|[$€£])?\s?(\d[\d.,]{0,20})(?:\s?([A-Z]{3}|[€£])\b)?/gi
const dates =
  /\binvoice\s+date\s{0,3}[:=]?\s{0,10}(\d{4}-\d\d-\d\d|[A-Z]{3,9}\.?\s\d{1,2},?\s\d{4}|\d{1,2}\s[A-Z]{3,9}\.?\s\d{4})\b/gi

/** Reads only what stands next to its own name. Nothing is guessed from what is likely. */
export function readMailContent(subject: string, text: string, known: Known): MailContent {
  const whole = `${subject}\n${text}`
  return {
    number: onlyOne([...tokensIn(whole, numbers), ...tokensIn(whole, bareNumbers)]),
    reference: onlyOne([...tokensIn(whole, references), ...tokensIn(whole, bareReferences)]),
    date: onlyOne([...whole.matchAll(dates)].map(([, date = '']) => dayOf(date))),
    total: totalIn(whole, known),
  }
}

function tokensIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)]
    .map(([, found = '']) => withoutEnd(found, '/_-').toUpperCase())
    .filter((found) => /\d/.test(found) && !isDate(found))
}

function isDate(text: string): boolean {
  return /^\d{1,4}([/-])\d{1,2}\1\d{1,4}$/.test(text)
}

function onlyOne<T>(found: readonly (T | null)[]): T | null {
  const [first = null, ...others] = new Set(found)
  return others.length === 0 ? first : null
}

function dayOf(text: string): string | null {
  const time = Date.parse(`${text.replace('.', '')} UTC`)
  const day = Number.isNaN(time) ? null : new Date(time).toISOString().slice(0, 10)
  // Date.parse makes 2 March of 30 February.
  return day !== null &&
    Number(day.slice(8)) === Number(/\d{4}-\d\d-(\d\d)/.exec(text)?.[1] ?? /\b\d{1,2}\b/.exec(text)?.[0])
    ? day
    : null
}

function totalIn(text: string, known: Known): MailContent['total'] {
  const found = [...text.matchAll(totals)].map(([, before, digits = '', behind]) => {
    const currency = currencyOf(before, behind, known)
    const amount = currency === null ? null : amountOf(digits.replace(/[.,]$/, ''), known.units.get(currency) as number)
    return amount === null ? null : JSON.stringify({ amount, currency })
  })
  const only = onlyOne(found)
  return only === null ? null : JSON.parse(only)
}

const signs: Record<string, string> = { US$: 'usd', '€': 'eur', '£': 'gbp' }
const dollars = ['usd', 'cad', 'mxn', 'aud', 'nzd', 'sgd', 'hkd']

/** The currency that is written, or that of the carrier where the sign fits it. Other words of three letters are none. */
function currencyOf(before: string | undefined, behind: string | undefined, { units, currency }: Known): string | null {
  const written = [before, behind].flatMap((one) => {
    const code =
      one === undefined ? null : (signs[one.toUpperCase()] ?? (/^[A-Z]{3}$/.test(one) ? one.toLowerCase() : null))
    return code !== null && units.has(code) ? [code] : []
  })
  if (written.length > 0) return onlyOne(written)
  if (currency === null || !units.has(currency)) return null
  return before === '$' && !dollars.includes(currency) ? null : currency
}

/** `1,280.00` and `1.280,00` are the same. Without exactly the decimals of the currency nobody knows what a comma means. */
function amountOf(digits: string, decimals: number): number | null {
  const form =
    decimals === 0
      ? /^(\d{1,3}(?:([.,])\d{3}(?:\2\d{3})*)?|\d+)$/
      : new RegExp(`^(\\d{1,3}(?:([.,])\\d{3}(?:\\2\\d{3})*)?|\\d+)([.,])(\\d{${decimals}})$`)
  const [, whole = '', thousands, point, fraction = ''] = form.exec(digits) ?? []
  if (whole === '' || (thousands !== undefined && thousands === point)) return null
  const amount = Number(`${whole.replace(/[.,]/g, '')}${fraction}`)
  return Number.isSafeInteger(amount) ? amount : null
}
