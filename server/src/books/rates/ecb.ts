import { invalid, quote, type Refusal } from '../../platform/core/refusal.ts'
import type { CsvRecord } from '../../platform/core/tables/csv.ts'
import { isDay } from '../../platform/core/values/dates.ts'

/** A rate in a file of the European Central Bank: so much of a currency is one euro on a day. */
export type DailyRate = { line: number; currency: string; rate: string; day: string }

/** Whether a CSV is laid out as `Date, USD, JPY, …`: a day in each row, a currency in each column. */
export function isDaily({ cells }: CsvRecord): boolean {
  const [first, ...others] = cells.map((cell) => cell?.trim() ?? '')
  return (
    first?.toLowerCase() === 'date' &&
    others.some((name) => /^[A-Z]{3}$/.test(name)) &&
    others.every((name) => name === '' || /^[A-Z]{3}$/.test(name))
  )
}

/** The rates in the rows of such a CSV: that of one day, or those of many. Cells without a rate are empty or `N/A`. */
export function dailyRates(header: CsvRecord, { line, cells }: CsvRecord): DailyRate[] {
  const day = dayIn(cells[0] ?? '', line)
  return header.cells.flatMap((name, column) => {
    const [currency, rate] = [name?.trim() ?? '', cells[column]?.trim() ?? '']
    return column === 0 || currency === '' || rate === '' || rate === 'N/A'
      ? []
      : [{ line, currency: currency.toLowerCase(), rate, day }]
  })
}

/** The rates in the XML: `<Cube time="…">` with a `<Cube currency="…" rate="…"/>` for each currency. What else is in it does not matter. */
export function ratesInXml(text: string): DailyRate[] {
  const rates: DailyRate[] = []
  let day: string | null = null
  for (const { name, attributes, line } of elementsIn(text)) {
    if (name !== 'Cube') continue
    if (attributes.time !== undefined) day = dayIn(attributes.time, line)
    const { currency, rate } = attributes
    if (currency === undefined && rate === undefined) continue
    if (day === null || !currency || !rate)
      throw badXml(`Line ${line} has a Cube without a time above it, a currency, or a rate.`)
    rates.push({ line, currency: currency.toLowerCase(), rate, day })
  }
  if (rates.length === 0)
    throw badXml(
      'There is no rate in it: a Cube with a time, and in it a Cube with a currency and a rate for each currency.',
    )
  return rates
}

type Element = { name: string; attributes: Record<string, string>; line: number }

/** The start tags of a document, in their order. Enough for files without entities and CDATA, which these are. */
function elementsIn(text: string): Element[] {
  const elements: Element[] = []
  let line = 1
  let counted = 0
  for (let at = text.indexOf('<'), end = 0; at !== -1; at = text.indexOf('<', end)) {
    for (; counted < at; counted++) if (text[counted] === '\n') line++
    end = endOf(text, at)
    if (end === -1) throw badXml(`What begins on line ${line} with ${quote(text.slice(at, at + 20))} has no end.`)
    const tag = text.slice(at, end)
    const [, name] = /^<([A-Za-z_][\w.:-]*)/.exec(tag) ?? []
    if (name === undefined) continue
    const attributes = [...tag.matchAll(/(?<![\w.:-])([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(
      ([, name, double, single]) => [name, double ?? single],
    )
    elements.push({ name: name.split(':').at(-1) as string, attributes: Object.fromEntries(attributes), line })
  }
  return elements
}

/** Where a comment or a tag ends, the character behind it; -1 where it does not. A `>` in quotation marks is part of a value. */
function endOf(text: string, start: number): number {
  const isComment = text.startsWith('<!--', start)
  if (isComment || !/[A-Za-z_]/.test(text.charAt(start + 1))) {
    const [mark, from] = isComment ? ['-->', start + 4] : ['>', start]
    const end = text.indexOf(mark, from)
    return end === -1 ? -1 : end + mark.length
  }
  let quotation = ''
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at)
    if (quotation === '' && character === '>') return at + 1
    if (character === quotation) quotation = ''
    else if (quotation === '' && (character === '"' || character === "'")) quotation = character
  }
  return -1
}

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

/** `2026-11-16`, or `16 November 2026` as in the file of a single day. */
function dayIn(sent: string, line: number): string {
  const text = sent.trim()
  const [, date = '', name = '', year = ''] = /^(\d{1,2}) ([A-Za-z]+) (\d{4})$/.exec(text) ?? []
  const month = months.indexOf(name.toLowerCase()) + 1
  const day = month > 0 ? `${year}-${String(month).padStart(2, '0')}-${date.padStart(2, '0')}` : text
  if (!isDay(day))
    throw invalid(
      'Date',
      'bad_date',
      `Line ${line}: ${quote(sent)} is not a date such as 2026-11-16 or 16 November 2026.`,
    )
  return day
}

function badXml(message: string): Refusal {
  return invalid(
    '',
    'malformed_xml',
    `The XML is not laid out as the daily file of the European Central Bank. ${message}`,
  )
}
