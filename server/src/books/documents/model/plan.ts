import { conflict } from '../../../platform/core/refusal.ts'
import { isId } from '../../../platform/core/values/ids.ts'
import type { TaxRates } from '../../tax-rates/lookup.ts'
import { blankDocument, type Maker } from './blank.ts'
import { type DefaultTerm, edit } from './edit.ts'
import { creationIn } from './fields/creation.ts'
import type { Status } from './fields/lifecycle.ts'
import type { Line, NewLine, PricedLine, RowLine } from './fields/line-fields.ts'
import { normalDate, normalId } from './fields/normal.ts'
import { typeKey } from './fields/shape.ts'
import type { Document, Edit } from './fields/standard-fields.ts'
import type { EditResult } from './kind/conclude.ts'
import { type Kind, parentOf } from './kind/kind.ts'
import { isSameLine, priceLine, withSums } from './kind/line-model.ts'
import { requireTaxRates, taxOfLines, withTaxes } from './kind/line-taxes.ts'
import { unknownCurrency, unknownLineType, unknownPayTerm } from './refusals.ts'
import { requireNotVoided } from './voiding.ts'

/** One of many: a new document, or what is known of one that is there. The lines can also come by the name that answers have for them. */
export type Row = Edit & { id?: unknown; external_id?: string | null; items?: SentLine[]; [field: string]: unknown }
type SentLine = NewLine & { id?: unknown }

/** What is there of all that the rows name. */
export type ReferencedRecords = {
  payTerms: ReadonlyMap<string, number>
  defaultTerm: DefaultTerm | null
  currencies: ReadonlySet<string>
  lineTypes: ReadonlySet<string>
  taxRates: TaxRates
  now: Date
}
/** A document that is there, locked, with what the rules need to know of it. */
export type CurrentDocument<D extends Document = Document> = { document: D; lines: Line[]; payTermDays: number | null }

/** The result of a row: a document to insert, or one that is there, and the changes to make one after the other. */
export type Plan<D extends Document = Document> = {
  status: 'created' | 'updated' | 'unchanged'
  document: D
  /** All lines as they will be, or null where they stay as they are. */
  lines: RowLine[] | null
  /** The lines that it has. */
  linesBefore: readonly object[]
  steps: EditResult<D>[]
  ignored: string[]
  reason: string | undefined
  /** Whether the row says that the document may be there already. */
  allowsDuplicate: boolean
  /** What only the event of a creation carries. */
  noted?: Record<string, unknown> | undefined
}

type Lookup<D extends Document> = {
  byId: ReadonlyMap<string, CurrentDocument<D>>
  byExternalId: ReadonlyMap<string, CurrentDocument<D>>
}

/** The document that a row means, if it is there. An external id is set on creation only, so a row that would change one is refused. */
export function findMeant<D extends Document>(
  { noun }: Kind<D>,
  row: Row,
  documents: Lookup<D>,
): CurrentDocument<D> | undefined {
  const byId = documents.byId.get(idOf(row) ?? '')
  const external_id = row.external_id ?? null
  if (external_id === null) return byId
  if (byId && byId.document.external_id !== external_id) {
    const existing =
      byId.document.external_id === null
        ? 'no external_id'
        : `the external_id ${JSON.stringify(byId.document.external_id)}`
    throw conflict(
      'external_id_is_fixed',
      `The ${noun} of this id has ${existing}, and it is set on creation only. Leave out "id" to mean another.`,
    )
  }
  return documents.byExternalId.get(external_id)
}

export function idOf({ id }: Row): string | undefined {
  return typeof id === 'string' && isId(id) ? id.toLowerCase() : undefined
}

export function linesIn({ lines }: Kind, row: Row): SentLine[] | undefined {
  return row.items ?? (row[lines.plural] as SentLine[] | undefined)
}

