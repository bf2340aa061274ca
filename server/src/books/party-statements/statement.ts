import type { Context } from '../../platform/context.ts'
import { csvLine } from '../../platform/core/tables/csv.ts'
import { currencyCell, decimalCell } from '../../platform/core/tables/decimals.ts'
import { asOfIn } from '../../platform/core/values/as-of.ts'
import { minorUnits, requireCurrencies } from '../currencies/known.ts'
import type { PartyStatement, StatementQuery } from './model.ts'
import type { Side } from './sides.ts'
import { findOpen } from './store.ts'

/** What a customer owes, or what a carrier is owed, as JSON text. */
export async function statementOf(
  ctx: Context,
  side: Side,
  { id, name }: { id: string; name: string },
  { as_of, currency_id }: StatementQuery,
): Promise<string> {
  const currency = currency_id?.toLowerCase()
  if (currency) await requireCurrencies(ctx, [currency], 'currency_id')
  const open = await findOpen(ctx, side, { party: id, asOf: asOfIn(as_of), currency })
  const about = JSON.stringify({ [side.party]: id, [side.party.replace('_id', '_name')]: name, as_of: open.as_of })
  const { documents, credits, payments } = open
  return `${about.slice(0, -1)},"currencies":${open.currencies},"${side.documents.plural}":${documents},"credits":${credits},"payments":${payments}}`
}

const columns = [
  'type',
  'number',
  'reference_number',
  'date',
  'due_date',
  'currency_id',
  'total_amount',
  'amount_paid',
  'amount_due',
  'days_overdue',
] as const

const amounts = ['total_amount', 'amount_paid', 'amount_due'] as const

/** The same as a table. Credits and money on account are negative, so that the columns can be added up. */
export async function statementCsv(ctx: Context, { documents: { noun, plural } }: Side, json: string): Promise<string> {
  const units = await minorUnits(ctx)
  const { credits, payments, ...statement }: PartyStatement = JSON.parse(json)
  const documents = (statement as unknown as Record<string, PartyStatement['credits']>)[plural] ?? []
  const negative = (amount: number) => (amount === 0 ? 0 : -amount)
  const rows = [
    ...documents.map((document) => ({ ...document, type: noun })),
    ...credits.map(({ total_amount, amount_paid, amount_due, ...document }) => ({
      ...{ ...document, type: 'credit' },
      ...{ total_amount: negative(total_amount), amount_paid: negative(amount_paid), amount_due: negative(amount_due) },
    })),
    ...payments.map(({ amount, unapplied_amount, ...payment }) => {
      // Money that went the other way adds to what is owed.
      const total = unapplied_amount < 0 ? amount : -amount
      return {
        ...{ ...payment, type: 'payment', due_date: null, days_overdue: 0 },
        ...{ total_amount: total, amount_paid: total + unapplied_amount, amount_due: negative(unapplied_amount) },
      }
    }),
  ]
  const cellsOf = (row: (typeof rows)[number]) => [
    ...columns.map((name) => row[name]),
    currencyCell(row.currency_id),
    ...amounts.map((name) => decimalCell(row[name], row.currency_id, units)),
  ]
  return [[...columns, 'currency', ...amounts.map((name) => `${name}_decimal`)], ...rows.map(cellsOf)]
    .map((cells) => csvLine(cells))
    .join('')
}
