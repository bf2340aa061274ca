import Type from 'typebox'
import type { Context } from '../../context.ts'
import { isId } from '../../core/ids.ts'
import { conflict } from '../../core/refusal.ts'
import { nullable, Text } from '../../core/schema.ts'
import { type Edited, normalDate, normalId } from '../edits.ts'
import type { Status } from '../lifecycle.ts'
import { blankBill } from './blank.ts'
import { type BillItem, NewLine, type NewLine as NewLineInput, type PricedLine, priced, withSums } from './line-model.ts'
import { type Bill, BillEdit, type BillEdit as BillEditInput, edit } from './model.ts'
import { boundToStatement, unknownCurrency, unknownItemType, unknownPayTerm } from './refusals.ts'

const lines = (description: string) => Type.Optional(Type.Array(NewLine, { maxItems: 1000, description }))

/** One of many: a new bill, or what is known of one that is there. */
export const BillRow = Type.Object({
  ...BillEdit.properties,
  id: Type.Optional(Type.Unknown({ description: 'Names the bill to update where the row has no `external_id`; of no bill here, it is ignored.' })),
  external_id: Type.Optional(nullable(Text('The id it has elsewhere. Where a bill has it, that one is updated; else one is created with it.', 'TMS-88213'))),
  items: lines('The lines. On an update they replace those that are there; a line with the `id` of one keeps it.'),
  bill_items: lines('The same as `items`, by the name that answers and exports have.'),
})
export type BillRow = BillEditInput & { id?: unknown; external_id?: string | null; items?: SentLine[]; bill_items?: SentLine[] }
type SentLine = NewLineInput & { id?: unknown }

/** What is there of all that the rows name. */
export type Known = { payTerms: ReadonlyMap<string, number>; currencies: ReadonlySet<string>; itemTypes: ReadonlySet<string>; now: Date }
/** A bill that is there, locked, with what the rules need to know of it. */
export type Current = { bill: Bill; lines: BillItem[]; payTermDays: number | null }
/** A line as it will be; one that stays keeps its id and the times it has a right to. */
export type RowLine = PricedLine & { id?: string; created_at?: string; updated_at?: string }

/** What a row comes to: a bill to insert, or one that is there, and the changes to make one after the other. */
export type Plan = {
  status: 'created' | 'updated' | 'unchanged'
  bill: Bill
  /** All lines as they will be, or null where they stay as they are. */
  lines: RowLine[] | null
  steps: Edited<Bill>[]
  ignored: string[]
  reason: string | undefined
}

/** The bill that a row means, if it is there. An external id is settled on creation, so a row that would change one is refused. */
export function meantBy(row: BillRow, bills: { byId: ReadonlyMap<string, Current>; byExternalId: ReadonlyMap<string, Current> }): Current | undefined {
  const named = bills.byId.get(idOf(row) ?? '')
  const external_id = row.external_id ?? null
  if (external_id === null) return named
  if (named && named.bill.external_id !== external_id) {
    throw conflict(
      'external_id_is_fixed',
      `The bill of this id has ${said(named.bill.external_id)}, and it is set on creation only. Leave out "id" to mean another.`,
    )
  }
  return bills.byExternalId.get(external_id)
}

export function idOf({ id }: BillRow): string | undefined {
  return typeof id === 'string' && isId(id) ? id.toLowerCase() : undefined
}

function said(external_id: string | null): string {
  return external_id === null ? 'no external_id' : `the external_id ${JSON.stringify(external_id)}`
}

/** As `POST /bills` makes it, then moved to where the row says it stands. */
export function planCreation(ctx: Pick<Context, 'org' | 'actor'>, row: BillRow, known: Known): Plan {
  const { id, external_id = null, items, bill_items, status_id: _, sent_at: __, paid_at: ___, reason, ...sent } = row
  const lines = (items ?? bill_items ?? []).map(priced)
  requireKnown(row, lines, known)
  const content = lines.length > 0 ? { ...sent, sub_total_amount: undefined } : sent
  const blank = blankBill(ctx, external_id)
  const facts = { hasLines: false, now: known.now, payTermDays: daysOf(row.pay_term_id ?? null, known) }
  const made = edit(blank, { bill_date: blank.bill_date, ...content }, facts)
  const bill = lines.length > 0 ? withSums(made.next, lines) : made.next
  const steps = walk(bill, wayTo(bill, row), row, { ...facts, hasLines: lines.length > 0 })
  const final = steps.at(-1)?.next ?? bill
  const unused = { id, reason, sub_total_amount: lines.length > 0 ? sent.sub_total_amount : undefined, bill_items: items && bill_items }
  const ignored = [...Object.keys(unused).filter((name) => unused[name as keyof typeof unused] !== undefined), ...made.ignored, ...unusedStamps(row, final)]
  return { status: 'created', bill, lines, steps, ignored, reason }
}

