import type { Context } from '../../context.ts'
import { asOfIn } from '../../core/as-of.ts'
import { csvLine } from '../../core/csv.ts'
import { credits } from '../credits/kind.ts'
import { requireCurrencies } from '../currencies/known.ts'
import { invoices } from '../invoices/kind.ts'
import type { CustomerStatement, StatementQuery } from './model.ts'
import { findOpen } from './store.ts'

/** What a customer owes, as JSON text. */
export async function statementOf(ctx: Context, { id, name }: { id: string; name: string }, { as_of, currency_id }: StatementQuery): Promise<string> {
  const currency = currency_id?.toLowerCase()
  if (currency) await requireCurrencies(ctx, [currency], 'currency_id')
  const open = await findOpen(ctx, invoices, credits, { customer: id, asOf: asOfIn(as_of), currency })
  const about = JSON.stringify({ customer_id: id, customer_name: name, as_of: open.as_of })
  return `${about.slice(0, -1)},"currencies":${open.currencies},"invoices":${open.invoices},"credits":${open.credits}}`
}

const columns = ['type', 'number', 'reference_number', 'date', 'due_date', 'currency_id', 'total_amount', 'amount_paid', 'amount_due', 'days_overdue'] as const

/** The same as a table of the documents. Credits are negative, so that the columns can be added up. */
export function statementCsv(json: string): string {
  const { invoices, credits }: CustomerStatement = JSON.parse(json)
  const negative = (amount: number) => (amount === 0 ? 0 : -amount)
  const rows = [
    ...invoices.map((document) => ({ ...document, type: 'invoice' })),
    ...credits.map(({ total_amount, amount_paid, amount_due, ...document }) => ({
      ...{ ...document, type: 'credit' },
      ...{ total_amount: negative(total_amount), amount_paid: negative(amount_paid), amount_due: negative(amount_due) },
    })),
  ]
  return [columns, ...rows.map((row) => columns.map((name) => row[name]))].map((cells) => csvLine(cells)).join('')
}