/** As a creation makes it, then moved to the state that the row names. */
export function planCreation<D extends Document>(
  kind: Kind<D>,
  maker: Maker,
  row: Row,
  known: ReferencedRecords,
): Plan<D> {
  const { given, rest } = creationIn(kind, row)
  const { id, items, [kind.lines.plural]: sameAsItems, status_id: _, sent_at: __, paid_at: ___, reason, ...sent } = rest
  const bare = (linesIn(kind, row) ?? []).map((line) => priceLine(kind.lines.fields, line))
  requireKnown(kind, row, bare, [], known)
  const lines = withTaxes(bare, known.taxRates)
  const byLines = {
    ...(lines.length > 0 && { sub_total_amount: undefined }),
    ...(taxOfLines(lines) !== null && { tax_amount: undefined }),
  }
  const content: Edit = { ...sent, ...byLines }
  const blank = blankDocument(kind, maker, given)
  const facts = {
    hasLines: false,
    now: known.now,
    payTermDays: daysOf(row.pay_term_id ?? null, known),
    defaultTerm: known.defaultTerm,
    lineTax: null,
  }
  const made = edit(kind, blank, { [kind.date]: blank[kind.date as keyof D], ...content }, facts)
  const document = lines.length > 0 ? withSums(made.next, lines, { before: null, isTaxOn: row.is_tax_on }) : made.next
  const steps = planMoves(kind, document, movesTo(document, row), row, {
    ...facts,
    hasLines: lines.length > 0,
    lineTax: taxOfLines(lines),
  })
  const final = steps.at(-1)?.next ?? document
  const unused = {
    id,
    reason,
    sub_total_amount: lines.length > 0 ? sent.sub_total_amount : undefined,
    tax_amount: 'tax_amount' in byLines ? unusedTax(sent, document) : undefined,
    [kind.lines.plural]: items && sameAsItems,
  }
  const unusedNames = Object.entries(unused).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  return {
    status: 'created',
    document,
    lines,
    linesBefore: [],
    steps,
    ignored: [...unusedNames, ...made.ignored, ...unusedTimes(row, final)],
    reason,
    allowsDuplicate: row.allow_duplicate === true,
  }
}

/** As an update changes it; a draft is taken all the way to the state that the row names. */
export function planUpdate<D extends Document>(
  kind: Kind<D>,
  { document, lines: before, payTermDays }: CurrentDocument<D>,
  row: Row,
  known: ReferencedRecords,
): Plan<D> {
  requireNotVoided(kind, document)
  const { id: _, external_id: __, items, [kind.lines.plural]: sameAsItems, ...input } = row
  const bare = changedLines(kind, before, linesIn(kind, row))
  requireKnown(kind, row, bare ?? [], before, known)
  const lines = bare && withTaxes(bare, known.taxRates)
  const days = row.pay_term_id === undefined ? payTermDays : daysOf(row.pay_term_id, known)
  const facts = {
    hasLines: before.length > 0,
    now: known.now,
    payTermDays: days,
    defaultTerm: known.defaultTerm,
    lineTax: taxOfLines(before),
  }
  const [first, ...rest] = movesTo(document, row)
  const asked: Edit = { ...input, ...(first && { status_id: first }) }
  // Each time applies to its own move.
  if (rest.length > 0) delete asked.paid_at
  if (rest.length > 0 && first !== 'sent') delete asked.sent_at
  const edited = edit(kind, document, asked, { ...facts, ...(lines && { lines: { before, after: lines } }) })
  const more = planMoves(kind, edited.next, rest, row, {
    ...facts,
    hasLines: (lines ?? before).length > 0,
    lineTax: taxOfLines(lines ?? before),
  })
  const steps = [edited, ...more].filter(({ previous }) => Object.keys(previous).length > 0)
  if (parentOf(kind, document) !== null) kind.parent?.checkEdit(document, edited.next)
  const ignored = [...edited.ignored, ...(items && sameAsItems ? [kind.lines.plural] : [])]
  return {
    status: steps.length > 0 ? 'updated' : 'unchanged',
    document,
    lines,
    linesBefore: before,
    steps,
    ignored,
    reason: row.reason,
    allowsDuplicate: row.allow_duplicate === true,
  }
}

