import { ratioOf } from '../../core/ratio.ts'
import type { Finding, FindingCode, InvoiceLine } from './model.ts'
import { addDistances, type Stop, waitedHours } from './movement.ts'

/** What was agreed with the carrier for a trip, as far as an audit needs it. */
export type Agreed = {
  id: string
  /** What people call the manifest. */
  name: string
  partner_carrier_id: string | null
  currency_id: string | null
  items: readonly AgreedItem[]
  distance_km: number | null
  stops: readonly Stop[]
  /** The number of the bill that pays for it already, or its id. */
  billed_by: string | null
  /** Where it stands, in words, while it is not delivered; null once it is. */
  undelivered: string | null
  has_pod: boolean
}
export type AgreedItem = { id: string | null; type: string; amount: number }

/** The invoice, with the types of its lines as names in lower case. */
export type Audited = {
  partner_carrier_id: string | null
  currency_id: string
  total_amount: number
  /** Whether a proof of delivery came with it. */
  has_pod: boolean
  lines: readonly (Omit<InvoiceLine, 'type'> & { type: string | null; typeId: string | null })[]
}

/** One comparison. `type_id` and `carrier` choose the tolerance; without a tolerance it counts whatever the difference is. */
export type Compared = Finding & { type_id: string | null; has_tolerance: boolean }

type Known = { agreed: readonly Agreed[]; typeIds: ReadonlyMap<string, string>; sameInvoice: string | null; money: (amount: number) => string }

/** Holds an invoice against what was agreed: every difference, and why it is one, whatever is tolerated. */
export function compare(invoice: Audited, known: Known): Compared[] {
  const { agreed, sameInvoice } = known
  const found = [...ofWhole(invoice, known), ...(sameInvoice ? [about('duplicate', `${sameInvoice} has the number of this invoice.`)] : [])]
  if (agreed.length === 0) return [...found, about('no_manifest', 'The invoice is matched with no manifest, so there is nothing to hold it against.')]
  if (found.some(({ code }) => code === 'wrong_currency')) return found
  return [...found, ...ofLines(invoice, known)]
}

/** What was found that the tolerances do not cover, and that the policy of the invoice asks for. */
export function judge(compared: readonly Compared[], toleranceOf: (typeId: string | null) => Tolerance & Checks): Finding[] {
  const { check_delivery, check_pod } = toleranceOf(null)
  return compared
    .filter(({ code, has_tolerance, type_id, expected_amount, difference_amount }) => {
      if (code === 'not_delivered') return check_delivery
      if (code === 'no_pod') return check_pod
      if (!has_tolerance) return true
      return !isTolerated(expected_amount ?? 0, difference_amount ?? 0, toleranceOf(type_id))
    })
    .map(({ type_id: _, has_tolerance: __, ...finding }) => finding)
}

export type Tolerance = { over_percent: string | null; over_amount: number | null; under_percent: string | null; under_amount: number | null }
export type Checks = { check_delivery: boolean; check_pod: boolean }

/** Where both a percent and an amount are given, both have to hold; where neither is, nothing is tolerated. */
export function isTolerated(expected: number, difference: number, { over_percent, over_amount, under_percent, under_amount }: Tolerance): boolean {
  if (difference === 0) return true
  const [percent, most] = difference > 0 ? [over_percent, over_amount] : [under_percent, under_amount]
  if (percent === null && most === null) return false
  const size = Math.abs(difference)
  if (most !== null && size > most) return false
  if (percent === null) return true
  const { n, d } = ratioOf(percent)
  return BigInt(size) * 100n * d <= n * BigInt(Math.abs(expected))
}

