import type { Kind } from '../../books/documents/model/kind/kind.ts'
import type { Context } from '../../platform/context.ts'
import type { Column, Paper, Table } from '../../platform/drawing/paper.ts'
import { blank, fromOrganization, knownFacts } from './from.ts'
import { findSurroundings, type Surroundings } from './store.ts'
import { addressLines, amountText, capital, dayText, moneyText } from './words.ts'

type Json = Record<string, unknown>
type Line = {
  description: string | null
  quantity: number
  unit_price: number
  total_amount: number
  tax_amount: number
} & Json
/** A document as every kind of them is answered, as far as its paper says it. */
export type AnsweredDocument = {
  document: Json & {
    id: string
    number: string | null
    currency_id: string | null
    updated_at: string
    status_id: string
  }
  lines: readonly Line[]
  payTerm: { name: string } | null
}

/** The parts of an answer about a document of a kind. */
export function parseAnswer({ noun, lines }: Pick<Kind, 'noun' | 'lines'>, json: string): AnsweredDocument {
  const answer = JSON.parse(json)
  return { document: answer[noun], lines: answer[lines.plural], payTerm: answer.pay_term }
}

/** A bill, an invoice, a credit, or any other document with lines. */
export async function documentPaper(
  ctx: Context,
  kind: Kind,
  { document, lines, payTerm }: AnsweredDocument,
): Promise<Paper> {
  const party = (kind.parties ?? []).map((field) => document[field] as string | null).find(Boolean)
  const around = await findSurroundings(ctx, [party])
  const { time_zone } = around.organization
  const digits = digitsOf(around, document.currency_id)
  const day = (moment: unknown) => dayText(moment as string | null, time_zone)
  const money = (amount: unknown) => moneyText(amount as number, document.currency_id, digits)
  return {
    ...blank,
    ...fromOrganization(around),
    title: capital(kind.noun.replaceAll('_', ' ')),
    number: document.number,
    mark: document.voided_at ? 'VOID' : document.status_id === 'draft' ? 'DRAFT' : null,
    parties: partiesOf(kind, document, party ? around.objects[party]?.name : undefined),
    facts: knownFacts([
      ['Date', day(document[kind.date])],
      ['Due', day(document.due_date)],
      ['Terms', payTerm?.name],
      ['Reference', document.reference_number as string | null],
      ['Currency', document.currency_id?.toUpperCase()],
    ]),
    tables: [tableOf(kind, lines, digits)],
    totals: [
      { label: 'Subtotal', value: money(document.sub_total_amount) },
      ...(document.tax_amount ? [{ label: 'Tax', value: money(document.tax_amount) }] : []),
      { label: 'Total', value: money(document.total_amount), strong: true },
      ...(document.amount_paid
        ? [
            { label: 'Settled', value: money(document.amount_paid) },
            { label: 'Due', value: money(document.amount_due), strong: true },
          ]
        : []),
    ],
    notes: document.notes ? [{ label: 'Notes', text: document.notes as string }] : [],
    date: new Date(document.updated_at),
  }
}

export function digitsOf({ digits }: Pick<Surroundings, 'digits'>, currency: string | null | undefined): number {
  return (currency ? digits[currency] : undefined) ?? 2
}

function partiesOf(kind: Kind, document: Json, party: string | undefined): Paper['parties'] {
  const address = (field: string) => (field in kind.fields ? (document[field] as Json | null) : null)
  // Whoever the document names as its party stands in the address to which the money does not belong to us.
  const isPayable = (kind.parties ?? []).includes('partner_carrier_id') && document.direction !== 'in'
  const billTo = addressLines(address('bill_to'), isPayable ? undefined : party)
  const remitTo = addressLines(address('remit_to'), isPayable ? party : undefined)
  return [
    { label: 'Bill to', lines: billTo },
    { label: isPayable ? 'Pay to' : 'Remit to', lines: remitTo },
  ].filter(({ lines }) => lines.length > 0)
}

function tableOf({ lines: { type } }: Kind, lines: readonly Line[], digits: number): Table {
  const taxed = lines.some(({ tax_amount }) => tax_amount !== 0)
  const columns: Column[] = [
    { label: '#', share: 0.5 },
    { label: 'Description', share: 5 },
    { label: 'Quantity', share: 1.2, align: 'right' },
    { label: 'Unit price', share: 1.7, align: 'right' },
    ...(taxed ? [{ label: 'Tax', share: 1.4, align: 'right' as const }] : []),
    { label: 'Amount', share: 1.8, align: 'right' },
  ]
  const rows = lines.map((line, n) => [
    String(n + 1),
    [type && (line[type.name] as { name: string } | null)?.name, line.description].filter(Boolean).join('\n'),
    line.quantity.toLocaleString('en-US'),
    amountText(line.unit_price, digits),
    ...(taxed ? [amountText(line.tax_amount, digits)] : []),
    amountText(line.total_amount, digits),
  ])
  return { columns, rows }
}