/** The moves from the state of a document to the one that a row names. By way of `sent` where the row says when that was. */
function movesTo({ status_id: from }: Document, { status_id: to, sent_at }: Row): Status[] {
  if (to === undefined || to === from) return []
  const paid: Status[] = sent_at ? ['sent', 'paid'] : ['paid']
  if (from === 'saved' && to === 'paid') return paid
  if (from !== 'draft') return [to]
  const fromDraft: Record<Status, Status[]> = {
    draft: [],
    saved: ['saved'],
    sent: ['saved', 'sent'],
    edited: ['saved', 'sent', 'edited'],
    paid: ['saved', ...paid],
  }
  return fromDraft[to]
}

type Facts = {
  hasLines: boolean
  now: Date
  payTermDays: number | null
  defaultTerm: DefaultTerm | null
  lineTax: number | null
}

function planMoves<D extends Document>(
  kind: Kind<D>,
  document: D,
  moves: readonly Status[],
  { sent_at, paid_at }: Row,
  facts: Facts,
): EditResult<D>[] {
  const steps: EditResult<D>[] = []
  for (const to of moves) {
    const current = steps.at(-1)?.next ?? document
    const asked = {
      status_id: to,
      ...(to === 'sent' && sent_at && { sent_at }),
      ...(to === 'paid' && paid_at && { paid_at }),
    }
    steps.push(to === 'edited' ? editedElsewhere(current) : edit(kind, current, asked, facts))
  }
  return steps
}

/** A document that was changed after it was sent, in the system it comes from: its content has the change already. */
function editedElsewhere<D extends Document>(document: D): EditResult<D> {
  const previous = { status_id: document.status_id } as Partial<D>
  return { next: { ...document, status_id: 'edited' }, previous, ignored: [], moved: true, contentChanged: true }
}

/** The tax that a row sends along with lines that have taxes of their own, where it is not what those come to. */
function unusedTax({ tax_amount }: Row, document: Document): unknown {
  return tax_amount === document.tax_amount ? undefined : tax_amount
}

function unusedTimes(row: Row, final: Document): string[] {
  return (['sent_at', 'paid_at'] as const).filter(
    (field) => row[field] && normalDate(row[field], field) !== final[field],
  )
}

function requireKnown(
  kind: Kind,
  row: Row,
  lines: readonly PricedLine[],
  before: readonly Line[],
  { payTerms, currencies, lineTypes, taxRates }: ReferencedRecords,
): void {
  const term = normalId(row.pay_term_id ?? null)
  if (term !== null && !payTerms.has(term)) throw unknownPayTerm(term)
  const currency = normalId(row.currency_id ?? null)
  if (currency !== null && !currencies.has(currency)) throw unknownCurrency(currency)
  const { type, plural } = kind.lines
  const name = row.items ? 'items' : plural
  requireTaxRates(lines, taxRates, before, (index) => `${name}.${index}.tax_rate_id`)
  if (!type) return
  lines.forEach((line, index) => {
    const id = (line as Record<string, unknown>)[typeKey(type)] as string | null
    if (id !== null && !lineTypes.has(id)) throw unknownLineType(type, `${name}.${index}.${typeKey(type)}`, id)
  })
}

function daysOf(term: string | null, { payTerms }: ReferencedRecords): number | null {
  return term === null ? null : (payTerms.get(term.toLowerCase()) ?? null)
}

/** The lines as the row has them, or null where they are like that already. */
function changedLines(
  { lines: { fields } }: Kind,
  before: readonly Line[],
  sent: readonly SentLine[] | undefined,
): RowLine[] | null {
  if (!sent) return null
  const kept = new Set<string>()
  const lines = sent.map((line, index): RowLine => {
    const next = priceLine(fields, line)
    // Lines without ids are compared with those that are there in their order.
    const old = line.id === undefined ? before[index] : before.find(({ id }) => id === String(line.id).toLowerCase())
    if (!old || kept.has(old.id)) return next
    kept.add(old.id)
    return {
      ...next,
      id: old.id,
      created_at: old.created_at,
      ...(isSameLine(fields, old, next) && { updated_at: old.updated_at }),
    }
  })
  const unchanged =
    lines.length === before.length &&
    lines.every(({ id, updated_at }, index) => id === before[index]?.id && updated_at !== undefined)
  return unchanged ? null : lines
}
