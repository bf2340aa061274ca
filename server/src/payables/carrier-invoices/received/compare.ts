import { ratioOf } from '../../../platform/core/values/ratio.ts'
import { type Finding, type FindingCode, type InvoiceLine, taxIn } from './model.ts'
import { addDistances, type Stop, waitedHours } from './movement.ts'

/** What was agreed with the carrier for a trip, as far as an audit needs it. */
export type AgreedTrip = {
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
export type AuditedInvoice = {
  partner_carrier_id: string | null
  currency_id: string
  total_amount: number
  /** Whether a proof of delivery came with it. */
  has_pod: boolean
  lines: readonly (Omit<InvoiceLine, 'type'> & { type: string | null; typeId: string | null })[]
}

/** One comparison. `type_id` and `carrier` choose the tolerance; without a tolerance it counts whatever the difference is. */
export type Comparison = Finding & { type_id: string | null; has_tolerance: boolean }

type Known = {
  agreed: readonly AgreedTrip[]
  typeIds: ReadonlyMap<string, string>
  sameInvoice: string | null
  money: (amount: number) => string
}

/** Holds an invoice against what was agreed: every difference, and why it is one, whatever is tolerated. */
export function compare(invoice: AuditedInvoice, known: Known): Comparison[] {
  const { agreed, sameInvoice } = known
  const found = [
    ...ofWhole(invoice, known),
    ...(sameInvoice ? [about('duplicate', `${sameInvoice} has the number of this invoice.`)] : []),
  ]
  if (agreed.length === 0)
    return [
      ...found,
      about('no_manifest', 'The invoice is matched with no manifest, so there is nothing to hold it against.'),
    ]
  if (found.some(({ code }) => code === 'wrong_currency')) return found
  return [...found, ...ofLines(invoice, known)]
}

/** What was found that the tolerances do not cover, and that the policy of the invoice asks for. */
export function judge(
  compared: readonly Comparison[],
  toleranceOf: (typeId: string | null) => Tolerance & Checks,
): Finding[] {
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

export type Tolerance = {
  over_percent: string | null
  over_amount: number | null
  under_percent: string | null
  under_amount: number | null
}
export type Checks = { check_delivery: boolean; check_pod: boolean }

/** Where both a percent and an amount are given, both have to hold; where neither is, nothing is tolerated. */
export function isTolerated(
  expected: number,
  difference: number,
  { over_percent, over_amount, under_percent, under_amount }: Tolerance,
): boolean {
  if (difference === 0) return true
  const [percent, most] = difference > 0 ? [over_percent, over_amount] : [under_percent, under_amount]
  if (percent === null && most === null) return false
  const size = Math.abs(difference)
  if (most !== null && size > most) return false
  if (percent === null) return true
  const { n, d } = ratioOf(percent)
  return BigInt(size) * 100n * d <= n * BigInt(Math.abs(expected))
}

function ofWhole(invoice: AuditedInvoice, { agreed, money }: Known): Comparison[] {
  const sum = invoice.lines.reduce((total, { amount }) => total + amount, 0)
  const found: Comparison[] = []
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
      found.push(
        about(
          'wrong_currency',
          `The invoice is in ${invoice.currency_id.toUpperCase()}, and ${name} was agreed in ${currency_id.toUpperCase()}.`,
        ),
      )
  }
  return found
}

type Item = AgreedItem & { manifest: AgreedTrip }
type Placed = Line & { place: number }
/** Lines and the items that they are for. */
type Group = { type: string; lines: readonly Placed[]; items: readonly Item[] }

function ofLines(invoice: AuditedInvoice, known: Known): Comparison[] {
  const items: Item[] = known.agreed.flatMap((manifest) => manifest.items.map((item) => ({ ...item, manifest })))
  const lines = withoutTaxes(invoice, items)
  if (isForAll(lines, items)) {
    const [only] = lines
    // Where the total is not what the line comes to, that is a finding of its own, and the two differences add up.
    const billed = only?.amount ?? invoice.total_amount
    const what =
      lines.length < invoice.lines.length
        ? 'The freight'
        : billed === invoice.total_amount
          ? 'The total'
          : 'The only line'
    const whole = priced({
      line: only?.place ?? null,
      what,
      expected: sumOf(items),
      billed,
      typeId: null,
      money: known.money,
    })
    return whole.difference_amount === 0 ? [] : [whole]
  }
  const { groups, others } = meet(lines, items)
  const met = new Set(groups.flatMap((group) => group.items))
  const ofGroups = groups.flatMap((group) => ofGroup(group, groups, known))
  const ofOthers = others.map((line) => unexpected(line, known))
  const ofItems = items.filter((item) => !met.has(item)).map((item) => missing(item, known))
  return [...ofGroups, ...ofOthers, ...ofItems]
    .filter(({ difference_amount }) => difference_amount !== 0)
    .toSorted((one, other) => (one.line ?? Number.POSITIVE_INFINITY) - (other.line ?? Number.POSITIVE_INFINITY) || 0)
}

function sumOf(some: readonly { amount: number }[]): number {
  return some.reduce((sum, { amount }) => sum + amount, 0)
}

function sumsOf(some: readonly { type: string | null; amount: number }[]): Map<string | null, number> {
  return new Map([...Map.groupBy(some, ({ type }) => type)].map(([type, ofType]) => [type, sumOf(ofType)]))
}

/** The lines that are compared: a tax is not freight, and is left out where it becomes the tax of the bill, unless it was agreed as an item of its own. */
function withoutTaxes({ lines }: AuditedInvoice, items: readonly Item[]): Placed[] {
  const placed = lines.map((line, index) => ({ ...line, place: index + 1 }))
  if (taxIn(lines) === null) return placed
  const freight = new Set(placed.flatMap(({ is_tax, type }) => (is_tax ? [] : [type])))
  return placed.filter((line) => !line.is_tax || (!freight.has(line.type) && items.some((item) => fits(item, line))))
}

type Line = AuditedInvoice['lines'][number]

/**
 * Whether an invoice asks for all that was agreed as one sum: it has no lines, or a single one, whatever that is called. Not so where that line is for
 * waiting, or is one of several items to the cent: then the others are missing. Line and item are compared as a pair where there is one of each.
 */
function isForAll(lines: readonly Placed[], open: readonly Item[]): boolean {
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

/**
 * Lines and items meet by their type, all of one type together; by the manifest too where each line of the type names one. A line without a type meets an
 * item of its amount, of a type that is not billed in full without it.
 */
function meet(lines: readonly Placed[], items: readonly Item[]): { groups: Group[]; others: Placed[] } {
  const typed = lines.filter((line) => line.type !== null && items.some((item) => fits(item, line)))
  const billed = sumsOf(typed)
  const full = new Set(
    [...sumsOf(items)].flatMap(([type, sum]) =>
      Math.abs(billed.get(type) ?? 0) >= Math.abs(sum) && billed.has(type) ? [type] : [],
    ),
  )
  const open = items.toSorted((one, other) => Number(billed.has(one.type)) - Number(billed.has(other.type)))
  const groups: Group[] = []
  for (const line of lines.filter(({ type }) => type === null)) {
    const item = open.find(({ type, amount }) => amount === line.amount && !full.has(type))
    if (!item) continue
    open.splice(open.indexOf(item), 1)
    groups.push({ type: item.type, lines: [line], items: [item] })
  }
  for (const [type, ofType] of Map.groupBy(typed, (line) => line.type as string)) {
    const byManifest = ofType.every(({ manifest_id }) => manifest_id)
      ? [...Map.groupBy(ofType, (line) => line.manifest_id?.toLowerCase()).values()]
      : [ofType]
    for (const some of byManifest)
      groups.push({ type, lines: some, items: open.filter((item) => some.some((line) => fits(item, line))) })
  }
  const met = new Set(groups.flatMap((group) => group.lines))
  return { groups, others: lines.filter((line) => !met.has(line)) }
}

/** One difference of what all lines and all items come to, except where whole items are missing or waiting was added. */
function ofGroup(group: Group, groups: readonly Group[], known: Known): Comparison[] {
  const { type, lines, items } = group
  if (sumOf(lines) === sumOf(items)) return []
  const left = withoutEqual(group)
  if (left.lines.length === 0) return left.items.map((item) => missing(item, known))
  if (items.length === 0 || (left.items.length === 0 && isWaiting.test(type)))
    return left.lines.map((line) => unexpected(line, known))
  return [ofSums(group, groups, known)]
}

/** What is left when each line that is an item to the cent is taken off together with it. */
function withoutEqual({ lines, items }: Group): { lines: Placed[]; items: Item[] } {
  const open = [...items]
  const left = lines.filter(({ amount }) => {
    const index = open.findIndex((item) => item.amount === amount)
    if (index >= 0) open.splice(index, 1)
    return index < 0
  })
  return { lines: left, items: open }
}

function ofSums(group: Group, groups: readonly Group[], { money, typeIds }: Known): Comparison {
  const { type, lines, items } = group
  const [line] = lines as [Placed]
  const base = {
    line: line.place,
    what: nameOf(type),
    expected: sumOf(items),
    billed: sumOf(lines),
    typeId: typeIds.get(type) ?? line.typeId,
    money,
  }
  if (type.includes('fuel')) return withCode(priced(base), 'fuel', fuelMessage(group, groups))
  const manifests = [...new Set(items.map(({ manifest }) => manifest))]
  const distance =
    lines.length > 1
      ? null
      : addDistances(
          manifests.map(({ distance_km }) => distance_km),
          line.unit,
        )
  if (distance !== null && line.quantity && line.unit_price && line.quantity > distance * 1.01) {
    const expected = Math.min(Math.round(distance * line.unit_price), base.expected)
    const names = manifests.map(({ name }) => name).join(' and ')
    const message = `${base.what} is billed for ${line.quantity} ${line.unit === 'km' ? 'km' : 'miles'}, and ${names} is ${Math.round(distance)}.`
    return withCode(priced({ ...base, expected }), 'mileage', message)
  }
  return priced(base)
}

/** How the two relate to the line haul, where both have one. */
function fuelMessage(fuel: Group, groups: readonly Group[]): string | null {
  const haul = groups.find(({ type }) => type.includes('haul'))
  if (!haul || sumOf(haul.items) === 0 || sumOf(haul.lines) === 0) return null
  const percent = (part: number, whole: number) => `${Math.round((part / whole) * 1000) / 10} %`
  return `Fuel is ${percent(sumOf(fuel.lines), sumOf(haul.lines))} of the line haul, and ${percent(sumOf(fuel.items), sumOf(haul.items))} was agreed.`
}

function missing({ type, amount, manifest }: Item, { money, typeIds }: Known): Comparison {
  const message = `${manifest.name} was agreed with ${nameOf(type)} of ${money(amount)}, which the invoice does not have.`
  return {
    ...about('missing_line', message, { expected_amount: amount, billed_amount: 0 }),
    has_tolerance: true,
    type_id: typeIds.get(type) ?? null,
  }
}

const isWaiting = /detention|layover|waiting/

function unexpected(line: Placed, { agreed, money }: Known): Comparison {
  const what = nameOf(line.type ?? line.description ?? 'A line')
  const { amount } = line
  if (!isWaiting.test(wordsOf(line))) {
    const message = `${what} of ${money(amount)} was not agreed.`
    return {
      ...about('unexpected_line', message, { line: line.place, expected_amount: 0, billed_amount: amount }),
      has_tolerance: true,
      type_id: line.typeId,
    }
  }
  const waited = waitedHours(agreed.flatMap(({ stops }) => stops))
  const hourly =
    line.unit === 'hour' && line.quantity && line.unit_price ? { hours: line.quantity, price: line.unit_price } : null
  const expected =
    waited === null || !hourly ? 0 : Math.min(amount, Math.round(Math.min(waited, hourly.hours) * hourly.price))
  const message =
    waited === null
      ? `${what} of ${money(amount)} was not agreed, and cannot be checked: the manifest has no stop times.`
      : `${what} of ${money(amount)} was not agreed; the stops show ${waited} ${waited === 1 ? 'hour' : 'hours'} of waiting beyond the free time${hourly ? `, and ${hourly.hours} are billed` : ''}.`
  return {
    ...about('detention', message, { line: line.place, expected_amount: expected, billed_amount: amount }),
    has_tolerance: true,
    type_id: line.typeId,
  }
}

type Priced = {
  line: number | null
  what: string
  expected: number
  billed: number
  typeId: string | null
  money: Known['money']
}

function priced({ line, what, expected, billed, typeId, money }: Priced): Comparison {
  const difference = billed - expected
  const message = `${what} is ${money(billed)}, ${money(Math.abs(difference))} ${difference > 0 ? 'over' : 'under'} the ${money(expected)} agreed.`
  const compared = about(difference > 0 ? 'over' : 'under', message, {
    line,
    expected_amount: expected,
    billed_amount: billed,
  })
  return { ...compared, has_tolerance: true, type_id: typeId }
}

function withCode(compared: Comparison, code: FindingCode, message: string | null): Comparison {
  return { ...compared, code, message: message ? `${compared.message} ${message}` : compared.message }
}

type Amounts = { line?: number | null; expected_amount?: number; billed_amount?: number }

function about(
  code: FindingCode,
  message: string,
  { line = null, expected_amount, billed_amount }: Amounts = {},
): Comparison {
  const difference =
    expected_amount === undefined || billed_amount === undefined ? null : billed_amount - expected_amount
  return {
    ...{
      line,
      code,
      message,
      expected_amount: expected_amount ?? null,
      billed_amount: billed_amount ?? null,
      difference_amount: difference,
    },
    ...{ type_id: null, has_tolerance: false },
  }
}

function nameOf(type: string): string {
  return type.slice(0, 1).toUpperCase() + type.slice(1)
}
