import type { Payment } from '../billing/payments/model.ts'
import type { Context } from '../context.ts'
import { digitsOf } from './documents.ts'
import { blank, fromOrganization, known } from './from.ts'
import type { Paper } from './paper.ts'
import { findSurroundings, listSettled } from './store.ts'
import { addressLines, amountText, dayText, moneyText } from './words.ts'

/** What a payment pays for: the advice to whom we pay, or the receipt of who paid us. */
export async function remittancePaper(ctx: Context, json: string): Promise<Paper> {
  const payment = JSON.parse(json) as Payment
  const party = payment.partner_carrier_id ?? payment.customer_id
  const settledIds = payment.allocations.map(({ bill_id, invoice_id, credit_id }) => bill_id ?? invoice_id ?? credit_id ?? '')
  const [around, settled] = await Promise.all([findSurroundings(ctx, [party]), listSettled(ctx, settledIds.filter(Boolean))])
  const { time_zone } = around.organization
  const digits = digitsOf(around, payment.currency_id)
  const money = (amount: number) => moneyText(amount, payment.currency_id, digits)
  const other = party ? around.objects[party] : undefined
  const address = (other?.json.remitTo ?? other?.json.billingAddress ?? other?.json) as Record<string, unknown> | undefined
  const isOut = payment.direction === 'out'
  return {
    ...blank,
    ...fromOrganization(around),
    title: isOut ? 'Remittance advice' : 'Payment receipt',
    number: payment.number,
    mark: payment.status === 'voided' ? 'VOID' : payment.status === 'draft' ? 'DRAFT' : null,
    parties: [{ label: isOut ? 'Paid to' : 'Received from', lines: addressLines(address, other?.name ?? 'Unknown') }],
    facts: known([
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
          { label: 'Paid', share: 2, align: 'right' },
        ],
        rows: payment.allocations.map(({ amount }, n) => {
          const document = settled.find(({ id }) => id === settledIds[n])
          return [
            document?.number ?? '',
            document?.reference_number ?? '',
            dayText(document?.date, time_zone),
            amountText(document?.total_amount, digits),
            amountText(amount, digits),
          ]
        }),
      },
    ],
    totals: [
      ...(payment.unallocated_amount > 0 ? [{ label: 'Not allocated yet', value: money(payment.unallocated_amount) }] : []),
      { label: 'Total paid', value: money(payment.amount), strong: true },
    ],
    notes: payment.notes ? [{ label: 'Notes', text: payment.notes }] : [],
    date: new Date(payment.updated_at),
  }
}