function ofWhole(invoice: Audited, { agreed, money }: Known): Compared[] {
  const sum = invoice.lines.reduce((total, { amount }) => total + amount, 0)
  const found: Compared[] = []
  if (invoice.lines.length > 0 && sum !== invoice.total_amount) {
    const message = `The lines come to ${money(sum)}, and the total is ${money(invoice.total_amount)}.`
    found.push(about('wrong_total', message, { expected_amount: sum, billed_amount: invoice.total_amount }))
  }
  for (const { name, partner_carrier_id, currency_id, billed_by, undelivered, has_pod } of agreed) {
    if (undelivered) found.push(about('not_delivered', `${name} is not delivered yet: it is ${undelivered}.`))
    if (!has_pod && !invoice.has_pod) found.push(about('no_pod', `There is no proof of delivery of ${name}.`))
    if (billed_by) found.push(about('already_billed', `${name} is paid for by ${billed_by} already.`))
    if (partner_carrier_id !== null && partner_carrier_id !== invoice.partner_carrier_id)
      found.push(about('other_carrier', `${name} was driven by another carrier than the invoice is from.`))
    if (currency_id !== null && currency_id !== invoice.currency_id)
      found.push(about('wrong_currency', `The invoice is in ${invoice.currency_id.toUpperCase()}, and ${name} was agreed in ${currency_id.toUpperCase()}.`))
  }
  return found
}

type Item = AgreedItem & { manifest: Agreed }

function ofLines(invoice: Audited, known: Known): Compared[] {
  const { money, typeIds } = known
  const open: Item[] = known.agreed.flatMap((manifest) => manifest.items.map((item) => ({ ...item, manifest })))
  if (isForAll(invoice.lines, open)) {
    const [only] = invoice.lines
    const all = open.reduce((sum, { amount }) => sum + amount, 0)
    // Where the total is not what the line comes to, that is a finding of its own, and the two differences add up.
    const billed = only?.amount ?? invoice.total_amount
    const what = billed === invoice.total_amount ? 'The total' : 'The only line'
    return [priced({ line: only ? 1 : null, what, expected: all, billed, typeId: null, money })].filter(({ difference_amount }) => difference_amount !== 0)
  }
  const found: Compared[] = []
  const pairs = invoice.lines.map((line, index) => {
    const item = takeItem(open, line)
    return { line, place: index + 1, item }
  })
  for (const { line, place, item } of pairs) found.push(item ? ofPair(line, place, item, pairs, known) : unexpected(line, place, known))
  for (const { type, amount, manifest } of open) {
    const message = `${manifest.name} was agreed with ${nameOf(type)} of ${money(amount)}, which the invoice does not have.`
    found.push({ ...about('missing_line', message, { expected_amount: amount, billed_amount: 0 }), has_tolerance: true, type_id: typeIds.get(type) ?? null })
  }
  return found.filter(({ difference_amount, has_tolerance }) => !has_tolerance || difference_amount !== 0)
}

type Line = Audited['lines'][number]

/**
 * Whether an invoice asks for all that was agreed as one sum: it has no lines, or a single one, whatever that is called. Not so where that line is for
 * waiting, or is one of several items to the cent: then the others are missing. Line and item are compared as a pair where there is one of each.
 */
function isForAll(lines: readonly Line[], open: readonly Item[]): boolean {
  const [only] = lines
  if (!only) return true
  if (lines.length > 1 || open.length === 0) return false
  const fitting = open.filter((item) => fits(item, only))
  if (fitting.length === 0) return !isWaiting.test(wordsOf(only))
  return open.length > 1 && !fitting.some(({ amount }) => amount === only.amount)
}

function wordsOf({ type, description }: Line): string {
  return (type ?? description ?? '').toLowerCase()
}

function fits({ type, manifest }: Item, line: Line): boolean {
  return type === line.type && (!line.manifest_id || line.manifest_id.toLowerCase() === manifest.id)
}

/** The item that a line is for: of its type and, of several, of its amount; without a type, of its amount. It is taken off the list. */
function takeItem(open: Item[], line: Line): Item | undefined {
  const same = (item: Item) => item.amount === line.amount
  const candidates = line.type === null ? open.filter(same) : open.filter((item) => fits(item, line))
  const item = candidates.find(same) ?? candidates[0]
  if (item) open.splice(open.indexOf(item), 1)
  return item
}

type Pair = { line: Line; item: Item | undefined }

