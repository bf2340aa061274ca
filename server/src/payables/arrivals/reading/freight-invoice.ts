import { quote } from '../../../platform/core/refusal.ts'
import { badEdi, type Fault, faultAt, type Segment, type Transaction } from '../../../platform/x12/read.ts'
import { meaningOf } from './charge-types.ts'

/** A line of a freight invoice as EDI has it. Money is in hundredths, whatever the currency. */
export type FreightLine = {
  /** The code of a special charge; null for the freight itself. */
  code: string | null
  description: string | null
  charge: number
  /** The price of one, as it was written, with what it is the price of. */
  rate: string | null
  rateQualifier: string | null
  quantity: number | null
}
export type FreightInvoice = {
  number: string
  date: string | null
  total: number
  /** The Standard Carrier Alpha Code of who asks for money. */
  scac: string | null
  /** Upper-case ISO 4217, where the message says it. */
  currency: string | null
  loadNumber: string | null
  references: readonly { qualifier: string; value: string }[]
  correction: string | null
  lines: readonly FreightLine[]
  /** What the standard asks for and the invoice can do without: it is taken, and the sender hears of it. */
  noted: readonly Fault[]
  /** Where it begins, for refusals. */
  start: Segment
}

/** The longest text that an invoice keeps as its number or reference. */
const longest = 255
const mostLines = 500

/** Reads a transaction 210: motor carrier freight details and invoice. */
export function readFreightInvoice({ code, start, segments }: Transaction): FreightInvoice {
  if (code !== '210')
    throw badEdi(
      start,
      1,
      `it is a transaction ${quote(code)}, and only 210 (motor carrier freight invoice) is read.`,
      { error: '1' },
    )
  const [head, second] = segments.filter(({ tag }) => tag === 'B3')
  if (!head)
    throw badEdi(start, null, 'the transaction has no B3, which says number and amount.', { error: '3', missing: 'B3' })
  if (second) throw badEdi(second, null, 'the transaction has a second B3.', { error: '5' })
  const references = headerOf(segments).flatMap(referenceIn)
  const lines = linesIn(segments)
  if (lines.length > mostLines)
    throw badEdi(
      start,
      null,
      `the transaction has ${lines.length} charges, and an invoice has at most ${mostLines} lines.`,
    )
  return {
    number: required(head, 2, 'the number of the invoice'),
    date: dayIn(head, 6),
    total: money(head, 7) ?? missing(head, 7, 'the amount'),
    scac: text(head, 11),
    currency: currencyIn(segments),
    loadNumber: loadNumberOf(references, text(head, 3)),
    references,
    correction: text(head, 8),
    lines,
    noted: notedIn(head),
    start,
  }
}

function notedIn(head: Segment): Fault[] {
  const wanted: [element: number, what: string][] = [
    [4, 'the method of payment'],
    [6, 'the date'],
    [11, 'the SCAC'],
  ]
  const day = text(head, 6)
  return [
    ...wanted
      .filter(([element]) => text(head, element) === null)
      .map(([element, what]) => faultAt(head, element, `${what} is missing.`, { error: '1' })),
    ...(day?.length === 6 ? [faultAt(head, 6, `${quote(day)} is a date without its century.`, { error: '4' })] : []),
  ]
}

/** What stands before the first line is about the whole invoice. */
function headerOf(segments: readonly Segment[]): readonly Segment[] {
  const first = segments.findIndex(({ tag }) => tag === 'LX')
  return first === -1 ? segments : segments.slice(0, first)
}

function referenceIn(segment: Segment): { qualifier: string; value: string }[] {
  if (segment.tag !== 'N9') return []
  const [qualifier, value] = [text(segment, 1), text(segment, 2)]
  return qualifier && value ? [{ qualifier, value }] : []
}

/** The load as the shipper names it: by its own number for it first, then by what was on its papers. A carrier's own number (CN) is none. */
function loadNumberOf(
  references: readonly { qualifier: string; value: string }[],
  shipment: string | null,
): string | null {
  const sent = (wanted: string) => references.find(({ qualifier }) => qualifier === wanted)?.value
  return sent('LO') ?? shipment ?? sent('SI') ?? sent('OQ') ?? sent('BM') ?? null
}

