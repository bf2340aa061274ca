import { minorUnits } from '../../books/currencies/known.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { conflict, invalid, quote, Refusal } from '../../platform/core/refusal.ts'
import { checkerOf } from '../../platform/core/schema/check.ts'
import { outcomeOr } from '../../platform/core/schema/rows.ts'
import type { Bytes, CsvRecord } from '../../platform/core/tables/csv.ts'
import { readTable, type TableRow } from '../../platform/core/tables/csv-table.ts'
import { lotsOf } from '../../platform/core/tables/lots.ts'
import { createInvoices } from '../carrier-invoices/received/creating.ts'
import type { ArrivedInvoice, CarrierInvoice, InvoiceLine } from '../carrier-invoices/received/model.ts'
import { listImported } from './import-store.ts'
import { type Carriers, carriersByAnyName } from './reading/carriers.ts'
import { InvoiceRow, importedColumns, inMinorUnits, lineOf } from './reading/invoice-rows.ts'

const mostLines = 500
const check = checkerOf(InvoiceRow)

export type Outcome = { status: 'created' | 'unchanged' | 'failed'; id: string | null; refusal?: Refusal }
/** An invoice of a file: its rows stand one after the other. */
export type ReportedInvoice = { rows: readonly CsvRecord[]; invoice_number: string | null; outcome: Outcome }

export function readInvoiceRows(chunks: Bytes) {
  return readTable(chunks, importedColumns)
}

/** Makes an invoice of the rows of each carrier and number, in lots, each a transaction of its own. One that a file brought before is left alone. */
export async function* importInvoices(
  ctx: Context,
  rows: AsyncIterable<TableRow>,
  { dryRun }: { dryRun: boolean },
): AsyncGenerator<ReportedInvoice[]> {
  const lines = new Map<string, number>()
  for await (const lot of lotsOf(groupsOf(rows), { dryRun })) yield await importLot(ctx, lot, lines, dryRun)
}

/** The same for each row of the file, as the command line reports it. */
export async function* importInvoiceRows(ctx: Context, rows: AsyncIterable<TableRow>, options: { dryRun: boolean }) {
  for await (const lot of importInvoices(ctx, rows, options))
    yield lot.flatMap(({ rows, outcome }) => rows.map((row) => ({ ...row, outcome })))
}

type Checked = CsvRecord & { row: InvoiceRow | Refusal }
type Group = { key: string; rows: Checked[] }

/**
 * Rows of one carrier and number that follow each other. Nobody knows of which invoice a row is that cannot be read: those before and after it fail too,
 * because one of them would be made without it.
 */
async function* groupsOf(rows: AsyncIterable<TableRow>): AsyncGenerator<Group> {
  let group: Group | undefined
  let unread: CsvRecord | undefined
  for await (const row of rows) {
    const { line, cells } = row
    if ('refusal' in row) {
      if (group) yield besideUnread(group, row)
      yield { key: `line ${line}`, rows: [{ line, cells, row: row.refusal }] }
      unread = row
      group = undefined
      continue
    }
    const checked = { line, cells, row: outcomeOr(() => check(row.values) as InvoiceRow) }
    const key = nameOf(row.values)
    if (group?.key === key) group.rows.push(checked)
    else {
      if (group) yield group
      group = { key, rows: [checked] }
      if (unread) group = besideUnread(group, unread)
      unread = undefined
    }
  }
  if (group) yield group
}

function besideUnread({ key, rows }: Group, { line }: CsvRecord): Group {
  const refusal = invalid(
    'invoice_number',
    'unreadable_row',
    `Line ${line}, next to this invoice, cannot be read and may be part of it.`,
  )
  return { key, rows: rows.map((row) => (row.row instanceof Refusal ? row : { ...row, row: refusal })) }
}

function nameOf({ partner_carrier, invoice_number }: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([partner_carrier ?? null, invoice_number ?? null])
}

type Known = { carriers: Carriers; currencies: ReadonlyMap<string, number>; lines: Map<string, number> }

function importLot(
  ctx: Context,
  lot: readonly Group[],
  lines: Map<string, number>,
  dryRun: boolean,
): Promise<ReportedInvoice[]> {
  return transaction(ctx, async (ctx) => {
    const names = lot.flatMap(({ rows }) =>
      rows.flatMap(({ row }) => (row instanceof Refusal ? [] : (row.partner_carrier ?? []))),
    )
    const known = { carriers: await carriersByAnyName(ctx, names), currencies: await minorUnits(ctx), lines }
    const read = lot.map((group) => outcomeOr(() => invoiceOf(group, known)))
    const wanted = read.flatMap((one) => (one instanceof Refusal ? [] : [one]))
    const before = new Map(
      (await listImported(ctx, wanted.map(keyOf))).map(({ source_key, json }) => [
        source_key,
        JSON.parse(json) as CarrierInvoice,
      ]),
    )
    const fresh = wanted.filter((one) => !before.has(keyOf(one)))
    const ids = dryRun || fresh.length === 0 ? [] : await createInvoices(ctx, fresh)
    return lot.map(({ rows }, index): ReportedInvoice => {
      const invoice = read[index] as ArrivedInvoice | Refusal
      const first = rows[0]?.row
      const invoice_number = first === undefined || first instanceof Refusal ? null : first.invoice_number
      if (invoice instanceof Refusal)
        return { rows, invoice_number, outcome: { status: 'failed', id: null, refusal: invoice } }
      const there = before.get(keyOf(invoice))
      return {
        rows,
        invoice_number,
        outcome: there ? foundOf(there, invoice) : { status: 'created', id: ids[fresh.indexOf(invoice)] ?? null },
      }
    })
  })
}