function ofPair(line: Line, place: number, item: Item, pairs: readonly Pair[], known: Known): Compared {
  const { money } = known
  const base = { line: place, what: nameOf(item.type), expected: item.amount, billed: line.amount, typeId: known.typeIds.get(item.type) ?? line.typeId, money }
  if (line.amount === item.amount) return priced(base)
  if (item.type.includes('fuel')) return withCode(priced(base), 'fuel', fuelMessage(line, item, pairs))
  const distance = addDistances([item.manifest.distance_km], line.unit)
  if (distance !== null && line.quantity && line.unit_price && line.quantity > distance * 1.01) {
    const expected = Math.round(distance * line.unit_price)
    const message = `${nameOf(item.type)} is billed for ${line.quantity} ${line.unit === 'km' ? 'km' : 'miles'}, and ${item.manifest.name} is ${Math.round(distance)}.`
    return withCode(priced({ ...base, expected: Math.min(expected, item.amount) }), 'mileage', message)
  }
  return priced(base)
}

/** How the two relate to the line haul, where both have one. */
function fuelMessage(line: Line, item: Item, pairs: readonly Pair[]): string | null {
  const haul = pairs.find((pair) => pair.item?.type.includes('haul'))
  if (!haul?.item || haul.item.amount === 0 || haul.line.amount === 0) return null
  const percent = (part: number, whole: number) => `${Math.round((part / whole) * 1000) / 10} %`
  return `Fuel is ${percent(line.amount, haul.line.amount)} of the line haul, and ${percent(item.amount, haul.item.amount)} was agreed.`
}

const isWaiting = /detention|layover|waiting/

function unexpected(line: Line, place: number, { agreed, money }: Known): Compared {
  const what = nameOf(line.type ?? line.description ?? 'A line')
  const { amount } = line
  if (!isWaiting.test(wordsOf(line))) {
    const message = `${what} of ${money(amount)} was not agreed.`
    return { ...about('unexpected_line', message, { line: place, expected_amount: 0, billed_amount: amount }), has_tolerance: true, type_id: line.typeId }
  }
  const waited = waitedHours(agreed.flatMap(({ stops }) => stops))
  const hourly = line.unit === 'hour' && line.quantity && line.unit_price ? { hours: line.quantity, price: line.unit_price } : null
  const expected = waited === null || !hourly ? 0 : Math.min(amount, Math.round(Math.min(waited, hourly.hours) * hourly.price))
  const message =
    waited === null
      ? `${what} of ${money(amount)} was not agreed, and cannot be checked: the manifest has no stop times.`
      : `${what} of ${money(amount)} was not agreed; the stops show ${waited} ${waited === 1 ? 'hour' : 'hours'} of waiting beyond the free time${hourly ? `, and ${hourly.hours} are billed` : ''}.`
  return { ...about('detention', message, { line: place, expected_amount: expected, billed_amount: amount }), has_tolerance: true, type_id: line.typeId }
}

type Priced = { line: number | null; what: string; expected: number; billed: number; typeId: string | null; money: Known['money'] }

function priced({ line, what, expected, billed, typeId, money }: Priced): Compared {
  const difference = billed - expected
  const message = `${what} is ${money(billed)}, ${money(Math.abs(difference))} ${difference > 0 ? 'over' : 'under'} the ${money(expected)} agreed.`
  const compared = about(difference > 0 ? 'over' : 'under', message, { line, expected_amount: expected, billed_amount: billed })
  return { ...compared, has_tolerance: true, type_id: typeId }
}

function withCode(compared: Compared, code: FindingCode, message: string | null): Compared {
  return { ...compared, code, message: message ? `${compared.message} ${message}` : compared.message }
}

type Amounts = { line?: number | null; expected_amount?: number; billed_amount?: number }

function about(code: FindingCode, message: string, { line = null, expected_amount, billed_amount }: Amounts = {}): Compared {
  const difference = expected_amount === undefined || billed_amount === undefined ? null : billed_amount - expected_amount
  return {
    ...{ line, code, message, expected_amount: expected_amount ?? null, billed_amount: billed_amount ?? null, difference_amount: difference },
    ...{ type_id: null, has_tolerance: false },
  }
}

function nameOf(type: string): string {
  return type.slice(0, 1).toUpperCase() + type.slice(1)
}
