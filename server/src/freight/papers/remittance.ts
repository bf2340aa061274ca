import type { Payment } from '../../books/payments/ledger/model.ts'
import type { Context } from '../../platform/context.ts'
import type { Column, Paper } from '../../platform/drawing/paper.ts'
import { digitsOf } from './documents.ts'
import { blank, fromOrganization, knownFacts } from './from.ts'
import { findSurroundings, listRunParts, listRunSetOffs, listSettled, type RunSetOff } from './store.ts'
import { addressLines, amountText, dayText, moneyText } from './words.ts'

/** What a payment pays for: the advice to whom we pay, or the receipt of who paid us. */
export async function remittancePaper(ctx: Context, json: string): Promise<Paper> {
  const payment = JSON.parse(json) as Payment
  const party = payment.partner_carrier_id ?? payment.customer_id
  const ofRun = payment.payment_run_id !== null
  const [around, parts, setOffs] = await Promise.all([
    findSurroundings(ctx, [party]),
    ofRun ? partsOfRun(ctx, payment) : partsOf(payment),
    ofRun ? listRunSetOffs(ctx, payment.id) : [],
  ])
  const settled = await listSettled(
    ctx,
    parts.map(({ id }) => id),
  )
  const reductions = possible.filter(({ of }) => parts.some((part) => part[of] > 0))
  const { time_zone } = around.organization
  const digits = digitsOf(around, payment.currency_id)
  const money = (amount: number) => moneyText(amount, payment.currency_id, digits)
  const other = party ? around.objects[party] : undefined
  const address = (other?.json.remitTo ?? other?.json.billingAddress ?? other?.json) as
    | Record<string, unknown>
    | undefined
  const isOut = payment.direction === 'out'
  return {
    ...blank,
    ...fromOrganization(around),
    title: isOut ? 'Remittance advice' : 'Payment receipt',
    number: payment.number,
    mark: payment.status === 'voided' ? 'VOID' : payment.status === 'draft' ? 'DRAFT' : null,
    parties: [{ label: isOut ? 'Paid to' : 'Received from', lines: addressLines(address, other?.name ?? 'Unknown') }],
    facts: knownFacts([
      ['Paid', dayText(payment.paid_at, time_zone)],
      ['Method', payment.method === 'recorded' ? null : payment.method.toUpperCase()],
      ['Reference', payment.reference_number],
      ['Currency', payment.currency_id.toUpperCase()],
    ]),
    tables: [
      {
        columns: [
          { label: 'Document', share: 2 },
          { label: 'Your reference', share: 2.5 },
          { label: 'Date', share: 1.8 },
          { label: 'Total', share: 2, align: 'right' },
          ...reductions.map(({ label }): Column => ({ label, share: 1.8, align: 'right' })),
          { label: 'Paid', share: 2, align: 'right' },
        ],
        rows: parts.map((part) => {
          const document = settled.find(({ id }) => id === part.id)
          return [
            document?.number ?? '',
            document?.reference_number ?? '',
            dayText(document?.date, time_zone),
            amountText(document?.total_amount, digits),
            ...reductions.map(({ of }) => (part[of] === 0 ? '' : amountText(-part[of], digits))),
            amountText(part.amount, digits),
          ]
        }),
      },
      ...(setOffs.length > 0 ? [setOffTable(setOffs, digits)] : []),
    ],
    totals: [
      ...(payment.unallocated_amount > 0
        ? [{ label: 'Not allocated yet', value: money(payment.unallocated_amount) }]
        : []),
      { label: 'Total paid', value: money(payment.amount), strong: true },
    ],
    notes: payment.notes ? [{ label: 'Notes', text: payment.notes }] : [],
    date: new Date(payment.updated_at),
  }
}

/** A document and what the payment settles of it: with a payment run also by what was given for early payment and set off. */
type Part = { id: string; amount: number; taken_off: number; set_off: number }

/** What makes a payment of a run less than its documents, in columns of their own where there is any. */
const possible = [
  { label: 'Early payment', of: 'taken_off' },
  { label: 'Set off', of: 'set_off' },
] as const

function partsOf(payment: Payment): Part[] {
  return payment.allocations.flatMap(({ bill_id, invoice_id, credit_id, amount }) => {
    const id = bill_id ?? invoice_id ?? credit_id
    return id ? [{ id, amount, taken_off: 0, set_off: 0 }] : []
  })
}

async function partsOfRun(ctx: Context, { id }: Payment): Promise<Part[]> {
  return (await listRunParts(ctx, id)).map(({ bill_id, ...part }) => ({ ...part, id: bill_id }))
}

function setOffTable(setOffs: readonly RunSetOff[], digits: number): Paper['tables'][number] {
  return {
    columns: [
      { label: 'Set off', share: 2 },
      { label: 'Your reference', share: 6.3 },
      { label: 'Amount', share: 2, align: 'right' },
    ],
    rows: setOffs.map(({ number, reference_number, amount }) => [
      number,
      reference_number ?? '',
      amountText(-amount, digits),
    ]),
  }
}