function keyOf({ source_key }: ArrivedInvoice): string {
  return source_key as string
}

/** A file that is imported again changes nothing, and says so where it has something else to say. Notes are left out: people add to them. */
function foundOf(there: CarrierInvoice, invoice: ArrivedInvoice): Outcome {
  const sent = { ...invoice, total_amount: totalOf(invoice) }
  const fields = ['invoice_date', 'currency_id', 'reference_number', 'total_amount'] as const
  const other = [
    ...fields.filter((name) => there[name] !== (sent[name] ?? null)),
    ...(areSame(there.lines, sent.lines ?? []) ? [] : ['lines']),
  ]
  if (other.length === 0) return { status: 'unchanged', id: there.id }
  const message = `A file brought this invoice before. The carrier invoice ${there.id} differs from this file in ${other.join(', ')}: change it there, if the file is right.`
  const details = other.map((field) => ({
    field,
    code: 'arrived_before',
    message: `"${field}" differs from the carrier invoice.`,
  }))
  return { status: 'failed', id: there.id, refusal: conflict('arrived_before', message, details) }
}

const ofLine = ['type', 'description', 'quantity', 'unit', 'unit_price', 'amount'] as const

function areSame(there: readonly InvoiceLine[], sent: readonly InvoiceLine[]): boolean {
  return (
    there.length === sent.length &&
    there.every((line, index) => ofLine.every((name) => (line[name] ?? null) === (sent[index]?.[name] ?? null)))
  )
}

function invoiceOf({ rows }: Group, { carriers, currencies, lines }: Known): ArrivedInvoice {
  const sent = rows.map(({ line, row }) => {
    if (row instanceof Refusal) throw row
    return { line, ...row }
  })
  const [head] = sent as [(typeof sent)[number], ...typeof sent]
  const carrier = carrierOf(head.partner_carrier ?? null, carriers)
  const currency = (head.currency_id ?? head.currency ?? carrier?.currency ?? '').trim().toLowerCase()
  if (!currencies.has(currency))
    throw invalid(
      'currency_id',
      'unknown_currency',
      `${quote(currency)} is not the code of an ISO 4217 currency, such as USD. Have it in a column "currency".`,
    )
  const checked = sent.map(({ line, ...row }) => ({ line, ...inMinorUnits(row, currency, currencies) }))
  const [first] = checked as [(typeof checked)[number], ...typeof checked]
  for (const row of checked.slice(1)) requireSame(first, row)
  const source_key = `csv:${carrier?.id ?? ''}:${first.invoice_number}`
  requireOnce(source_key, first.line, lines)
  const invoiceLines = checked.flatMap(lineOf)
  if (invoiceLines.length > mostLines)
    throw invalid(
      'line_amount',
      'too_many',
      `The invoice has ${invoiceLines.length} lines, and at most ${mostLines} are kept.`,
    )
  const invoice: ArrivedInvoice = {
    partner_carrier_id: carrier?.id ?? null,
    invoice_number: first.invoice_number,
    invoice_date: first.invoice_date ?? null,
    currency_id: currency,
    reference_number: first.reference_number ?? null,
    lines: invoiceLines,
    ...(typeof first.total_amount === 'number' && { total_amount: first.total_amount }),
    notes: first.notes ?? null,
    source: 'upload',
    source_key,
  }
  if (!Number.isSafeInteger(totalOf(invoice)))
    throw invalid('line_amount', 'amount_too_large', 'The lines come to more than can be kept exactly.')
  return invoice
}

/** A carrier may be called by two names in one file. */
function requireOnce(key: string, line: number, lines: Map<string, number>): void {
  const before = lines.get(key)
  lines.set(key, before ?? line)
  if (before === undefined) return
  const message = `Line ${before} of the file begins the same invoice. Have the rows of an invoice one after the other.`
  throw conflict('duplicate_row', message, [{ field: 'invoice_number', code: 'duplicate_row', message }])
}

function totalOf({ total_amount, lines = [] }: ArrivedInvoice): number {
  return total_amount ?? lines.reduce((sum, { amount }) => sum + amount, 0)
}

const ofInvoice = ['invoice_date', 'currency_id', 'reference_number', 'total_amount', 'notes'] as const

/** A later row may leave out what is about the invoice, and may not say something else. */
function requireSame(first: InvoiceRow & { line: number }, row: InvoiceRow & { line: number }): void {
  for (const name of ofInvoice) {
    const sent = row[name] ?? null
    if (sent === null || sent === (first[name] ?? null)) continue
    const message = `Line ${row.line} says ${name} ${quote(sent)} of the same invoice, and line ${first.line} says ${quote(first[name] ?? '')}.`
    throw invalid(name, 'rows_differ', message)
  }
}

function carrierOf(name: string | null, carriers: Carriers) {
  if (name === null) return undefined
  const found = [...new Map(carriers(name).map((carrier) => [carrier.id, carrier])).values()]
  if (found.length === 1) return found[0]
  throw found.length === 0
    ? invalid(
        'partner_carrier',
        'unknown_carrier',
        `There is no carrier ${quote(name)}, by id, external id, SCAC or name.`,
      )
    : invalid(
        'partner_carrier',
        'ambiguous_carrier',
        `${found.length} carriers are called ${quote(name)}. Send the id of the one that is meant.`,
      )
}
