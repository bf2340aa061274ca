import type { CustomerStatement, PartyStatement } from '../../books/party-statements/model.ts'
import type { Side } from '../../books/party-statements/sides.ts'
import type { Context } from '../../platform/context.ts'
import type { Column, Paper } from '../../platform/drawing/paper.ts'
import { digitsOf } from './documents.ts'
import { blank, fromOrganization, knownFacts } from './from.ts'
import { findSurroundings } from './store.ts'
import { addressLines, amountText, dayText, moneyText } from './words.ts'

type Json = Record<string, unknown>
type Bill = Json & {
  number: string | null
  reference_number: string | null
  total_amount: number
  tax_amount: number
  bill_date: string | null
}

/** The statement of a carrier, or the settlement of a driver: the bills on it. */
export async function consolidatedBillPaper(ctx: Context, json: string): Promise<Paper> {
  const {
    consolidated_bill: statement,
    bills,
    pay_term,
  } = JSON.parse(json) as { consolidated_bill: Json; bills: Bill[]; pay_term: { name: string } | null }
  const party = statement.partner_carrier_id as string | null
  const around = await findSurroundings(ctx, [party])
  const { time_zone } = around.organization
  const currency = statement.currency_id as string
  const digits = digitsOf(around, currency)
  const day = (moment: unknown) => dayText(moment as string | null, time_zone)
  const money = (amount: unknown) => moneyText(amount as number, currency, digits)
  const period = [day(statement.pay_period_start), day(statement.pay_period_end)].filter(Boolean).join(' – ')
  const columns: Column[] = [
    { label: 'Bill', share: 2 },
    { label: 'Reference', share: 2.5 },
    { label: 'Date', share: 1.8 },
    { label: 'Tax', share: 1.6, align: 'right' },
    { label: 'Amount', share: 2, align: 'right' },
  ]
  return {
    ...blank,
    ...fromOrganization(around),
    title: statement.consolidated_bill_type_id === 'driver_settlement' ? 'Driver settlement' : 'Carrier statement',
    number: statement.number as string | null,
    mark: statement.status_id === 'draft' ? 'DRAFT' : null,
    parties: [
      { label: 'Bill to', lines: addressLines(statement.bill_to as Json | null) },
      {
        label: 'Pay to',
        lines: addressLines(statement.remit_to as Json | null, party ? around.objects[party]?.name : undefined),
      },
    ].filter(({ lines }) => lines.length > 0),
    facts: knownFacts([
      ['Date', day(statement.bill_date)],
      ['Period', period],
      ['Due', day(statement.due_date)],
      ['Terms', pay_term?.name],
      ['Reference', statement.reference_number as string | null],
    ]),
    tables: [
      {
        columns,
        rows: bills.map((bill) => [
          bill.number ?? '',
          bill.reference_number ?? '',
          day(bill.bill_date),
          amountText(bill.tax_amount, digits),
          amountText(bill.total_amount, digits),
        ]),
      },
    ],
    totals: [
      { label: 'Subtotal', value: money(statement.sub_total_amount) },
      ...(statement.tax_amount ? [{ label: 'Tax', value: money(statement.tax_amount) }] : []),
      { label: 'Total', value: money(statement.total_amount), strong: true },
    ],
    notes: statement.notes ? [{ label: 'Notes', text: statement.notes as string }] : [],
    date: new Date(statement.updated_at as string),
  }
}

const aging = [
  ['current', 'Not overdue'],
  ['days_1_30', '1–30 days'],
  ['days_31_60', '31–60 days'],
  ['days_61_90', '61–90 days'],
  ['days_over_90', 'Over 90 days'],
] as const

/** What a customer owes, or a carrier is owed, in each currency. */
export async function partyStatementPaper(ctx: Context, { party, documents }: Side, json: string): Promise<Paper> {
  const statement = JSON.parse(json) as PartyStatement & Json
  const [id, name] = [statement[party], statement[party.replace('_id', '_name')]] as [string, string]
  const around = await findSurroundings(ctx, [id])
  const { time_zone } = around.organization
  const day = (moment: string | null) => dayText(moment, time_zone)
  const about = around.objects[id]?.json as { billingAddress?: Json } | undefined
  const digits = (currency: string) => digitsOf(around, currency)
  const columns: Column[] = [
    { label: 'Number', share: 2 },
    { label: 'Reference', share: 2.2 },
    { label: 'Date', share: 1.7 },
    { label: 'Due', share: 1.7 },
    { label: 'Days overdue', share: 1.2, align: 'right' },
    { label: 'Total', share: 2, align: 'right' },
    { label: 'Open', share: 2, align: 'right' },
  ]
  const rows = (sign: 1 | -1, documents: CustomerStatement['invoices']) =>
    documents.map((one) => [
      one.number,
      one.reference_number ?? '',
      day(one.date),
      sign > 0 ? day(one.due_date) : '',
      one.days_overdue > 0 && sign > 0 ? String(one.days_overdue) : '',
      moneyText(sign * one.total_amount, one.currency_id, digits(one.currency_id)),
      moneyText(sign * one.amount_due, one.currency_id, digits(one.currency_id)),
    ])
  const onAccount = statement.payments.map(
    ({ number, reference_number, date, currency_id, amount, unapplied_amount }) => [
      ...[number, reference_number ?? '', day(date), '', ''],
      moneyText(unapplied_amount < 0 ? amount : -amount, currency_id, digits(currency_id)),
      moneyText(-unapplied_amount, currency_id, digits(currency_id)),
    ],
  )
  return {
    ...blank,
    ...fromOrganization(around),
    title: 'Statement',
    number: name,
    parties: [
      {
        label: party === 'customer_id' ? 'Customer' : 'Carrier',
        lines: addressLines(about?.billingAddress ?? (about as Json | undefined), name),
      },
    ],
    facts: knownFacts([['As of', day(statement.as_of)]]),
    tables: [
      {
        label: `Open ${documents.plural}`,
        columns,
        rows: rows(1, statement[documents.plural] as CustomerStatement['invoices']),
      },
      ...(statement.credits.length > 0 ? [{ label: 'Credits', columns, rows: rows(-1, statement.credits) }] : []),
      ...(onAccount.length > 0 ? [{ label: 'Paid on account', columns, rows: onAccount }] : []),
      {
        label: 'How long it is overdue',
        columns: [
          { label: 'Currency', share: 1.2 },
          ...aging.map(([, label]) => ({ label, share: 2, align: 'right' as const })),
        ],
        rows: statement.currencies.map((sums) => [
          sums.currency_id.toUpperCase(),
          ...aging.map(([bucket]) => amountText(sums.aging[bucket], digits(sums.currency_id))),
        ]),
      },
    ],
    totals: statement.currencies.map(({ currency_id, balance_amount }) => ({
      label: 'Balance',
      value: moneyText(balance_amount, currency_id, digits(currency_id)),
      strong: true,
    })),
    date: new Date(statement.as_of),
  }
}