function currencyIn(segments: readonly Segment[]): string | null {
  const segment = segments.find(({ tag }) => tag === 'C3')
  const code = segment && text(segment, 1)
  if (!segment || !code) return null
  if (!/^[A-Za-z]{3}$/.test(code))
    throw badEdi(segment, 1, `${quote(code)} is not the code of an ISO 4217 currency, such as USD.`, { error: '7' })
  return code.toUpperCase()
}

/** Each charge (L1) is a line. What describes and measures it stands before it, under the same number or in the same part (LX). */
function linesIn(segments: readonly Segment[]): FreightLine[] {
  const lines: FreightLine[] = []
  let part: Segment[] = []
  for (const segment of segments) {
    if (segment.tag === 'LX') part = []
    if (segment.tag === 'L5' || segment.tag === 'L0') part.push(segment)
    if (segment.tag !== 'L1') continue
    const charge = money(segment, 4)
    if (charge === null) continue
    const [described, measured] = [belonging(part, 'L5', segment), belonging(part, 'L0', segment)]
    const code = text(segment, 8)?.toUpperCase() ?? null
    // What is carried names the freight, not a charge whose code says what it is for.
    const carried = described && meaningOf(code) === null ? text(described, 2) : null
    lines.push({
      code,
      description: text(segment, 12) ?? carried,
      charge,
      rate: decimal(segment, 2),
      rateQualifier: text(segment, 3)?.toUpperCase() ?? null,
      quantity: measured ? numberOf(decimal(measured, 2)) : null,
    })
  }
  return lines
}

function belonging(part: readonly Segment[], tag: string, charge: Segment): Segment | undefined {
  const known = part.filter((segment) => segment.tag === tag)
  return (
    known.find((segment) => text(segment, 1) !== null && text(segment, 1) === text(charge, 1)) ??
    (text(charge, 1) === null ? known.at(-1) : undefined)
  )
}

function text(segment: Segment, element: number): string | null {
  const value = segment.elements[element - 1]?.trim() ?? ''
  if (value.length > longest)
    throw badEdi(segment, element, `it has ${value.length} characters, and at most ${longest} are kept.`, {
      error: '5',
    })
  return value === '' ? null : value
}

function required(segment: Segment, element: number, what: string): string {
  return text(segment, element) ?? missing(segment, element, what)
}

function missing(segment: Segment, element: number, what: string): never {
  throw badEdi(segment, element, `${what} is missing.`, { error: '1' })
}

/** Amounts have two decimals that are not written: 128000 is 1,280.00. Where a sender writes the point, there is no doubt either. */
function money(segment: Segment, element: number): number | null {
  const value = text(segment, element)
  if (value === null) return null
  const [, sign, whole = '', , decimals] = /^(-?)(\d{1,15})(\.(\d{1,2}))?$/.exec(value) ?? []
  if (whole === '')
    throw badEdi(segment, element, `${quote(value)} is not an amount such as 128000, which is 1,280.00.`)
  const hundredths = decimals === undefined ? Number(whole) : Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
  if (!Number.isSafeInteger(hundredths))
    throw badEdi(segment, element, `${quote(value)} is larger than any amount that is kept.`, { error: '5' })
  return sign && hundredths !== 0 ? -hundredths : hundredths
}

function decimal(segment: Segment, element: number): string | null {
  const value = text(segment, element)
  if (value !== null && !/^-?(?:\d{1,15}(?:\.\d{0,10})?|\.\d{1,10})$/.test(value))
    throw badEdi(segment, element, `${quote(value)} is not a number such as 2.5.`)
  return value
}

function numberOf(value: string | null): number | null {
  return value === null ? null : Number(value)
}

/** CCYYMMDD, and YYMMDD as versions before 4010 have it. */
function dayIn(segment: Segment, element: number): string | null {
  const value = text(segment, element)
  if (value === null) return null
  const [, century = '20', year, month, day] = /^(19|20|21)?(\d\d)(\d\d)(\d\d)$/.exec(value) ?? []
  const iso = `${century}${year}-${month}-${day}`
  const isDay = year !== undefined && new Date(`${iso}T00:00:00Z`).toJSON()?.slice(0, 10) === iso
  if (!isDay) throw badEdi(segment, element, `${quote(value)} is not a day such as 20261115.`, { error: '8' })
  return iso
}
