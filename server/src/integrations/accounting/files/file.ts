import type { OutgoingDocument } from '../adapters/adapter.ts'
import type { ConnectorSettings } from '../catalogue.ts'

/**
 * What becomes of a document in a file. `before` is what an earlier file said of it, which is taken back; `document` is null where it does not count any
 * more.
 */
export type WrittenDocument = { before: OutgoingDocument | null; document: OutgoingDocument | null }

/** A file that a sync makes: a head, and the lines of each document. */
export type FileFormat = {
  ending: string
  mediaType: string
  head(): string
  linesOf(written: WrittenDocument, settings: ConnectorSettings): string
}

/** A part of a double entry: what is owed on one side, what it was for on the other. Debits are positive, and all parts of an entry come to nothing. */
export type Posting = { account: string; amount: number; memo: string | null }

/** A document as postings. The first is what is owed by or to the party; `sign` -1 takes it back. */
export function postingsOf(
  { type, lines, total, hand_tax }: OutgoingDocument,
  settings: ConnectorSettings,
  sign: 1 | -1 = 1,
): Posting[] {
  const side = type === 'bill' ? sign : -sign
  const fallback = (type === 'bill' ? settings.expense_account : settings.income_account) ?? ''
  const tax = hand_tax + lines.reduce((sum, line) => sum + line.tax, 0)
  const owed =
    type === 'bill'
      ? (settings.payables_account ?? 'Accounts Payable')
      : (settings.receivables_account ?? 'Accounts Receivable')
  return [
    { account: owed, amount: plain(-side * total), memo: null },
    ...lines.map(({ account, amount, description }) => ({
      account: account ?? fallback,
      amount: plain(side * amount),
      memo: description,
    })),
    ...(tax === 0
      ? []
      : [{ account: settings.tax_account ?? 'Sales Tax Payable', amount: plain(side * tax), memo: 'Tax' }]),
  ]
}

/** Makes 0 of -0. */
function plain(amount: number): number {
  return amount === 0 ? 0 : amount
}
