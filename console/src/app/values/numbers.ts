/**
 * How people type numbers: one reader for amounts, quantities and all other numbers, and the texts that inputs show, which it reads back.
 * The locale is that of the browser, unless a test names one.
 */

/** The digits of a typed number, without separators. */
export type Digits = { negative: boolean; whole: string; fraction: string }

export type NumberReading = { amount: number } | { problem: string }

/** A whole number, such as a quantity or a number of days; negative for a credit. */
export function readQuantity(text: string, locale?: string): NumberReading {
  const digits = readDigits(text, 'Enter a whole number, like 3.', locale)
  if ('problem' in digits) return digits
  return digits.fraction === '' ? wholeNumberOf(digits, 'number') : { problem: 'Enter a whole number, like 3.' }
}

/** Any other number, such as a weight or a latitude. */
export function readNumber(text: string, locale?: string): NumberReading {
  const digits = readDigits(text, `Enter a number, like ${typedNumberOf(18.5, locale)}.`, locale)
  if ('problem' in digits) return digits
  const { negative, whole, fraction } = digits
  const amount = Number(`${negative ? '-' : ''}${whole || '0'}.${fraction || '0'}`)
  return Number.isFinite(amount) ? { amount: amount === 0 ? 0 : amount } : { problem: 'The number is too large.' }
}

/** A number as the text of an input: without groups, with the decimal sign of the language. */
export function typedNumberOf(value: number, locale?: string): string {
  const text = String(value)
  const plain = text.includes('e')
    ? value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 })
    : text
  return plain.replace('.', separatorsOf(locale).decimal)
}

/** What an input shows once it was left: the number as it was understood, or the typed text where it was not. */
export function textAfterLeaving(typed: string, read: NumberReading, write: (amount: number) => string): string {
  return 'amount' in read ? write(read.amount) : typed
}

/**
 * The separators of the language come first. A text that they cannot read is read with the usual separators of other languages, if that leaves one
 * possible number: `1,50` is one and a half everywhere, because a group has three digits. A text that can be two numbers is refused.
 */
export function readDigits(text: string, otherwise: string, locale?: string): Digits | { problem: string } {
  const [, sign = '', typed = ''] = /^([-−]?)\s*(.*)$/s.exec(text.trim()) ?? []
  const read = byLanguage(typed, locale) ?? byOtherSeparators(typed)
  if (!read) return { problem: otherwise }
  if (!isAmbiguous(read)) return { ...read, negative: sign !== '' }
  const [large, small] = [Number(read.whole + read.fraction), Number(`${read.whole}.${read.fraction}`)]
  return {
    problem: `${typed} can mean ${typedNumberOf(large, locale)} or ${typedNumberOf(small, locale)}. Enter one of them.`,
  }
}

/** Whole numbers that a double holds exactly; the API takes no others. */
export function wholeNumberOf({ negative, whole, fraction }: Digits, what: string): NumberReading {
  const size = BigInt(`${whole}${fraction}` || '0')
  return size > BigInt(Number.MAX_SAFE_INTEGER)
    ? { problem: `The ${what} is too large.` }
    : { amount: size === 0n ? 0 : Number(negative ? -size : size) }
}

/** The decimal sign of a language, and a pattern for its group separators. Spaces come in several widths, apostrophes in two forms. */
export function separatorsOf(locale: string | undefined): { decimal: string; group: string } {
  const known = separators.get(locale)
  if (known) return known
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1234567.8)
  const of = (type: string) => parts.find((part) => part.type === type)?.value
  const group = of('group') ?? ','
  const found = {
    decimal: of('decimal') ?? '.',
    group: /\s/.test(group) ? '\\s' : /['’]/.test(group) ? "['’]" : escaped(group),
  }
  separators.set(locale, found)
  return found
}

const separators = new Map<string | undefined, { decimal: string; group: string }>()

type Unsigned = Omit<Digits, 'negative'> & { mark?: string }

/** Groups have three digits, in India also two. They never begin with a zero: `0,500` is not five hundred. */
function byLanguage(typed: string, locale: string | undefined): Unsigned | null {
  const { decimal, group } = separatorsOf(locale)
  const grouped = `[1-9]\\d{0,2}(?:${group}\\d{2,3})*${group}\\d{3}`
  const [found, whole = '', fraction = ''] =
    new RegExp(`^(\\d*|${grouped})(?:${escaped(decimal)}(\\d*))?$`).exec(typed) ?? []
  return found && (whole || fraction) ? { whole: whole.replace(/\D/g, ''), fraction } : null
}

function byOtherSeparators(typed: string): Unsigned | null {
  const [one, before = '', mark = '', after = ''] = /^(\d*)([.,])(\d+)$/.exec(typed) ?? []
  if (one) return { whole: before, fraction: after, mark }
  const [found, groups = '', , fraction = ''] =
    /^([1-9]\d{0,2}(?:([.,\s'’])\d{3})(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?$/.exec(typed) ?? []
  return found ? { whole: groups.replace(/\D/g, ''), fraction } : null
}

/** One separator before three digits, which is not one of the language: it can separate thousands, or decimals. */
function isAmbiguous({ whole, fraction, mark }: Unsigned): boolean {
  return mark !== undefined && /^[1-9]/.test(whole) && fraction.length === 3
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