/** As `PUT /bills/{id}` changes it; a draft is taken all the way to where the row says. */
export function planUpdate({ bill, lines: was, payTermDays }: Current, row: BillRow, known: Known): Plan {
  const { id: _, external_id: __, items, bill_items, ...input } = row
  const lines = changedLines(was, items ?? bill_items)
  requireKnown(row, lines ?? [], known)
  const facts = { hasLines: was.length > 0, now: known.now, payTermDays: row.pay_term_id === undefined ? payTermDays : daysOf(row.pay_term_id, known) }
  const [first, ...rest] = wayTo(bill, row)
  const asked: BillEditInput = { ...input, ...(first && { status_id: first }) }
  // Each stamp goes with its own move.
  if (rest.length > 0) delete asked.paid_at
  if (rest.length > 0 && first !== 'sent') delete asked.sent_at
  const edited = edit(bill, asked, { ...facts, ...(lines && { lines: { was, will: lines } }) })
  const more = walk(edited.next, rest, row, { ...facts, hasLines: (lines ?? was).length > 0 })
  const steps = [edited, ...more].filter(({ previous }) => Object.keys(previous).length > 0)
  requireStatementKept(bill, edited.next)
  const ignored = [...edited.ignored, ...(items && bill_items ? ['bill_items'] : [])]
  return { status: steps.length > 0 ? 'updated' : 'unchanged', bill, lines, steps, ignored, reason: row.reason }
}

/** The moves that lead from where a bill stands to where a row says it does. By way of `sent` where the row says when that was. */
function wayTo({ status_id: from }: Bill, { status_id: to, sent_at }: BillRow): Status[] {
  if (to === undefined || to === from) return []
  const paid: Status[] = sent_at ? ['sent', 'paid'] : ['paid']
  if (from === 'saved' && to === 'paid') return paid
  if (from !== 'draft') return [to]
  const ways: Record<Status, Status[]> = { draft: [], saved: ['saved'], sent: ['saved', 'sent'], edited: ['saved', 'sent', 'edited'], paid: ['saved', ...paid] }
  return ways[to]
}

type Stamps = Pick<BillEditInput, 'sent_at' | 'paid_at'>
type Facts = { hasLines: boolean; now: Date; payTermDays: number | null }

function walk(bill: Bill, way: readonly Status[], { sent_at, paid_at }: Stamps, facts: Facts): Edited<Bill>[] {
  const steps: Edited<Bill>[] = []
  for (const to of way) {
    const current = steps.at(-1)?.next ?? bill
    const asked = { status_id: to, ...(to === 'sent' && sent_at && { sent_at }), ...(to === 'paid' && paid_at && { paid_at }) }
    steps.push(to === 'edited' ? editedSince(current) : edit(current, asked, facts))
  }
  return steps
}

/** A bill that was changed after it was sent, elsewhere: it comes with the change in it. */
function editedSince(bill: Bill): Edited<Bill> {
  return { next: { ...bill, status_id: 'edited' }, previous: { status_id: bill.status_id }, ignored: [], moved: true, contentChanged: true }
}

function unusedStamps(row: BillRow, final: Bill): string[] {
  return (['sent_at', 'paid_at'] as const).filter((field) => row[field] && normalDate(row[field], field) !== final[field])
}

function requireKnown(row: BillRow, lines: readonly PricedLine[], { payTerms, currencies, itemTypes }: Known): void {
  const term = normalId(row.pay_term_id ?? null)
  if (term !== null && !payTerms.has(term)) throw unknownPayTerm(term)
  const currency = normalId(row.currency_id ?? null)
  if (currency !== null && !currencies.has(currency)) throw unknownCurrency(currency)
  const name = row.items ? 'items' : 'bill_items'
  lines.forEach(({ bill_item_type_id: type }, index) => {
    if (type !== null && !itemTypes.has(type)) throw unknownItemType(`${name}.${index}.bill_item_type_id`, type)
  })
}

function daysOf(term: string | null, { payTerms }: Known): number | null {
  return term === null ? null : (payTerms.get(term.toLowerCase()) ?? null)
}

function requireStatementKept(before: Bill, after: Bill): void {
  if (before.consolidated_bill_id === null) return
  if (before.currency_id !== after.currency_id || before.partner_carrier_id !== after.partner_carrier_id) throw boundToStatement()
}

const content = ['bill_item_type_id', 'manifest_payment_item_id', 'manifest_id', 'unit_price', 'quantity', 'description'] as const

/** The lines as the row has them, or null where that is what they are. */
function changedLines(was: readonly BillItem[], sent: readonly SentLine[] | undefined): RowLine[] | null {
  if (!sent) return null
  const kept = new Set<string>()
  const lines = sent.map((line, index): RowLine => {
    const next = priced(line)
    // Whoever names no lines means them in their order.
    const old = line.id === undefined ? was[index] : was.find(({ id }) => id === String(line.id).toLowerCase())
    if (!old || kept.has(old.id)) return next
    kept.add(old.id)
    const same = content.every((field) => old[field] === next[field])
    return { ...next, id: old.id, created_at: old.created_at, ...(same && { updated_at: old.updated_at }) }
  })
  const unchanged = lines.length === was.length && lines.every(({ id, updated_at }, index) => id === was[index]?.id && updated_at !== undefined)
  return unchanged ? null : lines
}
